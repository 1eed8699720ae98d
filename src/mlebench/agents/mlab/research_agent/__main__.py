"""Start: read the task, work on it, and keep what there is, whatever ends it."""

import sys

from mlebench_task import BudgetUsedUp, ModelError, Task, TimeIsUp, run

from .agent import NoAnswerError, ResearchAgent
from .settings import Settings


def main(task: Task) -> None:
    agent = ResearchAgent(task, Settings.from_environment(), task.folder / "work")
    agent.lay_out()
    try:
        agent.kept.log(f"Ended: {agent.run()}.")
    except (TimeIsUp, BudgetUsedUp) as end:
        agent.kept.log(f"Ended by the run: {type(end).__name__} {end}".strip())
        raise
    except (ModelError, NoAnswerError) as error:
        agent.kept.log(f"Ended: {error}.")
        sys.exit(1)
    finally:
        agent.kept.keep_submission()
        agent.kept.keep_code()


run(main)
