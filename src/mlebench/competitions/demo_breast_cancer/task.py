"""Cell nuclei of breast tumours, described by texture and shape alone: benign or malignant?"""

from pathlib import Path

from sklearn.datasets import load_breast_cancer

from mlebench.preparation import number_shuffled, read_csv, train_test_split, write_csv

TRAITS = ["texture", "smoothness", "compactness", "symmetry", "fractal dimension"]


def make_raw(raw: Path) -> None:
    """Keep what measures neither size nor hollows: with those, nearly every model would be perfect."""
    tumours = load_breast_cancer(as_frame=True)
    columns = [f"mean {trait}" for trait in TRAITS] + [f"{trait} error" for trait in TRAITS]
    cells = tumours.data[columns].rename(columns=lambda name: name.replace(" ", "_"))
    write_csv(number_shuffled(cells.assign(malignant=1 - tumours.target)), raw / "tumours.csv")


def prepare(raw: Path, public: Path, private: Path) -> None:
    train, test = train_test_split(read_csv(raw / "tumours.csv"), test_size=0.4)
    write_csv(train, public / "train.csv")
    write_csv(test.drop(columns="malignant"), public / "test.csv")
    write_csv(test[["id"]].assign(malignant=0.5), public / "sample_submission.csv")
    write_csv(test[["id", "malignant"]], private / "test.csv")
