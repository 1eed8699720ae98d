"""The task of a run as a typed object. This module is placed beside each agent and needs only the standard library.

    from mlebench_task import Task, run

    def solve(task: Task) -> None:
        task.submit(task.sample_submission)
        answer = task.ask("How should I start?")

    if __name__ == "__main__":
        run(solve)

`run` calls the function and handles the time limit: SIGTERM raises `TimeIsUp` in the function.
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
_RETRYABLE = {408, 409, 429, 500, 502, 503, 504, 529}
"""HTTP status codes of requests that are retried."""


class TimeIsUp(BaseException):
    """Raised in the agent's code at the time limit of the run; a few seconds are left to save results."""


class ModelError(Exception):
    """Raised when the model gives no answer, after retries where these could help."""


class BudgetUsedUp(ModelError):
    """Raised when the run's budget for models is used up; the run is about to end."""


class Solver(Protocol):
    """The function that `run` calls."""

    def __call__(self, task: Task, /) -> object: ...


@dataclass(frozen=True)
class Model:
    """A model behind the run's model gateway, called by chat completions."""

    url: str
    """Base URL, with `/v1`."""
    name: str
    key: str = "unused"
    temperature: float | None = None
    max_tokens: int | None = None
    tries: int = 8
    """Maximum number of requests per call, if they fail for a temporary reason."""
    pause: float = 1.0
    """Seconds before the second request; they double before each further one, up to a minute."""
    timeout: float = 900.0
    """Seconds to wait for an answer."""
    adaptations: dict[str, str | None] = field(default_factory=dict)
    """Request fields that this model refuses, with the name that it accepts instead, or None."""

    def ask(self, messages: str | Sequence[Mapping[str, Any]], **more: Any) -> str:
        """Return the model's answer.

        Parameters
        ----------
        messages : str or list of dict
            A prompt, or the messages of a conversation.
        **more
            Further fields of the request.

        Raises
        ------
        BudgetUsedUp
            The run's budget for models is used up.
        ModelError
            The model gives no answer.
        """
        if isinstance(messages, str):
            messages = [{"role": "user", "content": messages}]
        settings = {"temperature": self.temperature, "max_tokens": self.max_tokens}
        fields = {name: value for name, value in (settings | more).items() if value is not None}
        pause, error = self.pause, ModelError("the model was never asked")
        for attempt in range(self.tries):
            if attempt:
                time.sleep(pause)
                pause = min(60.0, 2 * pause)
            try:
                return self._call({"model": self.name, "messages": list(messages)} | self._rename(fields))
            except urllib.error.HTTPError as refusal:
                details, wait = _read_error(refusal)
                error = ModelError(f"{refusal.code}: {details.get('message') or refusal.reason}")
                if "budget_exceeded" in (details.get("type"), details.get("code")):
                    raise BudgetUsedUp(str(error)) from None
                if refusal.code == 400 and self._adapt(fields, details):
                    pause = 0.0
                elif refusal.code not in _RETRYABLE:
                    raise error from None
                pause = max(pause, min(wait, 60.0)) or self.pause
            except (OSError, HTTPException, ValueError, LookupError, TypeError) as failure:  # cut off, or malformed
                error = ModelError(f"{type(failure).__name__}: {failure}")
        raise error

    def _call(self, body: dict[str, Any]) -> str:
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {self.key}"}
        request = urllib.request.Request(f"{self.url}/chat/completions", json.dumps(body).encode(), headers)
        with _open(request, self.timeout) as response:
            return str(json.load(response)["choices"][0]["message"]["content"] or "")

    def _rename(self, fields: Mapping[str, Any]) -> dict[str, Any]:
        """Return the fields under the names that the model accepts."""
        names = {name: self.adaptations.get(name, name) for name in fields}
        return {new: fields[name] for name, new in names.items() if new is not None}

    def _adapt(self, fields: Mapping[str, Any], details: Mapping[str, Any]) -> bool:
        """Learn from an error which field the model refuses; return whether it names one."""
        for name in fields:
            current = self.adaptations.get(name, name)
            if current and (details.get("param") == current or f"'{current}'" in str(details.get("message"))):
                self.adaptations[name] = "max_completion_tokens" if current == "max_tokens" else None
                return True
        return False


@dataclass(frozen=True)
class Task:
    """The task of one run: folders, instructions, limits, models."""

    data: Path
    """The data, read-only."""
    submission: Path
    """Folder of `submission.csv`."""
    code: Path
    logs: Path
    folder: Path
    """The agent's folder; writable, but not kept."""
    instructions: str
    """The rules of the run and the brief of the task."""
    seconds: float
    """Time limit of the run."""
    seed: int = 0
    hardware: str = ""
    """Cores, memory and GPUs, in words."""
    competition_id: str | None = None
    """None in obfuscated runs."""
    check_url: str = "http://localhost:5000"
    model: Model | None = None
    """None if the run offers no model, or the agent declares none."""
    roles: Mapping[str, str] = field(default_factory=dict)
    """Names of models for parts of the work, by role."""

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Task:
        """Return the task of the run that this process belongs to."""
        folders = {name: Path(environment[f"{name.upper()}_DIR"]) for name in ("data", "submission", "code", "logs")}
        settings = {name: environment.get(f"MODEL_{name}") for name in ("TEMPERATURE", "MAX_TOKENS")}
        model = None
        if "MODEL" in environment and "OPENAI_BASE_URL" in environment:
            model = Model(
                environment["OPENAI_BASE_URL"].rstrip("/"),
                environment["MODEL"],
                environment.get("OPENAI_API_KEY", "unused"),
                float(settings["TEMPERATURE"]) if settings["TEMPERATURE"] else None,
                int(settings["MAX_TOKENS"]) if settings["MAX_TOKENS"] else None,
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
                if name.startswith("MODEL_") and name.removeprefix("MODEL_") not in settings
            },
        )

    @property
    def seconds_left(self) -> float:
        """Seconds until SIGTERM; never below 0."""
        return max(0.0, self.seconds - (time.monotonic() - STARTED))

    @property
    def sample_submission(self) -> Path | None:
        """The sample submission, which has different names in different tasks; None if there is none."""
        for paths in (self.data.glob("*.csv"), self.data.rglob("*.csv")):
            if found := sorted(path for path in paths if "sample" in path.name.lower()):
                return found[0]
        return None

    def ask(self, messages: str | Sequence[Mapping[str, Any]], role: str | None = None, **more: Any) -> str:
        """Return an answer of the run's model, or of the model for a role.

        Parameters
        ----------
        messages : str or list of dict
            A prompt, or the messages of a conversation.
        role : str, optional
            Role of another model in `agent.yaml`; without such a role, the run's model answers.
        **more
            Further fields of the request.

        Raises
        ------
        ModelError
            The run offers no model, or the model gives no answer.
        """
        if self.model is None:
            raise ModelError("this run offers no model; name one in agent.yaml and start the run with --models")
        return replace(self.model, name=self.roles.get(role or "", self.model.name)).ask(messages, **more)

    def validate(self, path: Path | None = None) -> str:
        """Return the message of the submission check on a file; by default on the submission.

        If the run has checked too often, this waits until it may check again.
        """
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
            while True:
                try:
                    with _open(request, 3600) as response:
                        return str(json.load(response)["result"])
                except urllib.error.HTTPError as error:
                    details, wait = _read_error(error)
                    if error.code != 429 or not 0 < wait < self.seconds_left:
                        return str(details.get("message"))
                    time.sleep(wait)
        except (OSError, ValueError) as error:
            return f"The submission check does not answer: {error}."

    def submit(self, path: Path) -> str:
        """Make a file the submission, in one step, and return the message of the submission check.

        An invalid file does not replace a valid submission.
        """
        target = self.submission / "submission.csv"
        message = self.validate(path)
        if message == VALID or not target.exists() or self.validate(target) != VALID:
            part = self.submission / ".submission.part"
            shutil.copyfile(path, part)
            part.replace(target)
        return message


def protocol_of(model: str, environment: Mapping[str, str] = os.environ) -> str:
    """Return the protocol of a model, `anthropic` or `openai`, as the model gateway lists it."""
    request = urllib.request.Request(
        f"{environment['MODELS_URL']}/v1/models", headers={"anthropic-version": "2023-06-01"}
    )
    with _open(request, 60) as response:
        names = {entry["id"] for entry in json.load(response)["data"]}
    return "anthropic" if model in names else "openai"


def run(solve: Solver) -> NoReturn:
    """Call the function with the task and exit: with 0 if it returns or the time is up, with 1 if it fails."""
    signal.signal(signal.SIGTERM, _raise_time_is_up)
    try:
        solve(Task.from_environment())
    except (TimeIsUp, BudgetUsedUp) as end:
        print(f"Ended: {type(end).__name__} {end}", flush=True)
    sys.exit(0)


def _raise_time_is_up(_signal: int, _frame: object) -> NoReturn:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise TimeIsUp


def _open(request: urllib.request.Request, timeout: float) -> Any:
    """Send a request, without a proxy, and return the response."""
    return urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=timeout)


def _read_error(refusal: urllib.error.HTTPError) -> tuple[dict[str, Any], float]:
    """Return the details of an error, and the seconds that it asks to wait."""
    details: Any = None
    try:
        details = json.loads(refusal.read()).get("error")
        wait = float(refusal.headers.get("Retry-After") or 0)
    except (OSError, ValueError, AttributeError):
        wait = 0.0
    return details if isinstance(details, dict) else {"message": str(details or "")}, wait
