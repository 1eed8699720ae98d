"""Questions in HTML whose words correlate with their tags; some questions are duplicates."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

import pandas as pd

from benchmarks.rehearsal.making import zip_bytes

if TYPE_CHECKING:
    import numpy as np

TRAIN, TEST, REPEATED = 260, 12, 80
TAGS = {
    "c#": ["linq", "class"],
    ".net": ["assembly", "framework"],
    "javascript": ["onclick", "browser"],
    "jquery": ["selector", "ajax"],
    "php": ["echo", "session"],
    "python": ["import", "list"],
    "java": ["jvm", "interface"],
    "html": ["div", "table"],
    "asp.net-mvc-3": ["razor", "controller"],
    "2012": ["server", "windows"],
    "null": ["pointer", "missing"],
    "cooking": ["oven", "butter"],
}
WORDS = "how do I use the error when not working best way to get a value from".split()


def make(rng: np.random.Generator) -> dict[str, bytes]:
    questions = [make_question(rng) for _ in range(TRAIN + TEST - REPEATED)]
    questions += [questions[place] for place in rng.choice(TRAIN - REPEATED, REPEATED)]
    table = pd.DataFrame([questions[place] for place in rng.permutation(len(questions))])
    table.insert(0, "Id", range(1, len(table) + 1))
    train, test = table.iloc[:TRAIN], table.iloc[TRAIN:].drop(columns="Tags")
    return {
        "Train.zip": zip_bytes({"Train.csv": quoted(train)}),
        "Test.zip": zip_bytes({"Test.csv": quoted(test)}),
        "SampleSubmission.csv": quoted(test[["Id"]].assign(Tags="javascript c# python php java")),
    }


def make_question(rng: np.random.Generator) -> dict[str, str]:
    shares = 1 / (1 + pd.Series(range(len(TAGS))))
    tags = rng.choice(list(TAGS), rng.integers(1, 5), replace=False, p=shares / shares.sum())
    hints = [str(rng.choice([tag, *TAGS[tag]])) for tag in tags]
    title = rng.permutation([*hints, *rng.choice(WORDS, 4)])
    body = rng.permutation([*hints, *rng.choice(WORDS, 12)])
    return {
        "Title": " ".join(title).capitalize() + "?",
        "Body": f'<p>{" ".join(body)}</p>\r\n\r\n<pre><code>{hints[0]} &lt; "1";\n</code></pre>\n',
        "Tags": " ".join(tags),
    }


def quoted(table: pd.DataFrame) -> bytes:
    """Return a table as CSV text with all cells in quotes, as in the real data."""
    return table.to_csv(index=False, lineterminator="\n", quoting=csv.QUOTE_ALL).encode()
