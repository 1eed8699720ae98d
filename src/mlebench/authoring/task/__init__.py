"""Making a competition's folder of a table of one's own: `make_task` writes it, tries it, and puts it in place."""

from mlebench.authoring.task.folder import MadeTask, make_task

__all__ = ["MadeTask", "make_task"]
