"""How the scaffolds are spoken to: what a scripted model says so that each of them runs a script, and ends."""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mlebench.gateway.scripted import Reply, ToolCall

if TYPE_CHECKING:
    from collections.abc import Callable

SOLVE_WINE = """
import pandas as pd
from sklearn.gaussian_process import GaussianProcessClassifier
from sklearn.gaussian_process.kernels import RBF
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

train, test = pd.read_csv("DATA/train.csv"), pd.read_csv("DATA/test.csv")
columns = [name for name in test if name != "id"]
model = make_pipeline(StandardScaler(), GaussianProcessClassifier(3.0 * RBF(3.0), random_state=0))
scores = cross_val_score(model, train[columns], train["grower"], scoring="neg_log_loss", cv=3)
print("log loss", -scores.mean())
model.fit(train[columns], train["grower"])
made = pd.DataFrame(model.predict_proba(test[columns]), columns=model.classes_)
made.insert(0, "id", test["id"])
made.to_csv("OUT/submission.csv", index=False)
"""
"""A solution of demo-wine that earns a medal."""
SUBMIT_SAMPLE = "import shutil\n\nshutil.copy('DATA/sample_submission.csv', 'OUT/submission.csv')\n"
SUBMIT_FEW_ROWS = """
import subprocess

open("OUT/submission.csv", "w").writelines(open("DATA/sample_submission.csv").readlines()[:9])
print(subprocess.getoutput("sh $TOOLS_DIR/validate_submission.sh OUT/submission.csv"))
"""
"""A malformed file, shown to the submission check."""
HANG = "import time\n\ntime.sleep(1000)\n"


def call(tool: str, **arguments: object) -> Reply:
    """Return an answer that has a tool run."""
    return Reply("On with it.", (ToolCall(tool, arguments),))


@dataclass(frozen=True)
class Scaffold:
    """One of the agents that come along, and how a model has it do things."""

    name: str
    data: str
    """Where its scripts find the data: what `DATA` stands for in them."""
    out: str
    """Where they leave the submission: what `OUT` stands for."""
    answers: Callable[[str, float | None], list[Reply]]
    """The answers that have it run a script; the second is the score that a review gives it, None where it failed."""
    end: tuple[Reply, ...]
    """The answers that end it; none where it ends after a number of steps."""

    def run(self, script: str, score: float | None = None) -> list[Reply]:
        """Return the answers that have it run a script."""
        return self.answers(script.replace("DATA", self.data).replace("OUT", self.out), score)


def review(metric: float | None, *, bug: bool = False, **more: object) -> Reply:
    """Return a review of a solution for AIDE."""
    told = {"is_bug": bug, "summary": "As it says.", "metric": metric, "lower_is_better": True}
    return Reply(tool_calls=(ToolCall("submit_review", told),), **more)


def step(action: str, **arguments: object) -> str:
    """Return an answer in the format of the research agent."""
    head = (
        "Reflection: So far so good.\nResearch Plan and Status: **Look, train, submit.**\nFact Check: Nothing is new.\n"
    )
    return f"{head}Thought: On with it.\nAction: {action}\nAction Input: {json.dumps(arguments)}\n"


def write(name: str, code: str) -> list[Reply]:
    """Return two answers for the research agent: the step that has a script written, and the script."""
    asked = step("Edit Script (AI)", script_name=name, edit_instruction="As discussed.", save_name=name)
    return [Reply(asked), Reply(f"```python\n{code}\n```")]


def _file(code: str) -> str:
    return f"work_{zlib.crc32(code.encode()):08x}.py"


def _by_aide(code: str, score: float | None) -> list[Reply]:
    return [Reply(f"The plan is simple.\n\n```python\n{code}\n```"), review(score, bug=score is None)]


def _by_mlab(code: str, score: float | None) -> list[Reply]:
    return [*write(_file(code), code), Reply(step("Execute Script", script_name=_file(code)))]


def _by_bash(code: str, score: float | None) -> list[Reply]:
    return [call("bash", command=f"cat > {_file(code)} <<'END'\n{code}\nEND\npython {_file(code)}")]


def _by_openhands(code: str, score: float | None) -> list[Reply]:
    path = f"/home/code/{_file(code)}"
    written = call("file_editor", command="create", path=path, file_text=code)
    return [written, call("terminal", command=f"python {path}")]


AIDE = Scaffold("aide/smoke", "input", "working", _by_aide, ())
MLAB = Scaffold("mlab/smoke", "data", "submission", _by_mlab, (Reply(step("Final Answer", final_answer="Done.")),))
MINI_SWE_AGENT = Scaffold(
    "mini-swe-agent/smoke",
    "/home/data",
    "/home/submission",
    _by_bash,
    (call("bash", command="echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"),),
)
OPENHANDS = Scaffold(
    "openhands/smoke", "/home/data", "/home/submission", _by_openhands, (call("finish", message="It is in place."),)
)
SCAFFOLDS = {scaffold.name.partition("/")[0]: scaffold for scaffold in (AIDE, MLAB, MINI_SWE_AGENT, OPENHANDS)}
