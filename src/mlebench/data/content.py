"""Digests of what a file says rather than of its bytes, for formats whose bytes depend on a library's version."""

from __future__ import annotations

import hashlib
import shutil
import tarfile
import tempfile
import zipfile
from pathlib import Path
from typing import Any

from mlebench.ground.extras import require

PARQUET = frozenset({".parquet"})
ARCHIVES = frozenset({".zip", ".tar", ".tgz", ".gz", ".7z"})
CHUNK = 1024 * 1024


def has_unstable_bytes(path: Path) -> bool:
    """Say whether files of this kind may differ in bytes and yet say the same."""
    return path.suffix in PARQUET | ARCHIVES


def content_digest(path: Path) -> str:
    """Return a digest of a file's content: the sha256, as hexadecimal text.

    Of a parquet table: names, types and values of its columns in their order. Of an archive: the sorted names of its
    members, each with the md5 of its bytes. Of any other file: its bytes. Raises MissingExtraError where the
    library that reads the format is not there.
    """
    if path.suffix in PARQUET:
        return _of_parquet(path)
    if path.suffix in ARCHIVES:
        lines = "".join(f"{md5}  {name}\n" for name, md5 in sorted(member_digests(path).items()))
        return hashlib.sha256(lines.encode()).hexdigest()
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def member_digests(archive: Path) -> dict[str, str]:
    """Return the md5 of each file in a zip, 7z or tar archive by its name; folders don't count."""
    if archive.suffix == ".zip":
        with zipfile.ZipFile(archive) as file:
            return {member.filename: _md5(file.open(member)) for member in file.infolist() if not member.is_dir()}
    if archive.suffix == ".7z":
        from mlebench.preparation.sevenzip import extract_7z

        unpacked = Path(tempfile.mkdtemp(prefix=".reading-", dir=archive.parent))
        try:
            extract_7z(archive, unpacked)
            return {
                str(path.relative_to(unpacked)): _md5(path.open("rb")) for path in unpacked.rglob("*") if path.is_file()
            }
        finally:
            shutil.rmtree(unpacked, ignore_errors=True)
    if archive.suffix == ".gz" and not archive.name.endswith(".tar.gz"):
        import gzip

        return {archive.stem: _md5(gzip.open(archive))}
    with tarfile.open(archive) as tar:
        return {member.name: _md5(tar.extractfile(member)) for member in tar if member.isfile()}


def _md5(file: Any) -> str:
    digest = hashlib.md5(usedforsecurity=False)
    with file:
        while chunk := file.read(CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def _of_parquet(path: Path) -> str:
    """One column at a time, so that memory holds no more than that."""
    import numpy as np
    import pandas as pd

    digest = hashlib.sha256()
    for name in _parquet_columns(path):
        column: Any = pd.read_parquet(path, engine="pyarrow", columns=[name]).reset_index(drop=True)[name]
        missing = column.isna().to_numpy()
        plain = isinstance(column.dtype, np.dtype)
        if plain and column.dtype.kind in "biuf":
            kind, values = column.dtype.str, column.to_numpy().tobytes()
        elif plain and column.dtype.kind in "mM":
            kind, values = column.dtype.kind, column.astype(f"{column.dtype.kind}8[ns]").to_numpy().tobytes()
        else:  # text by whatever name this version of pandas gives it, and everything nested
            kind, values = "object", repr([_plain(value) for value in column.where(~missing, None)]).encode()
        digest.update(f"{name}\0{kind}\0{len(column)}\0".encode())
        digest.update(missing.tobytes())
        digest.update(values)
    return digest.hexdigest()


def _parquet_columns(path: Path) -> list[str]:
    require("parquet")
    import pyarrow.parquet as pq  # type: ignore[import-not-found, import-untyped, unused-ignore]

    return [name for name in pq.read_schema(path).names if not name.startswith("__index_level_")]


def _plain(value: Any) -> Any:
    """Return a cell without the classes that one library has and another has not."""
    if value is None or (isinstance(value, float) and value != value):
        return None
    if hasattr(value, "tolist"):
        value = value.tolist()
    return [_plain(inner) for inner in value] if isinstance(value, list | tuple) else value
