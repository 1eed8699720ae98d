from __future__ import annotations

import json


def test_a_split_selects_its_competitions(invoke):
    rows = json.loads(invoke("list", "--split", "demo", "--json").stdout)
    assert rows
    assert all(row["id"].startswith("demo-") for row in rows)


def test_text_and_json_have_the_same_rows(invoke):
    ids = [row["id"] for row in json.loads(invoke("list", "--split", "low", "--json").stdout)]
    heading, *lines = invoke("list", "--split", "low").stdout.splitlines()
    assert heading.split() == ["id", "category", "complexity", "metric", "better", "data"]
    first_words = [line.split()[0] for line in lines if not line.startswith(" ")]
    assert first_words == ids


def test_the_origin_of_prepared_data_is_listed(invoke, ship, data_of):
    rows = json.loads(invoke("list", "--data-dir", data_of(ship), "--json").stdout)
    assert {row["id"]: row["data"] for row in rows}[ship.id] == "rehearsal"
