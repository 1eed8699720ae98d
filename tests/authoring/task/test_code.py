"""The declaration and the code of a new task."""

from __future__ import annotations

import ast
from pathlib import Path

import pandas as pd
import pytest
import yaml

from mlebench.authoring.task.code import declaration_text, find_telltale_words, task_text
from mlebench.authoring.task.form import choose_form, find_metric
from mlebench.authoring.task.table import Table


def table_and_form(target, metric, id=None):
    rows = pd.DataFrame({"key": range(len(target)), "y": target})
    table = Table(Path('it"s.csv'), rows, "y", id)
    return table, choose_form(table, find_metric(metric))


@pytest.mark.parametrize(
    ("brief", "expected"),
    [
        ("", ["wine", "quality", "grüne"]),
        ("The QUALITY of it", ["wine", "grüne"]),
        ("wine quality grüne", ["my-wine-quality"]),
    ],
)
def test_telltale_words_are_long_and_not_in_the_brief(brief, expected):
    assert find_telltale_words("my-wine-quality", "Grüne Wine", brief) == expected


@pytest.mark.parametrize("embedded", [True, False])
@pytest.mark.parametrize("id", [None, "key"])
@pytest.mark.parametrize(
    ("target", "metric"),
    [([0, 1] * 10, "auc"), (["a", 'b"\\'] * 10, "accuracy"), (["a", "b"] * 10, "logloss"), ([0.5, 2] * 10, "rmse")],
)
def test_the_code_imports_what_it_uses_and_nothing_else(target, metric, id, embedded):
    table, form = table_and_form(target, metric, id)
    tree = ast.parse(task_text('A "quoted\\" title', table, form, 0.2, embedded=embedded))
    imported = {a.asname or a.name for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) for a in n.names}
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    assert imported - {"annotations"} <= used
    assert {"read_csv", "train_test_split", "write_csv"} <= imported
    assert ("number_shuffled" in used) is (id is None)
    assert {"number_shuffled", "one_hot", "place_files", "InvalidSubmissionError"} & used <= imported


@pytest.mark.parametrize(
    ("target", "metric", "targets", "check"),
    [
        ([0, 1] * 10, "auc", ["y"], None),
        (["a", "b"] * 10, "logloss", ["a", "b"], None),
        (["a", "b"] * 10, "accuracy", ["y"], "check"),
    ],
)
def test_the_declaration_has_a_column_per_class_or_the_target(target, metric, targets, check):
    table, form = table_and_form(target, metric)
    facts = yaml.safe_load(declaration_text("my-task", "é: it", table, form, ["word"], year=2026, embedded=False))
    assert facts["submission"]["targets"] == targets
    assert facts.get("check") == check
    assert "raw" not in facts
    assert (facts["title"], facts["telltale_words"]) == ("é: it", ["word"])
