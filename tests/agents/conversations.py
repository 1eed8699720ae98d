"""Conversations with the bundled agents: the answers of a scripted model that make each run a script, and end."""

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
"""A solution of demo-wine that wins a medal."""
SUBMIT_SAMPLE = "import shutil\n\nshutil.copy('DATA/sample_submission.csv', 'OUT/submission.csv')\n"
SUBMIT_FEW_ROWS = """
import subprocess

open("OUT/submission.csv", "w").writelines(open("DATA/sample_submission.csv").readlines()[:9])
print(subprocess.getoutput("sh $TOOLS_DIR/validate_submission.sh OUT/submission.csv"))
"""
"""Writes an invalid file and asks the submission check."""
HANG = "import time\n\ntime.sleep(1000)\n"


def call(tool: str, **arguments: object) -> Reply:
    """Return an answer that calls a tool."""
    return Reply("On with it.", (ToolCall(tool, arguments),))


@dataclass(frozen=True)
class Scaffold:
    """A bundled agent, and the answers that make it do things."""

    name: str
    data: str
    """The folder of the data for its scripts, which replaces `DATA` in them."""
    out: str
    """The folder for the submission, which replaces `OUT`."""
    answers: Callable[[str, float | None], list[Reply]]
    """Returns the answers that run a script; the second argument is the score of a review, None for a failure."""
    end: tuple[Reply, ...]
    """The answers that end it; empty if it ends after a number of steps."""

    def run(self, script: str, score: float | None = None) -> list[Reply]:
        """Return the answers that make it run a script."""
        return self.answers(script.replace("DATA", self.data).replace("OUT", self.out), score)


def review(metric: float | None, *, bug: bool = False, **more: object) -> Reply:
    """Return a review of a solution for AIDE."""
    arguments = {"is_bug": bug, "summary": "As it says.", "metric": metric, "lower_is_better": True}
    return Reply(tool_calls=(ToolCall("submit_review", arguments),), **more)


def step(action: str, **arguments: object) -> str:
    """Return an answer in the format of the research agent."""
    head = (
        "Reflection: So far so good.\nResearch Plan and Status: **Look, train, submit.**\nFact Check: Nothing is new.\n"
    )
    return f"{head}Thought: On with it.\nAction: {action}\nAction Input: {json.dumps(arguments)}\n"


def write(name: str, code: str) -> list[Reply]:
    """Return two answers for the research agent: the step that asks for a script, and the script."""
    answer = step("Edit Script (AI)", script_name=name, edit_instruction="As discussed.", save_name=name)
    return [Reply(answer), Reply(f"```python\n{code}\n```")]


def _file(code: str) -> str:
    return f"work_{zlib.crc32(code.encode()):08x}.py"


def _answers_for_aide(code: str, score: float | None) -> list[Reply]:
    return [Reply(f"The plan is simple.\n\n```python\n{code}\n```"), review(score, bug=score is None)]


def _answers_for_mlab(code: str, score: float | None) -> list[Reply]:
    return [*write(_file(code), code), Reply(step("Execute Script", script_name=_file(code)))]


def _answers_for_mini_swe_agent(code: str, score: float | None) -> list[Reply]:
    return [call("bash", command=f"cat > {_file(code)} <<'END'\n{code}\nEND\npython {_file(code)}")]


def _answers_for_openhands(code: str, score: float | None) -> list[Reply]:
    path = f"/home/code/{_file(code)}"
    write_file = call("file_editor", command="create", path=path, file_text=code)
    return [write_file, call("terminal", command=f"python {path}")]


AIDE = Scaffold("aide/smoke", "input", "working", _answers_for_aide, ())
MLAB = Scaffold(
    "mlab/smoke", "data", "submission", _answers_for_mlab, (Reply(step("Final Answer", final_answer="Done.")),)
)
MINI_SWE_AGENT = Scaffold(
    "mini-swe-agent/smoke",
    "/home/data",
    "/home/submission",
    _answers_for_mini_swe_agent,
    (call("bash", command="echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"),),
)
OPENHANDS = Scaffold(
    "openhands/smoke",
    "/home/data",
    "/home/submission",
    _answers_for_openhands,
    (call("finish", message="It is in place."),),
)
SCAFFOLDS = {scaffold.name.partition("/")[0]: scaffold for scaffold in (AIDE, MLAB, MINI_SWE_AGENT, OPENHANDS)}
