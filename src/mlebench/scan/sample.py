"""Whether the sample submission tells answers, by its values or by columns that are not asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from mlebench.ground.wording import plain
from mlebench.scan.chance import MIN_EFFECT, NOTHING, Evidence, agreement, rank_association
from mlebench.scan.finding import Finding, NothingToScanError
from mlebench.scan.targets import Target, as_text, code_like, code_targets

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mlebench.scan.material import Material

    Array = np.ndarray[Any, np.dtype[Any]]


def scan_sample(material: Material) -> Iterator[Finding]:
    """Yield the columns of the sample submission that go with the answers, and those that are not asked for.

    Parameters
    ----------
    material : Material
        The prepared task.
    """
    sample, answers, ids = material.sample, material.answers, material.declaration.submission.ids
    file = material.competition.sample_submission.name
    asked = {*ids, *material.declaration.submission.target_names(sample)}
    is_declared = bool(material.declaration.submission.target_names(sample))
    surplus = [name for name in sample.columns if name not in asked and is_declared]
    for name in surplus:
        yield Finding(
            scanner="sample",
            what=f"The sample submission has the column {plain(name)}, which is not asked for.",
            number=1,
            threshold=0,
            file=file,
            column=str(name),
            remedy="Write the sample submission with its ids and targets only.",
        )
    if answers is None or not set(ids) <= set(sample.columns):
        raise NothingToScanError("The answers have no ids, so they cannot be compared with the sample submission.")
    where = _keys(sample, ids).get_indexer(_keys(answers, ids)) if _keys(sample, ids).is_unique else np.full(1, -1)
    if (where < 0).any():
        if len(sample) != len(answers):
            raise NothingToScanError("The sample submission and the answers have different rows.")
        where = np.arange(len(answers))
    rows = sample.iloc[where].reset_index(drop=True)
    targets = code_targets(answers, material.target_names, are_labels=material.are_labels)
    comparisons = max(1, len(targets) * (1 + len(surplus)))
    for target in targets:
        yield from _finding(_told(target, answers, rows), target, file, target.columns[0], comparisons)
        for name in surplus:
            values = pd.to_numeric(rows[name], errors="coerce")
            yield from _finding(rank_association(values.to_numpy(float), target), target, file, str(name), comparisons)


def _told(target: Target, answers: pd.DataFrame, rows: pd.DataFrame) -> Evidence:
    """Return how well the values of the sample agree with the answers; texts agree if they are equal."""
    if not set(target.columns) <= set(rows.columns):
        return NOTHING
    if target.form == "length":
        told, true = as_text(rows[target.columns[0]]), as_text(answers[target.columns[0]])
        codes, levels = pd.factorize(pd.concat([true, told], ignore_index=True))
        known = Target(target.name, codes[: len(true)], tuple(map(str, levels)), target.columns, "class")
        return agreement(codes[len(true) :], known)
    guesses = code_like(target, rows)
    if guesses is None:
        return NOTHING
    values = guesses.values
    return agreement(np.where(values < 0, len(target.classes), values) if target.classes else values, target)


def _keys(table: pd.DataFrame, ids: list[str]) -> Any:
    keys: Any = as_text(table[ids[0]])
    for name in ids[1:]:
        keys = keys + "\x1f" + as_text(table[name])
    return pd.Index(keys)


def _finding(evidence: Evidence, target: Target, file: str, column: str, comparisons: int) -> Iterator[Finding]:
    if evidence.is_finding(comparisons):
        yield Finding(
            scanner="sample",
            what=f"The column {plain(column)} of the sample submission goes with the answers of {plain(target.name)}.",
            number=round(evidence.effect, 3),
            threshold=MIN_EFFECT,
            file=file,
            column=column,
            remedy="Fill the sample submission with constants, or with numbers that do not depend on the answers.",
            details={"p": evidence.p, "value": evidence.value, "chance": evidence.chance},
        )
