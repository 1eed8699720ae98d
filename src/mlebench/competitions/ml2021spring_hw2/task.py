"""The phoneme that is spoken in a frame of speech."""

from pathlib import Path

import numpy as np
import pandas as pd

from mlebench.preparation import split_positions, write_csv


def prepare(raw: Path, public: Path, private: Path) -> None:
    source, target = raw / "timit_11" / "timit_11", public / "timit_11" / "timit_11"
    frames, unlabelled = (np.load(source / name, mmap_mode="r") for name in ("train_11.npy", "test_11.npy"))
    labels = np.load(source / "train_label_11.npy")
    test_share = len(unlabelled) / (len(frames) + len(unlabelled))  # as in the original; its test rows are not used
    train, test = split_positions(len(frames), test_share)

    target.mkdir(parents=True)
    np.save(target / "train_11.npy", frames[train])
    np.save(target / "train_label_11.npy", labels[train])
    np.save(target / "test_11.npy", frames[test])
    answers = pd.DataFrame({"Id": range(len(test)), "ClassId": labels[test]})
    write_csv(answers.assign(ClassId=0), public / "sampleSubmission.csv")
    write_csv(answers, private / "answers.csv")
