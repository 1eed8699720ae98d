"""mlebench: an offline Kaggle that measures how well AI agents do machine-learning engineering.

    >>> import mlebench
    >>> mlebench.get_competition("spaceship-titanic").name
    'Spaceship Titanic'

The names in `__all__` are the public Python interface. Each is imported when it is first used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from mlebench.ground.version import __version__

if TYPE_CHECKING:
    from mlebench.agents.declaration import Agent
    from mlebench.agents.image_build import build_image
    from mlebench.agents.installation import Installation, install_agent
    from mlebench.agents.registry import get_agent, list_agents
    from mlebench.analysis.live.server import view
    from mlebench.analysis.report import Report, report
    from mlebench.analysis.studies.alignment import study_alignment
    from mlebench.authoring.agent import AgentCheck, check_agent, make_agent
    from mlebench.authoring.task import NewTask, check_task, make_task
    from mlebench.data import (
        PrepareOptions,
        clean_data,
        data_status,
        ensure_leaderboard_exists,
        is_dataset_prepared,
        plan_data,
        prepare,
        record_checksums,
    )
    from mlebench.errors import InvalidSubmissionError, MLEBenchError
    from mlebench.export import export_reference_tree
    from mlebench.grade import check_submission, grade_csv, grade_jsonl, judge, validate, validate_submission
    from mlebench.grading.check import SubmissionCheck
    from mlebench.grading.datasets import VerifiedData, prepare_many, verify_data
    from mlebench.grading.reports import CompetitionReport, Outcome, Verdict
    from mlebench.images.build import BuiltImage
    from mlebench.images.image import Image, list_images
    from mlebench.kaggle.leaderboards import Comparison, compare_leaderboard
    from mlebench.kaggle.notebooks import Kernels, download_kernels
    from mlebench.runs.doctor import Diagnosis, doctor
    from mlebench.runs.launch import resume, run, run_async
    from mlebench.runs.options import RunOptions
    from mlebench.runs.progress import Progress
    from mlebench.runs.reader import Group, read_group
    from mlebench.runs.record import RunRecord
    from mlebench.runs.regrade import regrade
    from mlebench.runs.story import log
    from mlebench.runs.verify import verify
    from mlebench.sandbox.stop import StopSignal
    from mlebench.scan.report import ScanReport
    from mlebench.scan.scan import scan_task
    from mlebench.tasks.competition import Competition
    from mlebench.tasks.declaration import Declaration
    from mlebench.tasks.facts import CompetitionFacts, describe_competition
    from mlebench.tasks.grader import Grader
    from mlebench.tasks.lookup import get_competition, list_competitions
    from mlebench.tasks.medals import Leaderboard, Medal
    from mlebench.tasks.ref import TaskRef, Version
    from mlebench.tasks.registry import Registry

_HOMES = {
    "agents.declaration": ("Agent",),
    "agents.image_build": ("build_image",),
    "agents.installation": ("Installation", "install_agent"),
    "agents.registry": ("get_agent", "list_agents"),
    "analysis.live.server": ("view",),
    "analysis.report": ("Report", "report"),
    "analysis.studies.alignment": ("study_alignment",),
    "authoring.agent": ("AgentCheck", "check_agent", "make_agent"),
    "authoring.task": ("NewTask", "check_task", "make_task"),
    "data": (
        "PrepareOptions",
        "clean_data",
        "data_status",
        "ensure_leaderboard_exists",
        "is_dataset_prepared",
        "plan_data",
        "prepare",
        "record_checksums",
    ),
    "errors": ("InvalidSubmissionError", "MLEBenchError"),
    "export": ("export_reference_tree",),
    "grade": ("check_submission", "grade_csv", "grade_jsonl", "judge", "validate", "validate_submission"),
    "grading.check": ("SubmissionCheck",),
    "grading.datasets": ("VerifiedData", "prepare_many", "verify_data"),
    "grading.reports": ("CompetitionReport", "Outcome", "Verdict"),
    "images.build": ("BuiltImage",),
    "images.image": ("Image", "list_images"),
    "kaggle.leaderboards": ("Comparison", "compare_leaderboard"),
    "kaggle.notebooks": ("Kernels", "download_kernels"),
    "runs.doctor": ("Diagnosis", "doctor"),
    "runs.launch": ("resume", "run", "run_async"),
    "runs.options": ("RunOptions",),
    "runs.progress": ("Progress",),
    "runs.reader": ("Group", "read_group"),
    "runs.record": ("RunRecord",),
    "runs.regrade": ("regrade",),
    "runs.story": ("log",),
    "runs.verify": ("verify",),
    "sandbox.stop": ("StopSignal",),
    "scan.report": ("ScanReport",),
    "scan.scan": ("scan_task",),
    "tasks.competition": ("Competition",),
    "tasks.declaration": ("Declaration",),
    "tasks.facts": ("CompetitionFacts", "describe_competition"),
    "tasks.grader": ("Grader",),
    "tasks.lookup": ("get_competition", "list_competitions"),
    "tasks.medals": ("Leaderboard", "Medal"),
    "tasks.ref": ("TaskRef", "Version"),
    "tasks.registry": ("Registry",),
}
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [
    "Agent",
    "AgentCheck",
    "BuiltImage",
    "Comparison",
    "Competition",
    "CompetitionFacts",
    "CompetitionReport",
    "Declaration",
    "Diagnosis",
    "Grader",
    "Group",
    "Image",
    "Installation",
    "InvalidSubmissionError",
    "Kernels",
    "Leaderboard",
    "MLEBenchError",
    "Medal",
    "NewTask",
    "Outcome",
    "PrepareOptions",
    "Progress",
    "Registry",
    "Report",
    "RunOptions",
    "RunRecord",
    "ScanReport",
    "StopSignal",
    "SubmissionCheck",
    "TaskRef",
    "Verdict",
    "VerifiedData",
    "Version",
    "__version__",
    "build_image",
    "check_agent",
    "check_submission",
    "check_task",
    "clean_data",
    "compare_leaderboard",
    "data_status",
    "describe_competition",
    "doctor",
    "download_kernels",
    "ensure_leaderboard_exists",
    "export_reference_tree",
    "get_agent",
    "get_competition",
    "grade_csv",
    "grade_jsonl",
    "install_agent",
    "is_dataset_prepared",
    "judge",
    "list_agents",
    "list_competitions",
    "list_images",
    "log",
    "make_agent",
    "make_task",
    "plan_data",
    "prepare",
    "prepare_many",
    "read_group",
    "record_checksums",
    "regrade",
    "report",
    "resume",
    "run",
    "run_async",
    "scan_task",
    "study_alignment",
    "validate",
    "validate_submission",
    "verify",
    "verify_data",
    "view",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'mlebench' has no attribute {name!r}")
    return getattr(importlib.import_module(f"mlebench.{_HOME_OF[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
