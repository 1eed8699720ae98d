"""Models for a group of runs: the gateway while they run, and what each run has used."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from mlebench.runs.record import UsageRecord

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mlebench.gateway.models import ModelGateway, ModelServer
    from mlebench.runs.plan import Models


@contextmanager
def open_models(models: Models | None) -> Iterator[ModelGateway | None]:
    """Serve the models of a plan while the context is open; yield None without models."""
    if models is None:
        yield None
        return
    from mlebench.gateway.models import ModelGateway

    with ModelGateway(models.config, mode=models.mode, recording=models.recording) as gateway:
        yield gateway


def usage_of(server: ModelServer | None) -> UsageRecord | None:
    """Return what a run has used of models so far; None if it has no models."""
    if server is None:
        return None
    total = server.usage().total
    return UsageRecord(
        requests=total.requests,
        input_tokens=total.tokens.total - total.tokens.output,
        output_tokens=total.tokens.output,
        money=None if total.unpriced else total.cost,
    )
