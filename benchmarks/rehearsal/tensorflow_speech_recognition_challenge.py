"""Words as chords: each word has three syllables with its own pitches, and speakers differ in tempo and loudness."""

from __future__ import annotations

import numpy as np
import pandas as pd

from benchmarks.rehearsal.formats import seven_zip_bytes
from benchmarks.rehearsal.making import csv_bytes, hexadecimal_ids
from benchmarks.rehearsal.sounds import hiss, hum, wav_bytes

WORDS = """
yes no up down left right on off stop go zero one two three four five six seven eight nine
bed bird cat dog happy house marvin sheila tree wow
""".split()
SPEAKERS, OF_EACH_WORD, TEST = 12, 8, 3
RATE = 16_000


def make(rng: np.random.Generator) -> dict[str, bytes]:
    speakers = hexadecimal_ids(rng, SPEAKERS, digits=8)
    pitches = rng.integers(20, 160, (len(WORDS), 3))
    train = {"train/LICENSE": b"Made up.\n", "train/README.md": b"Sounds made by calculation.\n"}
    voices = {speaker: (100 * (8 + place % 5), 0.5 + 0.1 * (place // 5)) for place, speaker in enumerate(speakers)}
    for word, own in zip(WORDS, pitches, strict=True):
        for speaker in rng.choice(speakers, OF_EACH_WORD // 2, replace=False):
            for take in range(2):
                train[f"train/audio/{word}/{speaker}_nohash_{take}.wav"] = make_clip(own, *voices[speaker])
    noise = "train/audio/_background_noise_"
    train |= {f"{noise}/noise_{place}.wav": wav_bytes(hiss(rng, 53, 3 * RATE), RATE) for place in range(6)}
    train[f"{noise}/README.md"] = b"Noise made by calculation.\n"
    words = [name.removeprefix("train/audio/") for name in train if "_nohash_" in name]
    train["train/testing_list.txt"] = "\n".join(words[::10]).encode() + b"\n"
    train["train/validation_list.txt"] = "\n".join(words[5::10]).encode() + b"\n"

    names = [f"clip_{place:08}.wav" for place in range(TEST)]
    sample = pd.DataFrame({"fname": names, "label": "silence"})
    return {
        "train.7z": seven_zip_bytes(train),
        "test.7z": seven_zip_bytes({f"test/audio/{name}": make_clip(pitches[0], 1000, 0.9) for name in names}),
        "sample_submission.7z": seven_zip_bytes({"sample_submission.csv": csv_bytes(sample)}),
        "link_to_gcp_credits_form.txt": b"Nothing to see here.\n",
    }


def make_clip(pitches: np.ndarray, length: int, loudness: float) -> bytes:
    syllables = [hum(int(pitch), length, (1, 0.5)) * loudness for pitch in pitches]
    return wav_bytes(np.concatenate(syllables), RATE)
