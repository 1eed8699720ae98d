"""Helpers for preparers and graders of competitions that users add; those of this tree have their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mlebench.errors import InvalidSubmissionError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

    Mask = NDArray[np.bool_]


def df_to_one_hot(df: pd.DataFrame, id_column: str, target_column: str, classes: Sequence[str]) -> pd.DataFrame:
    """Return the id column followed by a column of 0 and 1 for each class."""
    from mlebench.preparation import one_hot

    return one_hot(df, id_column, target_column, classes)


def is_one_hot_encoded(df: pd.DataFrame, columns: Sequence[str]) -> bool:
    """Return whether each row has a single 1 and otherwise 0 in these columns."""
    cells = df[list(columns)]
    return bool(cells.isin([0, 1]).all(axis=None) and (cells.sum(axis=1) == 1).all())


def one_hot_dfs_to_log_loss_inputs(
    submission: pd.DataFrame, answers: pd.DataFrame, id_column: str = "id"
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return answers and predictions with the same rows and columns in the same order, without the ids."""
    if set(submission.columns) != set(answers.columns):
        raise InvalidSubmissionError("Submission must have the columns of the answers.")
    truth = answers.set_index(id_column)
    return truth, _aligned(submission, answers, id_column).set_index(id_column)[truth.columns]


def prepare_for_accuracy_metric(
    submission: pd.DataFrame, answers: pd.DataFrame, target_column: str, id_column: str = "id"
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return true and predicted labels in the same order."""
    predicted = _aligned(submission, answers, id_column, target_column)
    return answers[target_column].to_numpy(), predicted[target_column].to_numpy()


def prepare_for_auroc_metric(
    submission: pd.DataFrame, answers: pd.DataFrame, target_column: str, id_column: str = "id"
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return true labels and predicted probabilities in the same order."""
    import pandas as pd

    true, predicted = prepare_for_accuracy_metric(submission, answers, target_column, id_column)
    numbers = pd.to_numeric(pd.Series(predicted), errors="coerce").to_numpy(dtype=float)
    if not ((numbers >= 0) & (numbers <= 1)).all():
        raise InvalidSubmissionError(f"The column '{target_column}' must hold numbers from 0 to 1.")
    return true, numbers


def rle_decode(code: str, shape: tuple[int, int]) -> Mask:
    """Return the mask of a run-length code: pairs of start (from 1) and length, down the columns."""
    import numpy as np

    numbers = np.array(str(code).split() if isinstance(code, str) else [], dtype=int)
    mask = np.zeros(shape[0] * shape[1], dtype=bool)
    for start, length in zip(numbers[::2] - 1, numbers[1::2], strict=True):
        mask[start : start + length] = True
    return mask.reshape(shape, order="F")


def rle_encode(mask: Mask) -> str:
    """Return the run-length code of a mask."""
    import numpy as np

    from mlebench.metrics.segmentation import encode_mask

    return encode_mask(np.asarray(mask, dtype=bool))


def rles_to_masks(codes: Iterable[str], shape: tuple[int, int]) -> list[Mask]:
    """Return the masks of many run-length codes."""
    return [rle_decode(code, shape) for code in codes]


def get_ids_from_tf_records(tfrecord_path: Path, feature: str = "image_name") -> list[str]:
    """Return the ids in a TFRecord file, in its order."""
    from mlebench.preparation import read_tfrecord_texts

    return read_tfrecord_texts(tfrecord_path, feature)


def _aligned(submission: pd.DataFrame, answers: pd.DataFrame, id_column: str, *targets: str) -> pd.DataFrame:
    """Return a submission's rows in the order of the answers."""
    for name in (id_column, *targets):
        if name not in submission.columns:
            raise InvalidSubmissionError(f"Submission is missing the following column '{name}'.")
    if sorted(submission[id_column]) != sorted(answers[id_column]):
        raise InvalidSubmissionError(f"The column '{id_column}' must hold the ids of the answers, each once.")
    return submission.set_index(id_column).loc[answers[id_column]].reset_index()
