"""Find texts that differ by few edits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from mlebench.preparation.split import linked_groups

if TYPE_CHECKING:
    from numpy.typing import NDArray

NOTHING = -1
"""Stands behind the end of a text that is shorter than others."""


def similar_groups(texts: pd.Series[str], max_share: float) -> pd.Series[int]:
    """Return groups of texts that are similar, directly or by way of other texts.

    Parameters
    ----------
    texts
        The texts. All pairs are compared: two thousand texts of a hundred characters take some seconds.
    max_share
        Two texts are similar if their edit distance is at most this share of the longer one's length. The edit distance
        is the number of characters to insert, delete or replace.

    Returns
    -------
    Series
        The number of the group of each text, with the index of the texts.

    Examples
    --------
    >>> similar_groups(pd.Series(["GATTACA", "TACATACA", "GATTAC", "ATTAC"]), max_share=0.15).tolist()
    [0, 1, 0, 2]
    """
    codes, lengths = _as_codes(texts)
    places, links = [*range(len(texts))], [*range(len(texts))]  # each text is in a group
    for place in range(len(texts)):
        limits = np.floor(max_share * np.maximum(lengths[place], lengths[place + 1 :])).astype(int)
        text = codes[place, : lengths[place]]
        near = np.flatnonzero(_edit_distances(text, codes[place + 1 :], lengths[place + 1 :], limits) <= limits)
        places += (place + 1 + near).tolist()
        links += [place] * len(near)
    groups = linked_groups(pd.Series(places), pd.Series(links))
    return pd.Series(groups.to_numpy(), texts.index)


def _as_codes(texts: pd.Series[str]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the characters of the texts as numbers, a row for each text, and the lengths of the texts."""
    lengths = texts.str.len().to_numpy(dtype=int)
    codes = np.full((len(texts), lengths.max(initial=0)), NOTHING, dtype=np.int32)
    for row, text in zip(codes, texts, strict=True):
        row[: len(text)] = [ord(character) for character in text]
    return codes, lengths


def _edit_distances(
    text: NDArray[Any], others: NDArray[Any], lengths: NDArray[Any], limits: NDArray[Any]
) -> NDArray[Any]:
    """Return the edit distance of a text to each other one, or a number above the limit.

    The rows of the table of Wagner and Fischer are computed one by one, for all other texts at once. Those whose row is
    above the limit are given up.
    """
    distances = limits + 1
    alive = np.arange(len(others))
    columns = np.arange(others.shape[1] + 1, dtype=np.int16)
    row = np.tile(columns, (len(others), 1))
    for number, character in enumerate(text, start=1):
        best = np.empty_like(row)
        best[:, 0] = number
        np.minimum(row[:, :-1] + (others != character), row[:, 1:] + 1, out=best[:, 1:])
        row = np.minimum.accumulate(best - columns, axis=1) + columns  # insertions
        near = row.min(axis=1) <= limits[alive]
        if not near.all():
            alive, others, row = alive[near], others[near], row[near]
    distances[alive] = row[np.arange(len(alive)), lengths[alive]]
    return distances
