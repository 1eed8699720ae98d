"""Run AIDE step by step, so that its best solution is submitted at all times and the run ends in time.

The package's own command has no time limit, leaves the file of its last solution instead of its best one, and dies with
a solution that runs out of memory. Prompts, search and choices are those of the package.
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
from preview import limit_preview

if TYPE_CHECKING:
    from pathlib import Path

MAX_FAILURES = 10
"""Consecutive steps that may fail in AIDE itself, such as at an answer that it cannot parse."""
SPARE_SECONDS = 20.0
"""Time that a solution does not get, to read its results and submit its file."""
NOTE = """

NOTE
  Your solutions run in a folder of their own: they read the data in ./input and write ./working/submission.csv.
  The file and the code of the best solution are kept for you. You have {steps} steps for {hours:.3g} hours in all,
  on {hardware}.
"""


_TIME = re.compile(r"Execution time: .* seconds(?= \(time limit)")
_REFUSALS = (openai.PermissionDeniedError, anthropic.PermissionDeniedError)


class Solutions(Interpreter):
    """Runs solutions; the processes that a solution starts end with it."""

    def __init__(self, task: Task, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self._task, self._max_timeout = task, self.timeout

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
        self.timeout = int(max(5, min(self._max_timeout, self._task.seconds_left - SPARE_SECONDS)))
        try:
            result = super().run(code, reset_session)
            result.term_out[-1:] = [_TIME.sub(_round_time(result.exec_time), text) for text in result.term_out[-1:]]
            return result
        except RuntimeError as death:  # the solution was killed, as for its memory
            self.cleanup_session()
            return ExecutionResult([f"{death}; it may have used too much memory.\n"], 0.0, "RuntimeError", {}, [])


def _round_time(seconds: float) -> str:
    """Return a solution's duration, rounded up to powers of two minutes, so that a recorded run can be replayed."""
    minutes = max(1, math.ceil(seconds / 60))
    return f"Execution time: at most {_count(1 << (minutes - 1).bit_length())}"


def _count(minutes: int) -> str:
    return f"{minutes} minute{'' if minutes == 1 else 's'}"


def make_config(task: Task) -> Config:
    """Return AIDE's settings from the environment variables of `agent.yaml`."""
    assert task.model
    variables = os.environ
    cfg = _load_cfg(use_cli_args=False)
    cfg.data_dir, cfg.desc_file = str(task.data), str(task.folder / "task.md")
    cfg.log_dir, cfg.workspace_dir, cfg.exp_name = str(task.logs / "aide"), str(task.folder / "work"), "run"
    cfg.copy_data, cfg.generate_report = False, False
    cfg.exec.timeout = int(variables["EXECUTION_SECONDS"])
    cfg.agent.steps, cfg.agent.k_fold_validation = int(variables["STEPS"]), int(variables["K_FOLD"])
    cfg.agent.search.num_drafts = int(variables["DRAFTS"])
    cfg.agent.search.max_debug_depth = int(variables["DEBUG_DEPTH"])
    cfg.agent.search.debug_prob = float(variables["DEBUG_PROBABILITY"])
    for stage, name in ((cfg.agent.code, task.model.name), (cfg.agent.feedback, task.roles.get("feedback"))):
        stage.model = f"gateway/{name or task.model.name}"
        if re.match(r"gateway/o\d", stage.model):
            stage.temp = 1.0  # these models accept no other
        elif task.model.temperature is not None:
            stage.temp = task.model.temperature
    return prep_cfg(cfg)


def use_gateway() -> None:
    """Send the requests for every model to the run's gateway, in the protocol of the model."""
    protocols: dict[str, str] = {}

    def find_provider(model: str) -> str:
        if model not in protocols:
            protocols[model] = protocol_of(model.removeprefix("gateway/"))
        return protocols[model]

    backend.determine_provider = find_provider


class BestSolution:
    """The best solution so far with a valid file; that file is the run's submission."""

    def __init__(self, task: Task, file: Path) -> None:
        self._task, self._file = task, file
        self._node: Node | None = None

    def update(self, journal: Journal) -> None:
        """Submit the file of the last solution if it is better than the best one, or if nothing is submitted yet."""
        last: Node = journal.nodes[-1]
        print(f"Step {last.step}: {last.stage_name}, {'buggy' if last.is_buggy else last.metric}", flush=True)
        if not last.is_buggy and not math.isfinite(last.metric.value):  # the package would rank it best
            last.is_buggy, last.metric = True, WorstMetricValue()
        if not last.is_buggy:  # AIDE fails where a review reverses the direction
            last.metric.maximize = journal.good_nodes[0].metric.maximize
        target = self._task.submission / "submission.csv"
        is_better = not last.is_buggy and (self._node is None or last.metric > self._node.metric)
        if not self._file.is_file() or self._file.is_symlink() or not (is_better or not target.exists()):
            return
        message = self._task.validate(self._file)
        if message != VALID:
            print(f"Its file is not submitted: {message}", flush=True)
            return
        self._task.submit(self._file)
        (self._task.code / "solution.py").write_text(last.code, encoding="utf-8")
        self._node = None if last.is_buggy else last
        print("Submitted.", flush=True)


def solve(task: Task) -> None:
    if task.model is None:
        raise ModelError("this agent needs a model; start the run with --models")
    steps = os.environ["STEPS"]
    note = NOTE.format(steps=steps, hours=task.seconds / 3600, hardware=task.hardware)
    # A solution that writes to the submission folder would replace a better one.
    paths = {str(task.data): "./input", str(task.submission): "./working"}
    instructions = re.sub("|".join(map(re.escape, paths)), lambda match: paths[match[0]], task.instructions)
    (task.folder / "task.md").write_text(instructions + note, encoding="utf-8")
    use_gateway()
    limit_preview()
    random.seed(task.seed)
    cfg = make_config(task)
    prep_agent_workspace(cfg)
    journal = Journal()
    agent = Agent(load_task_desc(cfg), cfg, journal)
    solutions = Solutions(task, cfg.workspace_dir, **dict(cfg.exec))
    file = cfg.workspace_dir / "working" / "submission.csv"
    best, failures = BestSolution(task, file), 0
    try:
        while len(journal) < cfg.agent.steps and failures < MAX_FAILURES:
            file.unlink(missing_ok=True)
            try:
                agent.step(exec_callback=solutions.run)
                failures = 0
                best.update(journal)
                save_run(cfg, journal)
            except _REFUSALS as refusal:
                if "budget_exceeded" not in str(refusal):
                    raise
                raise BudgetUsedUp(str(refusal)) from None
            except Exception:  # noqa: BLE001 - the search continues after any failure of AIDE
                failures += 1
                traceback.print_exc()
                for node in journal.nodes:  # the result of a failed step has a parent, but is not in the journal
                    node.children.intersection_update(journal.nodes)
    finally:
        solutions.cleanup_session()
    if failures:
        raise ModelError(f"{failures} steps in a row failed")
    print(f"Ended after {len(journal)} steps", flush=True)


if __name__ == "__main__":
    run(solve)
