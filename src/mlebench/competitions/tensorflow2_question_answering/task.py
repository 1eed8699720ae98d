"""Long and short answers to questions, as ranges of tokens in an article."""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from mlebench.errors import InvalidSubmissionError
from mlebench.preparation import split_positions, write_csv
from mlebench.tasks.split import Split

CHUNK = 1000
"""Lines that are split together; the reference reads the file in such pieces."""
ESCAPED_DELETE = re.compile(r"(?<!\\)((?:\\\\)*)\\u007f")
WORDS = ("YES", "NO", "")


def prepare(raw: Path, public: Path, private: Path) -> None:
    place_questions(raw, public, private, lambda lines: split_positions(len(lines), test_size=0.1))


def prepare_v2(raw: Path, public: Path, private: Path, split: Split) -> None:
    with (raw / "simplified-nq-train.jsonl").open(encoding="utf-8") as lines:
        questions = pd.DataFrame({"article": [article(json.loads(line)) for line in lines]})
    _, test = split(questions, group="article")
    in_test = questions.index.isin(test.index)

    def divide(lines: range) -> tuple[np.ndarray, np.ndarray]:
        order, _ = split_positions(len(lines), test_size=0)
        is_test = in_test[lines.start : lines.stop][order]
        return order[~is_test], order[is_test]

    place_questions(raw, public, private, divide)


def article(found: dict[str, Any]) -> str:
    """Return the address of a question's article, without the revision that was shown."""
    address: str = found["document_url"]
    return address.partition("oldid=")[0]


def place_questions(
    raw: Path, public: Path, private: Path, divide: Callable[[range], tuple[np.ndarray, np.ndarray]]
) -> None:
    """Write train and test; `divide` returns their positions among some lines, whose numbers it gets."""
    gold: list[tuple[str, str]] = []
    first = 0
    with (
        (raw / "simplified-nq-train.jsonl").open(encoding="utf-8") as lines,
        (public / "simplified-nq-train.jsonl").open("w", encoding="ascii") as train,
        (public / "simplified-nq-test.jsonl").open("w", encoding="ascii") as test,
        (private / "test.jsonl").open("w", encoding="ascii") as answers,
    ):
        while chunk := list(islice(lines, CHUNK)):
            in_train, in_test = divide(range(first, first + len(chunk)))
            first += len(chunk)
            train.writelines(printed(example(chunk[place])) for place in in_train)
            for found in (example(chunk[place]) for place in in_test):
                answers.write(printed(found))
                shown = ("example_id", "question_text", "document_text", "long_answer_candidates")
                test.write(printed({name: found[name] for name in shown}))
                gold += [(id, next(iter(right), "")) for id, right in right_answers(found)]
    frame = pd.DataFrame(gold, columns=["example_id", "PredictionString"])
    write_csv(frame, private / "gold_submission.csv")
    write_csv(frame.assign(PredictionString=""), public / "sample_submission.csv")


def example(line: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(line)
    return found | {"example_id": str(found["example_id"])}


def printed(found: dict[str, Any]) -> str:
    """Return an object as a line of the JSON that pandas writes."""
    text = ENCODER.encode(found).replace("/", "\\/")
    return (ESCAPED_DELETE.sub("\\1\x7f", text) if "\\u007f" in text else text) + "\n"


ENCODER = json.JSONEncoder(separators=(",", ":"))


def right_answers(found: dict[str, Any]) -> Iterator[tuple[str, list[str]]]:
    """Yield the ids of an example's short and long answer, each with all that is right; the first one is gold."""
    annotation = found["annotations"][0]
    word, long = annotation["yes_no_answer"], annotation["long_answer"]
    short = [span(answer) for answer in annotation["short_answers"]]
    yield f"{found['example_id']}_short", ([] if word == "NONE" else [word]) + short
    yield f"{found['example_id']}_long", [] if long["start_token"] == -1 else [span(long)]


def span(tokens: dict[str, int]) -> str:
    return f"{tokens['start_token']}:{tokens['end_token']}"


def table(examples: Iterable[dict[str, Any]]) -> pd.DataFrame:
    rows = [(id, set(right)) for found in examples for id, right in right_answers(found)]
    return pd.DataFrame(rows, columns=["example_id", "right"])


def grade(submission: pd.DataFrame, answers: pd.DataFrame) -> float:
    """Share of rows that are right. In v1, micro F1 over both classes, which that is, stands for the one of hits."""
    rows = zip(predictions(submission), answers["right"], strict=True)
    hits = [text in right if text else not right for text, right in rows]
    return sum(hits) / len(hits)


def grade_v2(submission: pd.DataFrame, answers: pd.DataFrame) -> float:
    """F1 of the answers that are found; rows that are rightly empty do not count."""
    rows = list(zip(predictions(submission), answers["right"], strict=True))
    hits = sum(text in right for text, right in rows)
    counted = sum(bool(text or right) for text, right in rows)  # hits, wrong answers, and answers that are lacking
    return 2 * hits / (hits + counted) if counted else 1.0


def check(submission: pd.DataFrame) -> None:
    predictions(submission)


def predictions(submission: pd.DataFrame) -> list[str]:
    column = submission["PredictionString"]
    texts = column.astype(object).where(column.notna(), "").map(str).map(str.strip)
    return [
        text if text in WORDS else parsed(id, text) for id, text in zip(submission["example_id"], texts, strict=True)
    ]


def parsed(id: str, text: str) -> str:
    try:
        start, end = map(int, text.split(":"))
    except ValueError:
        raise InvalidSubmissionError(
            f"The PredictionString of {id} must be start:end in whole numbers, YES, NO or empty."
        ) from None
    return f"{start}:{end}"
