"""Handwritten digits painted over pieces of two photographs: which pixels did the brush touch?"""

from pathlib import Path

import numpy as np
import pandas as pd
from PIL import Image
from sklearn.datasets import load_digits, load_sample_image

from mlebench.errors import InvalidSubmissionError
from mlebench.metrics.segmentation import decode_runs, parse_integers
from mlebench.preparation import number_shuffled, place_files, read_csv, train_test_split, write_csv

SIDE = 32
PIXELS = SIDE * SIDE
DIGIT_SIDE = 24


def make_raw(raw: Path) -> None:
    """Cut both photographs into tiles without overlap, and paint one digit into each."""
    random = np.random.RandomState(0)
    tiles = [tile for name in ("china.jpg", "flower.jpg") for tile in cut(load_sample_image(name))]
    digits = load_digits().images
    masks = [place(digits[chosen], random) for chosen in random.permutation(len(digits))[: len(tiles)]]
    pictures = [paint(tile, mask, random) for tile, mask in zip(tiles, masks, strict=True)]

    table = number_shuffled(pd.DataFrame({"rle_mask": map(encode, masks)}))
    write_csv(table, raw / "masks.csv")
    (raw / "images").mkdir()
    for position, id in zip(table.index.tolist(), table["id"], strict=True):
        Image.fromarray(pictures[position]).save(raw / f"images/{id}.png")


def cut(photograph: np.ndarray) -> list[np.ndarray]:
    height, width, _ = photograph.shape
    corners = [(y, x) for y in range(0, height - SIDE + 1, SIDE) for x in range(0, width - SIDE + 1, SIDE)]
    return [photograph[y : y + SIDE, x : x + SIDE] for y, x in corners]


def place(digit: np.ndarray, random: np.random.RandomState) -> np.ndarray:
    """Enlarge a digit threefold without steps, keep what is at least half dark, and put it somewhere."""
    grid = np.linspace(0, 7, DIGIT_SIDE)
    stretch = np.maximum(0, 1 - np.abs(grid[:, np.newaxis] - np.arange(8)))
    y, x = random.randint(0, SIDE - DIGIT_SIDE + 1, size=2)
    mask = np.zeros((SIDE, SIDE), dtype=bool)
    mask[y : y + DIGIT_SIDE, x : x + DIGIT_SIDE] = stretch @ digit @ stretch.T >= 8
    return mask


def paint(tile: np.ndarray, mask: np.ndarray, random: np.random.RandomState) -> np.ndarray:
    """Mix a random colour into the masked pixels: 25 to 60 percent paint, the rest photograph."""
    colour, percent = random.randint(0, 256, size=3), random.randint(25, 61)
    painted = (tile.astype(int) * (100 - percent) + colour * percent) // 100
    return np.where(mask[..., np.newaxis], painted, tile).astype(np.uint8)


def encode(mask: np.ndarray) -> str:
    edges = np.flatnonzero(np.diff(mask.ravel(), prepend=False, append=False)) + 1
    return " ".join(f"{start} {stop - start}" for start, stop in zip(edges[::2], edges[1::2], strict=True))


def prepare(raw: Path, public: Path, private: Path) -> None:
    train, test = train_test_split(read_csv(raw / "masks.csv"), test_size=0.4)
    write_csv(train, public / "train.csv")
    write_csv(test[["id"]].assign(rle_mask="336 2 367 4 399 4"), public / "sample_submission.csv")
    write_csv(test, private / "test.csv")
    place_files((f"{id}.png" for id in train["id"]), raw / "images", public / "train")
    place_files((f"{id}.png" for id in test["id"]), raw / "images", public / "test")


def check(submission: pd.DataFrame) -> None:
    """Refuse masks that are no run-length codes, or that run beyond the picture."""
    for id, text in zip(submission["id"], submission["rle_mask"], strict=True):
        numbers = parse_integers(text)
        starts, lengths = numbers[::2], numbers[1::2]
        if len(starts) != len(lengths):
            raise InvalidSubmissionError(f"The mask of id {id} needs pairs of start and length.")
        decode_runs(starts, lengths, PIXELS)
        if starts and starts[-1] + lengths[-1] - 1 > PIXELS:
            raise InvalidSubmissionError(f"The mask of id {id} runs beyond the picture's {PIXELS} pixels.")
