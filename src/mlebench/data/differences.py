"""Compare prepared files with those on record, or with what they were when they were made."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Literal, NamedTuple

from mlebench.data.checksums import ChecksumRecord
from mlebench.data.content import content_digest, has_unstable_bytes
from mlebench.data.summaries import summarize_names
from mlebench.errors import MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from mlebench.data.summaries import FileSummary

MAX_RECONSTRUCTED_BYTES = 2**28
"""Largest file that is held in memory, several times, to find out what differs."""


class Difference(NamedTuple):
    """A prepared file that differs from what it should be."""

    path: str
    """Below the prepared folder."""
    kind: Literal["missing", "differs", "not compared"]
    text: str
    """What differs, as the predicate of a sentence about the file."""

    @property
    def meaning(self) -> str:
        """What the difference means for results."""
        if self.kind == "not compared":
            return "the tables beside it decide"
        if self.path.startswith("private/"):
            return "scores on these answers are not comparable with other results"
        return "agents get other data than those of published results, so their scores are not comparable"

    def __str__(self) -> str:
        return f"{self.path}: {self.text}; {self.meaning}"


def compare_with_record(
    record: ChecksumRecord, prepared: Path, summaries: Mapping[str, FileSummary] | None = None
) -> list[Difference]:
    """Compare prepared files with those on record.

    Parameters
    ----------
    record
        The checksums of the real data.
    prepared
        The folder with `public` and `private`.
    summaries
        Summaries by path below `prepared`, of files that were read before; the others are read.
    """
    summaries = dict(summaries or {})
    existing = [name for name in record.files if (prepared / name).is_file()]
    summaries |= summarize_names(prepared, [name for name in existing if name not in summaries])
    found = []
    for name in dict.fromkeys([*record.files, *record.content]):
        if not (prepared / name).is_file():
            found.append(Difference(name, "missing", "is missing"))
        elif name in record.files and summaries[name].md5 == record.files[name]:
            continue
        elif has_unstable_bytes(prepared / name):
            found += _compare_content(prepared, name, record.content.get(name))
        elif name in record.files:
            cause = _sole_difference(prepared / name, record.files[name])
            text = f"is not the file on record{f': {cause}' if cause else ''} (it has {summaries[name]})"
            found.append(Difference(name, "differs", text))
    return found


def compare_with_manifest(
    before: Mapping[str, FileSummary], prepared: Path, now: Mapping[str, FileSummary]
) -> list[Difference]:
    """Compare the summaries of tables now with those of when they were made, by path below `prepared`."""
    found = []
    for name, old in before.items():
        if name not in now:
            found.append(Difference(name, "missing", "is missing"))
        elif now[name].md5 != old.md5:
            found.append(Difference(name, "differs", f"was {old} when it was made and is {_changed(old, now[name])}"))
    return found


def differing_files(checksums: Path, prepared: Path) -> list[str]:
    """Return the files below `prepared` that are missing or differ from the record in `checksums`."""
    found = compare_with_record(ChecksumRecord.read(checksums), prepared)
    return [difference.path for difference in found if difference.kind != "not compared"]


def _compare_content(prepared: Path, name: str, digest_on_record: str | None) -> list[Difference]:
    """Compare a file whose bytes depend on the version of a library."""
    if digest_on_record is None:
        text = (
            "has other bytes than the file on record, but they depend on the version of a library, and there is no "
            "record of its content"
        )
        return [Difference(name, "not compared", text)]
    try:
        digest = content_digest(prepared / name)
    except MissingExtraError as error:
        return [Difference(name, "not compared", f"cannot be compared by content ({error})")]
    return (
        [] if digest == digest_on_record else [Difference(name, "differs", "has other content than the file on record")]
    )


def _sole_difference(path: Path, md5: str) -> str | None:
    """Return the only difference from the file on record, if undoing it gives that file's md5."""
    if path.stat().st_size > MAX_RECONSTRUCTED_BYTES:
        return None
    mark, content = b"\xef\xbb\xbf", path.read_bytes()
    unix = content.replace(b"\r\n", b"\n")
    causes = {
        "only its line ends differ": (unix, unix.replace(b"\n", b"\r\n")),
        "only the line feed at its end differs": (content + b"\n", content.removesuffix(b"\n")),
        "only the byte order mark at its start differs": (content.removeprefix(mark), mark + content),
    }
    for cause, variants in causes.items():
        if any(hashlib.md5(variant, usedforsecurity=False).hexdigest() == md5 for variant in variants):
            return cause
    return None


def _changed(old: FileSummary, new: FileSummary) -> str:
    if (old.bytes, old.lines, old.columns) == (new.bytes, new.lines, new.columns):
        return "of the same size with other content"
    return str(new)
