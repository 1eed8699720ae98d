"""Species of birds that are heard in recordings of ten seconds."""

import io
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import pandas as pd

from mlebench.preparation import extract, read_csv, read_member, split_positions, write_csv

SPECIES = range(19)
ROOT = "mlsp_contest_dataset/"
LABELS = "essential_data/rec_labels_test_hidden.txt"
SEGMENTS = [
    f"supplemental_data/{name}.txt" for name in ("histogram_of_segments", "segment_features", "segment_rectangles")
]
SEGMENTS_HEADER = "rec_id,[histogram of segment features]"
"""That of the first file, which v1 gives to all three."""
OF_ALL = [f"supplemental_data/{kind}" for kind in ("spectrograms", "filtered_spectrograms", "supervised_segmentation")]
OF_SOME = "supplemental_data/segmentation_examples"
AS_THEY_ARE = [
    "essential_data/species_list.txt",
    "supplemental_data/segment_clusters.bmp",
    "supplemental_data/segment_mosaic.bmp",
]


def prepare(raw: Path, public: Path, private: Path) -> None:
    archive = raw / "mlsp_contest_dataset.zip"
    folds = read_csv(read_member(archive, f"{ROOT}essential_data/CVfolds_2.txt"))
    kept = folds.loc[folds["fold"] == 0, "rec_id"]
    new_ids = {old: new for new, old in enumerate(kept)}
    _, test = split_positions(len(kept), round(0.2 * len(kept)))
    is_test = np.isin(range(len(kept)), test)
    new_folds = pd.DataFrame({"rec_id": range(len(kept)), "fold": is_test.astype(int)})
    write_csv(new_folds, public / "essential_data" / "CVfolds_2.txt")

    names = read_csv(read_member(archive, f"{ROOT}essential_data/rec_id2filename.txt"))
    names = names[names["rec_id"].isin(kept)]
    write_csv(names.assign(rec_id=names["rec_id"].map(new_ids)), public / "essential_data" / "rec_id2filename.txt")
    sounds = [f"essential_data/src_wavs/{name}.wav" for name in names["filename"]]
    pictures = [f"{folder}/{name}.bmp" for folder in OF_ALL for name in names["filename"]]
    place = {ROOT + name: name for name in (*AS_THEY_ARE, *sounds, *pictures)}
    extract(archive, public, want=place.get, expect=len(AS_THEY_ARE) + (1 + len(OF_ALL)) * len(kept))
    examples = {f"{ROOT}{OF_SOME}/{name}.bmp": f"{OF_SOME}/{name}.bmp" for name in names["filename"]}
    (public / OF_SOME).mkdir()
    extract(archive, public, want=examples.get)

    for name in SEGMENTS:
        write_lines(public / name, SEGMENTS_HEADER, renumbered(archive, name, new_ids))
    labels = list(renumbered(archive, LABELS, new_ids))
    write_lines(public / LABELS, "rec_id,[labels]", ((id, "?" if is_test[id] else heard) for id, heard in labels))
    heard_in = {id: {int(bird) for bird in heard.split(",") if bird} for id, heard in labels if is_test[id]}
    rows = [(100 * id + bird, int(bird in birds)) for id, birds in heard_in.items() for bird in SPECIES]
    answers = pd.DataFrame(rows, columns=["Id", "Probability"])
    write_csv(answers.sort_values("Id").assign(Probability=0), public / "sample_submission.csv")
    write_csv(answers, private / "answers.csv")


def renumbered(archive: Path, name: str, new_ids: dict[int, int]) -> Iterator[tuple[int, str]]:
    """Yield the new id of each line's recording and what stands behind the first comma; others are left out."""
    with io.TextIOWrapper(read_member(archive, ROOT + name), encoding="utf-8") as lines:
        next(lines)
        for line in lines:
            id, _, rest = line.rstrip("\n").partition(",")
            if int(id) in new_ids:
                yield new_ids[int(id)], rest


def write_lines(path: Path, header: str, lines: Iterable[tuple[int, str]]) -> None:
    rows = [f"{id},{rest}" if rest else f"{id}" for id, rest in lines]
    path.write_text("\n".join([header, *rows, ""]), encoding="utf-8")
