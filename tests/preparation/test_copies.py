"""Copies: keys of texts, rows, files, pictures and members, and the rows that keys leave out."""

from __future__ import annotations

import hashlib
import zipfile

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from mlebench.errors import ArchiveError, RawDataError
from mlebench.preparation import (
    drop_contradictory,
    file_keys,
    member_keys,
    pixel_keys,
    row_keys,
    text_keys,
    without_copies,
)

KEYS = st.sampled_from([*"abcde", None])


@settings(max_examples=100, deadline=None)
@given(train=st.lists(KEYS), test=st.lists(KEYS), most=st.one_of(st.none(), st.integers(0, 6)))
def test_rows_of_train_with_a_key_of_test_are_left_out(train, test, most):
    frames = [
        pd.DataFrame({"key": np.array([*keys, None], dtype=object)[:-1]}, index=range(7, len(keys) + 7))
        for keys in (train, test)
    ]
    rest = without_copies(*frames, lambda rows: rows["key"], max_copies=most)
    placeholders = {key for key in train if most is not None and (train + test).count(key) > most}
    wanted = [row for row, key in enumerate(train, 7) if key is None or key in placeholders or key not in test]
    assert rest.index.tolist() == wanted


@settings(max_examples=100, deadline=None)
@given(rows=st.lists(st.tuples(KEYS, st.sampled_from([0, 1, None]), st.sampled_from("xy"))))
def test_copies_with_several_labels_are_left_out(rows):
    frame = pd.DataFrame(rows, columns=["key", "label", "other"])
    for label, places in (("label", [1]), (["label", "other"], [1, 2])):
        rest = drop_contradictory(frame, lambda frame: frame["key"], label)
        labels = {key: {tuple(row[place] for place in places) for row in rows if row[0] == key} for key, *_ in rows}
        assert rest.index.tolist() == [
            row for row, (key, *_) in enumerate(rows) if key is None or len(labels[key]) == 1
        ]


def test_texts_are_compared_without_case_blanks_and_spelling():
    texts = [
        "Straße\u00a0 am  Ufer",
        " STRASSE\tAM\nUFER ",
        "ﬁne",
        "fine",
        "cafe\u0301",
        "CAFÉ",
        "e",
        "é",
        "",
        None,
        None,
    ]
    keys = text_keys(pd.Series(texts, index=range(5, 16)))
    assert keys.factorize()[0].tolist() == [0, 0, 1, 1, 2, 2, 3, 4, 5, -1, -1]
    assert keys.index.tolist() == list(range(5, 16))


def test_rows_are_compared_by_value():
    frame = pd.DataFrame({"x": [0.0, -0.0, np.nan, np.nan, 1], "y": ["a", "a", None, None, "a"], "id": range(5)})
    assert row_keys(frame, ["x", "y"]).tolist() == [0, 0, 1, 1, 2]
    other = pd.DataFrame({"x": [0, 1], "y": ["b", "a"]})
    assert without_copies(frame, other, lambda rows: row_keys(rows, ["x", "y"]))["id"].tolist() == [0, 1, 2, 3]


CONTENTS = {
    "empty": b"",
    "empty too": b"",
    "a/short": b"x" * 100,
    "a/copy": b"x" * 100,
    "short, other": b"x" * 99 + b"y",
    "long": b"x" * 10_000,
    "b/copy": b"x" * 10_000,
    "long, other head": b"y" + b"x" * 9_999,
    "long, other tail": b"x" * 9_999 + b"y",
    "alone": b"z",
}
COPIES = ["a/copy", "a/short", "b/copy", "empty", "empty too", "long"]


@pytest.mark.parametrize("at_once", [False, True])
@pytest.mark.parametrize("kind", ["files", "members"])
def test_keys_of_content_are_equal_if_and_only_if_the_bytes_are(kind, at_once, tmp_path):
    names = pd.Series(sorted(CONTENTS), index=range(100, 100 + len(CONTENTS)))
    if kind == "files":
        for name, content in CONTENTS.items():
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_bytes(content)
        keys = file_keys(tmp_path, names, at_once=at_once)
    else:
        with zipfile.ZipFile(tmp_path / "x.zip", "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in CONTENTS.items():
                archive.writestr(name, content)
        keys = member_keys(tmp_path / "x.zip", names, at_once=at_once)
    assert keys.index.equals(names.index)
    assert keys.nunique() == len(set(CONTENTS.values()))
    assert names[keys.duplicated(keep=False)].tolist() == COPIES
    digests = [hashlib.sha256(CONTENTS[name]).hexdigest() for name in (COPIES if at_once else names)]
    assert keys[names.isin(COPIES) | (not at_once)].tolist() == digests


def test_keys_of_many_files_are_in_their_order(tmp_path):
    names = [f"{number}" for number in range(1500)]
    for name in names:
        (tmp_path / name).write_bytes(b"%d" % (int(name) // 2))
    for at_once in (False, True):
        assert file_keys(tmp_path, names, at_once=at_once).factorize()[0].tolist() == [int(name) // 2 for name in names]


def test_no_names_have_no_keys(tmp_path):
    assert [len(keys(tmp_path, [])) for keys in (file_keys, pixel_keys)] == [0, 0]


@pytest.mark.parametrize("keys", [file_keys, pixel_keys])
def test_a_missing_file_is_named(keys, tmp_path):
    with pytest.raises(RawDataError, match=r"lack the file a/x\.png in photos/"):
        keys(tmp_path / "photos", ["a/x.png"])


def test_a_missing_member_is_named(tmp_path):
    with zipfile.ZipFile(tmp_path / "x.zip", "w"):
        pass
    with pytest.raises(ArchiveError, match=r"x\.zip has no member 'a\.png'"):
        member_keys(tmp_path / "x.zip", ["a.png"])


def test_pictures_are_compared_by_their_pixels(tmp_path, seed):
    pixels = np.random.default_rng(seed).integers(0, 256, (9, 7, 3), dtype=np.uint8)
    picture = Image.fromarray(pixels)
    picture.save(tmp_path / "a.png", compress_level=0)
    picture.save(tmp_path / "b.png", optimize=True, dpi=(300, 300))
    picture.save(tmp_path / "c.bmp")
    Image.fromarray(pixels[:, ::-1].copy()).save(tmp_path / "mirrored.png")
    Image.fromarray(pixels.reshape(7, 9, 3)).save(tmp_path / "turned.png")
    picture.save(tmp_path / "lossy.jpg")
    picture.save(tmp_path / "also lossy.jpg", comment="other bytes, the same pixels")
    (tmp_path / "cut off.png").write_bytes((tmp_path / "a.png").read_bytes()[:100])
    (tmp_path / "cut off too.png").write_bytes((tmp_path / "a.png").read_bytes()[:100])
    names = sorted(path.name for path in tmp_path.iterdir())
    groups = pixel_keys(tmp_path, names).groupby(pixel_keys(tmp_path, names)).groups.values()
    assert sorted([names[place] for place in group] for group in groups if len(group) > 1) == [
        ["a.png", "b.png", "c.bmp"],
        ["cut off too.png", "cut off.png"],
    ]


def test_pictures_with_equal_indices_and_other_colours_differ(tmp_path):
    picture = Image.new("P", (4, 4))
    for name, palette in {"red.png": [255, 0, 0], "blue.png": [0, 0, 255]}.items():
        picture.putpalette(palette)
        picture.save(tmp_path / name)
    assert pixel_keys(tmp_path, ["red.png", "blue.png"]).nunique() == 2
