"""A genetic mark of brain tumours, told from MRI scans."""

from pathlib import Path

from mlebench.preparation import place_tree, read_csv, train_test_split, write_csv


def prepare(raw: Path, public: Path, private: Path) -> None:
    cases = read_csv(raw / "train_labels.csv", dtype={"BraTS21ID": str, "MGMT_value": int})
    train, test = train_test_split(cases, test_size=0.1)
    write_csv(train, public / "train_labels.csv")
    write_csv(test.assign(MGMT_value=0.5), public / "sample_submission.csv")
    write_csv(test, private / "test.csv")

    for part, frame in (("train", train), ("test", test)):
        for case in frame["BraTS21ID"]:
            place_tree(raw / "train" / case, public / part / case)
