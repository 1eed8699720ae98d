"""Floats as pandas' default parser read them before version 3.1."""

from __future__ import annotations

import io
import random

import numpy as np
import pandas as pd
import pytest

from mlebench.preparation import extract, pack, read_csv, read_csv_by_digits, read_member

PAIRS = {
    "-122.41234567890123456789": -122.41234567890125,
    "000000000000000000000.1234567890123456789": 0.0,
    "0.00000000000000000000000012345678901234567": 0.0,
    "123456789012345678901234567890.5": 1.2345678901234568e29,
    "12345678901234567890e-10": 1234567890.1234567,
    "9007199254740993.0": 9007199254740992.0,
    "2.2250738585072011e-308": 2.225073858507201e-308,
    "-1e-310": -1e-310,
    "1e-400": 0.0,
    "-0.0": -0.0,
    "1e23": 1e23,
    "0.12345678901234568": 0.1234567890123456,  # leading zeros count as digits, and only 17 are taken
    "37.40290599505734": 37.40290599505734,
    "1.5e-320": 1.5e-320,
    "-2e400": -np.inf,
    "0.1": 0.1,
    "": np.nan,
}
VERSION = tuple(map(int, pd.__version__.split(".")[:2]))
NEEDS_THAT_PARSER = pytest.mark.skipif(VERSION >= (3, 1), reason="this pandas has no other parser than the exact")


def test_known_texts_with_any_pandas(tmp_path):
    (tmp_path / "a.csv").write_text("id,x\n" + "".join(f"t,{text}\n" for text in PAIRS))
    for source in (tmp_path / "a.csv", io.BytesIO((tmp_path / "a.csv").read_bytes())):
        found = read_csv_by_digits(source)["x"]
        np.testing.assert_array_equal(found, list(PAIRS.values()))
        assert (np.signbit(found) == np.signbit(list(PAIRS.values()))).all()


def test_others_are_read_to_the_last_digit_with_any_pandas(tmp_path):
    texts = [text for text in PAIRS if text]
    (tmp_path / "a.csv").write_text("x\n" + "\n".join(texts) + "\n")
    found = read_csv(tmp_path / "a.csv")["x"]
    assert [found.dtype.kind, found.map(repr).tolist()] == ["f", [repr(float(text)) for text in texts]]


@pytest.mark.parametrize(
    ("competition_id", "source", "column", "target"),
    [
        ("siim-isic-melanoma-classification", "train.csv", "age_approx", "public/train.csv"),
        ("movie-review-sentiment-analysis-kernels-only", "train.tsv.zip", "Sentiment", "private/answers.csv"),
        ("nfl-player-contact-detection", "train_player_tracking.csv", "speed", "public/train_player_tracking.csv"),
        ("smartphone-decimeter-2022", "train/*/*/ground_truth.csv", "LatitudeDegrees", "private/test.csv"),
    ],
)
def test_preparers_that_print_such_floats(competition_id, source, column, target, registry, tmp_path):
    raw, competition = tmp_path / "raw", registry.get_competition(competition_id)
    extract(competition.folder / "rehearsal.zip", raw)
    for path in raw.glob(source):
        sep, text = ("\t", read_member(path, path.stem)) if path.suffix == ".zip" else (",", path)
        table = pd.read_csv(text, sep=sep, dtype=str, keep_default_na=False)
        table[column] = "0.12345678901234568"
        table.loc[1, column] = "-0.0"
        path.unlink()
        content = table.to_csv(sep=sep, index=False)
        pack(path, {path.stem: content.encode()}) if path.suffix == ".zip" else path.write_text(content)
    for part in ("public", "private"):
        (tmp_path / part).mkdir()
    competition.prepare_fn(raw, tmp_path / "public", tmp_path / "private")
    found = set(pd.read_csv(tmp_path / target, dtype=str)[column])
    assert "0.1234567890123456" in found <= {"0.1234567890123456", "-0.0"}


def test_short_numbers_and_whole_ones_are_read_exactly(tmp_path):
    (tmp_path / "a.csv").write_text("id,x,n\n1,0.57,9007199254740993\n2,1e-5,9007199254740995\n")
    table = read_csv_by_digits(tmp_path / "a.csv")
    assert table["x"].tolist() == [0.57, 1e-5]
    assert table["n"].tolist() == [9007199254740993, 9007199254740995]


@NEEDS_THAT_PARSER
def test_all_is_as_pandas_has_it(tmp_path):
    draw = random.Random(0)
    rows = [",".join(make_number(draw) for _ in range(3)) for _ in range(20_000)]
    (tmp_path / "a.csv").write_text("x,y,z\n" + "\n".join(rows) + "\n")
    pd.testing.assert_frame_equal(
        read_csv_by_digits(tmp_path / "a.csv"), pd.read_csv(tmp_path / "a.csv"), check_exact=True
    )


def make_number(draw: random.Random) -> str:
    digits = "".join(draw.choices("0123456789", k=draw.randint(1, 22)))
    place = draw.randint(0, len(digits))
    exponent = draw.choice(["", "", "", f"e{draw.randint(-290, 290)}", f"E+{draw.randint(0, 30)}"])
    plain = draw.choice(["", "-", "+"]) + digits[:place] + "." + digits[place:] + exponent
    return draw.choice([plain, plain, plain, "nan", "", repr(draw.gauss(0, 100))])
