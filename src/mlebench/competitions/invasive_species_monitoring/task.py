"""Photos of a forest: does one show an invasive hydrangea."""

import tempfile
from pathlib import Path

from mlebench.preparation import extract_7z, file_keys, pack, pack_7z, read_csv, read_member, write_csv
from mlebench.tasks.split import Split


def prepare(raw: Path, public: Path, private: Path, split: Split) -> None:
    labels = read_csv(read_member(raw / "train_labels.csv.zip", "train_labels.csv"))
    with tempfile.TemporaryDirectory(dir=public.parent) as name:
        folder = Path(name)
        extract_7z(raw / "train.7z", folder)
        train, test = split(
            labels,
            content=lambda photos: file_keys(folder / "train", photos["name"].astype(str) + ".jpg", at_once=True),
        )
        write_csv(test, private / "answers.csv")
        sample = private / "sample_submission.csv"
        write_csv(test.assign(invasive=0.5), sample)
        pack(public / f"{sample.name}.zip", {sample.name: sample})
        write_csv(train, folder / "train_labels.csv")
        pack(public / "train_labels.csv.zip", {"train_labels.csv": folder / "train_labels.csv"})
        for part, frame in (("train", train), ("test", test)):  # the reference packs no photos: see known_problems
            photos = {f"{part}/{photo}.jpg": folder / "train" / f"{photo}.jpg" for photo in frame["name"]}
            pack_7z(public / f"{part}.7z", photos, compress=False)
