"""Declarations that others write: `competition.yaml`, `agent.yaml` and `models.yaml`."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from mlebench.agents.declaration import Agent
from mlebench.errors import DeclarationError, UnknownNameError
from mlebench.gateway.models.config import ModelsConfig, check_budget
from mlebench.tasks.declaration import Declaration

from ..target import Target

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


@contextmanager
def opened(folder: Path, data: Path) -> Iterator[Callable[[bytes], None]]:
    def take(content: bytes) -> None:
        kind, _, text = content.partition(b"\n")
        path = folder / {b"competition": "competition.yaml", b"agent": "agent.yaml"}.get(kind, "models.yaml")
        path.write_bytes(text)
        with suppress(DeclarationError, UnknownNameError):
            READERS[path.name](path)

    yield take


def read_competition(path: Path) -> None:
    declaration = Declaration.read(path)
    for version in declaration.versions:
        _ = declaration.at(version).submission
    assert declaration.resolved_metric.name


def read_agent(path: Path) -> None:
    agent = Agent.read(path.parent)
    assert agent.name and agent.declaration.variables() is not None
    for variant in agent.declaration.variants:
        assert Agent.read(path.parent, variant).family == agent.id


def read_models(path: Path) -> None:
    config = ModelsConfig.read(path)
    check_budget(config, config.budget, config.load_prices())


READERS: dict[str, Callable[[Path], None]] = {
    "competition.yaml": read_competition,
    "agent.yaml": read_agent,
    "models.yaml": read_models,
}

TARGET = Target(
    opened,
    words=(b"competition\n", b"agent\n", b"models\n", b"2025-13-45", b"1:60:60", b"0x_", b"&a ", b"*a", b"<<: ",
           b"!!python/", b"!!binary ", b"? ", b"- ", b"\n  ", b"versions:\n  v2:\n", b"variants:\n", b"metric: ",
           b"1e999", b".nan", b"[[[["),
)  # fmt: skip
