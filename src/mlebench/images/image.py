"""The images that mlebench has built."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mlebench.errors import EngineError
from mlebench.images.recipe import LABEL_PREFIX
from mlebench.sandbox.engine import Engine, open_engine

if TYPE_CHECKING:
    from collections.abc import Mapping

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
    found = json.loads(client.call("image", "inspect", *dict.fromkeys(ids)))
    images = []
    for facts in found:
        digits = _read_label(facts, "inputs")[:_TAG_DIGITS]
        tags = [tag for tag in facts.get("RepoTags") or () if digits in tag]
        if tags:  # Podman also keeps the steps of a build
            images.append(parse_image(facts, tags[0].removeprefix("localhost/")))
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
    return str(found["Id"])  # digests of inputs have always been made from this spelling


def parse_image(facts: Mapping[str, Any], tag: str) -> Image:
    """Return an image of mlebench from what `image inspect` prints."""
    labels = {name: _read_label(facts, name) for name in ("kind", "variant", "inputs", "base", "version")}
    return Image(tag=tag, id=read_id(facts), created=str(facts["Created"]), size=int(facts["Size"]), **labels)


def read_id(facts: Mapping[str, Any]) -> str:
    """Return the id of an image, `sha256:...`, from what `image inspect` prints."""
    image = str(facts["Id"])
    return image if image.startswith("sha256:") else f"sha256:{image}"


def _read_label(facts: Mapping[str, Any], name: str) -> str:
    return str((facts["Config"].get("Labels") or {}).get(LABEL_PREFIX + name, ""))
