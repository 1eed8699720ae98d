"""Recognise the kind of task, fit a model, and write a submission.

The sample submission is submitted first, so a valid file is left even if the task is not understood or a limit ends the
run early.
"""

import os
import shutil
import sys
import traceback
from pathlib import Path

from . import solvers
from .task import Task, find_sample

DATA = Path(os.environ["DATA_DIR"])
SUBMISSION = Path(os.environ["SUBMISSION_DIR"])
CODE = Path(os.environ["CODE_DIR"])
SEED = int(os.environ.get("SEED", "0"))


def main() -> None:
    target = SUBMISSION / "submission.csv"
    shutil.copyfile(find_sample(DATA), target)
    for file in Path(__file__).parent.glob("*.py"):
        shutil.copyfile(file, CODE / file.name)
    try:
        task = Task.read(DATA)
        print(f"The task: {task}", flush=True)
        predictions = solvers.solve(task, SEED)
    except Exception:  # noqa: BLE001  the sample submission stays after any failure
        traceback.print_exc()
        print("Giving up; the sample submission stays in place.", flush=True)
        sys.exit(0)
    temporary = target.with_name("submission.part")
    predictions.to_csv(temporary, index=False)
    temporary.replace(target)
    print(f"Wrote {len(predictions)} predictions.", flush=True)


if __name__ == "__main__":
    main()
