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
    from mlebench.runs.readiness import ensure_prepared, install_packages, missing_packages

    out = console(stderr=True)
    ensure_prepared(planned.plan.competitions.values(), rehearsal=planned.options.rehearsal)
    for agent in missing_packages(planned.plan):
        with out.status(f"Installing {agent.id} for {planned.plan.sandbox}; this may take some minutes."):
            install_packages(planned.plan, agent)
    for line in planned.summary():
        out.print(line, soft_wrap=True)
    with LiveProgress(planned.forecast.runs, planned.forecast.done) as progress:
        launch(planned, progress=progress)
    made = report(planned.folder, registry=planned.registry)
    page = made.write()
    print_report(made, json=json)
    return page
