"""Whether the answer of one test row tells that of the next."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mlebench.ground.wording import plain
from mlebench.scan.chance import MIN_EFFECT, neighbour_association
from mlebench.scan.finding import Finding, NothingToScanError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mlebench.scan.material import Material


def scan_order(material: Material) -> Iterator[Finding]:
    """Yield the orders of test rows, in the test table and the sample submission, whose neighbours are alike.

    Parameters
    ----------
    material : Material
        The prepared task.
    """
    test = material.test
    if not test.targets:
        raise NothingToScanError("The answers have no form that can be compared.")
    if test.are_parts:
        raise NothingToScanError("Ids name parts of items, which belong together.")
    orders = {material.competition.sample_submission.name: np.arange(len(test))}
    if test.rows is not None and test.table is not None:
        if (np.diff(test.rows) > 0).all():
            orders = {}
        orders[test.table.path] = test.rows
    for file, order in orders.items():
        compared = [(target, neighbour_association(order, target)) for target in test.targets]
        target, evidence = max(compared, key=lambda pair: pair[1].effect)
        if evidence.is_finding(len(compared) * len(orders)):
            yield Finding(
                scanner="order",
                what=f"Test rows next to each other are alike in {plain(target.name)}.",
                number=round(evidence.effect, 3),
                threshold=MIN_EFFECT,
                file=file,
                column=target.columns[0] if len(target.columns) == 1 else None,
                remedy="Shuffle the test rows, unless their order has a meaning that the task needs.",
                details={"p": evidence.p, "value": evidence.value, "chance": evidence.chance},
            )
