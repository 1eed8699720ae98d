"""Sound files of 16 bits and one channel, and periodic sounds, which compress well."""

from __future__ import annotations

import io
import math
import struct
import wave

import numpy as np


def wav_bytes(samples: np.ndarray, rate: int) -> bytes:
    """Return samples from -1 to 1 as a WAV file."""
    buffer = io.BytesIO()
    with wave.open(buffer, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(_integers(samples).astype("<i2").tobytes())
    return buffer.getvalue()


def aiff_bytes(samples: np.ndarray, rate: int) -> bytes:
    """Return samples from -1 to 1 as an AIFF file."""
    fraction, exponent = math.frexp(rate)
    extended = struct.pack(">HQ", exponent - 1 + 16383, int(fraction * 2**64))  # an 80-bit float
    common = struct.pack(">hIh", 1, len(samples), 16) + extended
    sound = struct.pack(">II", 0, 0) + _integers(samples).astype(">i2").tobytes()
    chunks = b"".join(
        name + struct.pack(">I", len(part)) + part for name, part in ((b"COMM", common), (b"SSND", sound))
    )
    return b"FORM" + struct.pack(">I", 4 + len(chunks)) + b"AIFF" + chunks


def hum(period: int, count: int, overtones: tuple[float, ...] = (1,)) -> np.ndarray:
    """Return `count` samples of a tone with a period in samples and the loudness of each overtone."""
    turn = 2 * np.pi * np.arange(period) / period
    tone = sum(loudness * np.sin(number * turn) for number, loudness in enumerate(overtones, start=1))
    return np.resize(tone / sum(map(abs, overtones)), count)


def hiss(rng: np.random.Generator, period: int, count: int) -> np.ndarray:
    """Return `count` samples of noise that repeats after a period."""
    return np.resize(rng.uniform(-1, 1, period), count)


def _integers(samples: np.ndarray) -> np.ndarray:
    return np.round(np.clip(samples, -1, 1) * 127) * 256  # the lower byte is 0, which compresses well
