"""Species of birds that are heard in recordings of ten seconds."""

import io
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import numpy as np
import pandas as pd

from mlebench.preparation import extract, group_split, read_csv, read_member, split_positions, write_csv

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
    new_ids, names = read_recordings(archive)
    _, test = split_positions(len(new_ids), round(0.2 * len(new_ids)))
    place_parts(archive, new_ids, names, test, dict.fromkeys(SEGMENTS, SEGMENTS_HEADER), public, private)


def prepare_v2(raw: Path, public: Path, private: Path) -> None:
    archive = raw / "mlsp_contest_dataset.zip"
    new_ids, names = read_recordings(archive)
    site_and_day = names["filename"].str.extract("^([^_]+_[^_]+)_", expand=False)
    _, test = group_split(names, site_and_day, test_size=0.2)
    headers = {name: header_of(archive, name) for name in SEGMENTS}
    place_parts(archive, new_ids, names, test["rec_id"].to_numpy(), headers, public, private)


def read_recordings(archive: Path) -> tuple[dict[int, int], pd.DataFrame]:
    """Return the new ids of the labelled recordings by their old ones, and their names by new ids."""
    folds = read_csv(read_member(archive, f"{ROOT}essential_data/CVfolds_2.txt"))
    kept = folds.loc[folds["fold"] == 0, "rec_id"]
    new_ids = {old: new for new, old in enumerate(kept)}
    names = read_csv(read_member(archive, f"{ROOT}essential_data/rec_id2filename.txt"))
    names = names[names["rec_id"].isin(kept)]
    return new_ids, names.assign(rec_id=names["rec_id"].map(new_ids))


def place_parts(
    archive: Path,
    new_ids: dict[int, int],
    names: pd.DataFrame,
    test: np.ndarray,
    headers: Mapping[str, str],
    public: Path,
    private: Path,
) -> None:
    """Place all files; `test` has the new ids of the test recordings, and `headers` the first lines of SEGMENTS."""
    is_test = np.isin(range(len(new_ids)), test)
    new_folds = pd.DataFrame({"rec_id": range(len(new_ids)), "fold": is_test.astype(int)})
    write_csv(new_folds, public / "essential_data" / "CVfolds_2.txt")
    write_csv(names, public / "essential_data" / "rec_id2filename.txt")
    sounds = [f"essential_data/src_wavs/{name}.wav" for name in names["filename"]]
    pictures = [f"{folder}/{name}.bmp" for folder in OF_ALL for name in names["filename"]]
    place = {ROOT + name: name for name in (*AS_THEY_ARE, *sounds, *pictures)}
    extract(archive, public, want=place.get, expect=len(AS_THEY_ARE) + (1 + len(OF_ALL)) * len(new_ids))
    examples = {f"{ROOT}{OF_SOME}/{name}.bmp": f"{OF_SOME}/{name}.bmp" for name in names["filename"]}
    (public / OF_SOME).mkdir()
    extract(archive, public, want=examples.get)

    for name, header in headers.items():
        write_lines(public / name, header, renumbered(archive, name, new_ids))
    labels = list(renumbered(archive, LABELS, new_ids))
    write_lines(public / LABELS, "rec_id,[labels]", ((id, "?" if is_test[id] else heard) for id, heard in labels))
    heard_in = {id: {int(bird) for bird in heard.split(",") if bird} for id, heard in labels if is_test[id]}
    rows = [(100 * id + bird, int(bird in birds)) for id, birds in heard_in.items() for bird in SPECIES]
    answers = pd.DataFrame(rows, columns=["Id", "Probability"])
    write_csv(answers.sort_values("Id").assign(Probability=0), public / "sample_submission.csv")
    write_csv(answers, private / "answers.csv")


def header_of(archive: Path, name: str) -> str:
    with io.TextIOWrapper(read_member(archive, ROOT + name), encoding="utf-8") as lines:
        return next(lines).rstrip("\n")


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
