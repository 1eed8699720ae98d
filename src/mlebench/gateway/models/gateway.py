"""The model gateway of a group of runs: it holds the keys, asks the upstreams, and gives each run its own server."""

from __future__ import annotations

import asyncio
import os
import threading
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Self

from mlebench.errors import UsageError
from mlebench.gateway.models.accounting import Accounting
from mlebench.gateway.models.budget import BudgetTracker
from mlebench.gateway.models.call import RunContext
from mlebench.gateway.models.call_log import CallLog
from mlebench.gateway.models.config import check_budget, read_keys
from mlebench.gateway.models.recording import Recording
from mlebench.gateway.models.server import ModelServer
from mlebench.gateway.models.upstreams import UpstreamClient
from mlebench.ground.extras import require

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Mapping
    from pathlib import Path

    from mlebench.gateway.models.config import Budget, ModelsConfig
    from mlebench.gateway.models.recording import Mode
    from mlebench.sandbox.base import EventSink


class ModelGateway:
    """Serves models to runs while the context is open, in a thread with one event loop.

    Parameters
    ----------
    config : ModelsConfig
        Upstreams, models, prices and the budget of each run.
    mode : {"live", "record", "replay", "continue"}
        Where responses come from. `replay` needs no keys.
    recording : Path, optional
        The recording's file, for every mode but `live`.
    environment : mapping of str to str, optional
        The environment variables that hold the keys, by default those of this process.

    Raises
    ------
    EnvironmentUnfitError
        If a key is missing.
    MissingExtraError
        If the extra `models` is not installed.
    DeclarationError
        If the budget limits money and a model has no price.
    UsageError
        If the mode and the recording do not fit together.
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
        require("models")
        self.config = config
        self.mode = mode
        self._prices = config.load_prices()
        check_budget(config, config.budget, self._prices)
        variables = os.environ if environment is None else environment
        keys = dict.fromkeys(config.upstreams, "") if mode == "replay" else read_keys(config, variables)
        self._upstreams = UpstreamClient(config, keys)
        self._recording_path = recording
        self._recording: Recording | None = None
        self._executor: Executor
        self._loop: asyncio.AbstractEventLoop
        self._exit_stack: ExitStack

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            if self._recording_path is not None:
                self._recording = Recording(self._recording_path, self.mode)
                stack.callback(self._recording.close)
            self._executor = stack.enter_context(ThreadPoolExecutor(1, thread_name_prefix="model-gateway-large"))
            self._loop = asyncio.new_event_loop()
            stack.callback(self._loop.close)
            thread = threading.Thread(target=self._loop.run_forever, name="model-gateway", daemon=True)
            thread.start()
            stack.callback(thread.join)
            stack.callback(self._loop.call_soon_threadsafe, self._loop.stop)
            self._run_in_loop(self._upstreams.open())
            stack.callback(lambda: self._run_in_loop(self._shut_down()))
            self._exit_stack = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._exit_stack.close()

    def serve_run(
        self,
        socket_path: Path,
        *,
        run_id: str,
        events: EventSink,
        log: Path | None = None,
        budget: Budget | None = None,
        on_exhausted: Callable[[str], object] | None = None,
    ) -> ModelServer:
        """Return the server of one run. It serves while it is open as a context.

        Parameters
        ----------
        socket_path : Path
            The Unix socket to listen on; use `ModelServer.socket_path` to connect.
        run_id : str
            The name of the run in recordings.
        events : EventSink
            Receives an event `model_call` for each call.
        log : Path, optional
            A file for the `CallRecord` of each call.
        budget : Budget, optional
            The budget of this run, instead of the configuration's.
        on_exhausted : callable, optional
            Called once, with a sentence, when a call is refused because the budget is used up. The gateway's thread
            calls it, so it must not block.

        Raises
        ------
        DeclarationError
            If the budget limits money and a model has no price.
        """
        budget = self.config.budget if budget is None else budget
        check_budget(self.config, budget, self._prices)
        context = RunContext(
            config=self.config,
            upstreams=self._upstreams,
            mode=self.mode,
            recording=None if self._recording is None else self._recording.open_run(run_id),
            accounting=Accounting(BudgetTracker(budget, on_exhausted), self._prices, CallLog(log), events),
            executor=self._executor,
        )
        return ModelServer(socket_path, context, self._run_in_loop)

    def _run_in_loop(self, work: Coroutine[Any, Any, None]) -> None:
        asyncio.run_coroutine_threadsafe(work, self._loop).result()

    async def _shut_down(self) -> None:
        await self._upstreams.close()
        await self._loop.shutdown_asyncgens()
