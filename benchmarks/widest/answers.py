"""Prepared data of the real size: rehearsal data with repeated rows, or pictures full of objects."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from benchmarks.widest.facts import MAX_ROWS, ROWS
from mlebench.ground.tables import read_csv, write_csv
from mlebench.metrics.segmentation import encode_mask
from mlebench.tasks.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from mlebench.tasks.competition import Competition

SIZES = {
    "google-research-identify-contrails-reduce-global-warming": {"height": 256, "width": 256},
    "hubmap-kidney-segmentation": {"width_pixels": 30_000, "height_pixels": 30_000},
    "vesuvius-challenge-ink-detection": {"width": 6_330, "height": 8_181},
}
"""Real sizes of pictures."""
LARGE_ID, FAR = 2**40, 1_000_003
"""Larger ids are random numbers, of which others are found nearby without leaving 64 bits."""
KUZUSHIJI_BOXES, LABELS = 170, 40
CARS = 60
SIDE, SLICES = 266, 144


def enlarge(source: Path, target: Path, competition_id: str) -> Competition:
    """Make prepared data of the real number of rows, and return the competition.

    Parameters
    ----------
    source : Path
        Data directory with the prepared rehearsal data.
    target : Path
        The data directory to fill.
    competition_id : str
        One of `facts.ROWS`.
    """
    shutil.copytree(source / competition_id / "prepared", target / competition_id / "prepared")
    competition = Registry(target).get_competition(competition_id)
    assert competition.declaration is not None
    ids = competition.declaration.submission.ids
    sample = read_csv(competition.sample_submission)
    times = max(1, round(min(ROWS[competition_id], MAX_ROWS) / len(sample)))
    paths = {competition.sample_submission, competition.answers}
    if competition.declaration.check_with:
        paths.add(competition.prepared_dir / competition.declaration.check_with)
    for path in paths:
        if path.suffix == ".jsonl":
            repeat_json(path, times)
            continue
        table = read_csv(path)
        sizes = {name: size for name, size in SIZES.get(competition_id, {}).items() if name in table}
        write_csv(repeated(table.assign(**sizes), ids, times), path)
    if competition_id in OBJECTS:
        answers = OBJECTS[competition_id](read_csv(competition.answers), np.random.default_rng(0))
        write_csv(answers, competition.answers)
        targets = competition.declaration.submission.target_names(sample)
        write_csv(answers[sample.columns].assign(**sample[targets].iloc[0]), competition.sample_submission)
    return competition


def repeated(table: pd.DataFrame, ids: list[str], times: int) -> pd.DataFrame:
    """Return a table several times, each time with other ids."""
    name = next((id for id in ids if id in table), None)
    if name is None:
        return pd.concat([table] * times, ignore_index=True)
    column = table[name]
    copies = []
    for number in range(times):
        if pd.api.types.is_numeric_dtype(column):
            largest = int(column.max())
            other = column + number * (largest + 1) if largest < LARGE_ID else column - number * FAR
        else:
            other = f"{number}" + column if number else column
        copies.append(table.assign(**{name: other}))
    return pd.concat(copies, ignore_index=True)


def repeat_json(path: Path, times: int) -> None:
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    with path.open("w") as file:
        for number in range(times):
            for line in lines:
                file.write(json.dumps(line | {"example_id": f"{number or ''}{line['example_id']}"}) + "\n")


def characters(pages: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    """Return pages with columns of characters, a third of them the same one."""

    def page() -> str:
        place = np.arange(KUZUSHIJI_BOXES)
        x, y = 100 * (place % 12), 120 * (place // 12)
        label = np.where(rng.random(len(place)) < 1 / 3, 0, rng.integers(1, LABELS, len(place)))
        return " ".join(f"U+{0x3040 + a:04X} {b} {c} 90 110" for a, b, c in zip(label, x, y, strict=True))

    return pages.assign(labels=[page() for _ in range(len(pages))])


def cars(samples: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    """Return samples with two rows of parked cars; the first sample has five times as many."""

    def sample(number: int) -> str:
        place = np.arange(number)
        x, y = 5.0 * (place // 2), 8.0 * (place % 2) + rng.normal(0, 0.2, number)
        return " ".join(f"1.0 {a:.3f} {b:.3f} -22.6 1.9 4.7 1.7 {0.01 * b:.3f} car" for a, b in zip(x, y, strict=True))

    counts = np.where(np.arange(len(samples)) == 0, 5 * CARS, CARS // 2)
    return samples.assign(PredictionString=[sample(int(number)) for number in counts])


def organs(slices: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    """Return days of many slices, each with three round organs."""
    days = max(1, len(slices) // (3 * SLICES))
    row, column = np.indices((SIDE, SIDE))
    rows: list[dict[str, Any]] = []
    for day in range(days):
        for number in range(SLICES):
            radius = 20 * np.sin(np.pi * number / SLICES)
            for place, name in enumerate(("large_bowel", "small_bowel", "stomach")):
                mask = (row - 80 - 50 * place) ** 2 + (column - 100 - 20 * place) ** 2 < radius**2
                id = f"case{day}_day1_slice_{number + 1:04d}"
                rows.append({"id": id, "class": name, "predicted": encode_mask(mask)})
    del rng
    return pd.DataFrame(rows).assign(image_width=float(SIDE), image_height=float(SIDE))


OBJECTS: dict[str, Callable[[pd.DataFrame, np.random.Generator], pd.DataFrame]] = {
    "kuzushiji-recognition": characters,
    "3d-object-detection-for-autonomous-vehicles": cars,
    "uw-madison-gi-tract-image-segmentation": organs,
}
"""Tasks whose rehearsal answers hold too few objects."""
