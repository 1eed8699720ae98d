"""Asking what getting data takes, of the disk and of Kaggle, and showing the answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mlebench.errors import CredentialsError, KaggleError, MissingExtraError

if TYPE_CHECKING:
    from pathlib import Path

    from rich.console import Console

    from mlebench.cli.groups import Keeping
    from mlebench.data.plan import DataPlan
    from mlebench.tasks.competition import Competition


def plan_data(
    competitions: list[Competition],
    data_dir: Path,
    keeping: Keeping,
    jobs: int,
    *,
    offline: bool = False,
    bandwidth: float | None = None,
) -> DataPlan:
    """Return the plan; unless `offline`, Kaggle is asked for what is to be downloaded, all at once."""
    from mlebench.data.download import kaggle_client
    from mlebench.data.plan import make_plan, to_download

    sizes: dict[str, int] = {}
    rules: dict[str, bool] = {}
    problems: list[str] = []
    wanted = [competition.id for competition in to_download(competitions)]
    if wanted and not offline:
        try:
            survey = kaggle_client().survey(dict.fromkeys(wanted))
            sizes, rules, problems = survey.sizes, survey.accepted, list(survey.problems.values())
        except (CredentialsError, MissingExtraError, KaggleError) as error:
            problems = [str(error)]
    return make_plan(
        competitions,
        data_dir,
        keep_raw=keeping.keep_raw,
        keep_zip=keeping.keep_zip,
        link=keeping.link,
        jobs=jobs,
        bandwidth=bandwidth,
        sizes=sizes,
        rules=rules,
        problems=problems,
    )


def show_plan(plan: DataPlan, out: Console) -> None:
    """Print a plan: a row a competition, the sums, and why it cannot start."""
    from rich.table import Table

    from mlebench.data.plan import State
    from mlebench.ground.wording import format_short_duration, format_size

    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("competition", no_wrap=True)
    table.add_column("data")
    for name in ("download", "peak", "stays", "time"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("rules")
    for row in plan.rows:
        about = "about " if row.size_is == "declared" else ""
        unknown = row.size_is == "unknown" and row.state is State.DOWNLOAD
        sizes = (
            ["?"] * 4
            if unknown
            else [
                about + format_size(row.download) if row.download else "",
                format_size(row.peak) if row.peak else "",
                _signed(row.stays),
                format_short_duration(row.seconds) if row.seconds >= 1 else "",
            ]
        )
        table.add_row(row.competition, row.state, *sizes, row.rules)
    out.print(table)
    rate = f"{plan.bandwidth / 1e6:.3g} MB/s {plan.bandwidth_is}"
    for line in (
        f"To download: {format_size(plan.download)}, at {rate}.",
        f"Disk: {format_size(plan.disk_peak)} at the peak with {plan.jobs} at a time, {format_size(plan.disk_stays)} "
        f"afterwards; {format_size(plan.disk_free)} are free in {plan.data_dir}.",
        f"Time: about {format_short_duration(plan.seconds)}.",
        "It can start." if not plan.obstacles else "It cannot start:",
    ):
        out.print(line, soft_wrap=True)
    for obstacle in plan.obstacles:
        out.print(f"- {obstacle}", soft_wrap=True)
    for page in plan.pages:
        out.print(f"  {page}", soft_wrap=True)


def _signed(size: int) -> str:
    from mlebench.ground.wording import format_size

    return "" if size == 0 else format_size(size) if size > 0 else f"-{format_size(-size)}"
