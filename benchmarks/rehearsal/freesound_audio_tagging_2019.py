"""Clips of tones: each class has its own pitch and timbre, and clips with several labels play them in sequence."""

from __future__ import annotations

import numpy as np
import pandas as pd

from benchmarks.rehearsal.making import csv_bytes, hexadecimal_ids, zip_bytes
from benchmarks.rehearsal.sounds import hum, wav_bytes

CLASSES = """
Accelerating_and_revving_and_vroom Accordion Acoustic_guitar Applause Bark Bass_drum Bass_guitar
Bathtub_(filling_or_washing) Bicycle_bell Burping_and_eructation Bus Buzz Car_passing_by Cheering
Chewing_and_mastication Child_speech_and_kid_speaking Chink_and_clink Chirp_and_tweet Church_bell Clapping
Computer_keyboard Crackle Cricket Crowd Cupboard_open_or_close Cutlery_and_silverware Dishes_and_pots_and_pans
Drawer_open_or_close Drip Electric_guitar Fart Female_singing Female_speech_and_woman_speaking Fill_(with_liquid)
Finger_snapping Frying_(food) Gasp Glockenspiel Gong Gurgling Harmonica Hi-hat Hiss Keys_jangling Knock Male_singing
Male_speech_and_man_speaking Marimba_and_xylophone Mechanical_fan Meow Microwave_oven Motorcycle Printer Purr
Race_car_and_auto_racing Raindrop Run Scissors Screaming Shatter Sigh Sink_(filling_or_washing) Skateboard Slam Sneeze
Squeak Stream Strum Tap Tick-tock Toilet_flush Traffic_noise_and_roadway_noise Trickle_and_dribble Walk_and_footsteps
Water_tap_and_faucet Waves_and_surf Whispering Writing Yell Zipper_(clothing)
""".split()
CURATED, NOISY, PRIVATE, PUBLIC = 110, 50, 60, 15
RATE = 44_100
WRONG = 0.3
"""Fraction of the noisy clips that sound like other classes than their labels."""


def make(rng: np.random.Generator) -> dict[str, bytes]:
    names = [f"{id}.wav" for id in hexadecimal_ids(rng, CURATED + NOISY + PRIVATE + PUBLIC, digits=8)]
    parts = dict(zip(("curated", "noisy", "test"), np.split(names, [CURATED, CURATED + NOISY]), strict=True))
    timbres = [(int(rng.integers(30, 200)), tuple(rng.random(4))) for _ in CLASSES]
    tables, sounds = {}, {}
    for part, files in parts.items():
        labels = [rng.permutation(len(CLASSES))[: 1 + (rng.random() < 0.2)] for _ in files]
        labels[: len(CLASSES)] = [np.array([place]) for place in range(min(len(files), len(CLASSES)))]
        tables[part] = pd.DataFrame({"fname": files, "labels": [",".join(CLASSES[k] for k in own) for own in labels]})
        for file, own in zip(files, labels, strict=True):
            is_wrong = part == "noisy" and rng.random() < WRONG
            heard = rng.permutation(len(CLASSES))[:1] if is_wrong else own
            sounds[part, str(file)] = make_clip(rng, [timbres[k] for k in heard])

    test = tables["test"].assign(usage=["Private"] * PRIVATE + ["Public"] * PUBLIC).sample(frac=1, random_state=0)
    private = sorted(test.loc[test["usage"] == "Private", "fname"])
    sample = pd.DataFrame({"fname": private, **dict.fromkeys(CLASSES, 0)})
    post = {
        "test_post_competition.csv": csv_bytes(test.assign(freesound_id=range(len(test)), license="CC0")),
        "train_curated_post_competition.csv": csv_bytes(tables["curated"].assign(license="CC0")),
        "train_noisy_post_competition.csv": csv_bytes(tables["noisy"].assign(license="CC0")),
    }
    return {
        "train_curated.csv": csv_bytes(tables["curated"]),
        "train_noisy.csv": csv_bytes(tables["noisy"]),
        "sample_submission.csv": csv_bytes(sample),
        "train_curated.zip": zip_bytes({name: sounds["curated", name] for name in parts["curated"].tolist()}),
        "train_noisy.zip": zip_bytes({name: sounds["noisy", name] for name in parts["noisy"].tolist()}),
        "test.zip": zip_bytes({name: sounds["test", name] for name in private}),
        "FSDKaggle2019.meta.zip": zip_bytes({f"FSDKaggle2019.meta/{name}": table for name, table in post.items()}),
    }


def make_clip(rng: np.random.Generator, timbres: list[tuple[int, tuple[float, ...]]]) -> bytes:
    length, loudness = 400 * int(rng.integers(3, 8)), rng.choice([0.5, 0.7, 0.9])
    parts = [hum(period, length // len(timbres), overtones) for period, overtones in timbres]
    return wav_bytes(loudness * np.concatenate(parts), RATE)
