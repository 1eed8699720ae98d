"""Large families of notebooks are over-represented in the test set of v1, and not in that of v2."""

from __future__ import annotations

import json

import pandas as pd
import pytest

from mlebench.ground.tables import read_csv, write_csv
from mlebench.tasks.registry import Registry

LARGE, SINGLE, MEMBERS, TESTED = 30, 300, 10, 100


@pytest.fixture
def raw(tmp_path):
    """Raw data with some large families; most families have one notebook."""
    families = [f"large {number}" for number in range(LARGE) for _ in range(MEMBERS)]
    families += [f"single {number}" for number in range(SINGLE)]
    ids = [f"{number:014x}" for number in range(len(families))]
    folder = tmp_path / "raw"
    (folder / "train").mkdir(parents=True)
    for id in ids:
        (folder / "train" / f"{id}.json").write_text(json.dumps({"cell_type": {"a": "code", "b": "markdown"}}))
    write_csv(pd.DataFrame({"id": ids, "ancestor_id": families, "parent_id": None}), folder / "train_ancestors.csv")
    write_csv(pd.DataFrame({"id": ids, "cell_order": "b a"}), folder / "train_orders.csv")
    (folder / "rehearsal.json").write_text(json.dumps({"test_size": TESTED}))
    return folder


@pytest.mark.parametrize(("label", "low", "high"), [("AI4Code", 0.3, 1), ("AI4Code@v2", 0, 0.2)])
def test_v2_draws_large_families_no_more_often_than_others(label, low, high, raw, tmp_path):
    public, private = tmp_path / "public", tmp_path / "private"
    public.mkdir()
    private.mkdir()
    Registry().get_competition(label).prepare_fn(raw, public, private)
    families = read_csv(raw / "train_ancestors.csv").set_index("id")["ancestor_id"]
    tested = families[read_csv(private / "test_orders.csv")["id"]]
    train = read_csv(public / "train_ancestors.csv")
    assert len(tested) == TESTED
    assert not set(tested) & set(train["ancestor_id"])
    share = pd.Series(tested.unique()).str.startswith("large").mean()
    assert low < share < high  # a share of 1/11 of all families is large
