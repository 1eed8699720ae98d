"""Individual humpback whales from photos of their flukes."""

from pathlib import Path

import numpy as np
import pandas as pd

from mlebench.preparation import place_files, read_csv, train_test_split, write_csv

NEW = "new_whale"


def prepare(raw: Path, public: Path, private: Path) -> None:
    photos = read_csv(raw / "train.csv")
    in_test = choose_test(photos)
    train, test = photos[~in_test], photos[in_test]
    answers = test.assign(Id=test["Id"].where(test["Id"].isin(train["Id"]), NEW))
    guesses = test.assign(Id=f"{NEW} w_1287fbc w_98baff9 w_7554f44 w_1eafe46")
    write_csv(train, public / "train.csv")
    write_csv(guesses, public / "sample_submission.csv")
    write_csv(answers, private / "test.csv")
    place_files(train["Image"], raw / "train", public / "train")
    place_files(test["Image"], raw / "train", public / "test")


def choose_test(photos: pd.DataFrame) -> pd.Series:
    """Return which photos are for the test set.

    Of each whale with several photos one goes to train and one to test, the same two for all whales with as
    many photos; a single photo goes to test with probability 0.1; what is left over is split at random.
    """
    whales = photos.groupby("Id", sort=False)["Image"]
    place, count = whales.cumcount(), whales.transform("size")
    pairs = {size: np.random.RandomState(0).permutation(size)[:2] for size in count.unique() if size > 1}
    first, second = (place == count.map({size: pair[k] for size, pair in pairs.items()}) for k in (0, 1))
    in_test = second.copy()
    single = count == 1
    in_test[single] = np.random.default_rng(0).random(int(single.sum())) >= 0.9
    _, rest = train_test_split(photos[~(first | second | single)], test_size=0.1)
    in_test[rest.index] = True
    return in_test
