"""The budget of one run: what it has used so far, and whether it may make another call."""

from __future__ import annotations

import asyncio
import threading
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NoReturn

from mlebench.gateway.models.errors import BUDGET_EXCEEDED, GatewayError
from mlebench.gateway.models.usage import ModelUsage, RunUsage
from mlebench.ground.wording import count

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from mlebench.gateway.models.config import Budget
    from mlebench.gateway.models.expected_tokens import ExpectedTokens


@dataclass
class Reservation:
    """The expected use of a call in flight; at its end, what it used."""

    model: str
    expected: ExpectedTokens
    """What is charged if the upstream reports nothing."""
    tokens: int
    """The most input and output tokens."""
    cost: float
    """The highest cost, US dollars."""
    used: ModelUsage = field(default_factory=ModelUsage)


class BudgetTracker:
    """Sums what one run uses and holds it to its budget.

    A call is admitted while no limit is reached. Under a limit on tokens or money, it waits while it and the calls in
    flight could together exceed the rest of the budget, judged by the most that the upstream may generate. So a run
    exceeds its budget by less than one call. Where a model's output exceeds a request's limit, later ones reserve more.

    Parameters
    ----------
    budget : Budget
        The limits.
    on_exhausted : callable, optional
        Called once, with a sentence, when the first call is refused.
    """

    def __init__(self, budget: Budget, on_exhausted: Callable[[str], object] | None = None) -> None:
        self.budget = budget
        self._on_exhausted = on_exhausted
        self._in_flight: list[Reservation] = []
        self._changed = asyncio.Event()
        self._lock = threading.Lock()  # other threads read the usage
        self._usage = RunUsage()
        self._excess_output: dict[str, int] = {}

    def usage(self) -> RunUsage:
        """Return what the run has used so far; any thread may call this."""
        with self._lock:
            return replace(self._usage, by_model=dict(self._usage.by_model))

    def count_refused(self) -> None:
        """Count a request that the gateway refused."""
        with self._lock:
            self._usage = replace(self._usage, refused=self._usage.refused + 1)

    def excess_output(self, model: str) -> int:
        """Return by how many tokens the output of a model has exceeded its limit, at most."""
        return self._excess_output.get(model, 0)

    def note_output(self, model: str, *, tokens: int, limit: int) -> None:
        """Note the reported output of a call to a model, and the limit of its request."""
        self._excess_output[model] = max(self.excess_output(model), tokens - limit)

    @asynccontextmanager
    async def admit(self, reservation: Reservation) -> AsyncIterator[None]:
        """Wait until a call may start, and hold its reservation; at the end, add what it used.

        Raises
        ------
        GatewayError
            If a limit of the budget is reached.
        """
        while not self._fits(reservation):
            await self._changed.wait()
        self._in_flight.append(reservation)
        try:
            yield
        finally:
            self._in_flight.remove(reservation)
            self._add(reservation.model, reservation.used)
            self._changed.set()
            self._changed = asyncio.Event()

    def _add(self, model: str, used: ModelUsage) -> None:
        with self._lock:
            by_model = self._usage.by_model
            by_model = by_model | {model: by_model.get(model, ModelUsage()) + used}
            self._usage = replace(self._usage, total=self._usage.total + used, by_model=by_model)

    def _fits(self, reservation: Reservation) -> bool:
        """Tell whether a call may start now; raise GatewayError if it may never start."""
        used, budget = self._usage.total, self.budget
        if budget.requests is not None and used.requests >= budget.requests:
            self._refuse(f"The run's budget is used up: it allows {count(budget.requests, 'model request')}.")
        if budget.tokens is not None and used.tokens.total >= budget.tokens:
            self._refuse(
                f"The run's budget is used up: it allows {budget.tokens:,} tokens, {used.tokens.total:,} were used."
            )
        if budget.money is not None and used.cost >= budget.money:
            self._refuse(f"The run's budget is used up: it allows ${budget.money:g}, ${used.cost:.4f} were spent.")
        if not self._in_flight:
            return True
        if budget.requests is not None and used.requests + len(self._in_flight) >= budget.requests:
            return False
        tokens = used.tokens.total + sum(other.tokens for other in (reservation, *self._in_flight))
        cost = used.cost + sum(other.cost for other in (reservation, *self._in_flight))
        return (budget.tokens is None or tokens <= budget.tokens) and (budget.money is None or cost <= budget.money)

    def _refuse(self, message: str) -> NoReturn:
        if self._on_exhausted is not None:
            callback, self._on_exhausted = self._on_exhausted, None
            callback(message)
        # Some clients retry a 402 or 429; all of them treat a 403 as final.
        raise GatewayError(403, message, code=BUDGET_EXCEEDED)
