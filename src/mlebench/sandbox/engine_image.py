"""An image as a container engine describes it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

_DIGEST = "sha256:"


@dataclass(frozen=True, slots=True)
class EngineImage:
    """What a container engine tells of one of its images."""

    raw_id: str
    """As the engine prints it: Docker with the prefix `sha256:`, Podman without."""
    created: str
    """Time in ISO 8601."""
    size: int
    """Bytes."""
    labels: Mapping[str, str]
    tags: tuple[str, ...]

    @property
    def id(self) -> str:
        """Digest of the content, `sha256:...`."""
        return self.raw_id if self.raw_id.startswith(_DIGEST) else _DIGEST + self.raw_id

    @classmethod
    def parse(cls, fields: Mapping[str, Any]) -> EngineImage:
        """Return an image from an entry of what `image inspect` prints."""
        return cls(
            raw_id=str(fields["Id"]),
            created=str(fields["Created"]),
            size=int(fields["Size"]),
            labels=fields["Config"].get("Labels") or {},
            tags=tuple(fields.get("RepoTags") or ()),
        )
