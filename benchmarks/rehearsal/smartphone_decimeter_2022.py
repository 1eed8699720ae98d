"""Short drives along a street; the baseline positions have a mostly constant error of some metres."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.rehearsal.making import csv_bytes

DATES = ["2020-05-15", "2020-05-21", "2020-06-04", "2020-07-08", "2020-08-03", "2020-12-10", "2021-01-05", "2021-3-16"]
PHONES = ["GooglePixel4", "GooglePixel4XL", "SamsungGalaxyS20Ultra", "XiaomiMi8"]
SECONDS, START = 12, 1_645_660_800_000
AXIS, FLATTENING = 6_378_137.0, 1 / 298.257223563
SQUARE = FLATTENING * (2 - FLATTENING)
OFFSET = np.array([3e-5, -4e-5])
"""The error of the baseline, in degrees."""


def make(rng: np.random.Generator) -> dict[str, bytes]:
    files: dict[str, bytes] = {
        "metadata/accumulated_delta_range_state_bit_map.json": json.dumps({"0": "ADR_STATE_VALID"}).encode(),
        "metadata/raw_state_bit_map.json": json.dumps({"0": "STATE_CODE_LOCK"}).encode(),
        "metadata/constellation_type_mapping.csv": b"constellationType,constellationName\n1,GPS\n6,GALILEO\n",
    }
    for day, date in enumerate(DATES):
        for number in range(1, 2 + day % 2):
            for phone in rng.choice(PHONES, 2, replace=False).tolist():
                recording = make_recording(rng, pd.Timestamp(date), phone, with_truth=True)
                files |= {f"train/{date}-US-MTV-{number}/{phone}/{name}": text for name, text in recording.items()}
    recording = make_recording(rng, pd.Timestamp("2022-02-24"), PHONES[0], with_truth=False)
    times = np.arange(SECONDS) * 1000 + START
    trip = f"2022-02-24-US-MTV-1-{PHONES[0]}"
    sample = pd.DataFrame({"tripId": trip, "UnixTimeMillis": times, "LatitudeDegrees": 37.9, "LongitudeDegrees": -86.5})
    files |= {f"test/2022-02-24-US-MTV-1/{PHONES[0]}/{name}": text for name, text in recording.items()}
    return {**files, "sample_submission.csv": csv_bytes(sample)}


def make_recording(rng: np.random.Generator, date: pd.Timestamp, phone: str, *, with_truth: bool) -> dict[str, bytes]:
    """Return the files of a phone that moves in a straight line at constant speed."""
    times = int(date.timestamp()) * 1000 + int(rng.integers(60_000)) + np.arange(SECONDS) * 1000
    start, step = np.array([37.4, -122.1]) + rng.normal(0, 0.02, 2), rng.normal(0, 1e-4, 2)
    truth = start + step * np.arange(SECONDS)[:, np.newaxis]
    baseline = truth + OFFSET + rng.normal(0, 1e-5, truth.shape)
    x, y, z = earth_centred(*baseline.T)
    same: dict[str, Any] = {"AltitudeMeters": 20.5, "SpeedMps": 9.5, "AccuracyMeters": 0.1, "BearingDegrees": 180.25}
    fixes = pd.DataFrame({"MessageType": "Fix", "Provider": "GT", "LatitudeDegrees": truth[:, 0]})
    fixes = fixes.assign(LongitudeDegrees=truth[:, 1], **same, UnixTimeMillis=times)
    signals = pd.DataFrame({"MessageType": "Raw", "utcTimeMillis": times, "Svid": rng.integers(1, 33, SECONDS)})
    signals = signals.assign(WlsPositionXEcefMeters=x, WlsPositionYEcefMeters=y, WlsPositionZEcefMeters=z)
    motion = pd.DataFrame({"MessageType": "UncalAccel", "utcTimeMillis": times[:3]})
    motion = motion.assign(**{f"Measurement{axis}": rng.normal(size=3).round(3) for axis in "XYZ"})
    log = f"# Raw of {phone}\n"
    files = {
        "device_gnss.csv": csv_bytes(signals),
        "device_imu.csv": csv_bytes(motion),
        f"supplemental/gnss_rinex.{date:%y}o": b"3.03\n",
    }
    if not with_truth:
        return {**files, "supplemental/gnss_log.txt": log.encode()}
    own = truth + rng.normal(0, 1e-5, truth.shape)
    log += "".join(f"Fix,GPS,{north:.7f},{east:.7f},{time}\n" for (north, east), time in zip(own, times, strict=True))
    return {
        **files,
        "supplemental/gnss_log.txt": log.encode(),
        "supplemental/span_log.nmea": "".join(map(nmea_line, *truth.T)).encode(),
        "ground_truth.csv": csv_bytes(fixes),
    }


def nmea_line(latitude: float, longitude: float) -> str:
    """Return a line with a position: degrees in two or three digits, then minutes."""
    (north, north_minutes), (west, west_minutes) = (divmod(abs(value) * 60, 60) for value in (latitude, longitude))
    return f"$GPGGA,,{north:02.0f}{north_minutes:010.7f},N,{west:03.0f}{west_minutes:010.7f},W\n"


def earth_centred(latitude: np.ndarray, longitude: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the coordinates in metres of points at the height 0 of the ellipsoid."""
    north, east = np.radians(latitude), np.radians(longitude)
    radius = AXIS / np.sqrt(1 - SQUARE * np.sin(north) ** 2)
    across = radius * np.cos(north)
    return across * np.cos(east), across * np.sin(east), (1 - SQUARE) * radius * np.sin(north)
