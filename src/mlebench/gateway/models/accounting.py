"""Accounting for the calls of a run: the budget before a call, its tokens and cost after it, its record at the end."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING

from mlebench.gateway.models.budget import Reservation
from mlebench.gateway.models.call_log import CallRecord, CallUsage
from mlebench.gateway.models.errors import GatewayError
from mlebench.gateway.models.expected_tokens import ExpectedTokens
from mlebench.gateway.models.usage import ModelUsage, TokenUsage
from mlebench.ground.clock import now

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from mlebench.gateway.models.bodies import BodyCapture
    from mlebench.gateway.models.budget import BudgetTracker
    from mlebench.gateway.models.call_log import CallLog, Outcome
    from mlebench.gateway.models.prices import Price
    from mlebench.gateway.models.requests import UpstreamRequest
    from mlebench.gateway.models.responses import Response
    from mlebench.gateway.models.routes import Route
    from mlebench.gateway.models.token_counts import TokenCount
    from mlebench.sandbox.base import EventSink


@dataclass
class CallState:
    """What is known of a call so far."""

    route: Route
    request_body: BodyCapture
    response_body: BodyCapture
    outcome: Outcome = "hung_up"
    """How the call ended; until that is known, the client has disconnected."""
    request: UpstreamRequest | None = None
    response: Response | None = None
    status: int = 0
    """HTTP status that the client received; 0 before the response begins."""
    detail: str = ""
    first_byte_seconds: float | None = None
    tokens: TokenCount | None = None
    cost: float | None = None
    """US dollars."""
    arrived_at: datetime = field(default_factory=now)
    """UTC."""
    _start: float = field(default_factory=time.monotonic)

    def seconds(self) -> float:
        """Return the seconds since the request arrived."""
        return round(time.monotonic() - self._start, 6)

    @property
    def is_free(self) -> bool:
        """Whether the call used no tokens."""
        return self.tokens is None or self.tokens.tokens.total == 0


@dataclass(frozen=True)
class Accounting:
    """The budget, prices, log and events of one run, shared by its calls."""

    budget: BudgetTracker
    prices: Mapping[str, Price]
    """By the name that agents request, or the name at the upstream."""
    log: CallLog
    events: EventSink

    def reserve(self, request: UpstreamRequest) -> Reservation:
        """Return the expected use of a request.

        Raises
        ------
        GatewayError
            If the budget limits money and the model has no price.
        """
        price = self._price(request)
        if price is None and self.budget.budget.money is not None:
            raise GatewayError(403, f"The model {request.model!r} has no price, but the run's budget limits money.")
        asked = request.expected
        output = asked.output + (self.budget.excess_output(request.model) if asked.output else 0)
        expected = ExpectedTokens(asked.input, output, max(output, asked.max_output))
        tokens = TokenUsage(input=expected.input, output=expected.max_output)
        if price is None:
            return Reservation(request.model, expected, tokens.total, 0.0)
        written = TokenUsage(cache_write=expected.input, output=expected.max_output)
        return Reservation(request.model, expected, tokens.total, max(price.cost(tokens), price.cost(written)))

    def charge(self, call: CallState, request: UpstreamRequest, tokens: TokenCount) -> ModelUsage:
        """Set the tokens and the cost of a call; return what it adds to the run's usage."""
        price = self._price(request)
        if not tokens.estimated:
            self.budget.note_output(request.model, tokens=tokens.tokens.output, limit=request.expected.output)
        call.tokens = tokens
        call.cost = None if price is None else price.cost(tokens.tokens)
        return ModelUsage(1, tokens.tokens, call.cost or 0.0, int(tokens.estimated), int(price is None))

    def record(self, call: CallState) -> None:
        """Write a finished call to the log and to the run's events, unless too many free calls were logged."""
        if call.outcome == "refused":
            self.budget.count_refused()
        if call.is_free:
            body_bytes = self.log.count_free_call()
            if body_bytes is None:
                return
            call.request_body.truncate(body_bytes)
            call.response_body.truncate(body_bytes)
        request, response, tokens = call.request, call.response, call.tokens
        usage = (
            None
            if tokens is None
            else CallUsage(
                **asdict(tokens.tokens),
                estimated=tokens.estimated,
                basis=tokens.basis,
                reserved_attempts=tokens.reserved_attempts,
            )
        )
        seconds = call.seconds()

        def make_record(number: int) -> CallRecord:
            return CallRecord(
                number=number,
                time=call.arrived_at,
                path=call.route.path,
                model=request.model if request else None,
                upstream=request.upstream if request else None,
                upstream_model=request.upstream_model if request else None,
                stream=request.stream if request else False,
                source=response.source if response else "gateway",
                outcome=call.outcome,
                status=call.status,
                detail=call.detail,
                seconds=seconds,
                first_byte_seconds=call.first_byte_seconds,
                retries=response.retries if response else 0,
                usage=usage,
                cost=call.cost,
                key=request.key if request else None,
                request=call.request_body.content(),
                response=call.response_body.content(),
            )

        number = self.log.append(make_record)
        self.events(
            "model_call",
            call=number,
            path=call.route.path,
            model=request.model if request else None,
            upstream_model=request.upstream_model if request else None,
            source=response.source if response else "gateway",
            outcome=call.outcome,
            status=call.status,
            seconds=seconds,
            retries=response.retries if response else 0,
            cost=call.cost,
            **({} if usage is None else usage.model_dump()),
            request=call.request_body.digest,
            response=call.response_body.digest,
        )

    def _price(self, request: UpstreamRequest) -> Price | None:
        return self.prices.get(request.model) or self.prices.get(request.upstream_model)
