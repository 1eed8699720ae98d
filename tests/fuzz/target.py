"""What a fuzzing target is."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

FOLDER = Path(__file__).parent
CORPUS = FOLDER / "corpus"


@dataclass(frozen=True)
class Target:
    """A parser that meets input of unknown origin, and its contract."""

    open: Callable[[Path, Path], AbstractContextManager[Callable[[bytes], None]]]
    """Called with an empty folder, and with a folder of prepared data that others may share. In its context, the
    function that it yields takes one input. It raises an exception if the contract is broken."""
    words: tuple[bytes, ...] = ()
    """Words of the format, which mutations insert."""
    max_bytes: int = 4096
    """Maximum size of an input."""
    libraries: tuple[str, ...] = ()
    """Packages whose branches count as covered, besides mlebench."""
    mutate: Callable[[bytes, int, int], bytes] | None = None
    """Returns another input, given an input, the maximum size and a seed; by default, bytes are mutated."""


def target_names() -> list[str]:
    """Return the names of all targets."""
    return sorted(path.stem for path in (FOLDER / "targets").glob("[a-z]*.py"))


def load(name: str) -> Target:
    """Return a target by its name."""
    target: Target = import_module(f".targets.{name}", __package__).TARGET
    return target


def corpus(name: str) -> list[Path]:
    """Return the files of a target's corpus."""
    return sorted((CORPUS / name).iterdir())


def with_length(request: bytes) -> bytes:
    """Return a request in which `Content-Length: auto` is the number of bytes after its head."""
    length = len(request.partition(b"\r\n\r\n")[2])
    return request.replace(b"Content-Length: auto\r\n", b"Content-Length: %d\r\n" % length)
