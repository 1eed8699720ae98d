from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from mlebench.scan.near_copies import scan_near_copies


def picture(rng, quality=95):
    coarse = Image.fromarray(rng.integers(0, 255, (6, 6), dtype=np.uint8).astype(np.uint8))
    return coarse.resize((64, 64), Image.Resampling.BICUBIC)


def as_bytes(image, form="PNG", **options):
    out = io.BytesIO()
    image.save(out, form, **options)
    return out.getvalue()


@pytest.fixture
def pictures(make, rows, rng):
    """A task of pictures, in which some test pictures are train pictures that were compressed and brightened."""

    def make_pictures(number):
        train, test = rows(40)[["id", "label"]], rows(20)[["id", "label"]]
        shown = {key: picture(rng) for key in train["id"]}
        public = {f"train/{key}.png": as_bytes(image) for key, image in shown.items()}
        public |= {f"test/{key}.png": as_bytes(picture(rng)) for key in test["id"]}
        for place in range(number):
            brighter = shown[train["id"][place]].point(lambda grey: min(255, grey + 3))
            public[f"test/{test['id'][place]}.png"] = as_bytes(brighter, "JPEG", quality=60)
        return make(train, test, public)

    return make_pictures


def test_compressed_copies_of_train_pictures_are_found(pictures, scan):
    (finding,) = scan(scan_near_copies, pictures(5))
    assert finding.number == 0.25
    assert len(finding.pairs) == 5


def test_different_pictures_are_silent(pictures, scan):
    assert scan(scan_near_copies, pictures(0)) == []


def sentences(rng, size):
    return [" ".join(rng.choice(list("abcdefghijklmnopqrst"), 40)) for _ in range(size)]


def test_edited_texts_are_found(make, rows, rng, scan):
    train, test = rows(40, text=sentences(rng, 40)), rows(20, text=sentences(rng, 20))
    test.loc[:3, "text"] = [text + " z" for text in train["text"][:4]]
    (finding,) = scan(scan_near_copies, make(train, test))
    assert finding.details["test items"] == 4


def test_different_texts_are_silent(make, rows, rng, scan):
    assert scan(scan_near_copies, make(rows(40, text=sentences(rng, 40)), rows(20, text=sentences(rng, 20)))) == []


def test_rows_with_tiny_differences_are_found(make, rows, rng, scan):
    train, test = rows(100, depth=rng.normal(size=100)), rows(20, depth=rng.normal(size=20))
    for name in ("width", "height", "depth"):
        test.loc[:4, name] = train.loc[:4, name] + 1e-6
    (finding,) = scan(scan_near_copies, make(train, test))
    assert finding.details["test items"] == 5


def test_different_rows_are_silent(make, rows, rng, scan):
    assert (
        scan(scan_near_copies, make(rows(100, depth=rng.normal(size=100)), rows(20, depth=rng.normal(size=20)))) == []
    )
