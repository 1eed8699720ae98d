"""Recordings with one frame per gesture; the position of the right hand shows the number of the gesture."""

from __future__ import annotations

import gzip
import io
import tarfile
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from benchmarks.rehearsal.formats import seven_zip_bytes
from benchmarks.rehearsal.making import csv_bytes, zip_bytes

if TYPE_CHECKING:
    from collections.abc import Mapping

TRAINING = {1: 14, 2: 14, 3: 12, 4: 12}
VALIDATION = {1: 2, 2: 2, 3: 2}
NAMES = (
    "vattene vieniqui perfetto furbo cheduepalle chevuoi daccordo seipazzo combinato freganiente ok cosatifarei basta "
    "prendere noncenepiu fame tantotempo buonissimo messidaccordo sonostufo"
).split()
JOINTS, RIGHT_HAND = 20, 11


def make(rng: np.random.Generator) -> dict[str, bytes]:
    numbers = iter(rng.permutation(np.arange(1, 800)).tolist())
    files, rows, hidden = {}, [], []
    for kind, sizes in (("training", TRAINING), ("validation", VALIDATION)):
        for part, size in sizes.items():
            samples = {}
            for number in sorted(next(numbers) for _ in range(size)):
                gestures = rng.integers(1, 21, rng.integers(3, 8)).tolist()
                samples[f"Sample{number:05}.zip"] = make_sample(rng, number, gestures, with_labels=kind == "training")
                (rows if kind == "training" else hidden).append((f"{number:04}", " ".join(map(str, gestures))))
            files[f"{kind}{part}.tar.gz"] = tar_bytes(samples)
    training = pd.DataFrame([rows[place] for place in rng.permutation(len(rows))], columns=["Id", "Sequence"])
    ids = pd.DataFrame({"Id": sorted(id for id, _ in hidden)})
    return {
        **files,
        "training.csv": csv_bytes(training),
        "test.csv": csv_bytes(ids),
        "randomPredictions.csv": csv_bytes(ids.assign(Sequence="5 3 14 11")),
        "devel01-40.7z": seven_zip_bytes({"devel01/readme.txt": b"older material\n"}),
        "valid_all_files_combined.7z": seven_zip_bytes({"valid01/readme.txt": b"older material\n"}),
        "sample_code_mmrgc.zip": zip_bytes({"dataViewer.m": b"% older scripts\n"}),
    }


def make_sample(rng: np.random.Generator, number: int, gestures: list[int], *, with_labels: bool) -> bytes:
    """Return the archive of a recording; its sound and pictures are empty."""
    name = f"Sample{number:05}"
    parts = {"audio.wav": b"RIFF", "color.mp4": b"mp4", "depth.mp4": b"mp4", "user.mp4": b"mp4"}
    video = {
        "NumFrames": len(gestures),
        "FrameRate": 20,
        "MaxDepth": 3000,
        "Frames": struct_array([{"Skeleton": make_skeleton(rng, gesture)} for gesture in gestures]),
        "Labels": struct_array(
            [
                {"Name": NAMES[gesture - 1], "Begin": frame, "End": frame}
                for frame, gesture in enumerate(gestures if with_labels else [], start=1)
            ],
            names=["Name", "Begin", "End"],
        ),
    }
    return zip_bytes({f"{name}_{part}": content for part, content in [*parts.items(), ("data.mat", mat_bytes(video))]})


def make_skeleton(rng: np.random.Generator, gesture: int) -> dict[str, Any]:
    world = np.zeros((JOINTS, 3), dtype=np.int16)
    world[:, 1] = np.arange(JOINTS) * 80
    world[RIGHT_HAND] += np.array([gesture % 5 * 100, gesture // 5 * 100, 1500]) + rng.integers(-20, 21, 3)
    rotation = np.zeros((JOINTS, 4), dtype=np.int16)
    rotation[:, 3] = 1
    return {"WorldPosition": world, "PixelPosition": world[:, :2] // 4, "WorldRotation": rotation}


def struct_array(items: list[dict[str, Any]], names: list[str] | None = None) -> np.ndarray:
    """Return an array that is saved as a Matlab array of structures."""
    kind = [(name, object) for name in names or items[0]]
    return np.array([tuple(item.values()) for item in items], dtype=kind)


def mat_bytes(video: Mapping[str, Any]) -> bytes:
    """Return a Matlab file with one variable, without the time in its header."""
    from scipy.io import savemat

    buffer = io.BytesIO()
    savemat(buffer, {"Video": dict(video)})
    return b"MATLAB 5.0 MAT-file".ljust(116) + buffer.getvalue()[116:]


def tar_bytes(files: Mapping[str, bytes]) -> bytes:
    """Return a gzip-compressed tar archive with fixed times and no compression."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size, member.mode = len(content), 0o644
            archive.addfile(member, io.BytesIO(content))
    return gzip.compress(buffer.getvalue(), compresslevel=0, mtime=0)
