"""What a reader must know before trusting the numbers: one sentence each, the most serious first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mlebench.analysis.model import Rule
from mlebench.analysis.standings import differing_thresholds, find_competition
from mlebench.errors import UnknownNameError
from mlebench.grading.reports import Outcome
from mlebench.ground.wording import count, join_names, printable
from mlebench.tasks.ref import TaskRef, Version

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from mlebench.analysis.evaluation import Evaluation
    from mlebench.analysis.model import AgentSummary, RunResult
    from mlebench.analysis.sources import Sources
    from mlebench.runs.record import GroupRecord

MAX_NAMES = 5
"""Names in a sentence; of more, the sentence gives the number."""


def find_caveats(
    sources: Sources, evaluation: Evaluation, left_out: Mapping[str, Sequence[str]], damaged_curves: Sequence[str] = ()
) -> list[str]:
    """Return the sentences that apply, without control characters.

    Parameters
    ----------
    sources : Sources
        What the report is made from.
    evaluation : Evaluation
        The runs, and which of them count.
    left_out : mapping
        Competitions that were left out on request, with the kinds of their known problems.
    damaged_curves : sequence of str
        Why a run's curve cannot be read, one sentence for each.
    """
    runs = [run for of_agent in evaluation.runs.values() for run in of_agent]
    if not runs:
        return ["There are no runs."]
    groups = [group.record for group in sources.groups]
    sentences = [
        *_data_caveats(runs),
        *_record_caveats(runs, evaluation),
        *_problem_caveats(runs, left_out),
        *_sandbox_caveats(groups),
        *_leaderboard_caveats(groups),
        *_salvage_caveats(groups),
        *_harness_caveats(groups),
        *_damage_caveats(sources, damaged_curves),
        *_report_caveats(sources, evaluation),
        *_gap_caveats(runs),
        *(sentence for agent in evaluation.agents for sentence in _seed_caveats(agent)),
        *_mixture_caveats(groups, runs, evaluation.agents),
    ]
    return [printable(sentence) for sentence in sentences]


def _data_caveats(runs: Sequence[RunResult]) -> Iterator[str]:
    finished = [run for run in runs if run.finished]
    rehearsed = [run for run in finished if run.is_rehearsal]
    if rehearsed and len(rehearsed) == len(finished):
        yield (
            "Rehearsal: every run used tiny synthetic data. Nothing here is a result; medals only show that the"
            " machinery works."
        )
    elif rehearsed:
        yield (
            f"{count(rehearsed, 'run')} on rehearsal data: never a result, and not in the means"
            f" ({_names(run.competition for run in rehearsed)})."
        )
    for origin, description in (
        ("unverified", "data that were not checked against the recorded checksums"),
        ("unknown", "data of unknown origin"),
    ):
        labels = [run.competition for run in finished if run.data == origin]
        if labels:
            yield f"{count(labels, 'run')} used {description} ({_names(labels)})."


def _record_caveats(runs: Sequence[RunResult], evaluation: Evaluation) -> Iterator[str]:
    labels = {run.competition for run in runs if run.finished and run.data in ("kaggle", "unverified")}
    competitions = [find_competition(label, evaluation.registry) for label in sorted(labels)]
    without: dict[str, list[str]] = {}
    for competition in competitions:
        if competition and competition.version is not Version.V1 and not competition.checksums.is_file():
            without.setdefault(competition.version, []).append(competition.id)
    for version, names in without.items():
        yield f"{version} of {count(names, 'competition')} is not yet verified on real data: {_names(names)}."


def _problem_caveats(runs: Sequence[RunResult], left_out: Mapping[str, Sequence[str]]) -> Iterator[str]:
    absent = {run.competition for run in runs} & set(left_out)
    if absent:
        kinds = _names(kind for label in absent for kind in left_out[label])
        yield (
            f"{count(absent, 'competition')} with known problems ({kinds}) left out of the means on request:"
            f" {_names(absent)}."
        )


def _sandbox_caveats(groups: Sequence[GroupRecord]) -> Iterator[str]:
    for group in groups:
        unprotected = [name.replace("_", " ") for name, is_protected in group.guarantees.items() if not is_protected]
        if len(unprotected) == len(group.guarantees):
            yield (
                f"The group {group.run_group!r} ran without isolation (sandbox {group.plan.sandbox!r}): its agents"
                " could read the answers, the machine's files and the network."
            )
        elif unprotected := [name for name in unprotected if name != "network"]:  # which has a sentence below
            yield (
                f"The sandbox {group.plan.sandbox!r} of the group {group.run_group!r} did not protect"
                f" {_names(unprotected)}."
            )
        if group.plan.network == "open":
            yield (
                f"The network was open to the agents of the group {group.run_group!r}: they could look up solutions"
                " and answers."
            )
        if group.plan.models and group.plan.models.hosted_tools:
            yield (
                f"The agents of the group {group.run_group!r} could use tools at the models' providers: they could"
                " look up solutions and answers."
            )
        if allowed := group.plan.models and group.plan.models.allowed_fields:
            yield (
                f"The models of the group {group.run_group!r} got fields that the gateway refuses unless they are"
                f" allowed: {_names(name for names in allowed.values() for name in names)}."
            )


def _leaderboard_caveats(groups: Sequence[GroupRecord]) -> Iterator[str]:
    verdicts = [run.verdict for group in groups for run in group.runs.values() if run.verdict]
    models = [verdict.competition_id for verdict in verdicts if verdict.leaderboard == "models"]
    if models:
        yield (
            f"The leaderboard of {_names(models)} consists of models, not of people: its medals say nothing about"
            " human competitors."
        )


def _salvage_caveats(groups: Sequence[GroupRecord]) -> Iterator[str]:
    salvaged = [run.run_id for group in groups for run in group.runs.values() if run.salvaged]
    if salvaged:
        yield (
            f"{count(salvaged, 'run')} ended early without a valid submission; the last valid snapshot counts instead:"
            f" {_names(salvaged)}."
        )


def _harness_caveats(groups: Sequence[GroupRecord]) -> Iterator[str]:
    runs = [run for group in groups for run in group.runs.values()]
    incidents = [run.run_id for run in runs if run.incident]
    if incidents:
        yield (
            f"The harness failed after the agent's end in {count(incidents, 'run')}: {_names(incidents)}. What could be"
            " collected counts; `mlebench log` tells what failed."
        )
    repeated = [run.run_id for run in runs if run.attempt > 1]
    if repeated:
        yield (
            f"{count(repeated, 'run')} had several attempts, since the harness failed or was interrupted:"
            f" {_names(repeated)}. The last attempt counts."
        )


def _damage_caveats(sources: Sources, damaged_curves: Sequence[str]) -> Iterator[str]:
    for group in sources.groups:
        if group.damages:
            names, first = _names(group.damages), next(iter(group.damages.values()))
            yield f"The records of {count(group.damages, 'run')} cannot be used, so they do not count: {names}. {first}"
    if damaged_curves:
        yield f"The snapshots of {count(damaged_curves, 'run')} are left out: {damaged_curves[0]}"


def _report_caveats(sources: Sources, evaluation: Evaluation) -> Iterator[str]:
    for report in sources.reports:
        for what, claimed, counted in report.disagreements():
            yield (f"The report {report.name!r} claims {claimed} {what}, but its rows have {counted}: the rows count.")
        odd = {row.competition_id: text for row in report.rows for text in row.contradictions()}
        if odd:
            yield (
                f"The report {report.name!r} contradicts itself in {count(odd, 'row')}; the better claim counts:"
                f" {_names(f'{name} ({text})' for name, text in odd.items())}."
            )
    if differing := differing_thresholds(sources.reports, evaluation.registry):
        yield (
            f"Reports have other thresholds than the leaderboards here for {_names(differing)}; medals are those of"
            " the reports."
        )
    if any(row.data is None for report in sources.reports for row in report.rows):
        yield (
            f"{count(sources.reports, 'report')} of other programs do not say which data, sandbox and limits the runs"
            " had."
        )


def _gap_caveats(runs: Sequence[RunResult]) -> Iterator[str]:
    unfinished = [run.run_id for run in runs if not run.finished]
    if unfinished:
        yield f"{count(unfinished, 'run')} of {len(runs)} not finished: {_names(unfinished)}."
    failed = [run.run_id for run in runs if run.outcome is Outcome.FAILED]
    if failed:
        yield f"Grading failed for {count(failed, 'run')}: {_names(failed)}. They count as submitted but not valid."


def _seed_caveats(agent: AgentSummary) -> Iterator[str]:
    name, seeds = agent.agent, agent.seeds_counted
    if not seeds:
        yield f"The agent {name!r} has no finished run that counts."
    elif agent.rule is Rule.PADDED:
        if agent.runs_padded:
            yield f"{count(agent.runs_padded, 'run')} of the agent {name!r} missing; they count as not submitted."
    elif agent.rule is Rule.ALL:
        yield (
            f"The agent {name!r} has no seed with every competition finished. Its means are over"
            f" {count(seeds, 'started seed')}; unfinished runs count as not submitted."
        )
    elif seeds != agent.seeds:
        left_over = f"; {count(agent.runs_left_over, 'finished run')} left over" if agent.runs_left_over else ""
        yield (
            f"The means of the agent {name!r} are over the {count(seeds, 'seed')} (of {len(agent.seeds)}) in which"
            f" every competition is finished{left_over}."
        )
    if len(seeds) == 1:
        yield f"Only one seed of the agent {name!r} counts: its means have no standard error."


def _mixture_caveats(
    groups: Sequence[GroupRecord], runs: Sequence[RunResult], agents: Sequence[AgentSummary]
) -> Iterator[str]:
    if len({agent.competitions for agent in agents}) > 1:
        yield "The agents ran different competitions, so their means cannot be compared."
    for what, values in (
        ("competition versions", {_version(run.competition) for run in runs}),
        ("versions of mlebench", {group.mlebench_version for group in groups}),
        ("sandboxes", {group.plan.sandbox for group in groups}),
        ("networks", {group.plan.network for group in groups}),
        ("ways to enforce limits on memory", {group.enforcement for group in groups if group.enforcement}),
        ("machines", {group.machine for group in groups}),
        ("resource profiles", {group.plan.profile or "none" for group in groups}),
        ("briefs", {"obfuscated" if group.plan.obfuscated else "plain" for group in groups}),
    ):
        if len(values) > 1:
            yield f"The runs mix {what}: {_names(values)}."
    if len({group.plan.limits for group in groups}) > 1:
        yield "The groups ran under different limits of time, memory or disk."
    recorded = {(group.run_group, run.run_id): run.seed for group in groups for run in group.runs.values()}
    renumbered = {run.agent for run in runs if recorded.get((run.run_group, run.run_id), run.seed) != run.seed}
    if renumbered:
        yield f"Several groups ran the same seeds of {_names(renumbered)}; the later ones count as new seeds."


def _version(label: str) -> str:
    try:
        return TaskRef.parse(label).version
    except UnknownNameError:  # a label of another program
        return Version.V1


def _names(names: Iterable[str]) -> str:
    return join_names(sorted(set(names)), MAX_NAMES)
