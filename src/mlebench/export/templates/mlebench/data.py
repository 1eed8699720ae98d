"""Download, prepare and inspect the data of competitions."""

from mlebench.data import (
    create_prepared_dir,
    download_and_prepare_dataset,
    download_dataset,
    ensure_leaderboard_exists,
    generate_checksums,
    get_checksum,
    get_leaderboard,
    is_dataset_prepared,
)

__all__ = [
    "create_prepared_dir",
    "download_and_prepare_dataset",
    "download_dataset",
    "ensure_leaderboard_exists",
    "generate_checksums",
    "get_checksum",
    "get_leaderboard",
    "is_dataset_prepared",
]
