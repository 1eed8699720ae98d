"""Wines of three growers, told apart by seven chemical measurements."""

from pathlib import Path

from sklearn.datasets import load_wine

from mlebench.preparation import number_shuffled, one_hot, read_csv, train_test_split, write_csv

MEASUREMENTS = [
    "malic_acid",
    "ash",
    "alcalinity_of_ash",
    "magnesium",
    "total_phenols",
    "nonflavanoid_phenols",
    "proanthocyanins",
]
GROWERS = ["grower_a", "grower_b", "grower_c"]


def make_raw(raw: Path) -> None:
    """Leave out the six measurements that nearly give the grower away one by one."""
    wines = load_wine(as_frame=True)
    grower = wines.target.map(dict(enumerate(GROWERS)))
    write_csv(number_shuffled(wines.data[MEASUREMENTS].assign(grower=grower)), raw / "wines.csv")


def prepare(raw: Path, public: Path, private: Path) -> None:
    train, test = train_test_split(read_csv(raw / "wines.csv"), test_size=0.4)
    write_csv(train, public / "train.csv")
    write_csv(test.drop(columns="grower"), public / "test.csv")
    write_csv(test[["id"]].assign(**dict.fromkeys(GROWERS, 1 / 3)), public / "sample_submission.csv")
    write_csv(one_hot(test, "id", "grower", GROWERS), private / "test.csv")
