"""What a task's files say about it: the tables, the ids, what to predict and in which form."""

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

PICTURES = {".png", ".jpg", ".jpeg"}


@dataclass
class Task:
    """A task as an agent can understand it from its data folder."""

    sample_path: Path
    sample: pd.DataFrame
    train: pd.DataFrame
    test: pd.DataFrame
    ids: list[str]
    targets: list[str]
    """Columns of the submission to fill."""
    label: str | None
    """Column of the training table that names the class, where the submission wants one column for each class."""
    pictures: dict[str, Path]
    """Pictures by the id in their name, those of the train and the test part alike."""
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
        """Whether a prediction is a list of guesses, best first, with blanks between them."""
        values = self.sample[self.targets[0]]
        return all(isinstance(value, str) and len(value.split()) > 1 for value in values)

    @property
    def mask_column_major(self) -> bool:
        """Whether pixels are numbered down the columns, as the description says."""
        down = self.text.find("top to bottom")
        across = self.text.find("left to right")
        return down >= 0 and (across < 0 or down < across)


def find_sample(data: Path) -> Path:
    """Return the sample submission."""
    return next(path for path in sorted(data.rglob("*.csv")) if "sample" in path.name.lower())


def looks_like_classes(values: pd.Series) -> bool:
    """Whether a column holds classes: text, True and False, or few whole numbers."""
    if pd.api.types.is_bool_dtype(values) or not pd.api.types.is_numeric_dtype(values):
        return True
    few = max(2, min(50, len(values) // 10))
    return values.nunique() <= few and bool((values.dropna() % 1 == 0).all())


def find_label(train: pd.DataFrame, test: pd.DataFrame, targets: list[str]) -> str | None:
    """Return the training column that holds the class, when it is not itself a column to fill."""
    if targets[0] in train.columns:
        return None
    candidates = [name for name in train.columns if name not in test.columns]
    for name in candidates:
        if len(targets) > 1 and set(train[name].astype(str)) <= set(targets):
            return name
    fitting = [name for name in candidates if train[name].nunique() < len(train) / 2]
    return fitting[0] if fitting else None


def find_pictures(data: Path) -> dict[str, Path]:
    """Return the pictures by id; those in folders of masks are left out."""
    return {
        path.stem: path
        for path in data.rglob("*")
        if path.suffix.lower() in PICTURES and "mask" not in path.parent.name.lower()
    }


def mask_from_runs(code: object, shape: tuple[int, int], column_major: bool) -> np.ndarray:
    """Return a mask of 0 and 1 from its run-length code."""
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
