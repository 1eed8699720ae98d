"""Record the checksums of prepared real data, so that others can verify theirs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mlebench.data.checksums import get_checksum
from mlebench.data.content import content_digest, has_unstable_bytes
from mlebench.data.manifest import Source, read_manifest, require_prepared
from mlebench.data.summaries import list_tables
from mlebench.errors import UsageError
from mlebench.ground.files import write_atomically

if TYPE_CHECKING:
    from pathlib import Path

    from mlebench.tasks.competition import Competition


def record_checksums(competition: Competition, folder: Path | None = None) -> Path:
    """Write the checksums of a competition's prepared data to a file; preparing verifies against it.

    The file has the md5 of each table directly below `public` and `private`. Archives there, and parquet tables, have a
    digest of their content, since their bytes depend on versions of libraries.

    Parameters
    ----------
    competition
        The competition in the version to record, with prepared real data.
    folder
        Where to write the file; by default the folder of the competition's declaration.

    Returns
    -------
    Path
        The file: `checksums.yaml` for v1, `checksums_v2.yaml` for v2.

    Raises
    ------
    NotPreparedError
        The data are not prepared.
    UsageError
        The data are not known to be real, or the file exists.
    """
    require_prepared(competition)
    manifest = read_manifest(competition)
    source = manifest.source if manifest else Source.UNKNOWN
    if source is not Source.KAGGLE:
        raise UsageError(f"The data of {competition.label} have the source '{source}'; only real data are recorded.")
    path = (folder or competition.checksums.parent) / competition.checksums.name
    if path.exists():
        raise UsageError(f"There is a record of checksums at {path}; choose another folder, or delete it first.")
    import yaml

    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, yaml.safe_dump(_checksums(competition.prepared_dir)))
    return path


def _checksums(prepared: Path) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {"private": {}, "public": {}}
    for table in list_tables(prepared):
        found[table.parent.name][table.name] = get_checksum(table)
    files = (file for part in ("private", "public") for file in (prepared / part).iterdir() if file.is_file())
    content = {str(file.relative_to(prepared)): content_digest(file) for file in files if has_unstable_bytes(file)}
    return found | ({"content": content} if content else {})
