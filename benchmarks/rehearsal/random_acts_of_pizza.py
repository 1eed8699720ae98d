"""Requests for a pizza: long ones that mention need, by members with a history in the community, succeed more often."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pandas as pd

from benchmarks.rehearsal.making import csv_bytes, zip_bytes

if TYPE_CHECKING:
    import numpy as np

TRAIN, TEST = 150, 60
NEED = ["job", "rent", "paycheck", "kids", "hungry", "student", "broke"]
WORDS = "I would love a pizza tonight because we have no food and my friend is here thanks caf\u00e9".split()
PLACES = ["AskReddit", "funny", "pics", "gaming", "RandomActsOfCookies", "Music", "trees"]
ONLY_IN_TRAIN = {"post_was_edited", "request_text", "requester_received_pizza", "requester_user_flair"}
COUNTS = [
    "number_of_comments",
    "number_of_comments_in_raop",
    "number_of_posts",
    "number_of_posts_on_raop",
    "upvotes_plus_downvotes",
]
START, DAY = 1_291_800_000, 86_400


def make(rng: np.random.Generator) -> dict[str, bytes]:
    numbers = rng.choice(36**3, TRAIN + TEST, replace=False)
    requests = [make_request(rng, f"t3_{number:x}z") for number in numbers]
    test = [
        {key: value for key, value in request.items() if not key.endswith("_at_retrieval") and key not in ONLY_IN_TRAIN}
        | {"giver_username_if_known": "N/A"}
        for request in requests[TRAIN:]
    ]
    files = {"train.json": as_json(requests[:TRAIN]), "test.json": as_json(test)}
    sample = pd.DataFrame({"request_id": [request["request_id"] for request in test], "requester_received_pizza": 0})
    return files | {
        "train.zip": zip_bytes({"train.json": files["train.json"]}),
        "test.zip": zip_bytes({"test.json": files["test.json"]}),
        "sampleSubmission.csv": csv_bytes(sample),
    }


def make_request(rng: np.random.Generator, id: str) -> dict[str, object]:
    needs = list(rng.choice(NEED, rng.integers(0, 4)))
    text = " ".join(rng.permutation([*needs, *rng.choice(WORDS, rng.integers(5, 20))]))
    age, posts = round(float(rng.exponential(250)), 5), int(rng.exponential(2))
    chance = 0.08 + 0.1 * len(needs) + 0.006 * len(text.split()) + 0.05 * min(posts, 4)
    success = bool(rng.random() < chance)
    time = float(START + rng.integers(0, 1000 * DAY))
    places = [str(place) for place in rng.choice(PLACES, rng.integers(0, 5), replace=False)]
    counts = {name: int(rng.exponential(30)) for name in COUNTS} | {"number_of_posts_on_raop": posts}
    later = int(rng.integers(1, 60))
    request: dict[str, object] = {
        "giver_username_if_known": f"giver{rng.integers(100)}" if success and rng.random() < 0.3 else "N/A",
        "number_of_downvotes_of_request_at_retrieval": int(rng.exponential(2)),
        "number_of_upvotes_of_request_at_retrieval": int(rng.exponential(6 + 6 * success)),
        "post_was_edited": time + DAY if success else bool(rng.random() < 0.1),
        "request_id": id,
        "request_number_of_comments_at_retrieval": int(rng.exponential(3 + 6 * success)),
        "request_text": f"{text}\n\nEDIT: thank you!" if success else text,
        "request_text_edit_aware": text,
        "request_title": f"[Request] {' '.join(rng.choice(WORDS, 4))}",
        "requester_account_age_in_days_at_request": age,
        "requester_account_age_in_days_at_retrieval": age + later,
        "requester_days_since_first_post_on_raop_at_request": 0.0,
        "requester_days_since_first_post_on_raop_at_retrieval": float(later),
        "requester_number_of_subreddits_at_request": len(places),
        "requester_received_pizza": success,
        "requester_subreddits_at_request": places,
        "requester_upvotes_minus_downvotes_at_request": counts["upvotes_plus_downvotes"] // 2,
        "requester_upvotes_minus_downvotes_at_retrieval": counts["upvotes_plus_downvotes"] // 2 + later,
        "requester_user_flair": str(rng.choice(["shroom", "PIF"], p=[0.94, 0.06])) if success else None,
        "requester_username": f"user{id[3:]}",
        "unix_timestamp_of_request": time,
        "unix_timestamp_of_request_utc": time,
    }
    for name, count in counts.items():
        request[f"requester_{name}_at_request"] = count
        request[f"requester_{name}_at_retrieval"] = count + later
    return dict(sorted(request.items()))


def as_json(requests: list[dict[str, object]]) -> bytes:
    return json.dumps(requests, indent=2).encode()
