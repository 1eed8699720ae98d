"""Short recordings in which each bird has its own pitch; some birds live at some sites only, and sing on some days."""

from __future__ import annotations

import numpy as np
import pandas as pd

from benchmarks.rehearsal.making import csv_bytes, picture_bytes, zip_bytes
from benchmarks.rehearsal.sounds import hiss, hum, wav_bytes

LABELLED, OTHERS, EXAMPLES, SPECIES, SITES, DAYS = 100, 8, 10, 19, 5, 4
CLUSTERS, FEATURES = 100, 38
RATE, STEP, STEPS = 16_000, 200, 8
"""A recording has this many steps; in each step one bird sings or there is noise."""
ROOT = "mlsp_contest_dataset"


def make(rng: np.random.Generator) -> dict[str, bytes]:
    count = LABELLED + OTHERS
    fold = np.repeat([0, 1], [LABELLED, OTHERS])[rng.permutation(count)]
    site = rng.integers(1, SITES + 1, count)
    day = rng.integers(0, DAYS, count)
    names = [
        f"PC{place}_2009060{number + 1}_{rng.integers(0, 24):02}0000_{id:04}"
        for id, (place, number) in enumerate(zip(site, day, strict=True))
    ]
    lives_at = rng.random((SITES + 1, SPECIES)) < 0.4
    sings_on = rng.random((SITES + 1, DAYS, SPECIES)) < 0.4
    heard = lives_at[site] & sings_on[site, day] & (rng.random((count, SPECIES)) < 0.8)
    pitches = rng.permutation(np.arange(8, 65, 3))[:SPECIES]
    codes = [f"BR{chr(65 + bird)}D" for bird in range(SPECIES)]

    files = {
        "essential_data/CVfolds_2.txt": csv_bytes(pd.DataFrame({"rec_id": range(count), "fold": fold})),
        "essential_data/rec_id2filename.txt": csv_bytes(
            pd.DataFrame({"rec_id": range(count), "filename": names}).sample(frac=1, random_state=0)
        ),
        "essential_data/species_list.txt": csv_bytes(
            pd.DataFrame({"class_id": range(SPECIES), "code": codes, "species": [f"Bird {code}" for code in codes]})
        ),
        "essential_data/sample_submission.csv": b"rec_id,species,probability\n",
        "essential_data/README.txt": b"Made by calculation.\n",
        "supplemental_data/supplemental_data_README.txt": b"Made by calculation.\n",
        "supplemental_data/segment_clusters.bmp": picture(rng, 3),
        "supplemental_data/segment_mosaic.bmp": picture(rng, 3),
    }
    labels, histograms, features, rectangles = ["rec_id,[labels]"], ["rec_id,[histogram]"], [], []
    for id, name in enumerate(names):
        birds = np.flatnonzero(heard[id])
        labels.append(",".join(map(str, [id, *(["?"] if fold[id] else birds)])))
        songs = rng.permutation(birds)[:STEPS]
        files[f"essential_data/src_wavs/{name}.wav"] = make_recording(rng, pitches[songs])
        for kind in ("spectrograms", "filtered_spectrograms", "supervised_segmentation"):
            files[f"supplemental_data/{kind}/{name}.bmp"] = picture(rng, 1 + len(songs))
        if id < EXAMPLES:
            files[f"supplemental_data/segmentation_examples/{name}.bmp"] = picture(rng, 1 + len(songs))
        shares = np.bincount(5 * songs, minlength=CLUSTERS) / max(1, len(songs))
        histograms.append(",".join([str(id), *(f"{share:.3g}" for share in shares)]))
        for segment, bird in enumerate(songs):
            numbers = ["1" if feature == bird else "0" for feature in range(FEATURES)]
            features.append(f"{id},{segment},{', '.join(numbers)}")
            rectangles.append(f"{id},{segment},{segment * 10},{segment * 10 + 9},{bird},{bird + 5}")
    texts = {
        "essential_data/rec_labels_test_hidden.txt": labels,
        "supplemental_data/histogram_of_segments.txt": histograms,
        "supplemental_data/segment_features.txt": ["rec_id,segment_id,[feature vector]", *features],
        "supplemental_data/segment_rectangles.txt": ["rec_id,segment_id,[min_x max_x min_y max_y]", *rectangles],
    }
    files |= {name: "".join(f"{line}\r\n" for line in lines).encode() for name, lines in texts.items()}
    return {
        "mlsp_contest_dataset.zip": zip_bytes({f"{ROOT}/{name}": content for name, content in files.items()}),
        "mlsp13birdchallenge_documentation.pdf": b"%PDF-1.4\n",
    }


def make_recording(rng: np.random.Generator, pitches: np.ndarray) -> bytes:
    steps = [hum(int(pitch), STEP) for pitch in pitches] + [0.2 * hiss(rng, 10, STEP)] * (STEPS - len(pitches))
    return wav_bytes(np.concatenate([steps[k] for k in rng.permutation(STEPS)]), RATE)


def picture(rng: np.random.Generator, spots: int) -> bytes:
    pixels = np.zeros((8, 12))
    pixels.flat[rng.permutation(pixels.size)[:spots]] = 255
    return picture_bytes(pixels, "BMP")
