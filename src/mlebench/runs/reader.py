"""Reading a group of runs from disk: the one reader of its records."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from pydantic import BaseModel, ValidationError

from mlebench.errors import RecordError, ReportError
from mlebench.ground.files import open_regular
from mlebench.ground.wording import count
from mlebench.runs.layout import CURVE, METADATA, RUN
from mlebench.runs.record import CurveRecord, GroupRecord, RunRecord, Status

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pandas as pd

MAX_BYTES = 1024**3
"""Maximum size of a record; those of thousands of runs are far smaller."""
Record = TypeVar("Record", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Group:
    """A group of runs as it is on disk: finished, still running, or interrupted."""

    folder: Path
    record: GroupRecord
    """The group's plan and machine, and the current record of each run."""
    damages: Mapping[str, str] = field(default_factory=dict)
    """Why the record of a run cannot be used, by the name of the run's folder; such a run is not graded."""

    def __repr__(self) -> str:
        graded = sum(run.status is Status.GRADED for run in self.runs)
        return f"<Group {self.name}: {graded} of {count(self.runs, 'run')} graded>"

    @property
    def name(self) -> str:
        return self.record.run_group

    @property
    def runs(self) -> tuple[RunRecord, ...]:
        """All runs of the plan, in its order."""
        return tuple(self.record.runs.values())

    @property
    def is_finished(self) -> bool:
        """Whether every run is graded."""
        return all(run.status is Status.GRADED for run in self.runs)

    def to_frame(self) -> pd.DataFrame:
        """Return one row for each run.

        Returns
        -------
        pandas.DataFrame
            Columns `run_id`, `competition`, `version`, `agent`, `seed`, `status`, `reason` (why the run ended),
            `seconds` (its wall time), and from the verdict `outcome`, `score`, `medal`, `above_median`, `percentile`
            and `data`. What is not known yet is missing.
        """
        import pandas as pd

        return pd.DataFrame([_row(run) for run in self.runs])


def read_group(path: str | os.PathLike[str]) -> Group:
    """Read a group of runs.

    The state of a run is the one in its own `run.json`; the copy in `metadata.json` may be older. A damaged `run.json`
    is an entry of the group's `damages`, and does not keep the other runs from being read.

    Parameters
    ----------
    path
        The group's folder, or its `metadata.json`.

    Raises
    ------
    ReportError
        There is no group, or its `metadata.json` is damaged.
    """
    file = _group_file(Path(path))
    record = read_record(file, GroupRecord, "restore it, or repeat the `mlebench run` command")
    runs = dict(record.runs)
    damages = {}
    for run_file in sorted(file.parent.glob(f"*/{RUN}")):
        name = run_file.parent.name
        try:
            runs[name] = read_run(run_file)
        except RecordError as error:
            damages[name] = str(error)
            if name in runs:
                runs[name] = _without_results(runs[name])
    return Group(file.parent, record.model_copy(update={"runs": runs}), damages)


def read_record(file: Path, model: type[Record], remedy: str = "restore it or move it away") -> Record:
    """Read a record that this package wrote.

    Parameters
    ----------
    file : Path
        The record's file. A link, a pipe or a device is refused.
    model : type
        What the file describes, such as `RunRecord`.
    remedy : str
        What to do about a damaged file, for the message.

    Raises
    ------
    RecordError
        The file cannot be read, or is not such a record.
    """
    try:
        with open_regular(file) as opened:
            if os.fstat(opened.fileno()).st_size > MAX_BYTES:
                raise RecordError(f"The file {file} is larger than any record; {remedy}.")
            return model.model_validate_json(opened.read())
    except OSError as error:
        raise RecordError(f"The file {file} cannot be read ({error.strerror}); make it readable.") from error
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        what = f"{where}: {first['msg']}" if where else first["msg"]
        raise RecordError(f"The file {file} is damaged or from another version ({what}); {remedy}.") from error


def read_run(file: Path) -> RunRecord:
    """Read the record of a run; RecordError if it cannot be read, or is that of a run in another folder."""
    run = read_record(file, RunRecord, "remove its folder and repeat the `mlebench run` command")
    if run.run_id != file.parent.name:
        raise RecordError(
            f"The file {file} describes the run {run.run_id!r}, but its folder has another name;"
            " move it back to where it was written."
        )
    return run


def _without_results(run: RunRecord) -> RunRecord:
    """Return a run as one that is not graded: the group's copy of its record may be older."""
    fields = ("run_id", "competition_id", "version", "agent", "seed", "attempt", "description")
    return RunRecord(**{name: getattr(run, name) for name in fields}, status=Status.ENDED)


def read_curve(run_folder: Path, attempt: int) -> CurveRecord | None:
    """Read the score over time of one attempt of a run.

    Parameters
    ----------
    run_folder
        The run's folder.
    attempt
        Number of the attempt.

    Returns
    -------
    CurveRecord or None
        The content of `curve.json`; None if no snapshot of the attempt was graded.

    Raises
    ------
    ReportError
        The file is damaged or cannot be read.
    """
    path = run_folder / "attempts" / str(attempt) / CURVE
    try:
        return read_record(path, CurveRecord, "restore it, or remove it to do without the run's curve")
    except RecordError as error:
        if isinstance(error.__cause__, (FileNotFoundError, NotADirectoryError)):
            return None
        raise


def _group_file(path: Path) -> Path:
    if path.is_dir():
        file = path / METADATA
        if not file.is_file():
            groups = sorted(found.parent.name for found in path.glob(f"*/{METADATA}"))
            hint = f"name one of the groups in it: {', '.join(groups[:5])}" if groups else "name a group's folder"
            raise ReportError(f"The folder {path} is not a run group, since it has no {METADATA}; {hint}.")
        return file
    if not path.exists():
        raise ReportError(f"There is no run group at {path}; name a group's folder or its {METADATA}.")
    return path


def _row(run: RunRecord) -> dict[str, object]:
    verdict, ending = run.verdict, run.ending
    return {
        "run_id": run.run_id,
        "competition": run.competition_id,
        "version": run.version,
        "agent": run.agent,
        "seed": run.seed,
        "status": str(run.status),
        "reason": str(ending.reason) if ending else None,
        "seconds": ending.seconds if ending else None,
        "outcome": str(verdict.outcome) if verdict else None,
        "score": verdict.score if verdict else None,
        "medal": str(verdict.medal) if verdict and verdict.medal else None,
        "above_median": verdict.above_median if verdict else None,
        "percentile": verdict.percentile if verdict else None,
        "data": verdict.data if verdict else None,
    }
