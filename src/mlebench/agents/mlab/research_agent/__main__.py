"""Read the task, work on it, and keep the submission and the code however the work ends."""

import sys

from mlebench_task import BudgetUsedUp, ModelError, Task, TimeIsUp, run

from .agent import NoAnswerError, ResearchAgent
from .settings import Settings


def main(task: Task) -> None:
    agent = ResearchAgent(task, Settings.from_environment(), task.folder / "work")
    agent.prepare_work_folder()
    try:
        agent.outputs.log(f"Ended: {agent.run()}.")
    except (TimeIsUp, BudgetUsedUp) as end:
        agent.outputs.log(f"Ended by the run: {type(end).__name__} {end}".strip())
        raise
    except (ModelError, NoAnswerError) as error:
        agent.outputs.log(f"Ended: {error}.")
        sys.exit(1)
    finally:
        agent.outputs.keep_submission()
        agent.outputs.keep_code()


run(main)
