"""The steps that preparers are made of."""

from mlebench.preparation.archives import extract, member_names, read_member
from mlebench.preparation.counts import fixed_count
from mlebench.preparation.files import place_by_folder, place_files
from mlebench.preparation.lines import read_rows
from mlebench.preparation.packing import pack, repack
from mlebench.preparation.sevenzip import extract_7z, pack_7z
from mlebench.preparation.split import group_split, split_positions, train_test_split
from mlebench.preparation.tables import number_shuffled, one_hot
from mlebench.preparation.tfrecords import read_tfrecord_texts
from mlebench.tables import read_csv, write_csv

__all__ = [
    "extract",
    "extract_7z",
    "fixed_count",
    "group_split",
    "member_names",
    "number_shuffled",
    "one_hot",
    "pack",
    "pack_7z",
    "place_by_folder",
    "place_files",
    "read_csv",
    "read_member",
    "read_rows",
    "read_tfrecord_texts",
    "repack",
    "split_positions",
    "train_test_split",
    "write_csv",
]
