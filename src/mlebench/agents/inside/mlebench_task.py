"""What a run asks of an agent, as a typed object: lies beside each agent in its sandbox, and needs nothing installed.

    from mlebench_task import Task, run

    def solve(task: Task) -> None:
        task.submit(task.sample_submission)
        answer = task.ask("How should I start?")

    if __name__ == "__main__":
        run(solve)

`run` calls the function and sees to the end of the time: SIGTERM raises `TimeIsUp` in it.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
import time
import urllib.error
import urllib.request
import uuid
from dataclasses import dataclass, field, replace
from http.client import HTTPException
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

VALID = "Submission is valid."
STARTED = time.monotonic()
_PASSING = {408, 409, 429, 500, 502, 503, 504, 529}
"""States of an answer that another try may change."""


class TimeIsUp(BaseException):
    """Raised where the agent is when the run's time ends; a few seconds are left to save what there is."""


class ModelError(Exception):
    """Raised when the model gives no answer; more tries were made where they could help."""


class BudgetUsedUp(ModelError):
    """Raised when the run may spend no more on models; it is about to be ended."""


class Solver(Protocol):
    """What `run` calls: any function of a task."""

    def __call__(self, task: Task, /) -> object: ...


@dataclass(frozen=True)
class Model:
    """A model behind the run's model gateway, asked by chat completions."""

    url: str
    """Base address, with `/v1`."""
    name: str
    key: str = "unused"
    temperature: float | None = None
    max_tokens: int | None = None
    tries: int = 8
    """How often a call is made that fails for a reason that may pass."""
    pause: float = 1.0
    """Seconds before the second try, twice as many before each further one, at most a minute."""
    timeout: float = 900.0
    adaptations: dict[str, str | None] = field(default_factory=dict)
    """Fields that this model turned out to want under another name, or not at all (None)."""

    def ask(self, messages: str | Sequence[Mapping[str, Any]], **more: Any) -> str:
        """Return the model's answer to a text or a list of messages; `more` goes into the request as it is."""
        if isinstance(messages, str):
            messages = [{"role": "user", "content": messages}]
        own = {"temperature": self.temperature, "max_tokens": self.max_tokens}
        wanted = {name: value for name, value in (own | more).items() if value is not None}
        pause, error = self.pause, ModelError("the model was never asked")
        for number in range(self.tries):
            if number:
                time.sleep(pause)
                pause = min(60.0, 2 * pause)
            try:
                return self._call({"model": self.name, "messages": list(messages)} | self._adapted(wanted))
            except urllib.error.HTTPError as refusal:
                told, after = _reason(refusal)
                error = ModelError(f"{refusal.code}: {told.get('message') or refusal.reason}")
                if told.get("type") == "budget_exceeded" or told.get("code") == "budget_exceeded":
                    raise BudgetUsedUp(str(error)) from None
                if refusal.code == 400 and self._adapt(wanted, told):
                    pause = 0.0
                elif refusal.code not in _PASSING:
                    raise error from None
                pause = max(pause, min(after, 60.0)) or self.pause
            except (OSError, HTTPException, ValueError, LookupError, TypeError) as fault:  # cut, or no such answer
                error = ModelError(f"{type(fault).__name__}: {fault}")
        raise error

    def _call(self, body: dict[str, Any]) -> str:
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {self.key}"}
        request = urllib.request.Request(f"{self.url}/chat/completions", json.dumps(body).encode(), headers)
        with _direct().open(request, timeout=self.timeout) as answer:
            return str(json.load(answer)["choices"][0]["message"]["content"] or "")

    def _adapted(self, wanted: Mapping[str, Any]) -> dict[str, Any]:
        names = {name: self.adaptations.get(name, name) for name in wanted}
        return {new: wanted[name] for name, new in names.items() if new is not None}

    def _adapt(self, wanted: Mapping[str, Any], told: Mapping[str, Any]) -> bool:
        """Learn from a refusal which field the model does not take; tell whether there was one."""
        for name in wanted:
            current = self.adaptations.get(name, name)
            if current and (told.get("param") == current or f"'{current}'" in str(told.get("message"))):
                self.adaptations[name] = "max_completion_tokens" if current == "max_tokens" else None
                return True
        return False


@dataclass(frozen=True)
class Task:
    """One run's task: where things are, what is asked, how long there is, whom to ask."""

    data: Path
    """The data, read-only."""
    submission: Path
    """Where `submission.csv` counts."""
    code: Path
    logs: Path
    folder: Path
    """The agent's own folder; writable, not kept."""
    instructions: str
    """The rules of the run and the task's brief."""
    seconds: float
    """The whole time of the run."""
    seed: int = 0
    hardware: str = ""
    competition_id: str | None = None
    """None in obfuscated runs."""
    check_url: str = "http://localhost:5000"
    model: Model | None = None
    """None where the run offers no model, or the agent is declared without one."""
    roles: Mapping[str, str] = field(default_factory=dict)
    """Names of the models for parts of the work, by role."""

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Task:
        """Return the task of the run that this process belongs to."""
        folders = {name: Path(environment[f"{name.upper()}_DIR"]) for name in ("data", "submission", "code", "logs")}
        told = {name: environment.get(f"MODEL_{name}") for name in ("TEMPERATURE", "MAX_TOKENS")}
        model = None
        if "MODEL" in environment and "OPENAI_BASE_URL" in environment:
            model = Model(
                environment["OPENAI_BASE_URL"].rstrip("/"),
                environment["MODEL"],
                environment.get("OPENAI_API_KEY", "unused"),
                float(told["TEMPERATURE"]) if told["TEMPERATURE"] else None,
                int(told["MAX_TOKENS"]) if told["MAX_TOKENS"] else None,
            )
        return cls(
            **folders,
            folder=Path(environment["AGENT_DIR"]),
            instructions=Path(environment["INSTRUCTIONS"]).read_text(encoding="utf-8"),
            seconds=float(environment["TIME_LIMIT_SECS"]),
            seed=int(environment.get("SEED", "0")),
            hardware=environment.get("HARDWARE", ""),
            competition_id=environment.get("COMPETITION_ID"),
            check_url=environment.get("VALIDATE_URL", "http://localhost:5000"),
            model=model,
            roles={
                name.removeprefix("MODEL_").lower(): value
                for name, value in environment.items()
                if name.startswith("MODEL_") and name.removeprefix("MODEL_") not in told
            },
        )

    @property
    def seconds_left(self) -> float:
        """Seconds until SIGTERM; never below 0."""
        return max(0.0, self.seconds - (time.monotonic() - STARTED))

    @property
    def sample_submission(self) -> Path | None:
        """The table among the data that shows the form of a submission, whatever its name; None if there is none."""
        for paths in (self.data.glob("*.csv"), self.data.rglob("*.csv")):
            if found := sorted(path for path in paths if "sample" in path.name.lower()):
                return found[0]
        return None

    def ask(self, messages: str | Sequence[Mapping[str, Any]], role: str | None = None, **more: Any) -> str:
        """Return the answer of the run's model, or of the one for a role; ModelError if there is none."""
        if self.model is None:
            raise ModelError("this run offers no model; name one in agent.yaml and start the run with --models")
        return replace(self.model, name=self.roles.get(role or "", self.model.name)).ask(messages, **more)

    def validate(self, path: Path | None = None) -> str:
        """Return what the submission check says of a file, by default of the one in place; it knows no answers."""
        boundary = uuid.uuid4().hex
        path = path or self.submission / "submission.csv"
        head = (
            f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="submission.csv"\r\n'
            "Content-Type: text/csv\r\n\r\n"
        )
        try:
            body = head.encode() + path.read_bytes() + f"\r\n--{boundary}--\r\n".encode()
        except OSError as error:
            return f"{path} cannot be read: {error.strerror}."
        headers = {"Content-Type": f"multipart/form-data; boundary={boundary}"}
        request = urllib.request.Request(f"{self.check_url}/validate", body, headers)
        try:
            with _direct().open(request, timeout=600) as answer:
                return str(json.load(answer)["result"])
        except urllib.error.HTTPError as error:
            return error.read().decode(errors="replace")
        except (OSError, ValueError) as error:
            return f"The check does not answer: {error}."

    def submit(self, path: Path) -> str:
        """Put a file in place as the submission, whole or not at all, and return what the check says of it.

        A file that is not valid does not replace a valid one.
        """
        target = self.submission / "submission.csv"
        said = self.validate(path)
        if said == VALID or not target.exists() or self.validate(target) != VALID:
            part = self.submission / ".submission.part"
            shutil.copyfile(path, part)
            part.replace(target)
        return said


def protocol_of(model: str, environment: Mapping[str, str] = os.environ) -> str:
    """Return the protocol that a model is asked in, `anthropic` or `openai`: its gateway knows."""
    request = urllib.request.Request(
        f"{environment['MODELS_URL']}/v1/models", headers={"anthropic-version": "2023-06-01"}
    )
    with _direct().open(request, timeout=60) as answer:
        names = {entry["id"] for entry in json.load(answer)["data"]}
    return "anthropic" if model in names else "openai"


def run(solve: Solver) -> NoReturn:
    """Call the function with the task and leave: 0 if it returned or its time was up, 1 if it failed."""
    signal.signal(signal.SIGTERM, _time_is_up)
    try:
        solve(Task.from_environment())
    except (TimeIsUp, BudgetUsedUp) as end:
        print(f"Ended: {type(end).__name__} {end}", flush=True)
    sys.exit(0)


def _time_is_up(_signal: int, _frame: object) -> NoReturn:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise TimeIsUp


def _direct() -> urllib.request.OpenerDirector:
    return urllib.request.build_opener(urllib.request.ProxyHandler({}))


def _reason(refusal: urllib.error.HTTPError) -> tuple[dict[str, Any], float]:
    """Return what an error says, and the seconds that it asks to wait."""
    told: Any = None
    try:
        told = json.loads(refusal.read()).get("error")
        after = float(refusal.headers.get("Retry-After") or 0)
    except (OSError, ValueError, AttributeError):
        after = 0.0
    return told if isinstance(told, dict) else {"message": str(told or "")}, after
