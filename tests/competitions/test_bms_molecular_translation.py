"""The public texts of v2 hold no answers."""

from __future__ import annotations

import pytest

from mlebench.ground.tables import read_csv

ID = "bms-molecular-translation"


@pytest.mark.parametrize(("label", "has_answers"), [(ID, True), (f"{ID}@v2", False)])
@pytest.mark.parametrize("name", ["extra_approved_InChIs.csv", "train_labels.csv"])
def test_v2_hands_out_no_text_that_is_an_answer(label, has_answers, name, prepared):
    competition = prepared(label)
    texts, answers = (set(read_csv(path)["InChI"]) for path in (competition.public_dir / name, competition.answers))
    assert texts
    assert bool(texts & answers) == has_answers
