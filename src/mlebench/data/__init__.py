"""Getting a competition's data: download, unpack, split, verify, record and clean up."""

from mlebench.data.checksums import generate_checksums, get_checksum
from mlebench.data.cleaning import clean_data
from mlebench.data.differences import differing_files
from mlebench.data.locks import locked
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
from mlebench.data.options import PrepareOptions
from mlebench.data.plan import plan_data
from mlebench.data.preparing import prepare
from mlebench.data.raw import REHEARSAL_ARCHIVE
from mlebench.data.recording import record_checksums
from mlebench.data.reference import (
    create_prepared_dir,
    download_and_prepare_dataset,
    download_dataset,
    ensure_leaderboard_exists,
    get_leaderboard,
)
from mlebench.data.status import data_status

__all__ = [
    "DESCRIPTION",
    "MANIFEST",
    "REHEARSAL_ARCHIVE",
    "Manifest",
    "PrepareOptions",
    "Source",
    "clean_data",
    "create_prepared_dir",
    "data_source",
    "data_status",
    "differing_files",
    "download_and_prepare_dataset",
    "download_dataset",
    "ensure_leaderboard_exists",
    "generate_checksums",
    "get_checksum",
    "get_leaderboard",
    "is_dataset_prepared",
    "locked",
    "plan_data",
    "prepare",
    "read_manifest",
    "record_checksums",
    "require_prepared",
]
