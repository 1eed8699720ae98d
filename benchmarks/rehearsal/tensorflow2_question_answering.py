"""Articles of short paragraphs; questions name the subject of one, the long answer; its number is the short one."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import numpy as np

TRAIN, TEST, REPEATED = 1_080, 3, 0.3
SUBJECTS = "bridge castle river tower lake museum station island".split()
PROPERTIES = ["old", "long", "high", "famous", "café"]
OPENING = "<H1> Places </H1>".split()


class Article(NamedTuple):
    """An article on two of its three subjects: where each paragraph and its number stand."""

    address: str
    subjects: list[str]
    tokens: list[str]
    candidates: list[dict[str, Any]]
    numbers: list[int]


def make(rng: np.random.Generator) -> dict[str, bytes]:
    examples = make_examples(rng, TRAIN + TEST)
    hidden = [
        {name: row[name] for name in list(row) if name not in ("annotations", "document_url")} for row in examples
    ]
    ids = [str(row["example_id"]) for row in examples[TRAIN:]]
    sample = "".join(f"{id}_long,\n{id}_short,\n" for id in ids)
    return {
        "simplified-nq-train.jsonl": lines_of(examples[:TRAIN]),
        "simplified-nq-test.jsonl": lines_of([{**row, "example_id": str(row["example_id"])} for row in hidden[TRAIN:]]),
        "sample_submission.csv": f"example_id,PredictionString\n{sample}".encode(),
    }


def lines_of(rows: list[dict[str, Any]]) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def make_examples(rng: np.random.Generator, count: int) -> list[dict[str, Any]]:
    """Return questions in random order, two on each article, of which the second is often the first again."""
    examples = []
    for number in range((count + 1) // 2):
        article = make_article(rng, number)
        first = ask(rng, article)
        second = first if rng.random() < REPEATED else ask(rng, article)
        for asked in (first, second):
            annotation_id = int(rng.integers(0, 2**64, dtype="uint64"))
            examples.append(
                {
                    "document_text": " ".join(article.tokens),
                    "long_answer_candidates": article.candidates,
                    "question_text": asked["question_text"],
                    "annotations": [{**asked["annotation"], "annotation_id": annotation_id}],
                    "document_url": f"{article.address}&amp;oldid={rng.integers(10**9)}",
                    "example_id": int(rng.integers(-(2**63), 2**63)),
                }
            )
    return [examples[place] for place in rng.permutation(len(examples))[:count]]


def make_article(rng: np.random.Generator, number: int) -> Article:
    subjects = rng.choice(SUBJECTS, 3, replace=False).tolist()
    tokens, candidates, numbers = list(OPENING), [], []
    for subject in subjects[:2]:
        start = len(tokens)
        tokens += [
            "<P>",
            "The",
            subject,
            "is",
            str(rng.integers(10, 99)),
            "years",
            str(rng.choice(PROPERTIES)),
            ".",
            "</P>",
        ]
        numbers.append(start + 4)
        candidates.append({"start_token": start, "top_level": True, "end_token": len(tokens)})
    return Article(f"https://example.org/w/index.php?title=Places_{number}", subjects, tokens, candidates, numbers)


def ask(rng: np.random.Generator, article: Article) -> dict[str, Any]:
    """Return a question and its annotation."""
    asked = int(rng.choice(3, p=[0.3, 0.3, 0.4]))  # of the third there is nothing in the article
    is_yes_no = bool(rng.random() < 0.15)
    yes_no, long, short = "NONE", {"start_token": -1, "candidate_index": -1, "end_token": -1}, []
    if asked < 2:
        place, number = article.candidates[asked], article.numbers[asked]
        long = {"start_token": place["start_token"], "candidate_index": asked, "end_token": place["end_token"]}
        if is_yes_no:
            yes_no = "YES"
        elif rng.random() < 0.8:
            short = [{"start_token": number, "end_token": number + 1}]
    subject = article.subjects[asked]
    return {
        "question_text": f"is the {subject} old" if is_yes_no else f"how old is the {subject}",
        "annotation": {"yes_no_answer": yes_no, "long_answer": long, "short_answers": short},
    }
