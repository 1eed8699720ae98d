"""Writing a group of runs: its folder, its lock, its log, and its records, each written as a whole."""

from __future__ import annotations

import fcntl
import os
import platform
import threading
from pathlib import Path
from typing import IO, TYPE_CHECKING, Self

from mlebench.errors import GroupBusyError, RecordError, RunError
from mlebench.ground.clock import now
from mlebench.ground.files import write_atomically
from mlebench.ground.version import __version__
from mlebench.ground.wording import count, format_binary_size
from mlebench.runs.consistency import plan_problem
from mlebench.runs.group_log import GroupLog
from mlebench.runs.history import Step
from mlebench.runs.layout import ATTEMPTS, GRADING_REPORT, GROUP_LOG, LINKED, LOCK, METADATA, OPTIONS, RUN, SUBMISSIONS
from mlebench.runs.leftovers import sweep
from mlebench.runs.reader import read_record, read_run
from mlebench.runs.record import GroupRecord, PlanRecord, RunRecord, Status, digest_of
from mlebench.runs.recovery import catch_up, close_interrupted
from mlebench.runs.results import list_submissions, make_grading_report

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from mlebench.runs.events import EventLog
    from mlebench.runs.options import RunOptions
    from mlebench.sandbox.kernel.cgroup import Enforcement


class GroupStore:
    """The folder of a group, locked by one process at a time; its methods may be called from several threads."""

    def __init__(self, folder: Path, record: GroupRecord, lock_file: IO[str]) -> None:
        self.folder = folder
        self._record = record
        self._lock_file = lock_file  # the lock lasts as long as the file is open, so a killed process holds none
        self._lock = threading.Lock()
        self._log: GroupLog | None = None

    @classmethod
    def reopen(cls, folder: Path) -> Self:
        """Open an existing group.

        Raises
        ------
        RunError
            There is no group.
        GroupBusyError
            Another process has opened it.
        """
        if not (folder / METADATA).exists():
            raise RunError(f"{folder} is not a run group: it has no {METADATA}.")
        store = cls(folder, read_record(folder / METADATA, GroupRecord), _lock(folder))
        store._continue()
        return store

    @classmethod
    def open(
        cls,
        folder: Path,
        plan: PlanRecord,
        runs: Iterable[RunRecord],
        guarantees: Mapping[str, bool],
        enforcement: Enforcement,
    ) -> Self:
        """Open a group's folder, and create it if it does not exist; the records of its runs are kept.

        Parameters
        ----------
        folder
            The group's folder.
        plan, runs
            What the group does. An existing group must have the same plan.
        guarantees, enforcement
            What the sandbox protects, and how limits on memory are enforced; kept from an existing group.

        Raises
        ------
        RunError
            The folder holds a group with another plan, or its name is not UTF-8.
        GroupBusyError
            Another process has opened the group.
        """
        try:
            str(folder.absolute()).encode()
        except UnicodeEncodeError:
            raise RunError(f"The name of the folder {str(folder)!a} is not UTF-8. Use another name.") from None
        folder.mkdir(parents=True, exist_ok=True)
        file = _lock(folder)
        if (folder / METADATA).exists():
            old = read_record(folder / METADATA, GroupRecord)
            if old.plan != plan:
                raise RunError(
                    f"The group {folder.name} was started with other settings ({_difference(old.plan, plan)}). "
                    "Repeat the first command to continue it, or choose another --group."
                )
        else:
            old = GroupRecord(
                run_group=folder.name,
                created_at=now(),
                mlebench_version=__version__,
                machine=describe_machine(),
                guarantees=dict(guarantees),
                enforcement=enforcement,
                plan=plan,
                runs={run.run_id: run for run in runs},
                log="group.jsonl",
            )
            if (folder / GROUP_LOG).exists():
                raise RunError(
                    f"The group {folder.name} has a log, and no {METADATA}. Restore it, or choose another --group."
                )
            write_atomically(folder / METADATA, old.as_file())
        store = cls(folder, old, file)
        store._continue()
        if store._log is not None:
            close_interrupted(folder, store._record.runs.values(), store._log)
        store._write_metadata()
        return store

    def close(self) -> None:
        """Write the group's copy of the runs' records, note the end of the log, and release the lock."""
        try:
            with self._lock:
                self._write_metadata()
            if self._log is not None:
                self._lock_file.write(f"{self._log.head}\n")
        finally:
            if self._log is not None:
                self._log.close()
            self._lock_file.close()

    @property
    def record(self) -> GroupRecord:
        return self._record

    def run_folder(self, run: RunRecord) -> Path:
        return self.folder / run.run_id

    def attempt_folder(self, run: RunRecord) -> Path:
        return self.run_folder(run) / ATTEMPTS / str(run.attempt)

    def save(self, run: RunRecord, events: EventLog | None = None) -> None:
        """Write a run's record, and log the step that led to it.

        The group's copy of it, in `metadata.json`, is written when the group is opened, has ended, and is closed: to
        write thousands of records at each step of each run would take hours.

        Parameters
        ----------
        run
            The record.
        events
            The attempt's log, with an event that has the record's digest; None if the attempt has just begun.
        """
        folder = self.run_folder(run)
        folder.mkdir(exist_ok=True)
        write_atomically(folder / RUN, run.as_file())
        if self._log is not None:
            self._log.add(Step.of(run) if events is None else Step.of(run, events.number, events.head))
        with self._lock:
            self._record.runs[run.run_id] = run

    def save_options(self, options: RunOptions | None, parallel: int) -> None:
        """Write the options for `resume`, and log them with the number of runs at a time."""
        content = None if options is None else options.as_file()
        if self._log is not None:
            self._log.add_options(parallel, None if content is None else digest_of(content))
        if content is not None:
            write_atomically(self.folder / OPTIONS, content)

    def link_attempt(self, run: RunRecord) -> None:
        """Link the submission, code and logs of the attempt that counts into the run's folder."""
        folder = self.run_folder(run)
        for name in LINKED:
            if not (self.attempt_folder(run) / name).exists():
                (folder / name).unlink(missing_ok=True)  # of an earlier attempt
                continue
            temporary = folder / f".{name}.link"
            temporary.unlink(missing_ok=True)
            temporary.symlink_to(Path(ATTEMPTS, str(run.attempt), name))
            temporary.replace(folder / name)

    def write_results(self) -> None:
        """Write the files of the group that other programs read."""
        with self._lock:
            self._write_results()

    def _continue(self) -> None:
        """Take over what is on disk: the runs' own records, which are newer than the group's copies, and the log."""
        self._require_runs_of_plan()
        before = self._record
        paths = {run_id: self.run_folder(run) / RUN for run_id, run in self._record.runs.items()}
        newest = {run_id: read_run(path) for run_id, path in paths.items() if path.exists()}
        self._record = self._record.model_copy(update={"runs": before.runs | newest})
        self._require_runs_of_plan()
        if self._record.log is not None:
            self._log = GroupLog.open(self.folder, before, is_new=not newest)
        self._lock_file.truncate(0)
        for folder in (
            self.folder,
            *(path.parent for path in paths.values()),
            *map(self.attempt_folder, newest.values()),
        ):
            sweep(folder)
        if self._log is not None:
            catch_up(self.folder, newest.values(), self._log)
            if self._record.results != self._log.results:  # killed between writing the two
                self._record = self._record.model_copy(update={"results": self._log.results})
                if self._log.results:
                    write_atomically(self.folder / METADATA, self._record.as_file())

    def _require_runs_of_plan(self) -> None:
        """Raise RecordError if the records are not those of the plan; other names could lead out of the folder."""
        if problem := plan_problem(self._record):
            raise RecordError(f"The record {self.folder / METADATA} was changed: {problem} Restore it.")

    def _write_metadata(self) -> None:
        """Write the group's record; it never says that all runs are graded before the results exist."""
        if all(run.status is Status.GRADED for run in self._record.runs.values()):
            self._write_results()
        else:
            write_atomically(self.folder / METADATA, self._record.as_file())

    def _write_results(self) -> None:
        runs = self._record.runs.values()
        results = {SUBMISSIONS: list_submissions(self.folder, runs), GRADING_REPORT: make_grading_report(runs)}
        for name, content in results.items():
            write_atomically(self.folder / name, content)
        digests = {name: digest_of(content) for name, content in results.items()}
        if self._log is not None:
            self._log.add_results(digests)
        self._record = self._record.model_copy(update={"results": digests})
        write_atomically(self.folder / METADATA, self._record.as_file())


def _lock(folder: Path) -> IO[str]:
    """Lock a group."""
    file = (folder / LOCK).open("a")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        raise GroupBusyError(f"Another process is working on the group {folder}. Wait for it or stop it.") from None
    return file


def find_folder(name: str, runs_dir: Path) -> Path:
    """Return the folder of a group or a run, named below `runs_dir` or by a path; RunError if there is none."""
    for folder in (runs_dir / name, Path(name)):
        if folder.is_dir():
            return folder
    raise RunError(f"There is no run or group {name!r} in {runs_dir} or at that path.")


def describe_machine() -> str:
    """Describe this machine: cores, memory and system."""
    import psutil

    memory = format_binary_size(psutil.virtual_memory().total)
    return f"{count(os.cpu_count() or 1, 'core')}, {memory} memory, {platform.system()} {platform.machine()}"


def _difference(old: PlanRecord, new: PlanRecord) -> str:
    names = [name for name in PlanRecord.model_fields if getattr(old, name) != getattr(new, name)]
    return ", ".join(f"{name}: {getattr(old, name)} before, {getattr(new, name)} now" for name in names)


def count_graded(folder: Path) -> int:
    """Return the number of graded runs of a group; 0 if it does not exist."""
    return sum(read_record(path, RunRecord).status is Status.GRADED for path in folder.glob(f"*/{RUN}"))
