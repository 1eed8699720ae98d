"""md5 checksums of prepared files, and the record of those of the real data.

`checksums.yaml` of a competition has the md5 of each table by name below `public` and `private`; tables of sub-folders
are nested below the folder's name. `zip` is the md5 of Kaggle's archive. For formats whose bytes depend on the version
of a library (parquet, archives), `content` may have digests of the content by path below the prepared folder.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from mlebench.data.summaries import TABLE_SUFFIXES
from mlebench.errors import DeclarationError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path


@dataclass(frozen=True)
class ChecksumRecord:
    """The checksums on record of one competition."""

    files: Mapping[str, str]
    """md5 by path below the prepared folder."""
    content: Mapping[str, str] = field(default_factory=dict)
    """Digest of the content by path below the prepared folder, for formats whose bytes vary."""
    archive: str | None = None
    """md5 of Kaggle's zip."""

    @classmethod
    def read(cls, path: Path) -> ChecksumRecord:
        """Read a `checksums.yaml`; DeclarationError if it is malformed."""
        import yaml

        try:
            found: Any = yaml.safe_load(path.read_bytes()) or {}
            files = {name: md5 for part in ("public", "private") for name, md5 in _flatten(found.get(part) or {}, part)}
            return cls(files, dict(found.get("content") or {}), found.get("zip"))
        except (yaml.YAMLError, AttributeError) as error:
            raise DeclarationError(f"The record of checksums {path} cannot be read: {error}.") from error


def get_checksum(path: Path) -> str:
    """Return a file's md5 as hexadecimal text."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, lambda: hashlib.md5(usedforsecurity=False)).hexdigest()


def generate_checksums(
    target_dir: Path, exts: list[str] | None = None, exclude: list[Path] | None = None
) -> dict[str, object]:
    """Return the md5 of the files in a folder, in the form of `checksums.yaml`.

    Parameters
    ----------
    target_dir
        The folder; its sub-folders are included.
    exts
        Suffixes of the files to include, without the dot. By default csv, json, jsonl, parquet and bson.
    exclude
        Files and folders to leave out.

    Returns
    -------
    dict
        md5 by file name; those of a sub-folder are a dictionary under its name.
    """
    included = set(exts or TABLE_SUFFIXES)
    excluded = {path.resolve() for path in exclude or []}
    checksums: dict[str, object] = {}
    for path in sorted(target_dir.iterdir()):
        if path.resolve() in excluded:
            continue
        if path.is_dir():
            nested = generate_checksums(path, exts, exclude)
            if nested:
                checksums[path.name] = nested
        elif path.suffix.lstrip(".") in included:
            checksums[path.name] = get_checksum(path)
    return checksums


def _flatten(nested: Mapping[str, Any], folder: str) -> Iterator[tuple[str, str]]:
    for name, value in nested.items():
        if isinstance(value, dict):
            yield from _flatten(value, f"{folder}/{name}")
        else:
            yield f"{folder}/{name}", str(value)
