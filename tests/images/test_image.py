"""What an engine tells of an image becomes an image of mlebench."""

from __future__ import annotations

from mlebench.images.image import describe_image
from mlebench.images.recipe import LABEL_PREFIX
from mlebench.sandbox.engine_image import EngineImage


def test_labels_of_others_are_ignored_and_missing_ones_are_empty():
    labels = {f"{LABEL_PREFIX}kind": "base", f"{LABEL_PREFIX}variant": "cpu", "variant": "of another program"}
    image = describe_image(EngineImage("0a1b", "2026-01-01T00:00:00Z", 5, labels, ("x:1",)), "x:1")
    assert (image.kind, image.variant, image.inputs, image.base) == ("base", "cpu", "", "")
    assert (image.id, image.size) == ("sha256:0a1b", 5)
