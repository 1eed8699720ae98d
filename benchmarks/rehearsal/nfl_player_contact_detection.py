"""Plays of a few tenths of a second: players closer than a yard and a half are in contact, slow ones on the ground.

The plays of a game have the same players at about the same places.
"""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd

from benchmarks.rehearsal.making import csv_bytes

TRAIN, TEST, PLAYERS, STEPS = 16, 1, 4, 3
VIEWS = ("All29", "Endzone", "Sideline")
NEAR, SLOW = 1.5, 0.5
Players = tuple[np.ndarray, np.ndarray, np.ndarray]


def make(rng: np.random.Generator) -> dict[str, bytes]:
    plays = [f"{game}_{rng.integers(50, 4000):06}" for game in 58_100 + np.arange(TRAIN // 2).repeat(2) * 7]
    hidden = [f"59000_{rng.integers(50, 4000):06}" for _ in range(TEST)]
    files: dict[str, bytes] = {}
    for part, names in (("train", plays), ("test", hidden)):
        games = {name.partition("_")[0]: make_game(rng) for name in names}
        made = [make_play(rng, name, games[name.partition("_")[0]]) for name in names]
        tables = {name: pd.concat([tables[name] for tables in made]) for name in made[0]}
        labels = tables.pop("labels")
        files |= {f"{part}_{name}.csv": csv_bytes(table) for name, table in tables.items()}
        files |= {f"{part}/{name}_{view}.mp4": f"{name} {view}".encode() for name in names for view in VIEWS}
        if part == "train":
            files["train_labels.csv"] = csv_bytes(labels)
        else:
            files["sample_submission.csv"] = csv_bytes(labels[["contact_id"]].assign(contact=0))
    return files


def make_game(rng: np.random.Generator) -> Players:
    """Return the ids of the players, their places and their speeds."""
    ids = np.sort(rng.choice(np.arange(30_000, 60_000), PLAYERS, replace=False))
    return ids, rng.uniform(0, 3, (PLAYERS, 2)) + 50, rng.gamma(2, 0.8, PLAYERS)


def make_play(rng: np.random.Generator, play: str, players: Players) -> dict[str, pd.DataFrame]:
    """Return the tables of a play."""
    start = pd.Timestamp("2020-09-11 03:01:40") + pd.Timedelta(minutes=int(rng.integers(10_000)))
    game, number = map(int, play.split("_"))
    keys = {"game_play": play, "game_key": game, "play_id": number}
    ids, place, speed = players
    tracking, labels = [], []
    for step in range(STEPS):
        time = stamp(start + pd.Timedelta(milliseconds=100 * step))
        place, speed = place + rng.normal(0, 0.2, place.shape), np.abs(speed + rng.normal(0, 0.2, PLAYERS))
        for player, id in enumerate(ids):
            tracking.append(tracking_row(rng, player, place[player], speed[player], time, step) | {"nfl_player_id": id})
        for one, other in itertools.combinations(range(PLAYERS), 2):
            near = np.linalg.norm(place[one] - place[other]) < NEAR
            labels.append((time, step, ids[one], str(ids[other]), int(near)))
        labels += [(time, step, ids[player], "G", int(speed[player] < SLOW)) for player in range(PLAYERS)]
    contacts = pd.DataFrame(labels, columns=["datetime", "step", "nfl_player_id_1", "nfl_player_id_2", "contact"])
    names = [f"{play}_{step}_{one}_{other}" for _, step, one, other, _ in labels]
    contacts.insert(0, "contact_id", names)
    contacts.insert(1, "game_play", play)
    columns = [*keys, "nfl_player_id", "datetime", "step", "team", "position", "jersey_number", "x_position"]
    columns += ["y_position", "speed", "distance", "direction", "orientation", "acceleration", "sa"]
    boxes = [helmet(rng, play, view, id) for view in VIEWS[1:] for id in ids[:2]]
    times = {f"{name}_time": stamp(start + pd.Timedelta(seconds=second)) for name, second in TIMES.items()}
    return {
        "labels": contacts,
        "player_tracking": pd.DataFrame(tracking).assign(**keys)[columns],
        "baseline_helmets": pd.DataFrame(boxes).assign(**keys)[[*keys, *boxes[0]]],
        "video_metadata": pd.DataFrame({"view": VIEWS}).assign(**keys, **times)[[*keys, "view", *times]],
    }


TIMES = {"start": -5, "end": 6, "snap": 0}


def tracking_row(rng: np.random.Generator, player: int, place: np.ndarray, speed: float, time: str, step: int) -> dict:
    return {
        "datetime": time,
        "step": step,
        "team": "home" if player % 2 else "away",
        "position": ["QB", "CB", "T", "DE"][player % 4],
        "jersey_number": 10 + player,
        "x_position": round(place[0], 2),
        "y_position": round(place[1], 2),
        "speed": round(speed, 2),
        "distance": round(speed / 10, 2),
        "direction": round(rng.uniform(0, 360), 2),
        "orientation": round(rng.uniform(0, 360), 2),
        "acceleration": round(rng.gamma(2, 0.5), 2),
        "sa": round(rng.normal(0, 1), 2),
    }


def helmet(rng: np.random.Generator, play: str, view: str, id: int) -> dict:
    left, top = rng.integers(0, 700, 2)
    size = {"left": left, "width": 20, "top": top, "height": 22}
    label = f"{'HV'[id % 2]}{id % 100}"
    return {
        "view": view,
        "video": f"{play}_{view}.mp4",
        "frame": 300,
        "nfl_player_id": id,
        "player_label": label,
        **size,
    }


def stamp(time: pd.Timestamp) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"
