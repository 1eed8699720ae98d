"""Disk usage counts blocks, and each file once."""

from __future__ import annotations

from mlebench.sandbox.supervision.disk_usage import measure_disk_usage


def test_sparse_files_links_and_loops_count_what_they_take(tmp_path):
    (tmp_path / "sparse").open("wb").truncate(10**9)
    (tmp_path / "real").write_bytes(bytes(1_000_000))
    (tmp_path / "again").hardlink_to(tmp_path / "real")
    (tmp_path / "loop").symlink_to(tmp_path)
    *_, used = measure_disk_usage(tmp_path)
    assert 1_000_000 <= used < 1_100_000
