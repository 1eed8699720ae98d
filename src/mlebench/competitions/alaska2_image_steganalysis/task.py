"""JPEG images, in some of which one of three algorithms has hidden a message."""

import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd

from mlebench.metrics.classification import area_under_curve, roc_curve
from mlebench.preparation import fixed_count, place_files, split_positions, write_csv

COVER, ALGORITHMS = "Cover", ["JMiPOD", "JUNIWARD", "UERD"]
BOUND = 0.4
BANDS = (2, 0, BOUND), (1, BOUND, 1)
"""The bands of the area: a weight, and the true positive rates where a band begins and ends."""


Drawn = list[tuple[str, str]]
"""The name of each test image, and the folder that it is taken from."""


def prepare(raw: Path, public: Path, private: Path) -> None:
    write_parts(draw, raw, public, private)


def prepare_v2(raw: Path, public: Path, private: Path) -> None:
    write_parts(draw_equally, raw, public, private)


def write_parts(draw: Callable[[list[str]], Drawn], raw: Path, public: Path, private: Path) -> None:
    covers = sorted(path.name for path in (raw / COVER).glob("*.jpg"))
    train, test = split_positions(len(covers), fixed_count(raw, "test_size", 5_000), seed=42)
    renamed = {covers[place]: f"{number:05}.jpg" for number, place in enumerate(train, start=1)}
    for folder in (COVER, *ALGORITHMS):
        place_files(renamed, raw / folder, public / folder)

    drawn = draw([covers[place] for place in test])
    for number, (cover, folder) in enumerate(drawn, start=1):
        place_files({cover: f"{number:04}.jpg"}, raw / folder, public / "Test")
    answers = pd.DataFrame(
        {
            "Id": [f"{number:04}.jpg" for number in range(1, len(drawn) + 1)],
            "Label": [int(folder != COVER) for _, folder in drawn],
        }
    )
    write_csv(answers.assign(Label=0), public / "sample_submission.csv")
    write_csv(answers, private / "test.csv")


def draw(covers: list[str]) -> Drawn:
    """Return the covers in random order, each with the folder that it is taken from."""
    generator = random.Random(0)
    generator.shuffle(covers)
    return [(cover, COVER if generator.choice([True, False]) else generator.choice(ALGORITHMS)) for cover in covers]


def draw_equally(covers: list[str]) -> Drawn:
    """Do the same, with equal chances for all four folders."""
    generator = np.random.RandomState(0)
    folders = [COVER, *ALGORITHMS]
    drawn = generator.choice(len(folders), len(covers))
    order = generator.permutation(len(covers))
    return [(covers[place], folders[folder]) for place, folder in zip(order, drawn, strict=True)]


def grade(submission: pd.DataFrame, answers: pd.DataFrame) -> float:
    """Area under the ROC curve of which the part up to a true positive rate of 0.4 weighs twice, as a share."""
    false_rate, true_rate = roc_curve(answers["Label"], submission["Label"])
    if BOUND not in true_rate:
        place = int(np.searchsorted(true_rate, BOUND))
        around = slice(place - 1, place + 1)
        false_rate = np.insert(false_rate, place, np.interp(BOUND, true_rate[around], false_rate[around]))
        true_rate = np.insert(true_rate, place, BOUND)
    area = 0.0
    for weight, low, high in BANDS:
        rows = (true_rate >= low) & (true_rate <= high)
        x, y = np.append(false_rate[rows], 1), np.append(true_rate[rows] - low, high - low)
        area += weight * area_under_curve(x, y)
    return float(area / sum(weight * (high - low) for weight, low, high in BANDS))
