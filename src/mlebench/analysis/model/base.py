"""What all models of a report have in common."""

from pydantic import BaseModel, ConfigDict

Interval = tuple[float, float]
"""Low and high end."""


class Model(BaseModel):
    """An immutable part of a report."""

    model_config = ConfigDict(frozen=True)
