"""A task as its files describe it: tables, ids, targets, and the form of predictions."""

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

PICTURES = {".png", ".jpg", ".jpeg"}


@dataclass
class Task:
    """A task, as read from its data folder."""

    sample_path: Path
    sample: pd.DataFrame
    train: pd.DataFrame
    test: pd.DataFrame
    ids: list[str]
    targets: list[str]
    """Columns of the submission to predict."""
    label: str | None
    """Column of the training table with the class, if the submission has a column for each class."""
    pictures: dict[str, Path]
    """Training and test pictures, by the id in their name."""
    text: str
    """The description, in lower case."""

    @classmethod
    def read(cls, data: Path) -> "Task":
        sample_path = find_sample(data)
        sample = pd.read_csv(sample_path)
        others = [path for path in sorted(data.rglob("*.csv")) if path != sample_path]
        train_path = next(path for path in others if path.name.lower() in ("train.csv", "labels.csv", "training.csv"))
        train = pd.read_csv(train_path)
        test_path = next((path for path in others if path.name.lower() == "test.csv"), None)
        ids = [sample.columns[0]]
        targets = [name for name in sample.columns if name not in ids]
        test = pd.read_csv(test_path) if test_path else sample[ids]
        description = data / "description.md"
        text = description.read_text(encoding="utf-8").lower() if description.exists() else ""
        return cls(
            sample_path=sample_path,
            sample=sample,
            train=train,
            test=test,
            ids=ids,
            targets=targets,
            label=find_label(train, test, targets),
            pictures=find_pictures(data),
            text=text,
        )

    def __str__(self) -> str:
        return (
            f"{self.kind}; {len(self.train)} rows to learn from, {len(self.sample)} to predict, "
            f"targets {', '.join(self.targets[:4])}{'…' if len(self.targets) > 4 else ''}, "
            f"{len(self.pictures)} pictures"
        )

    @property
    def kind(self) -> str:
        """One of masks, distribution, ranking, labels, probability, numbers."""
        if self.masks:
            return "masks"
        if self.label and len(self.targets) > 1:
            return "distribution"
        if self.wants_list:
            return "ranking"
        values = self.train[self.label or self.targets[0]]
        if not looks_like_classes(values):
            return "numbers"
        wanted = self.sample[self.targets[0]]
        numeric = pd.api.types.is_numeric_dtype(wanted) and not pd.api.types.is_bool_dtype(wanted)
        if values.nunique() == 2 and numeric and re.search(r"\b(probabilit|roc\b|auc\b|log.?loss)", self.text):
            return "probability"
        return "labels"

    @property
    def masks(self) -> bool:
        return bool(self.pictures) and any("rle" in name.lower() or "mask" in name.lower() for name in self.targets)

    @property
    def wants_list(self) -> bool:
        """Whether a prediction is a list of guesses, best first, separated by blanks."""
        values = self.sample[self.targets[0]]
        return all(isinstance(value, str) and len(value.split()) > 1 for value in values)

    @property
    def mask_column_major(self) -> bool:
        """Whether the description numbers pixels down the columns."""
        down = self.text.find("top to bottom")
        across = self.text.find("left to right")
        return down >= 0 and (across < 0 or down < across)


def find_sample(data: Path) -> Path:
    """Return the sample submission."""
    return next(path for path in sorted(data.rglob("*.csv")) if "sample" in path.name.lower())


def looks_like_classes(values: pd.Series) -> bool:
    """Return whether a column holds classes: text, booleans, or a few whole numbers."""
    if pd.api.types.is_bool_dtype(values) or not pd.api.types.is_numeric_dtype(values):
        return True
    few = max(2, min(50, len(values) // 10))
    return values.nunique() <= few and bool((values.dropna() % 1 == 0).all())


def find_label(train: pd.DataFrame, test: pd.DataFrame, targets: list[str]) -> str | None:
    """Return the training column with the class, unless it is itself a target."""
    if targets[0] in train.columns:
        return None
    candidates = [name for name in train.columns if name not in test.columns]
    for name in candidates:
        if len(targets) > 1 and set(train[name].astype(str)) <= set(targets):
            return name
    fitting = [name for name in candidates if train[name].nunique() < len(train) / 2]
    return fitting[0] if fitting else None


def find_pictures(data: Path) -> dict[str, Path]:
    """Return the pictures by id, without those in folders of masks."""
    return {
        path.stem: path
        for path in data.rglob("*")
        if path.suffix.lower() in PICTURES and "mask" not in path.parent.name.lower()
    }


def mask_from_runs(code: object, shape: tuple[int, int], column_major: bool) -> np.ndarray:
    """Return the mask, of 0 and 1, that a run-length code describes."""
    flat = np.zeros(shape[0] * shape[1], dtype=np.uint8)
    if isinstance(code, str):
        numbers = np.array(code.split(), dtype=int)
        for start, length in zip(numbers[::2], numbers[1::2], strict=True):
            flat[start - 1 : start - 1 + length] = 1
    return flat.reshape(shape, order="F" if column_major else "C")


def runs_from_mask(mask: np.ndarray, column_major: bool) -> str:
    """Return the run-length code of a mask."""
    flat = np.concatenate([[0], mask.ravel(order="F" if column_major else "C"), [0]])
    edges = np.flatnonzero(np.diff(flat))
    return " ".join(f"{start + 1} {stop - start}" for start, stop in zip(edges[::2], edges[1::2], strict=True))
