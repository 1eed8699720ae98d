"""Pieces of sentences from fourteen descriptions of data sets: which description is each from?"""

import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import numpy as np
import pandas as pd

from mlebench.preparation import number_shuffled, read_csv, train_test_split, write_csv

LONGEST = 10
"""Words of a piece."""
NO_PROSE = re.compile(r"^ *(\.\. |\|details|----|\*\*).*$", re.MULTILINE)
NEW_BLOCK = re.compile(r"\n\s*\n|\n\s*(?=[-*:(])")
FIELD_NAME = re.compile(r"^ *:[\w ]+:")
MARKUP = re.compile(r":\w+:`[^`]*`|<?\w+://\S*|\S+@\S+|\[\d\]|[`*|]|(?<!\w)_|_(?!\w)")
SENTENCE_END = re.compile(r"(?<=[.;:!?])\s+(?=[A-Z\"(])")
REWORDED = re.compile(
    r"^Breast cancer wis|StatLib|Probability Letters|over the internet|newsgroups website|PARVUS", re.I
)
"""Sentences that differ between the releases 1.5 and 1.9 of scikit-learn."""
NAMES = re.compile(
    r"\w*(breast|cancer|california|covertype|diabetes|digit|iris|kdd|lfw|linner|olivetti|rcv1|reuters|species"
    r"|newsgroup|20news|wine)\w*",
    re.IGNORECASE,
)
"""Words that name a description outright."""


def make_raw(raw: Path) -> None:
    descriptions = [path for path in files("sklearn.datasets.descr").iterdir() if path.name.endswith(".rst")]
    table = pd.DataFrame(
        [
            {"text": piece, "label": path.name.removesuffix(".rst")}
            for path in sorted(descriptions, key=lambda path: path.name)
            for sentence in sentences(path.read_text(encoding="utf-8"))
            for piece in pieces(NAMES.sub("#", sentence))
        ]
    )
    write_csv(number_shuffled(table.drop_duplicates("text", keep=False)), raw / "pieces.csv")


def sentences(description: str) -> Iterator[str]:
    """Find the prose among headings, tables and code, and take its markup off."""
    for block in NEW_BLOCK.split(NO_PROSE.sub("", description)):
        if ">>>" not in block and "====" not in block:
            text = " ".join(MARKUP.sub(" ", FIELD_NAME.sub("", block)).split()).strip("-: ")
            yield from (sentence for sentence in SENTENCE_END.split(text) if not REWORDED.search(sentence))


def pieces(sentence: str) -> list[str]:
    """Cut a sentence into pieces of about equal length; those of less than three words are dropped."""
    words = np.array(sentence.split(), dtype=object)
    parts = np.array_split(words, max(1, -(-len(words) // LONGEST)))
    return [" ".join(part) for part in parts if len(part) >= 3]


def prepare(raw: Path, public: Path, private: Path) -> None:
    train, test = train_test_split(read_csv(raw / "pieces.csv"), test_size=0.4)
    write_csv(train, public / "train.csv")
    write_csv(test.drop(columns="label"), public / "test.csv")
    write_csv(test[["id"]].assign(labels="breast_cancer digits iris"), public / "sample_submission.csv")
    write_csv(test[["id", "label"]].rename(columns={"label": "labels"}), private / "test.csv")
