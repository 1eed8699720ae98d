"""Drives AIDE step by step, so that its best solution is in place at every moment and the run's end is met.

The package's own command knows no end of the time, leaves the file of its last solution rather than its best, and is
ended by a script that runs out of memory. What is asked, tried and chosen is the package's own doing.
"""

from __future__ import annotations

import math
import os
import random
import re
import signal
import traceback
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import anthropic
import openai
from aide import backend
from aide.agent import Agent
from aide.interpreter import ExecutionResult, Interpreter
from aide.journal import Journal, Node
from aide.utils.config import Config, _load_cfg, load_task_desc, prep_agent_workspace, prep_cfg, save_run
from aide.utils.metric import WorstMetricValue
from mlebench_task import VALID, BudgetUsedUp, ModelError, Task, protocol_of, run
from preview import use_bounds

if TYPE_CHECKING:
    from pathlib import Path

FAILURES = 10
"""Steps in a row that may fail in AIDE itself, such as at an answer that it cannot read, before it gives up."""
SPARE_SECONDS = 20.0
"""Kept back from a solution's time, to read its results and put its file in place."""
NOTE = """

NOTE
  Your solutions run in a folder of their own: they read the data in ./input and write ./working/submission.csv.
  The file and the code of the best solution are kept for you. You have {steps} steps for {hours:.3g} hours in all,
  on {hardware}.
"""


_TIME = re.compile(r"Execution time: .* seconds(?= \(time limit)")
_REFUSALS = (openai.PermissionDeniedError, anthropic.PermissionDeniedError)


class Solutions(Interpreter):
    """Runs solutions; nothing that one started outlives it."""

    def __init__(self, task: Task, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self._task, self._most = task, self.timeout

    def child_proc_setup(self, result_outq: Any) -> None:
        os.setpgid(0, 0)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        super().child_proc_setup(result_outq)

    def cleanup_session(self) -> None:
        group = self.process.pid if self.process else None
        super().cleanup_session()
        if group:
            with suppress(ProcessLookupError):
                os.killpg(group, signal.SIGKILL)

    def run(self, code: str, reset_session: bool = True) -> ExecutionResult:
        self.timeout = int(max(5, min(self._most, self._task.seconds_left - SPARE_SECONDS)))
        try:
            result = super().run(code, reset_session)
            result.term_out[-1:] = [_TIME.sub(_steps_of_time(result.exec_time), text) for text in result.term_out[-1:]]
            return result
        except RuntimeError as death:  # killed, as the one process that takes too much memory is
            self.cleanup_session()
            return ExecutionResult([f"{death}; it may have used too much memory.\n"], 0.0, "RuntimeError", {}, [])


def _steps_of_time(seconds: float) -> str:
    """Return how long a solution took, in doubling steps: by the second, no recording would give the same run again."""
    minutes = max(1, math.ceil(seconds / 60))
    return f"Execution time: at most {_count(1 << (minutes - 1).bit_length())}"


def _count(minutes: int) -> str:
    return f"{minutes} minute{'' if minutes == 1 else 's'}"


def settings(task: Task) -> Config:
    """Return AIDE's settings, from the variables that `agent.yaml` sets."""
    assert task.model
    value = os.environ
    cfg = _load_cfg(use_cli_args=False)
    cfg.data_dir, cfg.desc_file = str(task.data), str(task.folder / "task.md")
    cfg.log_dir, cfg.workspace_dir, cfg.exp_name = str(task.logs / "aide"), str(task.folder / "work"), "run"
    cfg.copy_data, cfg.generate_report = False, False
    cfg.exec.timeout = int(value["EXECUTION_SECONDS"])
    cfg.agent.steps, cfg.agent.k_fold_validation = int(value["STEPS"]), int(value["K_FOLD"])
    cfg.agent.search.num_drafts = int(value["DRAFTS"])
    cfg.agent.search.max_debug_depth = int(value["DEBUG_DEPTH"])
    cfg.agent.search.debug_prob = float(value["DEBUG_PROBABILITY"])
    for stage, name in ((cfg.agent.code, task.model.name), (cfg.agent.feedback, task.roles.get("feedback"))):
        stage.model = f"gateway/{name or task.model.name}"
        if re.match(r"gateway/o\d", stage.model):
            stage.temp = 1.0  # the only one that they take
        elif task.model.temperature is not None:
            stage.temp = task.model.temperature
    return prep_cfg(cfg)


def use_gateway() -> None:
    """Have every model asked at the run's gateway, in its own protocol."""
    protocols: dict[str, str] = {}

    def provider(model: str) -> str:
        if model not in protocols:
            protocols[model] = protocol_of(model.removeprefix("gateway/"))
        return protocols[model]

    backend.determine_provider = provider


class Best:
    """The best solution so far whose file has the right form, and where it was put."""

    def __init__(self, task: Task, made: Path) -> None:
        self._task, self._made = task, made
        self._node: Node | None = None

    def look_at(self, journal: Journal) -> None:
        """Put the file of the last solution in place if it is better, or if there is none yet."""
        last: Node = journal.nodes[-1]
        print(f"Step {last.step}: {last.stage_name}, {'no good' if last.is_buggy else last.metric}", flush=True)
        if not last.is_buggy and not math.isfinite(last.metric.value):  # better than any, as the package compares
            last.is_buggy, last.metric = True, WorstMetricValue()
        if not last.is_buggy:  # a review that turns the direction around would end AIDE
            last.metric.maximize = journal.good_nodes[0].metric.maximize
        target = self._task.submission / "submission.csv"
        better = not last.is_buggy and (self._node is None or last.metric > self._node.metric)
        if not self._made.is_file() or self._made.is_symlink() or not (better or not target.exists()):
            return
        said = self._task.validate(self._made)
        if said != VALID:
            print(f"Its file is left where it is: {said}", flush=True)
            return
        self._task.submit(self._made)
        (self._task.code / "solution.py").write_text(last.code, encoding="utf-8")
        self._node = None if last.is_buggy else last
        print("It is in place.", flush=True)


def solve(task: Task) -> None:
    if task.model is None:
        raise ModelError("this agent needs a model; start the run with --models")
    steps = os.environ["STEPS"]
    note = NOTE.format(steps=steps, hours=task.seconds / 3600, hardware=task.hardware)
    # Solutions that wrote to the submission's own place would replace better ones.
    places = {str(task.data): "./input", str(task.submission): "./working"}
    told = re.sub("|".join(map(re.escape, places)), lambda match: places[match[0]], task.instructions)
    (task.folder / "task.md").write_text(told + note, encoding="utf-8")
    use_gateway()
    use_bounds()
    random.seed(task.seed)
    cfg = settings(task)
    prep_agent_workspace(cfg)
    journal = Journal()
    agent = Agent(load_task_desc(cfg), cfg, journal)
    solutions = Solutions(task, cfg.workspace_dir, **dict(cfg.exec))
    made = cfg.workspace_dir / "working" / "submission.csv"
    best, failures = Best(task, made), 0
    try:
        while len(journal) < cfg.agent.steps and failures < FAILURES:
            made.unlink(missing_ok=True)
            try:
                agent.step(exec_callback=solutions.run)
                failures = 0
                best.look_at(journal)
                save_run(cfg, journal)
            except _REFUSALS as refusal:
                if "budget_exceeded" not in str(refusal):
                    raise
                raise BudgetUsedUp(str(refusal)) from None
            except Exception:  # noqa: BLE001 - whatever AIDE trips over, the search goes on
                failures += 1
                traceback.print_exc()
                for node in journal.nodes:  # what came of a step that failed is in no journal, but has a parent
                    node.children.intersection_update(journal.nodes)
    finally:
        solutions.cleanup_session()
    if failures:
        raise ModelError(f"{failures} steps in a row failed")
    print(f"Ended after {len(journal)} steps", flush=True)


if __name__ == "__main__":
    run(solve)
