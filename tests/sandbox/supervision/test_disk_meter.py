"""The disk meter works in slices, and hurries while the disk fills up."""

from __future__ import annotations

import time

import pytest

from mlebench.sandbox.supervision.disk_meter import DiskMeter


def test_a_large_folder_is_measured_in_slices(tmp_path, monkeypatch):
    for i in range(3000):
        (tmp_path / f"{i}").write_bytes(b"x")
    monkeypatch.setattr("mlebench.sandbox.supervision.disk_meter._SLICE_SECONDS", 0)
    meter = DiskMeter(tmp_path, 3000 * 4096 - 1)
    used = [meter.measure(list) for _ in range(20)]
    assert used[:3] == [0, 0, 0]
    assert max(used) > 3000 * 4096 - 1


def test_slices_are_longer_while_the_disk_fills_up(tmp_path, monkeypatch):
    for i in range(3000):
        (tmp_path / f"{i}").write_bytes(b"x")
    monkeypatch.setattr("mlebench.sandbox.supervision.disk_meter._SLICE_SECONDS", 0)
    meter = DiskMeter(tmp_path, 10**9)
    free = iter([10**12] + [10**11] * 9)
    meter._free_bytes = lambda: next(free)
    assert meter.measure(list) >= 3000 * 4096


def test_a_measurement_is_due_early_when_the_disk_fills_up(tmp_path, monkeypatch):
    meter = DiskMeter(tmp_path, 1000)
    meter._folder_throttle._next = time.monotonic() + 1000
    meter._free_throttle._next = 0
    assert not meter.is_due() or pytest.skip("somebody else is filling the disk")
    meter._free_throttle._next = 0
    monkeypatch.setattr(meter, "_free", meter._free + 2000)
    meter._free_bytes = lambda: meter._free - 2000
    assert meter.is_due()
