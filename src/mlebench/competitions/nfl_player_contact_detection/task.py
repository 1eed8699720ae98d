"""Contacts of football players with each other and with the ground, from videos and tracking."""

from pathlib import Path

import numpy as np

from mlebench.preparation import place_files, read_rows, write_csv
from mlebench.tasks.split import Split

VIEWS = ("All29", "Endzone", "Sideline")


def prepare(raw: Path, public: Path, private: Path, split: Split) -> None:
    labels = read_rows(raw / "train_labels.csv")
    play = labels.frame(["game_play"])["game_play"]
    parts = split(play.drop_duplicates().to_frame(), group=lambda plays: plays["game_play"].str.split("_").str[0])
    plays_of = {name: part["game_play"].to_numpy() for name, part in zip(("train", "test"), parts, strict=True)}

    test = labels.take(np.flatnonzero(play.isin(plays_of["test"])))
    labels.take(np.flatnonzero(play.isin(plays_of["train"]))).write(public / "train_labels.csv")
    test.write(private / "test.csv")
    write_csv(test.frame(["contact_id"]).assign(contact=0), public / "sample_submission.csv")

    for table in ("baseline_helmets", "player_tracking", "video_metadata"):
        rows = read_rows(raw / f"train_{table}.csv", by_digits=True)
        play = rows.frame(["game_play"])["game_play"]
        for part, names in plays_of.items():
            rows.take(np.flatnonzero(play.isin(names))).write(public / f"{part}_{table}.csv")
    for part, names in plays_of.items():
        place_files((f"{name}_{view}.mp4" for name in names for view in VIEWS), raw / "train", public / part)
