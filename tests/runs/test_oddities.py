"""Nothing that an agent leaves makes its run a failure of the harness, or keeps others from being reported."""

from pathlib import Path

import mlebench
from mlebench.analysis.live.site import Site
from mlebench.analysis.page.run import name_run_pages
from mlebench.analysis.tables import TABLES
from mlebench.analysis.tables.formats import FORMATS
from mlebench.grading.reports import Outcome
from mlebench.runs.record import Status
from mlebench.runs.regrade import regrade
from mlebench.runs.story import log, story
from mlebench.runs.verify import verify
from mlebench.sandbox.ending import Reason
from mlebench.sandbox.limits import Limits, MiB

from .. import oddities
from ..oddities import ODDITIES

PLACES = (
    *("submission/submission.csv", "submission/at_the_end.csv", "submission/.partial", "submission/snapshots"),
    *("code/odd", "code/.git/odd", "logs/odd", "logs/TIME_IS_NEARLY_UP.txt", "agent/odd"),
)
"""Where an agent of the test puts an odd file, below its home."""

LEAVE = (
    Path(oddities.__file__).read_text()
    + """
import sys, time
home = Path(os.environ["SUBMISSION_DIR"]).parent
source = Path(os.environ["DATA_DIR"], "sample_submission.csv").read_text()

def kept():
    "Wait until the harness has a snapshot; only without isolation can an agent know."
    attempts = list(Path(sys.argv[2]).glob("group/*_" + sys.argv[1] + "_*/attempts/1"))
    return any(list(attempt.glob("snapshots/*.csv")) for attempt in attempts)

kind, way, _ = sys.argv[1].replace("-", " ").partition(" to its end")
if way:
    (home / "submission/submission.csv").write_text(source)
    while not kept():
        time.sleep(0.05)
    (home / "submission/submission.csv").unlink()
for place in sys.argv[3:]:
    (home / place).parent.mkdir(exist_ok=True)
    ODDITIES[kind](home / place)
raise SystemExit(1 if way else 0)
"""
)


def leaving(arena, kind, *, cut_short):
    """Return an agent that leaves odd files, and if `cut_short` had a valid submission before and crashes then."""
    name = kind.replace(" ", "-") + ("-to-its-end" if cut_short else "")
    agent = arena.agent(name, LEAVE)
    command = ("{python}", "start.py", name, str(arena.folder / "runs"), *PLACES)
    return type(agent)(agent.declaration.model_copy(update={"command": command}), agent.folder)


def test_no_kind_of_file_anywhere_changes_whose_failure_a_run_is(arena):
    agents = [leaving(arena, kind, cut_short=cut_short) for kind in ODDITIES for cut_short in (False, True)]
    limits = Limits(seconds=120, grace=1, memory=512 * MiB, disk=64 * MiB)
    record = arena.run(arena.plan(*agents, sandbox="process", limits=limits), parallel=4)
    group = arena.folder / "runs" / "group"
    for run in record.runs.values():
        assert (run.status, run.attempt, run.incident) == (Status.GRADED, 1, None), run
        if run.agent.endswith("end"):
            assert (run.ending.reason, run.verdict.outcome) == (Reason.CRASHED, Outcome.GRADED), run
            assert "submission of second" in run.salvaged
        else:
            assert run.ending.reason is Reason.FINISHED
            assert run.verdict.outcome in (Outcome.INVALID, Outcome.MISSING), run
    assert verify(group) == []

    report = mlebench.report(group, registry=arena.registry)
    assert report.summary.runs_finished == len(agents)
    assert all(make(report.table(name)) for name in TABLES for make in FORMATS.values())
    assert report.write(run_pages=True).is_file()
    assert len(list(group.glob("report_files/*.html"))) == len(agents)
    site = Site([group], group.parent, arena.registry)
    pages = [
        "/",
        "/report.html",
        "/report.json",
        *(f"/report_files/{name}" for name in name_run_pages(report.summary).values()),
    ]
    assert {site.respond(page).status for page in pages} == {200}
    for run in record.runs.values():
        assert list(story(log(group / run.run_id)))
    regraded = regrade(group, data_dir=arena.registry.get_data_dir())
    changed = {run.run_id: run for run in regraded.runs if run.regrades[-1].verdict.outcome is not run.verdict.outcome}
    assert not changed
    assert verify(group) == []
