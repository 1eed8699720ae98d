"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from mlebench.tasks.registry import Registry

DataDir = Annotated[
    Path | None,
    typer.Option(help="Data directory; by default mle-bench/data in your cache folder."),
]
Folders = Annotated[
    list[Path] | None,
    typer.Option(
        "--folder", help="Your own competition's folder, or a folder that contains such folders; may be repeated."
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
CompetitionIds = Annotated[
    list[str] | None,
    typer.Option(
        "-c",
        "--competition-id",
        help="Id of a competition, such as leaf-classification or spaceship-titanic@v2; may be repeated.",
    ),
]
Split = Annotated[
    str | None,
    typer.Option(help="All competitions of a split: low (lite), medium, high, all, dev, demo; low@v2 for a version."),
]
TaskVersion = Annotated[
    str | None, typer.Option(help="Version of the competitions that do not name one, such as v2; by default v1.")
]
ListFile = Annotated[Path | None, typer.Option("-l", "--list", help="A file with one competition id per line.")]
All = Annotated[bool, typer.Option("-a", "--all", help="All competitions of the split `all`.")]
KeepRaw = Annotated[bool, typer.Option("--keep-raw", help="Keep the unpacked raw data.")]
KeepZip = Annotated[bool, typer.Option("--keep-zip", help="Keep downloaded archives.")]
Link = Annotated[
    bool,
    typer.Option(
        "--link/--no-link",
        help="Hard-link unchanged files to the raw data, so that raw data that are kept take little space.",
    ),
]
Bandwidth = Annotated[
    float | None,
    typer.Option(min=0.001, help="Download speed in MB per second; by default that of the latest downloads, or 20."),
]
Jobs = Annotated[int, typer.Option("-j", "--jobs", min=1, help="Competitions that are prepared at the same time.")]
RunsDir = Annotated[Path, typer.Option(help="Folder that contains the run groups.")]

ProfileName = Annotated[
    str | None,
    typer.Option(
        "--profile", help="Named limits: paper-24h, lite-4h, smoke and others (docs/runs.md), or a YAML file."
    ),
]
TimeLimit = Annotated[str | None, typer.Option(help="Wall time of a run, such as 90s, 45m or 24h.  [default: 24h]")]
Grace = Annotated[str, typer.Option(help="Time between SIGTERM and SIGKILL at the end of the time limit.")]
Memory = Annotated[float | None, typer.Option(min=0.1, help="GiB of memory of a run.  [default: 16]")]
Cpus = Annotated[
    float | None, typer.Option(min=0.1, help="Cores of a run; by default an equal share of the machine's.")
]
Disk = Annotated[float | None, typer.Option(min=0.1, help="GiB that a run may write to disk.  [default: 32]")]
Gpus = Annotated[int | None, typer.Option(min=0, help="GPUs of each run; no other run gets them.  [default: 0]")]
ModelsFile = Annotated[
    Path | None,
    typer.Option("--models", help="YAML file with the models that agents may ask, and their budget (docs/models.md)."),
]
ModelMode = Annotated[str, typer.Option(help="live, record, replay or continue; all but live need --recording.")]
Recording = Annotated[Path | None, typer.Option(help="File with recorded answers of models.")]


def open_registry(data_dir: Path | None, folders: list[Path] | None) -> Registry:
    """Return the registry that the options name."""
    from mlebench.tasks import registry

    return registry.open_registry(data_dir, folders or ())
