"""Building images, finding those that are there, and choosing the one that an agent runs in."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from mlebench.errors import EngineError
from mlebench.images.recipe import LABEL, Recipe

if TYPE_CHECKING:
    from mlebench.sandbox.engine import Engine

SYSTEM_CA_BUNDLE = Path("/etc/ssl/certs/ca-certificates.crt")
"""Given to the package installer during a build, as a secret that leaves no trace, for networks with a CA of
their own."""


class Image(NamedTuple):
    """One image that the engine has."""

    tag: str
    id: str
    """Digest of its content, `sha256:...`."""
    kind: str
    """`base` or `agent`."""
    variant: str
    inputs: str
    """SHA-256 of what went in."""
    base: str
    """Id of the image below."""
    version: str
    """Version of mlebench that built it."""
    created: str
    size: int
    """Bytes."""


def build(
    engine: Engine,
    recipe: Recipe,
    *,
    force: bool = False,
    ca_bundle: Path | None = SYSTEM_CA_BUNDLE,
    log: IO[bytes] | None = None,
) -> tuple[Image, bool]:
    """Return the image of a recipe and whether it had to be built; one that is there is used unless `force`."""
    base_id = require_image(engine, recipe.base)
    digest = recipe.digest(base_id)
    tag = recipe.tag(digest)
    found = None if force else engine.inspect_image(tag)
    if found is None:
        with tempfile.TemporaryDirectory(prefix="mlebench-build-") as folder:
            recipe.lay_out(Path(folder))
            engine.build(
                Path(folder),
                tag=tag,
                labels=recipe.labels(digest, base_id),
                build_args={"BASE_IMAGE": _name(engine, recipe.base), **dict(recipe.settings)},
                ca_bundle=ca_bundle if ca_bundle and ca_bundle.is_file() else None,
                log=log,
            )
    engine.call("tag", tag, recipe.alias)
    made = engine.inspect_image(tag)
    if made is None:
        raise EngineError(f"{engine.name} said that it built {tag}, but has no such image.")
    return _image(made, tag), found is None


def list_images(engine: Engine) -> list[Image]:
    """Return the images that mlebench built, the newest first."""
    ids = engine.call("images", "--quiet", "--no-trunc", "--filter", f"label={LABEL}inputs").split()
    if not ids:
        return []
    found = json.loads(engine.call("image", "inspect", *dict.fromkeys(ids)))
    images = []
    for facts in found:
        inputs = _label(facts, "inputs")[:12]
        tags = [tag for tag in facts.get("RepoTags") or () if inputs in tag]
        if tags:  # Podman also keeps every step of a build
            images.append(_image(facts, tags[0].removeprefix("localhost/")))
    return sorted(images, key=lambda image: image.created, reverse=True)


def require_image(engine: Engine, base: str) -> str:
    found = engine.inspect_image(base)
    if found is None:
        try:
            engine.call("pull", base, seconds=3600)
        except EngineError as error:
            raise EngineError(
                f"The base image {base!r} is not here and cannot be fetched ({error}); name another with --base, or "
                "make one from Debian's packages with --bootstrap."
            ) from None
        found = engine.inspect_image(base)
    if found is None:
        raise EngineError(f"{engine.name} fetched {base!r}, but has no such image.")
    return str(found["Id"])


def _name(engine: Engine, base: str) -> str:
    """Return a name of the base image: one that goes by its id would be asked for in a registry."""
    if not base.startswith("sha256:"):
        return base
    names = (engine.inspect_image(base) or {}).get("RepoTags") or []
    if not names:
        names = [f"mlebench/unnamed:{base.removeprefix('sha256:')[:12]}"]
        engine.call("tag", base, names[0])
    return str(names[0])


def _image(facts: dict[str, Any], tag: str) -> Image:
    names = ("kind", "variant", "inputs", "base", "version")
    labels = {name: _label(facts, name) for name in names}
    return Image(
        tag=tag,
        id=image_id(facts),
        created=str(facts["Created"]),
        size=int(facts["Size"]),
        **labels,
    )


def image_id(facts: dict[str, Any]) -> str:
    identity = str(facts["Id"])
    return identity if identity.startswith("sha256:") else f"sha256:{identity}"


def _label(facts: dict[str, Any], name: str) -> str:
    return str((facts["Config"].get("Labels") or {}).get(LABEL + name, ""))
