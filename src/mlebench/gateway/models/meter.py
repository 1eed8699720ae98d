"""What a run has spent on models so far, and whether it may spend more."""

from __future__ import annotations

import asyncio
import threading
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from mlebench.gateway.models.usage import Usage

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from mlebench.gateway.models.config import Budget


class BudgetExceededError(Exception):
    """Raised when a call would go beyond the budget; the message is one sentence."""


@dataclass(frozen=True, slots=True)
class Spent:
    """What calls have cost together."""

    requests: int = 0
    """Calls that were let through, whatever became of them."""
    usage: Usage = field(default_factory=Usage)
    money: float = 0.0
    """US dollars; calls of models without a price count nothing."""
    estimated: int = 0
    """Calls whose tokens the upstream did not tell."""
    unpriced: int = 0
    """Calls of models without a price."""

    def __add__(self, other: Spent) -> Spent:
        return Spent(
            self.requests + other.requests,
            self.usage + other.usage,
            self.money + other.money,
            self.estimated + other.estimated,
            self.unpriced + other.unpriced,
        )


@dataclass(frozen=True, slots=True)
class Spending:
    """What a run has spent: altogether, and by the model's name as agents ask for it."""

    total: Spent = field(default_factory=Spent)
    by_model: dict[str, Spent] = field(default_factory=dict)
    refused: int = 0
    """Requests that were not let through."""


@dataclass
class Charge:
    """What a call in flight is expected to take, and at its end what it took."""

    model: str
    tokens: int
    money: float
    spent: Spent = field(default_factory=Spent)


class Meter:
    """Counts what one run spends and holds it to its budget.

    A call is let through while nothing is used up. With a bound on tokens or money it waits if it and those in
    flight could together go beyond the bound, as far as that can be told beforehand, until enough of them are
    done; so the bound is passed by one call at most where calls say how much output they want, and only by what
    is in flight where they do not. `on_exhausted` is called with a sentence, once, when the first call is refused.
    """

    def __init__(self, budget: Budget, on_exhausted: Callable[[str], object] | None = None) -> None:
        self.budget = budget
        self._on_exhausted = on_exhausted
        self._flying: list[Charge] = []
        self._changed = asyncio.Event()
        self._lock = threading.Lock()  # the spending is read from other threads
        self._spending = Spending()

    def spending(self) -> Spending:
        """Return what was spent so far; may be called from any thread."""
        with self._lock:
            return replace(self._spending, by_model=dict(self._spending.by_model))

    def refuse(self) -> None:
        """Count a request that was not let through."""
        with self._lock:
            self._spending = replace(self._spending, refused=self._spending.refused + 1)

    @asynccontextmanager
    async def admit(self, charge: Charge) -> AsyncIterator[None]:
        """Let a call through; raise BudgetExceededError if it may not go. At the end, `charge.spent` is counted."""
        while not self._fits(charge):
            await self._changed.wait()
        self._flying.append(charge)
        try:
            yield
        finally:
            self._flying.remove(charge)
            self._count(charge)
            self._changed.set()
            self._changed = asyncio.Event()

    def _count(self, charge: Charge) -> None:
        with self._lock:
            before = self._spending
            models = before.by_model | {charge.model: before.by_model.get(charge.model, Spent()) + charge.spent}
            self._spending = replace(before, total=before.total + charge.spent, by_model=models)

    def _fits(self, charge: Charge) -> bool:
        """Tell whether a call may go now; raise BudgetExceededError if it may never."""
        spent, budget = self._spending.total, self.budget
        if budget.requests is not None and spent.requests >= budget.requests:
            self._exhausted(f"The budget of requests to models is used up: {budget.requests} were allowed.")
        if budget.tokens is not None and spent.usage.tokens >= budget.tokens:
            self._exhausted(
                f"The budget of tokens is used up: {spent.usage.tokens} were taken, {budget.tokens} allowed."
            )
        if budget.money is not None and spent.money >= budget.money:
            self._exhausted(
                f"The budget of money is used up: {spent.money:.4f} US dollars were spent, {budget.money:g} allowed."
            )
        if not self._flying:
            return True
        if budget.requests is not None and spent.requests + len(self._flying) >= budget.requests:
            return False
        tokens = spent.usage.tokens + charge.tokens + sum(other.tokens for other in self._flying)
        money = spent.money + charge.money + sum(other.money for other in self._flying)
        return (budget.tokens is None or tokens <= budget.tokens) and (budget.money is None or money <= budget.money)

    def _exhausted(self, sentence: str) -> None:
        if self._on_exhausted is not None:
            callback, self._on_exhausted = self._on_exhausted, None
            callback(sentence)
        raise BudgetExceededError(sentence)
