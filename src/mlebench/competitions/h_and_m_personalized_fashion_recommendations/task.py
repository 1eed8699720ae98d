"""Articles that customers of a fashion shop will buy in the days after the training data."""

import io
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd

from mlebench.errors import InvalidSubmissionError
from mlebench.ground.wording import plain
from mlebench.metrics.ranking import map_at_12_score
from mlebench.preparation import place_files, place_tree, read_csv, write_csv
from mlebench.preparation.rows import gather
from mlebench.tasks.matching import sorted_positions

COLUMNS = ["t_dat", "customer_id", "article_id", "price", "sales_channel_id"]
TYPES = {"customer_id": str, "article_id": "int64", "price": float}
BLOCK = 2**24
WIDEST = 32
"""Bytes of the longest price."""
ZERO, COMMA, NEWLINE = b"0,\n"


def prepare(raw: Path, public: Path, private: Path) -> None:
    test = hold_out(raw, public, days=8)
    baskets = test["article_id"].map(str).groupby(test["customer_id"]).agg(" ".join)
    write_csv(baskets.rename("prediction").reset_index(), private / "answers.csv")


def prepare_v2(raw: Path, public: Path, private: Path) -> None:
    test = hold_out(raw, public, days=7).drop_duplicates(["customer_id", "article_id"])
    baskets = test["article_id"].map(str).groupby(test["customer_id"]).agg(" ".join)
    customers = read_csv(raw / "sample_submission.csv")["customer_id"]
    write_csv(baskets.reindex(customers, fill_value="").rename("prediction").reset_index(), private / "answers.csv")


def hold_out(raw: Path, public: Path, days: int) -> pd.DataFrame:
    """Write the public files, and return the purchases of the last days."""
    source, bought = raw / "transactions_train.csv", []
    first = max(days_of(lines).max() for lines in blocks(source)) - np.timedelta64(days - 1, "D")
    with (public / "transactions_train.csv").open("wb") as train:
        train.write(",".join(COLUMNS).encode() + b"\n")
        for lines in map(printed, blocks(source)):
            starts, stops = positions_of(lines)
            in_test = days_of(lines) >= first
            train.write(gather(lines, starts[~in_test], stops[~in_test]) if in_test.any() else lines)
            bought.append(gather(lines, starts[in_test], stops[in_test]))
    place_files(["articles.csv", "customers.csv", "sample_submission.csv"], raw, public)
    place_tree(raw / "images", public / "images")
    return read_lines(b"".join(bought))


def blocks(source: Path) -> Iterator[bytes]:
    """Yield the lines below the header, many at a time."""
    with source.open("rb") as file:
        file.readline()
        while text := file.read(BLOCK):
            text += file.readline()
            plain = text.endswith(b"\n") and b'"' not in text and b"\r" not in text
            yield text if plain else reprinted(text)


def positions_of(lines: bytes) -> tuple[np.ndarray, np.ndarray]:
    """Return where lines begin, and where the next ones do."""
    stops = np.flatnonzero(np.frombuffer(lines, np.uint8) == NEWLINE) + 1
    return np.concatenate([[0], stops[:-1]]), stops


def days_of(lines: bytes) -> np.ndarray:
    """Return the days that lines begin with."""
    windows = np.ndarray((len(lines) - 9,), "S10", lines, strides=(1,))
    return np.asarray(windows[positions_of(lines)[0]], "datetime64[D]")


def printed(lines: bytes) -> bytes:
    """Return lines as pandas prints them: articles without leading zeros, prices with the fewest digits."""
    signs = np.frombuffer(bytearray(lines + bytes(WIDEST)), np.uint8)
    ends = np.flatnonzero((signs == COMMA) | (signs == NEWLINE)).reshape(-1, len(COLUMNS))
    kept = np.arange(len(signs)) < len(lines)
    zeros = ends[:, 1] + 1
    while len(zeros := zeros[(signs[zeros] == ZERO) & (signs[zeros + 1] != COMMA)]):
        kept[zeros] = False
        zeros = zeros + 1

    starts, room = ends[:, 2] + 1, ends[:, 3:4] - ends[:, 2:3] - 1
    places = np.arange(WIDEST)
    cells = np.lib.stride_tricks.sliding_window_view(signs, WIDEST)[starts] * (places < room)
    texts = cells.view(f"S{WIDEST}")[:, 0]
    codes, prices = pd.factorize(texts.astype(float))
    prints = np.array([repr(price).encode() for price in prices.tolist()], f"S{WIDEST}")[codes]
    odd = np.flatnonzero(texts != prints)
    size, room = np.char.str_len(prints[odd])[:, np.newaxis], room[odd]
    if not np.isfinite(prices).all() or room.max(initial=0) > WIDEST or (size > room).any():
        return reprinted(lines)
    inside = places < room
    where = (starts[odd, np.newaxis] + places)[inside]
    signs[where] = prints[odd].view(np.uint8).reshape(-1, WIDEST)[inside]
    kept[where] = (places < size)[inside]
    return signs[kept].tobytes()


def reprinted(lines: bytes) -> bytes:
    return read_lines(lines).to_csv(index=False, header=False, lineterminator="\n").encode()


def read_lines(lines: bytes) -> pd.DataFrame:
    return read_csv(io.BytesIO(lines), header=None, names=COLUMNS, dtype=TYPES)


def grade(submission: pd.DataFrame, answers: pd.DataFrame) -> float:
    """Score the customers that bought. In v1, one that stands there twice shifts all that sort behind."""
    buyers = set(answers["customer_id"].to_numpy(dtype=object))
    bought = map(buyers.__contains__, submission["customer_id"].to_numpy(dtype=object))
    scored = submission.iloc[np.flatnonzero(np.fromiter(bought, dtype=bool))]
    if set(scored["customer_id"].to_numpy(dtype=object)) != buyers:
        raise InvalidSubmissionError("The column 'customer_id' must hold all customers of the sample, but some lack.")
    truth = answers.iloc[sorted_positions(answers[["customer_id"]])]
    prediction = scored.iloc[sorted_positions(scored[["customer_id"]])[: len(truth)]]
    return map_at_12_score(truth["prediction"].to_numpy(), prediction["prediction"].to_numpy())


def grade_v2(submission: pd.DataFrame, answers: pd.DataFrame) -> float:
    """Score the customers that bought; articles are whole numbers, with or without leading zeros."""
    check_articles(submission)
    bought = answers["prediction"] != ""
    guesses = [
        " ".join(word.lstrip("0") for word in text.split(None, 12)[:12])
        for text in submission.loc[bought, "prediction"]
    ]
    return map_at_12_score(answers.loc[bought, "prediction"], guesses)


def check_articles(submission: pd.DataFrame) -> None:
    """Refuse predictions that hold anything but whole numbers and blanks."""
    wrong = ~submission["prediction"].str.fullmatch("[0-9 ]*").to_numpy(dtype=bool)
    if wrong.any():
        customer = plain(submission["customer_id"].iloc[int(np.argmax(wrong))])
        raise InvalidSubmissionError(
            f"The articles of customer {customer} must be whole numbers with blanks between them."
        )
