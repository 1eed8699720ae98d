"""The images that mlebench has built."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mlebench.errors import EngineError
from mlebench.images.recipe import LABEL_PREFIX
from mlebench.sandbox.engine import Engine, open_engine

if TYPE_CHECKING:
    from mlebench.sandbox.engine_image import EngineImage

_TAG_DIGITS = 12
"""Digits of the digest that a tag ends in."""


@dataclass(frozen=True, slots=True)
class Image:
    """An image that mlebench has built, as the engine describes it."""

    tag: str
    id: str
    """Digest of its content, `sha256:...`."""
    kind: str
    """`base` or `agent`."""
    variant: str
    """`minimal`, `cpu` or `cuda`; the agent's id for the image of an agent."""
    inputs: str
    """SHA-256 of the inputs of the build."""
    base: str
    """Id of the image that it was built on."""
    version: str
    """Version of mlebench that built it."""
    created: str
    """Time in ISO 8601."""
    size: int
    """Bytes."""


def list_images(engine: str | Engine = "docker") -> list[Image]:
    """Return the images that mlebench has built, the newest first.

    Parameters
    ----------
    engine : str or Engine
        `docker` or `podman`.

    Raises
    ------
    EngineError
        If the engine does not answer.
    """
    client = open_engine(engine) if isinstance(engine, str) else engine
    ids = client.call("images", "--quiet", "--no-trunc", "--filter", f"label={LABEL_PREFIX}inputs").split()
    if not ids:
        return []
    images = []
    for found in client.inspect_images(dict.fromkeys(ids)):
        digits = _read_label(found, "inputs")[:_TAG_DIGITS]
        tags = [tag for tag in found.tags if digits in tag]
        if tags:  # Podman also keeps the steps of a build
            images.append(describe_image(found, tags[0].removeprefix("localhost/")))
    return sorted(images, key=lambda image: image.created, reverse=True)


def require_image(engine: Engine, name: str) -> str:
    """Return the id of an image as the engine prints it; pull the image if the engine does not have it.

    Parameters
    ----------
    engine : Engine
        Docker or Podman.
    name : str
        Name or id of the image.

    Raises
    ------
    EngineError
        If the image cannot be pulled.
    """
    found = engine.inspect_image(name)
    if found is None:
        try:
            engine.call("pull", name, seconds=3600)
        except EngineError as error:
            raise EngineError(
                f"{engine.name} has no image {name!r} and cannot pull it ({str(error).rstrip('.')}). Name another "
                "image with --base, or use --bootstrap to make one from Debian's packages."
            ) from None
        found = engine.inspect_image(name)
    if found is None:
        raise EngineError(f"{engine.name} has pulled {name!r}, but has no such image.")
    return found.raw_id  # digests of inputs have always been made from this spelling


def describe_image(image: EngineImage, tag: str) -> Image:
    """Return an image of mlebench from what the engine tells of it."""
    labels = {name: _read_label(image, name) for name in ("kind", "variant", "inputs", "base", "version")}
    return Image(tag=tag, id=image.id, created=image.created, size=image.size, **labels)


def _read_label(image: EngineImage, name: str) -> str:
    return image.labels.get(LABEL_PREFIX + name, "")
