"""Whether headers of files, such as dimensions, EXIF, DICOM tags and sample rates, tell the answers."""

from __future__ import annotations

import io
import warnings
import wave
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from mlebench.ground.extras import require
from mlebench.ground.wording import plain
from mlebench.scan.chance import MIN_EFFECT, rank_association, sample_positions, tree_association
from mlebench.scan.finding import Finding, NothingToScanError
from mlebench.scan.pictures import SUFFIXES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mlebench.scan.material import Material
    from mlebench.scan.targets import Target

    Array = np.ndarray[Any, np.dtype[Any]]
    Facts = dict[str, str | float]

MAX_FILES = 5_000
"""Test items whose files are opened."""
MAX_TEXT = 200


def scan_headers(material: Material) -> Iterator[Finding]:
    """Yield the facts about test files, apart from their content, that go with the answers.

    Parameters
    ----------
    material : Material
        The prepared task.
    """
    items = material.test_item_of
    positions, first = np.unique(items[items >= 0], return_index=True)
    numbers = np.flatnonzero(items >= 0)[first]
    if not len(numbers) or not material.test.targets:
        raise NothingToScanError("Test items have no files.")
    chosen = sample_positions(len(numbers), MAX_FILES)
    if len(chosen) < len(numbers):
        material.limits.append(f"{len(chosen):,} of {len(numbers):,} files were opened.")
    numbers, positions = numbers[chosen], positions[chosen]
    found: dict[int, Facts] = {int(number): {} for number in numbers}
    for number, content in material.files.read_all(numbers):
        found[number] |= facts_of(material.files.names[number].lower(), content)
        material.advance(1)
    table = pd.DataFrame([found[int(number)] for number in numbers])
    if not len(table.columns):
        raise NothingToScanError("Files of test items have no headers that are known here.")
    features = {name: codes for name in table.columns if (codes := _codes(table[name])) is not None}
    targets = [target.take(positions) for target in material.test.targets]
    comparisons = max(1, (len(features) + 1) * len(targets))
    file = material.files.container(int(numbers[0])) or None
    for name, values in features.items():
        yield from _finding(f"The {name} of test files", name, values[:, None], targets, comparisons, file)
    if len(features) > 1:
        every = np.column_stack(list(features.values()))
        yield from _finding("A small tree on headers of test files", None, every, targets, comparisons, file)


def facts_of(name: str, content: bytes) -> Facts:
    """Return what the header of a file says, as numbers and texts by name; empty for other formats.

    Parameters
    ----------
    name : str
        The file's name in lower case.
    content : bytes
        The file.
    """
    if name.endswith(SUFFIXES):
        return _of_picture(content)
    if name.endswith((".dcm", ".dicom")):
        return _of_dicom(content)
    if name.endswith((".wav", ".aif", ".aiff")):
        return _of_sound(content)
    return {}


def _of_picture(content: bytes) -> Facts:
    from PIL import ExifTags, Image

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with Image.open(io.BytesIO(content)) as picture:
                facts: Facts = {"width": picture.width, "height": picture.height, "mode": picture.mode}
                facts["format"] = str(picture.format)
                texts = {
                    key: value for key, value in picture.info.items() if isinstance(value, (str, int, float, tuple))
                }
                facts |= {f"header field {key}": str(value)[:MAX_TEXT] for key, value in texts.items()}
                for tag, value in picture.getexif().items():
                    facts[f"EXIF field {ExifTags.TAGS.get(tag, tag)}"] = str(value)[:MAX_TEXT]
                return facts
    except (OSError, ValueError, SyntaxError, EOFError, Image.DecompressionBombError):
        return {}


def _of_dicom(content: bytes) -> Facts:
    require("scan")
    import pydicom

    facts: Facts = {}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            data = pydicom.dcmread(io.BytesIO(content), stop_before_pixels=True, force=True)
            for element in data:
                if element.VR != "SQ" and element.keyword and not element.keyword.endswith("UID"):
                    facts[f"DICOM field {element.keyword}"] = str(element.value)[:MAX_TEXT]
    except Exception:  # noqa: BLE001  damaged files raise anything
        return facts
    return facts


def _of_sound(content: bytes) -> Facts:
    try:
        with wave.open(io.BytesIO(content)) as sound:
            return {"sample rate": sound.getframerate(), "channels": sound.getnchannels(), "frames": sound.getnframes()}
    except (wave.Error, EOFError):
        return {}


def _codes(column: pd.Series[Any]) -> Array | None:
    """Return a column as floats: numbers, or codes of texts by their frequency; None if it says nothing."""
    numbers = pd.to_numeric(column, errors="coerce")
    if numbers.notna().sum() >= 0.5 * column.notna().sum() and numbers.notna().any():
        values = numbers.to_numpy(float)
    else:
        texts = column.fillna("").astype(str)
        if texts.nunique() > 0.5 * len(texts):
            return None
        values = pd.Index(texts.value_counts().index).get_indexer(pd.Index(texts)).astype(float)
    return values if len(np.unique(values[np.isfinite(values)])) > 1 or np.isnan(values).any() else None


def _finding(
    what: str, column: str | None, values: Array, targets: list[Target], comparisons: int, file: str | None
) -> Iterator[Finding]:
    associate = tree_association if column is None else _associate_alone
    compared = [(target, associate(values, target)) for target in targets]
    target, evidence = max(compared, key=lambda pair: pair[1].effect)
    if evidence.is_finding(comparisons):
        verb = "predicts" if column is None else "goes with"
        yield Finding(
            scanner="headers",
            what=f"{what} {verb} {plain(target.name)}.",
            number=round(evidence.effect, 3),
            threshold=MIN_EFFECT,
            file=file,
            column=column,
            remedy="Write the files again with one size, one format and no further fields, or accept what Kaggle had.",
            details={"p": evidence.p, "value": evidence.value, "chance": evidence.chance},
        )


def _associate_alone(values: Array, target: Target) -> Any:
    return rank_association(values[:, 0], target)
