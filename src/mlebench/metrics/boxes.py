"""Detected boxes in pictures: refuse those of a wrong form, and score them as the PASCAL VOC challenge does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mlebench.errors import InvalidSubmissionError
from mlebench.ground.wording import plain
from mlebench.metrics.detection import box_iou
from mlebench.metrics.pairing import pair_up

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from numpy.typing import ArrayLike, NDArray

    from mlebench.metrics.detection import Objects

    Floats = NDArray[np.float64]
    Integers = NDArray[np.int64]

AT_ONCE = 2**16
"""Detections whose overlaps are computed together, to bound the memory."""


def voc_mean_precision(true: Objects, found: Objects, min_iou: float) -> float:
    """Mean over classes of the average precision, by the rules of PASCAL VOC 2010 and later.

    The detections of a class in all pictures are taken in the order of their confidence, equal ones in the order given.
    A detection belongs to the true box of its class and picture that it overlaps most; it is a hit if the overlap is
    above `min_iou` and no earlier detection has hit that box. The average precision is the area under the curve of
    precision over recall, where the precision at a recall is the highest one at this recall or above.

    Parameters
    ----------
    true, found : Objects
        True boxes and detections. Their `text` is the number of the picture, in the same order of pictures; their
        `numbers` are the confidence, x_min, y_min, x_max and y_max. The confidence of true boxes is not used.
    min_iou : float
        The intersection over union that a hit must exceed.

    Returns
    -------
    float
        In [0, 1], higher is better. Classes without true boxes do not count; NaN for no true boxes.

    References
    ----------
    .. [1] Everingham et al. (2010), "The PASCAL Visual Object Classes (VOC) challenge", IJCV 88, and the change of 2010
       in section 3.4.1 of its development kit, http://host.robots.ox.ac.uk/pascal/VOC/voc2010/htmldoc/devkit_doc.html

    Examples
    --------
    >>> from mlebench.metrics.detection import parse_objects
    >>> true = parse_objects("ab", ["nodule 1 0 0 2 2", "nodule 1 0 0 2 2"], width=6, label=0)
    >>> found = parse_objects("ab", ["nodule 0.9 0 0 2 2 nodule 0.8 5 5 6 6", "nodule 0.7 0 0 2 2"], width=6, label=0)
    >>> round(voc_mean_precision(true, found, min_iou=0.5), 6)
    0.833333
    """
    classes = sorted(set(true.label.tolist()))
    if not classes:
        return float("nan")
    number = {label: place for place, label in enumerate(classes)}
    true_code, code = (
        np.array([number.get(label, -1) for label in side.label.tolist()], dtype=np.int64) for side in (true, found)
    )
    order = np.lexsort((-found.numbers[:, 0], code))
    order = order[code[order] >= 0]
    code = code[order]
    wanted = _best_overlap(
        found.numbers[order, 1:],
        found.text[order] * len(classes) + code,
        true.numbers[:, 1:],
        true.text * len(classes) + true_code,
        min_iou,
    )
    hit = np.zeros(len(order), dtype=bool)
    boxes, first = np.unique(wanted, return_index=True)
    hit[first[boxes >= 0]] = True
    positives = np.bincount(true_code, minlength=len(classes))
    ends = np.searchsorted(code, np.arange(len(classes) + 1))
    areas = [
        _area(hit[start:stop], count)
        for start, stop, count in zip(ends[:-1], ends[1:], positives.tolist(), strict=True)
    ]
    return float(np.mean(areas))


def _best_overlap(box: Floats, group: Integers, true_box: Floats, true_group: Integers, min_iou: float) -> Integers:
    """Return the position of the true box of its group that each box overlaps most, or -1 if that is not enough."""
    wanted = np.full(len(box), -1)
    for start in range(0, len(box), AT_ONCE):
        left, right = pair_up(group[start : start + AT_ONCE], true_group)
        left += start
        iou = box_iou(box[left], true_box[right])
        near = np.flatnonzero(iou > min_iou)
        best = near[np.lexsort((-iou[near], left[near]))]
        boxes, first = np.unique(left[best], return_index=True)
        wanted[boxes] = right[best[first]]
    return wanted


def _area(hit: NDArray[np.bool_], positives: int) -> float:
    """Return the area under the curve of precision over recall; recall rises at the hits alone."""
    precision = np.cumsum(hit) / np.arange(1, len(hit) + 1)
    highest = np.maximum.accumulate(precision[::-1])[::-1]
    return float(highest[hit].sum() / positives)


def check_boxes(names: Sequence[object], found: Objects, labels: Collection[str] | None = None) -> None:
    """Refuse detections of a wrong form.

    Parameters
    ----------
    names
        Ids of the prediction strings, for messages.
    found
        Detections; their `numbers` are the confidence, x_min, y_min, x_max and y_max.
    labels
        All classes; None if any text is a class.

    Raises
    ------
    InvalidSubmissionError
        A class is unknown, a number is not finite, a confidence is not between 0 and 1, or a box has no extent.

    Examples
    --------
    >>> from mlebench.metrics.detection import parse_objects
    >>> check_boxes(["a"], parse_objects(["a"], ["nodule 0.5 0 0 2 2 mass 1 3 3 2 2"], width=6, label=0))
    Traceback (most recent call last):
    mlebench.errors.InvalidSubmissionError: The prediction for 'a' holds a box whose corners are not in order.
    """
    if labels is not None:
        known = set(labels)
        odd = np.array([label not in known for label in found.label.tolist()], dtype=bool)
        if odd.any():
            label = plain(found.label[np.argmax(odd)])
            refuse_objects(names, found, odd, f"holds the class {label}, which is none of the {len(known)} classes")
    confidence, low, high = found.numbers[:, 0], found.numbers[:, 1:3], found.numbers[:, 3:5]
    refuse_objects(names, found, ~np.all(np.isfinite(found.numbers), axis=1), "holds a number that is not finite")
    refuse_objects(names, found, (confidence < 0) | (confidence > 1), "holds a confidence that is not between 0 and 1")
    refuse_objects(names, found, np.any(low >= high, axis=1), "holds a box whose corners are not in order")


def refuse_objects(names: Sequence[object], objects: Objects, wrong: ArrayLike, reason: str) -> None:
    """Raise InvalidSubmissionError if an object is wrong: "The prediction for ID" with the reason."""
    if np.any(wrong):
        name = list(names)[objects.text[np.argmax(wrong)]]
        raise InvalidSubmissionError(f"The prediction for {plain(name)} {reason}.")
