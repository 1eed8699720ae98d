"""New tasks: write the folder of one from a table, and check it before it runs.

make         write the folder, with the code, the briefs and the data of the task
check        check a task's folder: it must hold what every task must hold
table        the user's table; form: what a submission looks like under a metric
code         competition.yaml, task.py and test_task.py; briefs: the two briefs
leaderboard  scores of simple models; synthetic: rows for rehearsals
"""

from mlebench.authoring.task.check import check_task
from mlebench.authoring.task.make import NewTask, make_task

__all__ = ["NewTask", "check_task", "make_task"]
