from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from mlebench.cli.output import print_json
from mlebench.errors import UnknownNameError

if TYPE_CHECKING:
    from pydantic import BaseModel


def schema(
    name: Annotated[str | None, typer.Argument(help="Name of a file format. Without it, all names are listed.")] = None,
) -> None:
    """Print the JSON schema of a file format.

    Example: mlebench schema competition
    """
    formats = _formats()
    if name is None:
        for known in sorted(formats):
            typer.echo(known)
        return
    if name not in formats:
        raise UnknownNameError("file format", name, formats)
    print_json(formats[name].model_json_schema())


def _formats() -> dict[str, type[BaseModel]]:
    from mlebench.agents.declaration import AgentDeclaration
    from mlebench.agents.environment import Environment
    from mlebench.analysis.model import Summary
    from mlebench.analysis.studies.record import AlignmentRecord
    from mlebench.authoring.agent.script import Script
    from mlebench.data import Manifest
    from mlebench.data.plan import DataPlan
    from mlebench.gateway.models import CallRecord, ModelsConfig, PriceTable, RecordedResponse
    from mlebench.grading.reports import Verdict
    from mlebench.runs.experiments import Experiment
    from mlebench.runs.options import RunOptions
    from mlebench.runs.profiles import Profile
    from mlebench.runs.record import CurveRecord, GroupRecord, RunRecord
    from mlebench.tasks.declaration import Declaration

    return {
        "agent": AgentDeclaration,
        "alignment": AlignmentRecord,
        "competition": Declaration,
        "curve": CurveRecord,
        "data-plan": DataPlan,
        "environment": Environment,
        "experiment": Experiment,
        "group": GroupRecord,
        "manifest": Manifest,
        "model-call": CallRecord,
        "models": ModelsConfig,
        "options": RunOptions,
        "prices": PriceTable,
        "profile": Profile,
        "recorded-answer": RecordedResponse,
        "rehearsal": Script,
        "report": Summary,
        "run": RunRecord,
        "verdict": Verdict,
    }
