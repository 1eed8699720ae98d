"""Drives over an empty plain: each object is a box of lidar readings, in the colour of its class on the picture."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.rehearsal.making import csv_bytes, hexadecimal_ids, picture_bytes

DRIVES, SAMPLES, READINGS = 10, 4, 8
"""Drives, two of which are on one day at one place, samples of each, lidar readings of each object."""
SIZES = {"car": (1.9, 4.8, 1.7), "truck": (2.8, 9.5, 3.3), "pedestrian": (0.8, 0.8, 1.8)}
"""Width, length and height of each class."""
CLASSES = [*SIZES, "other_vehicle", "bicycle", "bus", "motorcycle", "animal", "emergency_vehicle"]
COLOURS = {"car": (200, 40, 40), "truck": (40, 200, 40), "pedestrian": (40, 40, 200)}
START, DAY = 1_233_689_000_000_000, 24 * 3600 * 10**6
GROUND = -23.5
TABLES = ["log", "scene", "sample", "sample_data", "sample_annotation", "instance", "ego_pose", "calibrated_sensor"]


def make(rng: np.random.Generator) -> dict[str, bytes]:
    tokens = iter(hexadecimal_ids(rng, 1000, 64))
    tables: dict[str, list[dict[str, Any]]] = {name: [] for name in TABLES}
    sensors = {kind: next(tokens) for kind in ("camera", "lidar")}
    categories = {name: next(tokens) for name in CLASSES}
    vehicles = {name: {kind: next(tokens) for kind in sensors} for name in ("a101", "a102")}
    for mounted in vehicles.values():
        for kind, token in mounted.items():
            sensor = {"sensor_token": sensors[kind], "rotation": [1.0, 0.0, 0.0, 0.0], "translation": [0.0, 0.0, 0.0]}
            tables["calibrated_sensor"].append({"token": token, "camera_intrinsic": [], **sensor})
    files, rows = {}, []
    around = [make_objects(rng, 4) for _ in range(DRIVES // 2)]
    for drive in range(DRIVES):
        day, vehicle, log = drive // 2, f"a10{1 + drive % 2}", next(tokens)
        samples = [next(tokens) for _ in range(SAMPLES)]
        tables["log"].append({"token": log, "vehicle": vehicle, "location": "", "date_captured": f"2019-01-{25 + day}"})
        scene = {"token": log, "log_token": log, "name": f"host-{vehicle}-{drive}", "nbr_samples": SAMPLES}
        tables["scene"].append({**scene, "first_sample_token": samples[0], "last_sample_token": samples[-1]})
        objects = around[day]
        known = [next(tokens) for _ in objects]
        marks: dict[str, list[str]] = {instance: [] for instance in known}
        for number, sample in enumerate(samples):
            time = START + DAY * day + 25_000_000 * drive + 200_000 * number
            beside = {"prev": samples[number - 1] if number else "", "next": [*samples, ""][number + 1]}
            tables["sample"].append({"token": sample, "scene_token": log, "timestamp": time, **beside})
            pose, place = next(tokens), np.array([1000 + 40.0 * day + number, 2000.0 + 30 * day, GROUND])
            position = {"translation": place.tolist(), "rotation": [1.0, 0.0, 0.0, 0.0]}
            tables["ego_pose"].append({"token": pose, "timestamp": time, **position})
            for kind, channel, fileformat in (("camera", "images", "jpeg"), ("lidar", "lidar", "bin")):
                name = f"host-{vehicle}_{'cam0' if kind == 'camera' else 'lidar1'}_{time}.{fileformat}"
                facts = {"fileformat": fileformat, "filename": f"{channel}/{name}", "timestamp": time}
                links = {"sample_token": sample, "ego_pose_token": pose, "is_key_frame": True}
                links["calibrated_sensor_token"] = vehicles[vehicle][kind]
                tables["sample_data"].append({"token": next(tokens), **links, **facts})
                content = lidar_bytes(rng, objects) if kind == "lidar" else camera_bytes(objects)
                files[f"train_{channel}/{name}"] = content
            words = []
            for instance, (label, box) in zip(known, objects, strict=True):
                center = (box[:3] + place).round(6)
                words += [*center, *box[3:6], box[6], label]
                mark = next(tokens)
                marks[instance].append(mark)
                half = box[6] / 2
                shape = {"translation": center.tolist(), "size": box[3:6].tolist()}
                shape["rotation"] = [float(np.cos(half)), 0, 0, float(np.sin(half))]
                links = {"sample_token": sample, "instance_token": instance, "attribute_tokens": []}
                tables["sample_annotation"].append({"token": mark, **links, **shape, "num_lidar_pts": -1})
            rows.append((sample, " ".join(map(str, words))))
            objects = [(label, box - np.eye(7)[0]) for label, box in objects]
        for instance, (label, _) in zip(known, objects, strict=True):
            first = {"first_annotation_token": marks[instance][0], "last_annotation_token": marks[instance][-1]}
            entry = {"token": instance, "category_token": categories[label], "nbr_annotations": SAMPLES}
            tables["instance"].append({**entry, **first})
    constant: dict[str, list[Any]] = {
        "attribute": [{"token": next(tokens), "name": "is_stationary", "description": ""}],
        "category": [{"token": token, "name": name, "description": ""} for name, token in categories.items()],
        "sensor": [{"token": token, "modality": kind, "channel": kind} for kind, token in sensors.items()],
        "visibility": [{"token": "1", "level": "v0-40", "description": ""}],
        "map": [{"token": next(tokens), "filename": "", "log_tokens": [log["token"] for log in tables["log"]]}],
    }
    unused = [next(tokens) for _ in range(2)]
    ground = picture_bytes(np.full((8, 8), 128), "PNG")
    return {
        **files,
        **{f"train_data/{name}.json": json.dumps(table, indent=1).encode() for name, table in tables.items()},
        **{f"train_data/{name}.json": json.dumps(table, indent=1).encode() for name, table in constant.items()},
        **{f"test_data/{name}.json": b"[]" for name in [*tables, *constant]},
        **{f"{part}_maps/map_raster_palo_alto.png": ground for part in ("train", "test")},
        "train.csv": csv_bytes(pd.DataFrame(rows, columns=["Id", "PredictionString"]).sample(frac=1, random_state=1)),
        "sample_submission.csv": csv_bytes(pd.DataFrame({"Id": unused, "PredictionString": ""})),
    }


def make_objects(rng: np.random.Generator, count: int) -> list[tuple[str, np.ndarray]]:
    """Return objects at some distance from each other, with boxes in the vehicle's coordinates."""
    objects = []
    for number in range(count):
        label = str(rng.choice(list(SIZES), p=[0.6, 0.15, 0.25]))
        size = (np.array(SIZES[label]) * rng.uniform(0.95, 1.05, 3)).round(3)
        angle, distance = np.pi / 2 * (number + rng.uniform(0.3, 0.7)), rng.uniform(9, 16)
        center = [distance * np.cos(angle), distance * np.sin(angle), size[2] / 2]
        objects.append((label, np.array([*center, *size, rng.uniform(-3, 3)]).round(3)))
    return objects


def lidar_bytes(rng: np.random.Generator, objects: list[tuple[str, np.ndarray]]) -> bytes:
    """Return lidar readings in the vehicle's coordinates: x, y, z, intensity and ring as 32-bit floats."""
    readings = []
    for _, (x, y, z, width, length, height, yaw) in objects:
        along, across, up = rng.uniform(-0.5, 0.5, (3, READINGS)) * np.array([[length], [width], [height]])
        turned = x + along * np.cos(yaw) - across * np.sin(yaw), y + along * np.sin(yaw) + across * np.cos(yaw)
        readings.append(np.column_stack([*turned, z + up, np.full(READINGS, 100), np.zeros(READINGS)]))
    return np.concatenate(readings).round(1).astype("<f4").tobytes()


def camera_bytes(objects: list[tuple[str, np.ndarray]]) -> bytes:
    """Return a picture of the plain from above, a pixel for 1.5 m, a square for each object."""
    pixels = np.full((24, 24, 3), 90)
    for label, box in objects:
        column, row = ((box[:2] + 18) / 1.5).astype(int).clip(0, 22)
        pixels[row : row + 2, column : column + 2] = COLOURS[label]
    return picture_bytes(pixels, "JPEG", quality=30)
