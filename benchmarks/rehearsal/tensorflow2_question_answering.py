"""Articles of short paragraphs; questions name the subject of one, the long answer; its number is the short one."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

TRAIN, TEST = 1_080, 3
SUBJECTS = "bridge castle river tower lake museum station island".split()
PROPERTIES = ["old", "long", "high", "famous", "café"]
OPENING = "<H1> Places </H1>".split()


def make(rng: np.random.Generator) -> dict[str, bytes]:
    examples = [make_example(rng) for _ in range(TRAIN + TEST)]
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


def make_example(rng: np.random.Generator) -> dict[str, Any]:
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
    asked = int(rng.choice(3, p=[0.3, 0.3, 0.4]))  # of the third there is nothing in the article
    is_yes_no = bool(rng.random() < 0.15)
    yes_no, long, short = "NONE", {"start_token": -1, "candidate_index": -1, "end_token": -1}, []
    if asked < 2:
        place = candidates[asked]
        long = {"start_token": place["start_token"], "candidate_index": asked, "end_token": place["end_token"]}
        if is_yes_no:
            yes_no = "YES"
        elif rng.random() < 0.8:
            short = [{"start_token": numbers[asked], "end_token": numbers[asked] + 1}]
    annotation_id = int(rng.integers(0, 2**64, dtype="uint64"))
    return {
        "document_text": " ".join(tokens),
        "long_answer_candidates": candidates,
        "question_text": f"is the {subjects[asked]} old" if is_yes_no else f"how old is the {subjects[asked]}",
        "annotations": [
            {"yes_no_answer": yes_no, "long_answer": long, "short_answers": short, "annotation_id": annotation_id}
        ],
        "document_url": "https://example.org/w/Places",
        "example_id": int(rng.integers(-(2**63), 2**63)),
    }
