"""Studies of two slices with a bright spot for each vertebra; the spot of a fractured vertebra has a dark gap."""

from __future__ import annotations

import struct

import numpy as np
import pandas as pd

from benchmarks.rehearsal.formats import dicom_bytes
from benchmarks.rehearsal.making import csv_bytes

TRAIN, TEST, BOXED, SEGMENTED, BOTH = 90, 2, 30, 20, 10
"""Studies, Kaggle's test studies, those with boxes, those with a segmentation, those with both."""
VERTEBRAE = [f"C{number}" for number in range(1, 8)]
SIDE, PER_SLICE, SPOT = 16, 4, 6


def make(rng: np.random.Generator) -> dict[str, bytes]:
    uids = [f"1.2.826.0.1.3680043.{number}" for number in rng.choice(32_000, TRAIN + TEST, replace=False)]
    broken = (rng.random((TRAIN + TEST, 7)) < 0.2) & (rng.random((TRAIN + TEST, 1)) < 0.5)
    files = {}
    for number, uid in enumerate(uids):
        folder = "train_images" if number < TRAIN else "test_images"
        for place, pixels in enumerate(make_slices(rng, broken[number]), start=1):
            files[f"{folder}/{uid}/{place}.dcm"] = dicom_bytes(pixels, {0x0020000D: ("UI", uid)}, f"{uid}.{place}")

    columns = np.column_stack([broken[:TRAIN].any(axis=1), broken[:TRAIN]]).astype(int)
    train = pd.DataFrame(columns, columns=["patient_overall", *VERTEBRAE])
    train.insert(0, "StudyInstanceUID", uids[:TRAIN])
    order = [uids[number] for number in rng.permutation(np.argsort(~broken[:TRAIN].any(axis=1))[:BOXED])]
    for uid in [*order[:BOTH], *[uid for uid in uids if uid not in order][: SEGMENTED - BOTH]]:
        files[f"segmentations/{uid}.nii"] = nifti_bytes(spots(np.arange(1, 8)))
    test = [(f"{uid}_{kind}", uid, kind) for uid in uids[TRAIN:] for kind in VERTEBRAE]
    asked = pd.DataFrame(test, columns=["row_id", "StudyInstanceUID", "prediction_type"])
    return {
        **files,
        "train.csv": csv_bytes(train),
        "train_bounding_boxes.csv": csv_bytes(make_boxes(rng, {uid: broken[uids.index(uid)] for uid in order})),
        "test.csv": csv_bytes(asked),
        "sample_submission.csv": csv_bytes(asked[["row_id"]].assign(fractured=0.5)),
    }


def corner(vertebra: int) -> tuple[int, int, int]:
    """Return slice, top and left of a vertebra's spot."""
    place = vertebra % PER_SLICE
    return vertebra // PER_SLICE, 1 + 8 * (place // 2), 1 + 8 * (place % 2)


def spots(values: np.ndarray) -> np.ndarray:
    """Return both slices with a value in each vertebra's spot."""
    volume = np.zeros((2, SIDE, SIDE))
    for vertebra, value in enumerate(values):
        place, top, left = corner(vertebra)
        volume[place, top : top + SPOT, left : left + SPOT] = value
    return volume


def make_slices(rng: np.random.Generator, broken: np.ndarray) -> np.ndarray:
    volume = 40 + spots(np.full(7, 140)) + rng.normal(0, 6, (2, SIDE, SIDE))
    for vertebra in np.flatnonzero(broken):
        place, top, left = corner(int(vertebra))
        volume[place, top + 2 : top + 4, left : left + SPOT] -= 90
    return np.clip(volume // 16 * 16, 0, 255)


def make_boxes(rng: np.random.Generator, studies: dict[str, np.ndarray]) -> pd.DataFrame:
    rows = []
    for uid, broken in studies.items():
        for vertebra in np.flatnonzero(broken):
            place, top, left = corner(int(vertebra))
            box = np.array([left, top + 2, SPOT, 2]) + rng.random(4).round(4) / 10
            rows.append((uid, *box.round(5), place + 1))
    return pd.DataFrame(rows, columns=["StudyInstanceUID", "x", "y", "width", "height", "slice_number"])


def nifti_bytes(volume: np.ndarray) -> bytes:
    """Return a volume with values from 0 to 255, slice by slice, as a NIfTI file of voxels of 1 mm."""
    slices, rows, columns = volume.shape
    header = struct.pack("<i36x8h", 348, 3, columns, rows, slices, 1, 1, 1, 1)
    header += struct.pack("<14x2h2x8f3f", 2, 8, *[1.0] * 8, 352.0, 1.0, 0.0)
    return header.ljust(344, b"\0") + b"n+1\0" + bytes(4) + volume.astype(np.uint8).tobytes()
