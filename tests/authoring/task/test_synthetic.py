"""Synthetic rows for rehearsals look like the table and reveal none of its rows."""

from mlebench.authoring.task.form import choose_form, find_metric
from mlebench.authoring.task.make import make_task
from mlebench.authoring.task.synthetic import synthetic_rows
from mlebench.authoring.task.table import read_table
from mlebench.ground.tables import read_csv
from mlebench.preparation import read_member

from .tables import wines


def test_rehearsal_data_have_the_columns_and_types_of_the_table_and_none_of_its_rows(tmp_path):
    wines().to_csv(tmp_path / "wine.csv", index=False)
    made = make_task(tmp_path / "gq-task", tmp_path / "wine.csv", "target", "logloss", id_column="bottle", embed=False)
    synthetic = read_csv(read_member(made.folder / "rehearsal.zip", "wine.csv"))
    real = read_csv(tmp_path / "wine.csv")
    assert list(synthetic.columns) == list(real.columns)
    assert list(map(str, synthetic.dtypes)) == list(map(str, real.dtypes))
    assert set(synthetic["target"]) == set(real["target"])
    assert not set(synthetic["bottle"]) & set(real["bottle"])
    assert synthetic["hue"].isna().any()
    features = ["alcohol", "hue", "proline"]
    assert not set(map(tuple, synthetic[features].to_numpy())) & set(map(tuple, real[features].to_numpy()))


def test_the_same_seed_gives_the_same_rows(tmp_path):
    wines().to_csv(tmp_path / "wine.csv", index=False)
    table = read_table(tmp_path / "wine.csv", "target", "bottle")
    form = choose_form(table, find_metric("logloss"))
    first, again, other = (synthetic_rows(table, form, seed) for seed in (1, 1, 2))
    assert first.equals(again)
    assert not first.equals(other)
