"""One call, from the body of a request to the record of what became of it."""

from __future__ import annotations

import asyncio
import ctypes
import time
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from mlebench.gateway.models.answers import CutError, EventSplitter
from mlebench.gateway.models.calls import BodyKeeper, CallUsage
from mlebench.gateway.models.meter import BudgetExceededError, Charge, Spent
from mlebench.gateway.models.protocols import Refusal
from mlebench.gateway.models.requests import prepare
from mlebench.gateway.models.usage import Usage, UsageReader
from mlebench.ground.clock import now

if TYPE_CHECKING:
    from collections.abc import Mapping
    from concurrent.futures import Executor

    from mlebench.gateway.models.answers import Answer
    from mlebench.gateway.models.calls import CallLog, Outcome
    from mlebench.gateway.models.config import ModelsConfig
    from mlebench.gateway.models.connection import HttpConnection, Request
    from mlebench.gateway.models.meter import Meter
    from mlebench.gateway.models.prices import Price
    from mlebench.gateway.models.protocols import Endpoint
    from mlebench.gateway.models.recording import Mode, RecordedRun
    from mlebench.gateway.models.requests import Prepared
    from mlebench.gateway.models.upstreams import Upstreams
    from mlebench.sandbox.base import EventSink

LARGE = 1024**2
"""Bytes of a body from which on it is read in a thread, one at a time, so that other calls go on meanwhile."""


@dataclass(frozen=True)
class Desk:
    """What all calls of a run share."""

    config: ModelsConfig
    prices: Mapping[str, Price]
    upstreams: Upstreams
    mode: Mode
    recorded: RecordedRun | None
    meter: Meter
    log: CallLog
    events: EventSink
    large: Executor


class Exchange:
    """One call; `run` it, then `close` it, whatever happened, and `finish` it if it went well.

    A client has the end of its answer only when the call is charged and logged.
    """

    def __init__(self, desk: Desk, endpoint: Endpoint, request: Request, connection: HttpConnection) -> None:
        self._desk = desk
        self._endpoint = endpoint
        self._request = request
        self._connection = connection
        self._time, self._began = now(), time.monotonic()
        self._asked = BodyKeeper(desk.config.logged_bytes)
        self._answered = BodyKeeper(desk.config.logged_bytes)
        self._reader = UsageReader()
        self._prepared: Prepared | None = None
        self._answer: Answer | None = None
        self._outcome: Outcome = "hung_up"  # until it is known better
        self._status = 0
        self._detail = ""
        self._held = b""
        self._first_byte: float | None = None
        self._usage: Usage | None = None
        self._estimated = False
        self._cost: float | None = None

    async def run(self, body: bytes) -> None:
        """Get an answer, and tell it but for its end; raise Refusal, HungUpError or CutError."""
        try:
            self._asked.add(body)
            prepared = await self._prepare(body)
            del body
            price = self._price(prepared)
            budget = self._desk.meter.budget
            if price is None and budget.money is not None:
                self._outcome = "refused"
                raise Refusal(403, f"The model {prepared.model!r} has no price, and the budget bounds money.")
            money = 0.0
            if price is not None:
                usage = Usage(input=prepared.tokens - prepared.output_tokens, output=prepared.output_tokens)
                money = price.cost(usage)
            charge = Charge(prepared.model, prepared.tokens, money)
            async with self._desk.meter.admit(charge):
                try:
                    await self._pass_on(prepared)
                finally:
                    charge.spent = self._settle(prepared, price)
        except BudgetExceededError as error:
            self._outcome = "refused"
            # A 429 or 402 would be waited out by some clients; a 403 is final for all of them.
            raise Refusal(403, str(error), code="budget_exceeded") from None

    def close(self, refusal: Refusal | None) -> None:
        """Log the call and tell of it."""
        if self._asked.size >= LARGE:
            self._desk.large.submit(_give_memory_back)
        if refusal is not None:
            self._status, self._detail = refusal.status, refusal.message
            self._answered = BodyKeeper(self._desk.config.logged_bytes).add(refusal.body(self._endpoint.protocol))
            if self._outcome == "refused":
                self._desk.meter.refuse()
        prepared, answer, usage = self._prepared, self._answer, self._usage
        if usage is None or usage.tokens == 0:
            room = self._desk.log.room_for_free()
            if room is None:
                return
            self._asked.shorten(room)
            self._answered.shorten(room)
        facts = {
            "path": self._endpoint.path,
            "model": prepared.model if prepared else None,
            "upstream_model": prepared.upstream_model if prepared else None,
            "source": answer.source if answer else "gateway",
            "outcome": self._outcome,
            "status": self._status,
            "seconds": round(time.monotonic() - self._began, 6),
            "retries": answer.retries if answer else 0,
            "cost": self._cost,
        }
        number = self._desk.log.write(
            **facts,
            time=self._time,
            upstream=prepared.upstream if prepared else None,
            stream=prepared.stream if prepared else False,
            detail=self._detail,
            first_byte_seconds=self._first_byte,
            usage=None if usage is None else CallUsage(**asdict(usage), estimated=self._estimated),
            key=prepared.key if prepared else None,
            request=self._asked.content(),
            response=self._answered.content(),
        )
        tokens = {} if usage is None else {**asdict(usage), "estimated": self._estimated}
        digests = {"request": self._asked.digest, "response": self._answered.digest}
        self._desk.events("model_call", call=number, **facts, **tokens, **digests)

    async def finish(self) -> None:
        """Tell the client the end of the answer: the last event of a stream, all of a plain one."""
        answer = self._answer
        if answer is not None and not answer.stream:
            headers = {"content-type": "application/json"} | answer.headers
            await self._connection.start(answer.status, headers.items(), len(self._held))
        await self._connection.send(self._held)
        await self._connection.finish()

    def leave(self, why: str) -> None:
        """Note why the call was broken off from outside."""
        self._detail = self._detail or why

    async def _prepare(self, body: bytes) -> Prepared:
        try:
            if len(body) < LARGE:
                self._prepared = prepare(body, self._endpoint, self._desk.config)
            else:
                loop = asyncio.get_running_loop()
                work = loop.run_in_executor(self._desk.large, prepare, body, self._endpoint, self._desk.config)
                self._prepared = await work
        except Refusal:
            self._outcome = "refused"
            raise
        return self._prepared

    def _price(self, prepared: Prepared) -> Price | None:
        prices = self._desk.prices
        return prices.get(prepared.model) or prices.get(prepared.upstream_model)

    async def _pass_on(self, prepared: Prepared) -> None:
        desk = self._desk
        if desk.recorded is not None and desk.mode in ("replay", "continue"):
            found = desk.recorded.next(prepared.key)
            if found is not None:
                await self._tell(found.answer(), [])
                return
            if desk.mode == "replay":
                self._outcome = "failed"
                raise Refusal(
                    404,
                    f"The recording has no answer, or no further one, to this request (key {prepared.key[:16]}); "
                    "it may be recorded with the mode 'continue'.",
                    code="not_recorded",
                )
        chunks: list[bytes] | None = None if desk.recorded is None else []
        beta = self._request.query == "beta=true"
        try:
            async with desk.upstreams.ask(prepared, self._endpoint, self._request.headers, beta=beta) as answer:
                await self._tell(answer, chunks)
        except Refusal:
            self._outcome = "failed"
            raise
        finally:
            if desk.recorded is not None and chunks is not None and self._outcome in ("answered", "cut"):
                assert self._answer is not None
                desk.recorded.append(
                    chunks,
                    key=prepared.key,
                    path=self._endpoint.path,
                    model=prepared.model,
                    status=self._answer.status,
                    headers=self._answer.headers,
                    stream=self._answer.stream,
                    cut=self._outcome == "cut",
                )

    async def _tell(self, answer: Answer, chunks: list[bytes] | None) -> None:
        """Pass an answer on to the client, in whole or as it comes; keep its chunks where a list is given."""
        self._answer, self._status = answer, answer.status
        if not answer.stream:
            body = b"".join([chunk async for chunk in answer.chunks])
            self._take(body, chunks)
            self._reader.body(body)
            self._outcome = "answered"
            self._held = body
            return
        await self._connection.start(answer.status, answer.headers.items(), None)
        splitter = EventSplitter()
        drops_usage = self._prepared is not None and self._prepared.drops_usage
        try:
            async for chunk in answer.chunks:
                self._take(chunk, chunks)
                kept = b""
                for raw, data in splitter.feed(chunk):
                    event = self._reader.event(data)
                    if not (drops_usage and event and event.get("choices") == [] and event.get("usage")):
                        kept += raw
                # Where nothing is dropped, not even the end of an event is waited for.
                kept = kept if drops_usage else chunk
                if self._reader.complete:
                    self._held += kept
                else:
                    await self._connection.send(kept)
            if drops_usage:
                self._held += splitter.rest()
        except CutError as error:
            self._outcome, self._detail = "cut", f"The stream broke off: {error}."
            await self._connection.send(self._held + (splitter.rest() if drops_usage else b""))
            raise
        self._outcome = "answered"
        if not self._reader.complete:
            self._detail = "The stream ended without its last event."

    def _take(self, data: bytes, chunks: list[bytes] | None) -> None:
        if self._first_byte is None:
            self._first_byte = round(time.monotonic() - self._began, 6)
        self._answered.add(data)
        if chunks is not None:
            chunks.append(data)

    def _settle(self, prepared: Prepared, price: Price | None) -> Spent:
        """Work out what the call took, as far as it came."""
        if self._endpoint.has_output and self._outcome != "failed" and self._status < 400:
            self._usage, self._estimated = self._reader.result(prepared.text_bytes)
        else:
            self._usage = Usage()
        if price is not None:
            self._cost = price.cost(self._usage)
        return Spent(1, self._usage, self._cost or 0.0, int(self._estimated), int(price is None))


def _give_memory_back() -> None:
    """Return freed memory to the machine: glibc keeps that of large bodies otherwise, more with each of them."""
    with suppress(OSError, AttributeError):  # another C library
        ctypes.CDLL(None).malloc_trim(0)
