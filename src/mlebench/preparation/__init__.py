"""Functions for preparers: read and write tables and archives, split rows, place files."""

from mlebench.ground.tables import read_csv, write_csv, write_quoted_csv
from mlebench.preparation.archives import extract, member_names, read_member
from mlebench.preparation.bson import BsonFile
from mlebench.preparation.coco import split_coco, split_specimens, write_numbered_answers
from mlebench.preparation.copies import (
    drop_contradictory,
    file_keys,
    member_keys,
    pixel_keys,
    row_keys,
    text_keys,
    without_copies,
)
from mlebench.preparation.counts import fixed_count
from mlebench.preparation.dicom import read_dicom_text
from mlebench.preparation.draws import Draws
from mlebench.preparation.files import copy_lines, place_by_folder, place_files, place_tree
from mlebench.preparation.floats import read_csv_by_digits
from mlebench.preparation.indented import read_json, write_indented_json
from mlebench.preparation.jpegs import cut_jpeg_metadata
from mlebench.preparation.matlab import empty_mat_field
from mlebench.preparation.packing import pack, packing, repack
from mlebench.preparation.parquet import read_parquet_chunks, writing_parquet
from mlebench.preparation.rows import read_rows
from mlebench.preparation.sevenzip import extract_7z, pack_7z
from mlebench.preparation.similar import similar_groups
from mlebench.preparation.split import (
    draw_groups,
    group_positions,
    group_split,
    linked_groups,
    shuffle_rows,
    split_each_group,
    split_positions,
    train_test_split,
)
from mlebench.preparation.tables import number_shuffled, one_hot
from mlebench.preparation.tars import pack_tar, retar, tar_member_names
from mlebench.preparation.tfrecords import read_tfrecord_texts
from mlebench.preparation.tokens import split_spoken_texts, split_spoken_tokens

__all__ = [
    "BsonFile",
    "Draws",
    "copy_lines",
    "cut_jpeg_metadata",
    "draw_groups",
    "drop_contradictory",
    "empty_mat_field",
    "extract",
    "extract_7z",
    "file_keys",
    "fixed_count",
    "group_positions",
    "group_split",
    "linked_groups",
    "member_keys",
    "member_names",
    "number_shuffled",
    "one_hot",
    "pack",
    "pack_7z",
    "pack_tar",
    "packing",
    "pixel_keys",
    "place_by_folder",
    "place_files",
    "place_tree",
    "read_csv",
    "read_csv_by_digits",
    "read_dicom_text",
    "read_json",
    "read_member",
    "read_parquet_chunks",
    "read_rows",
    "read_tfrecord_texts",
    "repack",
    "retar",
    "row_keys",
    "shuffle_rows",
    "similar_groups",
    "split_coco",
    "split_each_group",
    "split_positions",
    "split_specimens",
    "split_spoken_texts",
    "split_spoken_tokens",
    "tar_member_names",
    "text_keys",
    "train_test_split",
    "without_copies",
    "write_csv",
    "write_indented_json",
    "write_numbered_answers",
    "write_quoted_csv",
    "writing_parquet",
]
