"""The registry, under the module path that programs written for the reference import."""

from mlebench.tasks.competition import Competition
from mlebench.tasks.registry import DEFAULT_DATA_DIR, Registry, registry

__all__ = ["DEFAULT_DATA_DIR", "Competition", "Registry", "registry"]
