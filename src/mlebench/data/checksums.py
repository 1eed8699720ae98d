"""Prepared files beside those on record: are they the same, and if not, what differs and what does it mean.

`checksums.yaml` of a competition holds, below `public` and `private`, the md5 of tables by name, those in sub-folders
nested below the folder's name; `zip` is the md5 of Kaggle's archive. Where bytes depend on a library's version
(parquet, archives), `content` may hold the digest of what a file says, by its path below the prepared folder.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from mlebench.data.content import content_digest, has_unstable_bytes
from mlebench.data.facts import TABLE_SUFFIXES, FileFacts, measure_all
from mlebench.errors import DeclarationError, MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

PARTS = ("public", "private")


@dataclass(frozen=True)
class Record:
    """The checksums on record of one competition."""

    files: Mapping[str, str]
    """md5 by path below the prepared folder."""
    content: Mapping[str, str] = field(default_factory=dict)
    """Digest of the content by path below the prepared folder, where bytes vary."""
    archive: str | None = None
    """md5 of Kaggle's zip."""

    @classmethod
    def read(cls, path: Path) -> Record:
        """Read a `checksums.yaml`."""
        import yaml

        try:
            found: Any = yaml.safe_load(path.read_bytes()) or {}
            files = {name: md5 for part in PARTS for name, md5 in _flat(found.get(part) or {}, part)}
            return cls(files, dict(found.get("content") or {}), found.get("zip"))
        except (yaml.YAMLError, AttributeError) as error:
            raise DeclarationError(f"The record of checksums {path} cannot be read: {error}.") from error


class Difference(NamedTuple):
    """A prepared file that is not the one on record."""

    path: str
    """Below the prepared folder."""
    kind: Literal["missing", "differs", "not compared"]
    text: str
    """What differs, as far as it can be told."""

    @property
    def meaning(self) -> str:
        """What it does to results."""
        if self.kind == "not compared":
            return "the tables beside it decide"
        if self.path.startswith("private/"):
            return "scores on these answers are not comparable with anybody's"
        return "agents get other data than those of published results, so their scores are not comparable"

    def __str__(self) -> str:
        return f"{self.path}: {self.text}; {self.meaning}"


def compare_with_record(
    record: Record, prepared: Path, facts: Mapping[str, FileFacts] | None = None
) -> list[Difference]:
    """Return how prepared files differ from those on record; `facts` are of files that are measured already."""
    facts = dict(facts or {})
    there = [name for name in record.files if (prepared / name).is_file()]
    facts |= measure_by_name(prepared, [name for name in there if name not in facts])
    found = []
    for name in dict.fromkeys([*record.files, *record.content]):
        if not (prepared / name).is_file():
            found.append(Difference(name, "missing", "is missing"))
        elif name in record.files and facts[name].md5 == record.files[name]:
            continue
        elif has_unstable_bytes(prepared / name):
            found += _compare_content(prepared, name, record.content.get(name))
        elif name in record.files:
            found.append(Difference(name, "differs", _what_differs(prepared / name, facts[name], record.files[name])))
    return found


def compare_with_facts(then: Mapping[str, FileFacts], prepared: Path, now: Mapping[str, FileFacts]) -> list[Difference]:
    """Return how prepared files differ from what they were when they were made."""
    found = []
    for name, before in then.items():
        if name not in now:
            found.append(Difference(name, "missing", "is missing"))
        elif now[name].md5 != before.md5:
            found.append(
                Difference(name, "differs", f"was {before} when it was made and is {_beside(before, now[name])}")
            )
    return found


def differing_files(checksums: Path, prepared: Path) -> list[str]:
    """Return the files below `prepared` that are missing or not those on record."""
    found = compare_with_record(Record.read(checksums), prepared)
    return [difference.path for difference in found if difference.kind != "not compared"]


def measure_by_name(
    prepared: Path, names: list[str], progress: Callable[[int], None] | None = None
) -> dict[str, FileFacts]:
    """Measure files by their paths below a prepared folder."""
    return {
        str(path.relative_to(prepared)): fact
        for path, fact in measure_all([prepared / n for n in names], progress).items()
    }


def get_checksum(path: Path) -> str:
    """Return a file's md5 as hexadecimal text."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, lambda: hashlib.md5(usedforsecurity=False)).hexdigest()


def generate_checksums(
    target_dir: Path, exts: list[str] | None = None, exclude: list[Path] | None = None
) -> dict[str, object]:
    """Return the md5 of the files in a folder by name, those of sub-folders nested below the folder's name.

    By default only `.csv`, `.json`, `.jsonl`, `.parquet` and `.bson` files count.
    """
    wanted = set(exts or TABLE_SUFFIXES)
    skipped = {path.resolve() for path in exclude or []}
    checksums: dict[str, object] = {}
    for path in sorted(target_dir.iterdir()):
        if path.resolve() in skipped:
            continue
        if path.is_dir():
            nested = generate_checksums(path, exts, exclude)
            if nested:
                checksums[path.name] = nested
        elif path.suffix.lstrip(".") in wanted:
            checksums[path.name] = get_checksum(path)
    return checksums


def _flat(nested: Mapping[str, Any], place: str) -> Iterator[tuple[str, str]]:
    for name, value in nested.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{place}/{name}")
        else:
            yield f"{place}/{name}", str(value)


def _compare_content(prepared: Path, name: str, wanted: str | None) -> list[Difference]:
    """Compare by content; bytes that differ say nothing by themselves where they depend on a library's version."""
    if wanted is None:
        text = (
            "has other bytes than on record, which depend on a library's version, and there is no record of its content"
        )
        return [Difference(name, "not compared", text)]
    try:
        digest = content_digest(prepared / name)
    except MissingExtraError as error:
        return [Difference(name, "not compared", f"cannot be compared by content ({error})")]
    return [] if digest == wanted else [Difference(name, "differs", "has other content than the file on record")]


def _what_differs(path: Path, facts: FileFacts, md5: str) -> str:
    """Say what is there; the record holds a digest only, so what was there is found by trying."""
    return f"is not the file on record{_only(path, md5)} (it has {facts})"


def _only(path: Path, md5: str) -> str:
    """Return what alone differs, if the file on record can be made from this one."""
    if path.stat().st_size > 2**28:  # several copies of it are held
        return ""
    mark, content = b"\xef\xbb\xbf", path.read_bytes()
    unix = content.replace(b"\r\n", b"\n")
    attempts = {
        "only its line ends differ": (unix, unix.replace(b"\n", b"\r\n")),
        "only the line feed at its end differs": (content + b"\n", content.removesuffix(b"\n")),
        "only the byte order mark at its start differs": (content.removeprefix(mark), mark + content),
    }
    for words, variants in attempts.items():
        if any(hashlib.md5(variant, usedforsecurity=False).hexdigest() == md5 for variant in variants):
            return f": {words}"
    return ""


def _beside(before: FileFacts, after: FileFacts) -> str:
    if (before.bytes, before.lines, before.columns) == (after.bytes, after.lines, after.columns):
        return "as long but says something else"
    return str(after)
