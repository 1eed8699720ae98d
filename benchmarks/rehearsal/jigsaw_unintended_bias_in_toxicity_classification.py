"""Comments that mention groups; rude words make them toxic, and some groups are attacked more often."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from benchmarks.rehearsal.making import csv_bytes
from mlebench.competitions.jigsaw_unintended_bias_in_toxicity_classification.task import IDENTITIES

if TYPE_CHECKING:
    import numpy as np

TRAIN, TEST, OTHER = 280, 240, 10
KINDS = ["severe_toxicity", "obscene", "identity_attack", "insult", "threat"]
NAMES = dict(
    zip(IDENTITIES, "man,woman,gay,Christian,Jewish,Muslim,black,white,mad".split(","), strict=True)  # said in comments
)
RARE = """
transgender other_gender heterosexual bisexual other_sexual_orientation hindu buddhist atheist other_religion asian
latino other_race_or_ethnicity physical_disability intellectual_or_learning_disability other_disability
""".split()
METADATA = "created_date publication_id parent_id article_id rating funny wow sad likes disagree".split()
COUNTS = ["identity_annotator_count", "toxicity_annotator_count"]
WORDS = "I think that the tax, a new road and this paper are fine for all of us NA".split()
RUDE = ["idiot", "stupid", "trash", "liar"]


def make(rng: np.random.Generator) -> dict[str, bytes]:
    comments = make_comments(rng, TRAIN + TEST + OTHER)
    comments.loc[TRAIN + 2, "comment_text"] = "NA"
    identities = [*IDENTITIES, *RARE]
    train = comments.rename(columns={"toxicity": "target"})[:TRAIN]
    test, other = comments[TRAIN : TRAIN + TEST], comments[TRAIN + TEST :]
    shown = ["id", "target", "comment_text", *KINDS, *sorted(identities), *METADATA, "sexual_explicit", *COUNTS]
    kept = [
        "id",
        "comment_text",
        *METADATA,
        "toxicity",
        *KINDS[:2],
        "sexual_explicit",
        *KINDS[2:],
        *identities,
        *COUNTS,
    ]
    return {
        "train.csv": csv_bytes(train[shown]),
        "test_private_expanded.csv": csv_bytes(test[kept]),
        "test_public_expanded.csv": csv_bytes(other[kept]),
        "test.csv": csv_bytes(other[["id", "comment_text"]]),
        "sample_submission.csv": csv_bytes(other[["id"]].assign(prediction=0.0)),
        "all_data.csv": csv_bytes(other[kept].assign(split="test")),
        "toxicity_individual_annotations.csv": b"id,worker,toxic,severe_toxic\n1,2,0,0\n",
        "identity_individual_annotations.csv": b"id,worker,disability\n1,2,\n",
    }


def make_comments(rng: np.random.Generator, rows: int) -> pd.DataFrame:
    """Return comments with all columns; toxic ones are more frequent than in the real data."""
    toxic = rng.random(rows) < 0.45
    mentioned = rng.choice([*IDENTITIES, ""], rows)
    texts = [make_text(rng, *row) for row in zip(toxic, mentioned, strict=True)]
    columns = {"id": range(7_000_000, 7_000_000 + rows), "comment_text": texts}
    columns["toxicity"] = [
        round(rng.choice([0.5, 0.6, 0.8]) if is_toxic else rng.choice([0, 0.2, 0.4]), 2) for is_toxic in toxic
    ]
    columns |= {name: (rng.random(rows) * toxic).round(1) for name in [*KINDS, "sexual_explicit"]}
    rated = rng.random(rows) < 0.8
    for name in [*IDENTITIES, *RARE]:
        share = (mentioned == name) * rng.choice([0.6, 1.0], rows) + 0.0
        columns[name] = [str(value) if is_rated else "" for value, is_rated in zip(share, rated, strict=True)]
    columns |= {name: rng.integers(0, 5, rows) for name in METADATA + COUNTS}
    return pd.DataFrame({**columns, "created_date": "2017-03-26", "rating": rng.choice(["approved", "rejected"], rows)})


def make_text(rng: np.random.Generator, toxic: bool, mentioned: str) -> str:
    words = list(rng.choice(WORDS, rng.integers(3, 9)))
    if mentioned:
        words.append(NAMES[mentioned])
    if rng.random() < (0.85 if toxic else 0.05):
        words.append(str(rng.choice(RUDE)))
    return " ".join(rng.permutation(words)).replace(" paper", '\n"paper"').replace(" road", "\r\nroad")
