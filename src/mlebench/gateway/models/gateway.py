"""The model gateway of a group of runs: holds the keys, asks the upstreams, and gives each run a door of its own."""

from __future__ import annotations

import asyncio
import os
import threading
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Self

from mlebench.errors import UsageError
from mlebench.gateway.models.calls import CallLog
from mlebench.gateway.models.config import check_budget, read_keys
from mlebench.gateway.models.connection import import_h11
from mlebench.gateway.models.door import ModelDoor
from mlebench.gateway.models.exchange import Desk
from mlebench.gateway.models.meter import Meter
from mlebench.gateway.models.recording import Recording
from mlebench.gateway.models.upstreams import Upstreams, import_httpx

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Mapping
    from pathlib import Path

    from mlebench.gateway.models.config import Budget, ModelsConfig
    from mlebench.gateway.models.recording import Mode
    from mlebench.sandbox.base import EventSink


class ModelGateway:
    """Serves models to runs while the context is open, in a thread of its own with one event loop.

    Making it checks all that can be checked beforehand: EnvironmentUnfitError for a key that is not in the
    environment, MissingExtraError for the extra `models`, DeclarationError for a budget in money where a model
    has no price, UsageError for a recording that is not there. In the mode `replay` no key is needed.
    """

    def __init__(
        self,
        config: ModelsConfig,
        *,
        mode: Mode = "live",
        recording: Path | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        if (mode == "live") != (recording is None):
            raise UsageError(f"The mode {mode!r} {'takes no' if mode == 'live' else 'needs a'} recording.")
        import_h11()
        import_httpx()
        self.config = config
        self.mode = mode
        self._prices = config.price_list()
        check_budget(config, config.budget, self._prices)
        known = os.environ if environment is None else environment
        keys = dict.fromkeys(config.upstreams, "") if mode == "replay" else read_keys(config, known)
        self._upstreams = Upstreams(config, keys)
        self._recording_path = recording
        self._recording: Recording | None = None
        self._large: Executor
        self._loop: asyncio.AbstractEventLoop
        self._open: ExitStack

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            if self._recording_path is not None:
                self._recording = Recording(self._recording_path, self.mode)
                stack.callback(self._recording.close)
            self._large = stack.enter_context(ThreadPoolExecutor(1, thread_name_prefix="model-gateway-large"))
            self._loop = asyncio.new_event_loop()
            stack.callback(self._loop.close)
            thread = threading.Thread(target=self._loop.run_forever, name="model-gateway", daemon=True)
            thread.start()
            stack.callback(thread.join)
            stack.callback(self._loop.call_soon_threadsafe, self._loop.stop)
            self._run(self._upstreams.open())
            stack.callback(lambda: self._run(self._shut()))
            self._open = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def door(
        self,
        socket: Path,
        *,
        run_id: str,
        events: EventSink,
        log: Path | None = None,
        budget: Budget | None = None,
        on_exhausted: Callable[[str], object] | None = None,
    ) -> ModelDoor:
        """Return the door of one run, to be opened as a context; it listens at the Unix socket `door.socket`.

        `budget` replaces the one of the configuration. `on_exhausted` is called with a sentence when a call is
        refused because the budget is used up, once, from the gateway's thread: it must not wait for anything.
        `events` is told of each `model_call`; `log` gets a `CallRecord` for each. In recordings the run goes by
        `run_id`.
        """
        budget = self.config.budget if budget is None else budget
        check_budget(self.config, budget, self._prices)
        desk = Desk(
            config=self.config,
            prices=self._prices,
            upstreams=self._upstreams,
            mode=self.mode,
            recorded=None if self._recording is None else self._recording.open_run(run_id),
            meter=Meter(budget, on_exhausted),
            log=CallLog(log),
            events=events,
            large=self._large,
        )
        return ModelDoor(socket, desk, self._run)

    def _run(self, work: Coroutine[Any, Any, None]) -> None:
        asyncio.run_coroutine_threadsafe(work, self._loop).result()

    async def _shut(self) -> None:
        await self._upstreams.close()
        await self._loop.shutdown_asyncgens()
