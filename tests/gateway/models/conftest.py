"""Real clients, through the gateway, to a scripted model server."""

from __future__ import annotations

import json
import socket
import threading
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

from mlebench.gateway.models import CallRecord, ModelGateway, ModelsConfig
from mlebench.gateway.scripted import ScriptedServer
from mlebench.sandbox.entrypoint import forwarding

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import anthropic
    import openai

    from mlebench.gateway.models import Budget, ModelServer

KEY = "sk-secret-of-the-harness-0123456789"
PRICES = {"gpt": {"input": 2.5, "cached_input": 1.25, "output": 10}, "claude": {"input": 3, "output": 15}}


class Forwarder:
    """The port forwarder between an agent and its model server: the code that sandboxes run, on a free port."""

    def __init__(self, path: Path) -> None:
        self.listener = forwarding.listen(0, any_port=False)
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self.serve, args=(str(path),), daemon=True).start()

    def serve(self, path: str) -> None:
        with suppress(OSError):
            forwarding.serve(self.listener, path)

    def close(self) -> None:
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()


@dataclass
class Run:
    """One run's model server, and clients of it."""

    model_server: ModelServer
    url: str
    log: Path
    events: list[dict[str, Any]] = field(default_factory=list)
    exhausted: list[str] = field(default_factory=list)

    def openai(self, **options: Any) -> openai.OpenAI:
        import openai

        options = {"max_retries": 0, "timeout": 60} | options
        return openai.OpenAI(base_url=f"{self.url}/v1", api_key="of-the-agent", **options)

    def anthropic(self, **options: Any) -> anthropic.Anthropic:
        import anthropic

        options = {"max_retries": 0, "timeout": 60} | options
        return anthropic.Anthropic(base_url=self.url, api_key="of-the-agent", **options)

    def chat(self, text: str = "Hi", **more: Any) -> Any:
        messages = [{"role": "user", "content": text}]
        return self.openai().chat.completions.create(**{"model": "gpt", "messages": messages} | more)

    def message(self, text: str = "Hi", **more: Any) -> Any:
        messages = [{"role": "user", "content": text}]
        return self.anthropic().messages.create(**{"model": "claude", "max_tokens": 100, "messages": messages} | more)

    def raw(self, data: bytes, *, end: bool = False, seconds: float = 60) -> bytes:
        """Send bytes to the server; return what it sends until it closes the connection or is silent."""
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(seconds)
            connection.connect(str(self.model_server.socket_path))
            answer = b""
            with suppress(OSError):
                connection.sendall(data)
                if end:
                    connection.shutdown(socket.SHUT_WR)
                while piece := connection.recv(65536):
                    answer += piece
        return answer

    def close(self) -> None:
        """End the run, as the harness does after the agent."""
        self.model_server.__exit__()

    def calls(self) -> list[CallRecord]:
        return [CallRecord.model_validate_json(line) for line in self.log.read_text().splitlines()]


class Rig:
    """Starts scripted servers, gateways and model servers, and stops them all."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.folder = folder
        self.stack = stack
        self.number = 0

    def config(self, server: ScriptedServer, **more: Any) -> ModelsConfig:
        fast = {"retries": 2, "timeout_seconds": 60}
        upstreams = {
            "one": {"protocol": "openai", "base_url": f"{server.url}/v1", "key_variable": "ONE_KEY", **fast},
            "two": {"protocol": "anthropic", "base_url": server.url, "key_variable": "ONE_KEY", **fast},
        }
        changed = more.pop("upstream", {})
        for upstream in upstreams.values():
            upstream.update(changed)
        models = {"gpt": {"upstream": "one", "model": "gpt-upstream"}, "claude": {"upstream": "two"}}
        given = {"upstreams": upstreams, "models": models, "prices": PRICES, **more}
        return ModelsConfig.model_validate_json(json.dumps(given))

    def serve(self, script: Any) -> ScriptedServer:
        return self.stack.enter_context(ScriptedServer(script))

    def gateway(self, config: ModelsConfig, **options: Any) -> ModelGateway:
        return self.stack.enter_context(ModelGateway(config, environment={"ONE_KEY": KEY}, **options))

    def open(self, gateway: ModelGateway, run_id: str = "run", budget: Budget | None = None) -> Run:
        self.number += 1
        events: list[dict[str, Any]] = []
        exhausted: list[str] = []
        log = self.folder / f"model_calls-{self.number}.jsonl"
        model_server = gateway.serve_run(
            self.folder / f"{self.number}.sock",
            run_id=run_id,
            budget=budget,
            events=lambda kind, /, **facts: events.append({"kind": kind, **facts}),
            log=log,
            on_exhausted=exhausted.append,
        )
        self.stack.enter_context(model_server)
        forwarder = Forwarder(model_server.socket_path)
        self.stack.callback(forwarder.close)
        return Run(model_server, forwarder.url, log, events, exhausted)

    def __call__(self, script: Any, *, budget: Budget | None = None, **config: Any) -> tuple[ScriptedServer, Run]:
        """Serve a script, and a run that uses it."""
        server = self.serve(script)
        return server, self.open(self.gateway(self.config(server, **config)), budget=budget)


@pytest.fixture
def rig(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Rig]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1,localhost")
    with ExitStack() as stack:
        yield Rig(tmp_path, stack)
