"""Numeric features of a task's rows, from columns, texts and pictures."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from PIL import Image
from scipy import sparse
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.pipeline import FeatureUnion

from .task import Task

MAX_CATEGORIES = 40
SIDE = 24
"""Side of shrunk pictures, in pixels."""


@dataclass
class Features:
    """The features of rows, fitted on the training rows."""

    task: Task
    numbers: list[str]
    categories: dict[str, list[Any]]
    texts: list[str]
    vectorizer: Any
    svd: Any
    pictures: bool
    medians: pd.Series

    @classmethod
    def fit(cls, task: Task) -> "Features":
        shared = [name for name in task.train.columns if name in task.test.columns and name not in task.ids]
        numbers, categories, texts = [], {}, []
        for name in shared:
            column = task.train[name]
            if pd.api.types.is_numeric_dtype(column):
                numbers.append(name)
            elif column.nunique() <= MAX_CATEGORIES:
                categories[name] = sorted(column.dropna().unique(), key=str)
            else:
                texts.append(name)
        texts = [name for name in texts if task.train[name].astype(str).str.count(" ").mean() > 2]
        vectorizer = svd = None
        if texts:
            vectorizer = FeatureUnion(
                [
                    ("words", TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True, min_df=1)),
                    ("parts", TfidfVectorizer(analyzer="char_wb", ngram_range=(3, 5), sublinear_tf=True, min_df=3)),
                ]
            )
            matrix = vectorizer.fit_transform(joined(task.train, texts))
            if numbers or categories or task.pictures:
                svd = TruncatedSVD(min(50, min(matrix.shape) - 1), random_state=0).fit(matrix)
        return cls(
            task,
            numbers,
            categories,
            texts,
            vectorizer,
            svd,
            bool(task.pictures),
            task.train[numbers].median(),
        )

    @property
    def only_texts(self) -> bool:
        return bool(self.texts) and not (self.pictures or self.numbers or self.categories)

    def sparse(self, frame: pd.DataFrame) -> sparse.csr_matrix:
        return self.vectorizer.transform(joined(frame, self.texts))

    def dense(self, frame: pd.DataFrame) -> np.ndarray:
        blocks = [frame[self.numbers].fillna(self.medians).to_numpy(dtype=float)]
        blocks += [(frame[name].to_numpy()[:, None] == np.array(values, dtype=object)).astype(float)
                   for name, values in self.categories.items()]  # fmt: skip
        if self.svd is not None:
            blocks.append(self.svd.transform(self.sparse(frame)))
        if self.pictures:
            names = frame[self.task.ids[0]].astype(str)
            paths = [self.task.pictures[Path(name).stem] for name in names]
            blocks.append(np.stack([shrunk(path) for path in paths]))
        return np.hstack(blocks)


def joined(frame: pd.DataFrame, names: list[str]) -> pd.Series:
    return frame[names].fillna("").astype(str).agg(" ".join, axis=1)


@cache
def shrunk(path: Path) -> np.ndarray:
    """Return the grey values of a shrunk picture, as one row."""
    with Image.open(path) as picture:
        grey = picture.convert("L")
        side = min(SIDE, *grey.size)
        return np.asarray(grey.resize((side, side), Image.Resampling.BOX), dtype=float).ravel() / 255


def load_picture(path: Path) -> np.ndarray:
    """Return a picture as an array of shape (height, width, 3) in [0, 1]."""
    with Image.open(path) as picture:
        return np.asarray(picture.convert("RGB"), dtype=float) / 255


def pixel_features(picture: np.ndarray) -> np.ndarray:
    """Return the colour, position and neighbourhood of each pixel; shape (pixels, features)."""
    from scipy import ndimage

    grey = picture.mean(axis=2)
    height, width = grey.shape
    rows, columns = np.mgrid[:height, :width]
    planes = [*np.moveaxis(picture, 2, 0), rows / height, columns / width]
    planes += [ndimage.gaussian_filter(grey, size) for size in (1, 2, 4, 8)]
    planes += [ndimage.gaussian_gradient_magnitude(grey, size) for size in (1, 2)]
    planes += [grey - ndimage.median_filter(grey, 5), ndimage.maximum_filter(grey, 5), ndimage.minimum_filter(grey, 5)]
    return np.stack([plane.ravel() for plane in planes], axis=1).astype(np.float32)
