"""The record of a group of runs, as `report` and `view` read it."""

from __future__ import annotations

import hashlib
import json
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from mlebench.analysis.live.site import Site
from mlebench.analysis.report import report
from mlebench.analysis.tables.formats import FORMATS
from mlebench.errors import MLEBenchError
from mlebench.runs.events import START, EventLog, link
from mlebench.runs.group_log import GroupLog
from mlebench.runs.history import Step
from mlebench.runs.layout import LINKED
from mlebench.runs.reader import read_curve
from mlebench.runs.record import CurveRecord
from mlebench.runs.seal import file_digest, seal
from mlebench.runs.snapshots import Snapshot

from ...analysis.records import make_group, make_point, make_run, make_verdict, running_group
from ..json_mutations import mutate_lines
from ..target import Target

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from mlebench.runs.record import GroupRecord

RUN = "a_aide_seed-0"
OF_GROUP = ("metadata.json", "group.jsonl", ".lock", "grading_report.json", "submission.jsonl")
OF_ATTEMPT = (
    "events.jsonl", "curve.json", "SHA256SUMS", "model_calls.jsonl",
    "snapshots/index.jsonl", "submission/submission.csv",
)  # fmt: skip


@contextmanager
def opened(folder: Path, data: Path) -> Iterator[Callable[[bytes], None]]:
    group = folder / "group"
    write_whole(group, example(), RUN)
    with changed_files(group, RUN, read_reports) as take:
        yield take


@contextmanager
def changed_files(group: Path, run_id: str, read: Callable[[Path], None]) -> Iterator[Callable[[bytes], None]]:
    """Yield a function that replaces files of a group and of one run as an input says, and reads the group."""
    names = {*OF_GROUP, f"{run_id}/run.json", *(f"{run_id}/attempts/1/{name}" for name in OF_ATTEMPT)}
    whole = {name: (group / name).read_bytes() for name in names if (group / name).is_file()}

    def take(content: bytes) -> None:
        for line in content.split(b"\n"):
            name, _, rest = line.partition(b" ")
            if (path := name.decode("latin-1")) in names:
                replace_file(group / path, rest)
        try:
            read(group)
        finally:
            for name in names:
                path = group / name
                path.write_bytes(whole[name]) if name in whole else path.unlink(missing_ok=True)

    yield take


def replace_file(path: Path, rest: bytes) -> None:
    """Replace a file by a text or by JSON; `null` removes it. The chain of events is made again."""
    try:
        content = json.loads(rest)
    except (ValueError, RecursionError):
        content = rest.decode("utf-8", "replace")
    if content is None:
        path.unlink(missing_ok=True)
    else:
        if isinstance(content, list) and path.suffix == ".jsonl":
            content = "".join(json.dumps(event) + "\n" for event in chained(content))
        text = content if isinstance(content, str) else json.dumps(content)
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(text.encode("utf-8", "surrogatepass"))


def chained(events: list[Any]) -> Iterator[Any]:
    """Yield events with a valid chain: whoever changes a log can make it again."""
    chain = START
    for event in events:
        if isinstance(event, dict):
            event = {key: value for key, value in event.items() if key != "chain"}
            chain = link(chain, event)
            event["chain"] = chain
        yield event


def read_reports(group: Path) -> None:
    """Report on a group and view it; errors on purpose are allowed."""
    with suppress(MLEBenchError):
        read_curve(group / RUN, 1)
    with suppress(MLEBenchError):
        made = report(group)
        json.loads(made.to_json())
        for place, name in enumerate(made.tables):
            made.to_frame(name)
            made.render(list(FORMATS)[place % len(FORMATS)], name)
    site = Site([group], group.parent, None)
    for page in ("/", "/report.html", "/report.json", f"/report_files/{RUN}.html"):
        if (answer := site.respond(page)) is not None:
            answer.body.decode("utf-8")


def example() -> GroupRecord:
    """Return a group with runs in every state, two of them graded."""
    group = running_group()
    return make_group(*group.runs.values(), make_run("a", seed=4, verdict=make_verdict("a", None)))


def write_whole(folder: Path, group: GroupRecord, run_id: str, submission: bytes = b"id,y\n1,2\n") -> None:
    """Write a group with a sealed run, as the harness does."""
    run = group.runs[run_id]
    for other in group.runs.values():
        (folder / other.run_id).mkdir(parents=True)
        (folder / other.run_id / "run.json").write_text(other.as_file(), encoding="utf-8")
    attempt = folder / run_id / "attempts" / "1"
    for name in ("submission", "snapshots"):
        (attempt / name).mkdir(parents=True)
    (attempt / "submission" / "submission.csv").write_bytes(submission)
    digest = hashlib.sha256(submission).hexdigest()
    (attempt / "snapshots" / f"{digest}.csv").write_bytes(submission)
    taken = [Snapshot(seconds=seconds, sha256=digest, bytes=len(submission)) for seconds in (0.5, 1.5)]
    (attempt / "snapshots" / "index.jsonl").write_text("".join(f"{one.model_dump_json()}\n" for one in taken))
    (attempt / "run.log").write_text("Done.\n", encoding="utf-8")
    curve = CurveRecord(points=(make_point(0.5, 0.7), make_point(1.5, 0.99)))
    with EventLog(attempt / "events.jsonl") as log:
        log("run", attempt=1, run=run_id, mlebench_version="1", machine="2 cores", group=group.head_digest())
        log("limits", seconds=60, memory=2**30)
        for snapshot in taken:
            log("snapshot", **snapshot.model_dump(exclude={"usage"}))
        log("ended", reason="finished", exit_code=0, seconds=7200.0)
        log("collected", submission_bytes=len(submission))
        seal(attempt, log)
        log("graded", outcome="graded", score=0.99, medal="gold", reason=None)
        (attempt / "curve.json").write_text(curve.model_dump_json(), encoding="utf-8")
        log("curve", points=2, sha256=file_digest(attempt / "curve.json"))
        log("recorded", status=run.status, sha256=file_digest(folder / run_id / "run.json"))
    for name in LINKED:
        if (attempt / name).exists():
            (folder / run_id / name).symlink_to(f"attempts/1/{name}")
    (folder / "metadata.json").write_text(group.as_file(), encoding="utf-8")
    steps = GroupLog.open(folder, group, is_new=True)
    for kind in ("started", "ended", "graded"):
        steps.add(Step.of(run, log.number, log.head, kind=kind))
    steps.add_options(1, None)
    steps.add_results({})
    steps.close()


TARGET = Target(
    opened,
    words=(b'"verdict": null', b'"status": "graded"', b'"attempt": 2', b'"regrades": [', b'"score": NaN'),
    max_bytes=16384,
    mutate=mutate_lines,
)
