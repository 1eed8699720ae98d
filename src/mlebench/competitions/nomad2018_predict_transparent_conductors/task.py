"""Two energies of crystals of aluminium, gallium and indium oxide."""

import re
from pathlib import Path

import pandas as pd

from mlebench.errors import InvalidSubmissionError
from mlebench.preparation import extract, read_csv, read_member, train_test_split, write_csv

SAMPLE = {"formation_energy_ev_natom": 0.1779, "bandgap_energy_ev": 1.8892}
ENERGIES = list(SAMPLE)


def prepare(raw: Path, public: Path, private: Path) -> None:
    crystals = read_csv(read_member(raw / "train.csv.zip", "train.csv"))
    train, test = train_test_split(crystals, test_size=0.1)
    place: dict[int | None, str] = {}
    for part, rows in (("train", train), ("test", test)):
        place |= {old: f"{part}/{new}/geometry.xyz" for new, old in enumerate(rows["id"], start=1)}
    extract(raw / "train.zip", public, want=lambda name: place.get(id_of(name)), expect=len(place))

    train, test = (rows.assign(id=range(1, len(rows) + 1)) for rows in (train, test))
    write_csv(train, public / "train.csv")
    write_csv(test.drop(columns=ENERGIES), public / "test.csv")
    write_csv(test[["id"]].assign(**SAMPLE), public / "sample_submission.csv")
    write_csv(test, private / "test.csv")


def id_of(member: str) -> int | None:
    match = re.fullmatch(r"train/(\d+)/[^/]+\.xyz", member)
    return int(match[1]) if match else None


def check(submission: pd.DataFrame) -> None:
    if (submission[ENERGIES].astype(float) <= -1).to_numpy().any():
        raise InvalidSubmissionError("Energies must be greater than -1, since the logarithm of 1 + energy is taken.")
