"""v2 tests a part of v1's batches; the others are for training."""

from __future__ import annotations

import pandas as pd


def test_v2_tests_the_batch_with_the_lowest_number(prepared):
    batches = {}
    for version in ("v1", "v2"):
        public = prepared(f"icecube-neutrinos-in-deep-ice@{version}").public_dir
        for part in ("train", "test"):
            meta = pd.read_parquet(public / f"{part}_meta.parquet")
            batches[version, part] = set(meta["batch_id"])
            assert {path.name for path in (public / part).iterdir()} == {
                f"batch_{number}.parquet" for number in batches[version, part]
            }
        sample = pd.read_csv(public / "sample_submission.csv")
        assert set(sample["event_id"]) == set(meta["event_id"])
    assert len(batches["v1", "test"]) == 2
    assert batches["v2", "test"] == {min(batches["v1", "test"])}
    assert batches["v2", "train"] == batches["v1", "train"] | {max(batches["v1", "test"])}
