"""Reading run groups from disk."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from pydantic import BaseModel, ValidationError

from mlebench.errors import ReportError
from mlebench.runs.record import GroupRecord, RunRecord

if TYPE_CHECKING:
    import os

GROUP_FILE = "metadata.json"
RUN_FILE = "run.json"

_Record = TypeVar("_Record", bound=BaseModel)


def read_group(path: str | os.PathLike[str]) -> tuple[GroupRecord, Path]:
    """Read a run group, given by its folder or by its `metadata.json`; returns it with the path of that file.

    Of each run the state in its own `run.json` counts, which the harness replaces more often than the copy
    in `metadata.json`. A group that is still running, or that was cut short, is read as it stands.

    Raises
    ------
    ReportError
        If a group is not there, or if one of its files is damaged.
    """
    file = _group_file(Path(path))
    return _read_group(file), file


def _group_file(path: Path) -> Path:
    if path.is_dir():
        file = path / GROUP_FILE
        if not file.is_file():
            groups = sorted(found.parent.name for found in path.glob(f"*/{GROUP_FILE}"))
            hint = f"name one of the groups in it: {', '.join(groups[:5])}" if groups else "name a group's folder"
            raise ReportError(f"The folder {path} is not a run group, since it has no {GROUP_FILE}; {hint}.")
        return file
    if not path.exists():
        raise ReportError(f"There is no run group at {path}; name a group's folder or its {GROUP_FILE}.")
    return path


def _read_group(file: Path) -> GroupRecord:
    group = _read(file, GroupRecord, "restore it, or give the same `mlebench run` command again")
    runs = dict(group.runs)
    # The folders may know more runs than metadata.json: it is written before the first run starts.
    for run_file in sorted(file.parent.glob(f"*/{RUN_FILE}")):
        run = _read(run_file, RunRecord, "remove its folder and give the same `mlebench run` command again")
        if run.run_id != run_file.parent.name:
            raise ReportError(
                f"The file {run_file} describes the run {run.run_id!r}, which its folder is not named after;"
                " move it back to where it was written."
            )
        runs[run.run_id] = run
    return group.model_copy(update={"runs": runs})


def _read(file: Path, model: type[_Record], remedy: str) -> _Record:
    try:
        return model.model_validate_json(file.read_bytes())
    except OSError as error:
        raise ReportError(f"The file {file} cannot be read ({error.strerror}); make it readable.") from error
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        what = f"{where}: {first['msg']}" if where else first["msg"]
        raise ReportError(f"The file {file} is damaged or from another version ({what}); {remedy}.") from error
