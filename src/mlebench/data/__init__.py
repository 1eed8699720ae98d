"""What is handed out: raw data found or fetched, split anew aside, verified, and moved into place."""

from mlebench.data.checksums import differing_files, generate_checksums, get_checksum
from mlebench.data.home import locked
from mlebench.data.manifest import (
    DESCRIPTION,
    MANIFEST,
    Manifest,
    Source,
    data_source,
    is_dataset_prepared,
    read_manifest,
    require_prepared,
)
from mlebench.data.preparing import prepare
from mlebench.data.raw import REHEARSAL_ARCHIVE
from mlebench.data.surface import (
    create_prepared_dir,
    download_and_prepare_dataset,
    download_dataset,
    ensure_leaderboard_exists,
    get_leaderboard,
)

__all__ = [
    "DESCRIPTION",
    "MANIFEST",
    "REHEARSAL_ARCHIVE",
    "Manifest",
    "Source",
    "create_prepared_dir",
    "data_source",
    "differing_files",
    "download_and_prepare_dataset",
    "download_dataset",
    "ensure_leaderboard_exists",
    "generate_checksums",
    "get_checksum",
    "get_leaderboard",
    "is_dataset_prepared",
    "locked",
    "prepare",
    "read_manifest",
    "require_prepared",
]
