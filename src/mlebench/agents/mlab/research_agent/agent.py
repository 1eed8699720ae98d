"""The loop: one answer, one action, one observation a step."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from . import reading, texts
from .actions import ACTIONS, FINAL, Toolbox, execute
from .answer import STOP, Answer, FormatError, read_answer
from .files import WorkFolder
from .history import History, ResearchLog, Step
from .outputs import Outputs

if TYPE_CHECKING:
    from pathlib import Path

    from mlebench.agents.inside.mlebench_task import Task

    from .settings import Settings


class NoAnswerError(Exception):
    """The model never answers in the format, even after all retries."""


@dataclass
class ResearchAgent:
    """Works on one task until a limit or its final answer."""

    task: Task
    settings: Settings
    work: Path
    started: float = field(default_factory=time.monotonic)
    calls: int = 0

    def __post_init__(self) -> None:
        self.outputs = Outputs(self.task, self.work)
        self.log = ResearchLog(self.task.logs / "research_log.log")
        self.history = History(self.settings)
        self.toolbox = Toolbox(
            folder=WorkFolder(self.work, self.task.data),
            settings=self.settings,
            outputs=self.outputs,
            log=self.log,
            fast=lambda prompt: self.ask(prompt, "fast"),
            editor=lambda prompt: self.ask(prompt, "edit"),
            seconds_left=lambda: self.seconds_left,
        )

    @property
    def seconds_left(self) -> float:
        own = self.settings.max_seconds - (time.monotonic() - self.started)
        return max(0.0, min(own, self.task.seconds_left))

    def prepare_work_folder(self) -> None:
        """Make the work folder that the prompt describes."""
        (self.work / "submission").mkdir(parents=True, exist_ok=True)
        (self.work / "train.py").write_text(texts.SKELETON, encoding="utf-8")
        (self.work / "instructions.txt").write_text(self.task.instructions, encoding="utf-8")
        links = {"data": str(self.task.data)}
        if tools := os.environ.get("TOOLS_DIR"):
            links["validate_submission.sh"] = f"{tools}/validate_submission.sh"
        for name, target in links.items():
            (self.work / name).symlink_to(target)

    def run(self) -> str:
        """Work until a limit is reached or the final answer is given; return how it ended."""
        first, steps, answers = texts.first_part(self.task, self.settings), 0, 0
        while True:
            if steps >= self.settings.max_steps or answers >= self.settings.agent_max_steps:
                return f"all {steps} steps are used"
            if self.seconds_left <= 0:
                return "the time is used"
            answer = self._answer(first + self._rest(steps))
            answers += 1
            step = self._step(answer)
            self.history.add(step)
            self.outputs.record("trace", step=steps, **answer.sections, observation=step.observation)
            if not step.malformed:
                steps += 1
                if self.settings.retrieval:
                    self.log.add_step(steps, step, self.toolbox.fast)
            if answer.action == FINAL and not step.malformed:
                return "the final answer was given"

    def ask(self, prompt: str, role: str | None = None, **more: Any) -> str:
        """Ask the model, and log the prompt and the answer."""
        before = time.monotonic()
        answer = self.task.ask(prompt, role, **more)
        self.calls += 1
        seconds = round(time.monotonic() - before, 3)
        self.outputs.record(
            "model_calls", call=self.calls, role=role or "main", seconds=seconds, prompt=prompt, answer=answer
        )
        return answer

    def _rest(self, steps: int) -> str:
        """Return the part of the prompt that changes from step to step."""
        parts = []
        if self.settings.retrieval and self.history.has_older:
            plan = self.history.steps[-1].answer.sections["Research Plan and Status"]
            parts.append(f"A summary of your research log:\n\n{self.log.look_up(plan, self.toolbox.fast)}\n")
        if self.history.steps:
            parts.append(f"Your last steps:\n\n{self.history.as_text()}")
        parts.append(texts.progress(self.settings.max_steps - steps, self.seconds_left))
        return "\n" + "\n".join(parts)

    def _answer(self, prompt: str) -> Answer:
        """Ask for the next step, and again while the answer is not in the format."""
        complaint = ""
        for _ in range(self.settings.max_retries + 1):
            text = self.ask(prompt + complaint, stop=[STOP])
            try:
                return read_answer(text, list(ACTIONS))
            except FormatError as error:
                self.outputs.log(f"An answer that is not in the format: {error}")
                complaint = f"\n{error}\n"
        raise NoAnswerError(f"the model did not keep to the format, {self.settings.max_retries} times asked again")

    def _step(self, answer: Answer) -> Step:
        """Execute the action of an answer."""
        self.outputs.log(f"{answer.action}: {answer.input}")
        observation, is_readable = execute(answer.action, answer.input, self.toolbox)
        message = self.outputs.keep_submission()
        if len(observation) > self.settings.longest_observation and observation != message:
            context = f"{answer.sections['Thought']}\n{answer.action}: {answer.input}"
            observation = reading.summarise(observation, context, self.toolbox.fast, self.settings.block)
        self.outputs.log(f"Observation: {observation}")
        return Step(answer, observation, malformed=not is_readable)
