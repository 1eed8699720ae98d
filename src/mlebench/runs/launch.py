"""Running groups from Python: `run`, `run_async` and `resume`."""

from __future__ import annotations

import asyncio
import functools
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mlebench.errors import UsageError
from mlebench.runs.group import run_group
from mlebench.runs.options import RunOptions
from mlebench.runs.planning import plan_group
from mlebench.runs.progress import as_progress
from mlebench.runs.reader import Group, read_group
from mlebench.runs.readiness import make_ready
from mlebench.sandbox.ending import Reason
from mlebench.sandbox.stop import StopSignal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mlebench.gateway.models import ModelsConfig
    from mlebench.runs.planning import PlannedGroup
    from mlebench.runs.progress import Progress, RunCallback

    Names = str | Path | Sequence[str | Path]


def run(
    agents: Names = (),
    competitions: Names = (),
    *,
    split: str | None = None,
    list_file: Path | None = None,
    task_version: str | None = None,
    experiment: str | None = None,
    model: str | None = None,
    seeds: int | None = None,
    parallel: int | None = None,
    profile: str | None = None,
    time_limit: str | float | None = None,
    grace: str | float = "10s",
    memory: float | None = None,
    cpus: float | None = None,
    disk: float | None = None,
    gpus: int | None = None,
    sandbox: str = "auto",
    network: str = "closed",
    models: Path | ModelsConfig | None = None,
    model_mode: str = "live",
    recording: Path | None = None,
    obfuscated: bool = False,
    group: str | None = None,
    rehearsal: bool = False,
    runs_dir: Path | str = "runs",
    data_dir: Path | None = None,
    folders: Sequence[Path] = (),
    progress: Progress | RunCallback | None = None,
    stop: StopSignal | None = None,
) -> Group:
    """Run agents on competitions, several seeds each, and grade what they submit.

    The same call continues an interrupted group: graded runs stay, other runs are attempted again. Embedded
    competitions, and all with `rehearsal`, are prepared first. Packages of agents are installed first.

    Several groups may run at the same time, in threads of one process too.

    Parameters
    ----------
    agents
        Names of agents, such as `baseline` or `aide/smoke`, or folders with an `agent.yaml`.
    competitions
        Ids of competitions, with `@v2` for that version.
    split, list_file
        Instead of `competitions`: the name of a split, or a file with one id on each line.
    task_version
        Version of the competitions that do not name one, such as `v2`; `v1` by default.
    experiment
        Name or YAML file of an experiment; the other options replace parts of it.
    model
        The model that agents ask, instead of the one that they declare.
    seeds
        Number of runs of each agent on each competition; 1 by default.
    parallel
        Number of runs at the same time; by default as many as fit on this machine.
    profile
        Name or YAML file of a resource profile, such as `paper-24h`.
    time_limit
        Wall time of a run: seconds, or text such as `45m`; 24 hours by default.
    grace
        Time between SIGTERM and SIGKILL at the end of the time limit.
    memory, disk
        GiB of memory of a run (16 by default), and GiB that it may write (32 by default).
    cpus
        Cores of a run; by default an equal share of the machine's.
    gpus
        Number of GPUs of a run; 0 by default.
    sandbox
        `bubblewrap`, `docker`, `podman`, `process`, or `auto` for the best of the first three. `process` provides no
        isolation.
    network
        `closed`, or `open` in `docker` and `podman`.
    models
        The models that agents may ask: a `ModelsConfig` or its YAML file.
    model_mode, recording
        `live`, or `record`, `replay` or `continue` with a file of recorded answers.
    obfuscated
        Give agents the brief that does not name the competition.
    group
        Name of the group; by default derived from the plan.
    rehearsal
        Run on tiny synthetic data; never counts as a result.
    runs_dir
        Folder of run groups.
    data_dir
        Data directory; by default `mle-bench/data` in the user's cache folder.
    folders
        Competition folders of your own, or folders that contain them.
    progress
        A function that is called with the `RunRecord` of each run that starts or finishes, or an object with the
        methods of `Progress`. Calls come from several threads.
    stop
        Ends the group early when another thread calls its `request`: what is done is kept, and `run` returns the
        unfinished group.

    Returns
    -------
    Group
        The group with the record and verdict of each run; `to_frame()` makes a table of it.

    Raises
    ------
    UsageError
        An option is missing, wrong, or contradicts another one.
    NotPreparedError
        The data of a competition are not prepared.
    EnvironmentUnfitError
        This machine lacks something that the runs need.
    RunError
        The group exists with other settings.

    Examples
    --------
    >>> import mlebench
    >>> group = mlebench.run(["baseline"], ["demo-wine"], seeds=3)  # doctest: +SKIP
    >>> group.to_frame()[["agent", "seed", "score", "medal"]]  # doctest: +SKIP
    """
    options = RunOptions.of(
        agents=agents,
        competitions=competitions,
        split=split,
        list_file=list_file,
        task_version=task_version,
        experiment=experiment,
        model=model,
        seeds=seeds,
        parallel=parallel,
        profile=profile,
        time_limit=time_limit,
        grace=grace,
        memory=memory,
        cpus=cpus,
        disk=disk,
        gpus=gpus,
        sandbox=sandbox,
        network=network,
        models=models,
        model_mode=model_mode,
        recording=recording,
        obfuscated=obfuscated,
        group=group,
        rehearsal=rehearsal,
        runs_dir=runs_dir,
        data_dir=data_dir,
        folders=folders,
    )
    return _make_ready_and_launch(options, progress, stop)


async def run_async(agents: Names = (), competitions: Names = (), **options: Any) -> Group:
    """Run a group without blocking the event loop.

    When the task is cancelled, the group stops as after Ctrl-C: what is done is kept, and the same call continues it.

    Parameters
    ----------
    agents, competitions, **options
        The arguments of `run`.

    Returns
    -------
    Group
        As from `run`.
    """
    stop = options.pop("stop", None) or StopSignal()
    thread = asyncio.ensure_future(
        asyncio.to_thread(functools.partial(run, agents, competitions, stop=stop, **options))
    )
    try:
        return await asyncio.shield(thread)
    except asyncio.CancelledError:
        stop.request(Reason.STOPPED)
        await asyncio.wait([thread])
        raise


def resume(
    group: Path | str,
    *,
    progress: Progress | RunCallback | None = None,
    stop: StopSignal | None = None,
) -> Group:
    """Continue a group in its folder, with the options that it was started with.

    Parameters
    ----------
    group
        The group's folder.
    progress, stop
        As in `run`.

    Raises
    ------
    RunError
        The folder has no record of the options: it is not a group, or an earlier version of mlebench made it.
    """
    return _make_ready_and_launch(RunOptions.read(Path(group)), progress, stop)


def _make_ready_and_launch(
    options: RunOptions, progress: Progress | RunCallback | None, stop: StopSignal | None
) -> Group:
    if stop is not None and not isinstance(stop, StopSignal):
        raise UsageError(f"stop must be a StopSignal, not {type(stop).__name__}.")
    planned = plan_group(options)
    make_ready(planned)
    return launch(planned, progress=progress, stop=stop)


def launch(
    planned: PlannedGroup,
    *,
    progress: Progress | RunCallback | None = None,
    stop: StopSignal | None = None,
) -> Group:
    """Run a planned group that `make_ready` made ready; `run` explains the parameters."""
    run_group(
        planned.plan,
        planned.folder,
        planned.registry,
        slots=planned.slots,
        progress=as_progress(progress),
        stop=stop,
        options=planned.options,
    )
    return read_group(planned.folder)
