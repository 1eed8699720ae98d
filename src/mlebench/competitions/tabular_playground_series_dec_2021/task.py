"""Types of forest cover from synthetic cartographic features."""

from pathlib import Path

from mlebench.preparation import read_rows, split_positions, write_csv


def prepare(raw: Path, public: Path, private: Path) -> None:
    cells = read_rows(raw / "train.csv")
    train, test = map(cells.take, split_positions(len(cells), 0.1))
    train.write(public / "train.csv")
    test.write(public / "test.csv", drop=["Cover_Type"])
    test.write(private / "test.csv")
    write_csv(test.frame(["Id"]).assign(Cover_Type=2), public / "sample_submission.csv")
