"""How far a patient's diabetes has gone a year after ten measurements were taken."""

from pathlib import Path

from sklearn.datasets import load_diabetes

from mlebench.preparation import number_shuffled, read_csv, train_test_split, write_csv

NAMES = {
    "bp": "blood_pressure",
    "s1": "cholesterol",
    "s2": "ldl",
    "s3": "hdl",
    "s4": "cholesterol_hdl_ratio",
    "s5": "log_triglycerides",
    "s6": "glucose",
    "target": "progression",
}


def make_raw(raw: Path) -> None:
    """Round to four decimals, as releases before 1.8 have some float dust on the same numbers."""
    patients = load_diabetes(as_frame=True, scaled=False).frame.round(4).rename(columns=NAMES)
    write_csv(number_shuffled(patients), raw / "patients.csv")


def prepare(raw: Path, public: Path, private: Path) -> None:
    train, test = train_test_split(read_csv(raw / "patients.csv"), test_size=0.4)
    write_csv(train, public / "train.csv")
    write_csv(test.drop(columns="progression"), public / "test.csv")
    write_csv(test[["id"]].assign(progression=150.0), public / "sample_submission.csv")
    write_csv(test[["id", "progression"]], private / "test.csv")
