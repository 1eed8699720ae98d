"""The steps that preparers are made of."""

from mlebench.preparation.archives import extract, read_member
from mlebench.preparation.counts import fixed_count
from mlebench.preparation.files import place_files
from mlebench.preparation.split import group_split, train_test_split
from mlebench.preparation.tables import number_shuffled, one_hot
from mlebench.tables import read_csv, write_csv

__all__ = [
    "extract",
    "fixed_count",
    "group_split",
    "number_shuffled",
    "one_hot",
    "place_files",
    "read_csv",
    "read_member",
    "train_test_split",
    "write_csv",
]
