"""Running a group with live progress, for the commands that run groups."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mlebench.cli.output import console

if TYPE_CHECKING:
    from pathlib import Path

    from mlebench.runs.planning import PlannedGroup


def run_and_report(planned: PlannedGroup, *, json: bool) -> Path:
    """Run a group with live progress, print its report and write the page; return the page's path."""
    from mlebench.analysis.report import report
    from mlebench.cli.progress import LiveProgress
    from mlebench.cli.tables import print_report
    from mlebench.runs.launch import launch
    from mlebench.runs.readiness import make_ready

    out = console(stderr=True)
    sandbox = planned.plan.sandbox
    make_ready(planned, lambda agent: out.status(f"Installing {agent.id} for {sandbox}; this may take some minutes."))
    for line in planned.summary():
        out.print(line, soft_wrap=True)
    with LiveProgress(planned.forecast.runs, planned.forecast.done) as progress:
        launch(planned, progress=progress)
    made = report(planned.folder, registry=planned.registry)
    page = made.write()
    print_report(made, json=json)
    return page
