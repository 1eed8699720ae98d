"""The identity of a task: a competition in a version."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from mlebench.errors import UnknownNameError


class Version(StrEnum):
    """`v1` is the reference's task to the byte, quirks included; `v2` is the corrected task."""

    V1 = "v1"
    V2 = "v2"

    @classmethod
    def parse(cls, version: str) -> Version:
        """Return the version with a name; UnknownNameError if there is none."""
        try:
            return cls(version)
        except ValueError:
            raise UnknownNameError("version", version, list(cls)) from None


@dataclass(frozen=True, order=True, slots=True)
class TaskRef:
    """A competition in one version, written `spaceship-titanic` for v1 and `spaceship-titanic@v2` for v2.

    >>> TaskRef.parse("spaceship-titanic@v2")
    TaskRef(competition_id='spaceship-titanic', version=<Version.V2: 'v2'>)
    >>> TaskRef.parse("spaceship-titanic").label
    'spaceship-titanic'
    """

    competition_id: str
    version: Version = Version.V1

    @classmethod
    def parse(cls, label: str) -> TaskRef:
        """Return the task that a label names.

        Raises
        ------
        UnknownNameError
            There is no such version.
        """
        competition_id, _, version = label.partition("@")
        return cls(competition_id, Version.parse(version or Version.V1))

    @property
    def label(self) -> str:
        """The id, followed by `@` and the version unless that is v1."""
        return self.competition_id if self.version is Version.V1 else f"{self.competition_id}@{self.version}"

    def __str__(self) -> str:
        return self.label
