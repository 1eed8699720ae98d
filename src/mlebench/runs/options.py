"""The options of a group of runs, as the command line and Python give them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from mlebench.errors import RunError, UsageError
from mlebench.gateway.models import ModelsConfig
from mlebench.runs.experiments import Experiment, get_experiment
from mlebench.runs.layout import OPTIONS


def _as_names(value: Any) -> Any:
    """Take one name for a list of one."""
    if value is None:
        return ()
    return tuple(str(name) for name in ([value] if isinstance(value, str | Path) else value))


Names = Annotated[tuple[str, ...], BeforeValidator(_as_names)]
Folders = Annotated[tuple[Path, ...], BeforeValidator(_as_names)]


class RunOptions(BaseModel):
    """What `mlebench run` and `mlebench.run` accept; `mlebench.run` documents each option."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    agents: Names = ()
    competitions: Names = ()
    split: str | None = None
    list_file: Path | None = None
    task_version: str | None = None
    experiment: str | None = None
    model: str | None = None
    seeds: Annotated[int, Field(ge=1)] | None = None
    parallel: Annotated[int, Field(ge=1)] | None = None
    profile: str | None = None
    time_limit: str | float | None = None
    grace: str | float = "10s"
    memory: float | None = None
    cpus: float | None = None
    disk: float | None = None
    gpus: Annotated[int, Field(ge=0)] | None = None
    sandbox: str = "auto"
    network: str = "closed"
    models: Path | ModelsConfig | None = None
    model_mode: str = "live"
    recording: Path | None = None
    obfuscated: bool = False
    group: str | None = None
    rehearsal: bool = False
    runs_dir: Path = Path("runs")
    data_dir: Path | None = None
    folders: Folders = ()

    @classmethod
    def of(cls, **options: Any) -> RunOptions:
        """Return checked options; raises UsageError for a wrong value."""
        try:
            return cls(**options)
        except ValidationError as error:
            first = error.errors(include_url=False, include_context=False)[0]
            name = str(first["loc"][0]) if first["loc"] else "options"
            raise UsageError(f"The option {name} is wrong: {first['msg']}, not {first['input']!r}.") from None

    @classmethod
    def read(cls, folder: Path) -> RunOptions:
        """Return the options that started the group in a folder.

        Raises RunError if the folder has none: it is not a group, or an earlier version of mlebench made it.
        """
        file = folder / OPTIONS
        try:
            options = cls.model_validate_json(file.read_bytes())
        except (OSError, ValidationError) as error:
            raise RunError(f"The options {file} cannot be read. Repeat the command that started the group.") from error
        place = folder.absolute()  # the folder may have been moved since
        return options.model_copy(update={"runs_dir": place.parent, "group": place.name})

    def as_file(self) -> str:
        """Return the content of `options.json`, with paths that do not depend on the working directory."""
        paths = ("list_file", "models", "recording", "runs_dir", "data_dir")
        update: dict[str, object] = {
            name: path.absolute() for name in paths if isinstance(path := getattr(self, name), Path)
        }
        update["agents"] = tuple(str(Path(name).absolute()) if Path(name).exists() else name for name in self.agents)
        update["folders"] = tuple(path.absolute() for path in self.folders)
        for name in ("experiment", "profile"):
            value = getattr(self, name)
            if value and value.endswith((".yaml", ".yml")):
                update[name] = str(Path(value).absolute())
        return self.model_copy(update=update).model_dump_json(indent=2) + "\n"

    @property
    def parts(self) -> tuple[RunOptions, ...]:
        """These options for each experiment that the experiment consists of; empty if they make a single group."""
        names = get_experiment(self.experiment).of if self.experiment else ()
        return tuple(self.model_copy(update={"experiment": name}) for name in names)


_SELECTION = ("competitions", "split", "list_file")
_CHANGES = (
    *(
        "agents",
        "model",
        *_SELECTION,
        "task_version",
        "seeds",
        "profile",
        "time_limit",
        "memory",
        "cpus",
        "disk",
        "gpus",
    ),
    *("models", "obfuscated", "rehearsal"),
)
"""Options that change an experiment: it is then recorded as `NAME (changed)`."""


class FilledOptions(BaseModel):
    """Options completed from their experiment."""

    model_config = ConfigDict(frozen=True)

    options: RunOptions
    name: str | None = None
    """Name of the experiment, with ` (changed)` where an option replaces part of it; None without an experiment."""
    roles: dict[str, str] = Field(default_factory=dict)
    environment: dict[str, str] = Field(default_factory=dict)

    @classmethod
    def of(cls, options: RunOptions) -> FilledOptions:
        """Complete options from the experiment that they name; options win."""
        if options.experiment is None:
            return cls(options=options)
        experiment: Experiment = get_experiment(options.experiment)
        is_file = options.experiment.endswith((".yaml", ".yml"))
        name = Path(options.experiment).stem if is_file else options.experiment
        selects = any(getattr(options, option) for option in _SELECTION)
        update = {
            "agents": options.agents or experiment.agents,
            "model": options.model or experiment.model,
            "seeds": options.seeds or experiment.seeds,
            "profile": options.profile or experiment.profile,
            "obfuscated": options.obfuscated or experiment.obfuscated,
            "models": options.models or experiment.models,
        }
        if not selects:
            update |= {"competitions": experiment.competitions, "split": experiment.split}
        is_changed = any(getattr(options, option) for option in _CHANGES)
        return cls(
            options=options.model_copy(update=update),
            name=f"{name} (changed)" if is_changed else name,
            roles=experiment.roles,
            environment=experiment.environment,
        )
