"""Digests of a file's content instead of its bytes, for formats whose bytes depend on the version of a library."""

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
CHUNK_BYTES = 1024 * 1024


def has_unstable_bytes(path: Path) -> bool:
    """Whether files of this format may have equal content in different bytes."""
    return path.suffix in PARQUET | ARCHIVES


def content_digest(path: Path) -> str:
    """Return a digest of a file's content.

    For a parquet table, it covers names, types and values of the columns in their order; for an archive, the sorted
    names of the members with the md5 of each; for any other file, its bytes.

    Returns
    -------
    str
        The sha256 in hexadecimal.

    Raises
    ------
    MissingExtraError
        The package that reads the format is not installed.
    """
    if path.suffix in PARQUET:
        return _of_parquet(path)
    if path.suffix in ARCHIVES:
        lines = "".join(f"{md5}  {name}\n" for name, md5 in sorted(member_digests(path).items()))
        return hashlib.sha256(lines.encode()).hexdigest()
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def member_digests(archive: Path) -> dict[str, str]:
    """Return the md5 of each file in a zip, 7z, gz or tar archive by its name; folders are left out."""
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
        while chunk := file.read(CHUNK_BYTES):
            digest.update(chunk)
    return digest.hexdigest()


def _of_parquet(path: Path) -> str:
    """Read one column at a time, to save memory."""
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
        else:  # text, whose type depends on the version of pandas, and nested values
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
    """Return a cell as built-in types, which do not depend on the version of a library."""
    if value is None or (isinstance(value, float) and value != value):
        return None
    if hasattr(value, "tolist"):
        value = value.tolist()
    return [_plain(inner) for inner in value] if isinstance(value, list | tuple) else value
