"""What a reader must know before trusting the numbers: one sentence each, the gravest first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mlebench.analysis.agent_summary import Rule
from mlebench.analysis.standings import differing_thresholds
from mlebench.analysis.wording import printable
from mlebench.grading.reports import Outcome
from mlebench.ground.wording import count, join_names

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from mlebench.analysis.agent_summary import AgentSummary
    from mlebench.analysis.gradings import GradingReport
    from mlebench.analysis.results import RunResult
    from mlebench.runs.record import GroupRecord
    from mlebench.tasks.registry import Registry

NAMED = 5
"""How many things a sentence names before it only counts the rest."""


def find_caveats(
    groups: Sequence[GroupRecord],
    gradings: Sequence[GradingReport],
    runs: Sequence[RunResult],
    agents: Sequence[AgentSummary],
    registry: Registry | None = None,
    left_out: Mapping[str, Sequence[str]] | None = None,
) -> list[str]:
    """Return the sentences that apply, fit for a terminal whatever agents and runs are called."""
    if not runs:
        return ["There are no runs."]
    sentences = [
        *_of_data(runs),
        *_of_problems(runs, left_out or {}),
        *_of_sandboxes(groups),
        *_of_leaderboards(groups),
        *_of_salvage(groups),
        *_of_reports(gradings, registry),
        *_of_gaps(runs, agents),
        *_of_mixtures(groups, runs, agents),
    ]
    return [printable(sentence) for sentence in sentences]


def _of_data(runs: Sequence[RunResult]) -> Iterator[str]:
    finished = [run for run in runs if run.finished]
    rehearsed = [run for run in finished if run.is_rehearsal]
    if rehearsed and len(rehearsed) == len(finished):
        yield (
            "Rehearsal: every run was made on tiny synthetic data, so that nothing here is a result; the"
            " medals only show that the machinery works."
        )
    elif rehearsed:
        yield (
            f"{count(rehearsed, 'run')} on rehearsal data: never a result, and not in the means"
            f" ({_names(run.competition for run in rehearsed)})."
        )
    for data, said in (
        ("unverified", "data that were not checked against the checksums on record"),
        ("unknown", "data of unknown origin"),
    ):
        of_it = [run.competition for run in finished if run.data == data]
        if of_it:
            yield f"{count(of_it, 'run')} used {said} ({_names(of_it)})."


def _of_problems(runs: Sequence[RunResult], left_out: Mapping[str, Sequence[str]]) -> Iterator[str]:
    absent = {run.competition for run in runs} & set(left_out)
    if absent:
        kinds = _names(kind for name in absent for kind in left_out[name])
        yield (
            f"{count(absent, 'competition')} with known problems ({kinds}) left out of the means, as was asked for:"
            f" {_names(absent)}."
        )


def _of_sandboxes(groups: Sequence[GroupRecord]) -> Iterator[str]:
    for group in groups:
        unprotected = [name.replace("_", " ") for name, held in group.guarantees.items() if not held]
        if len(unprotected) == len(group.guarantees):
            yield (
                f"The group {_quoted(group)} ran without isolation (sandbox {group.plan.sandbox!r}): its"
                " agents could read the answers, the machine's files and the network."
            )
        elif unprotected := [name for name in unprotected if name != "network"]:
            yield (  # the network has a sentence of its own
                f"The sandbox {group.plan.sandbox!r} of the group {_quoted(group)} did not protect"
                f" {_names(unprotected)}."
            )
        if group.plan.network == "open":
            yield (
                f"The network was open to the agents of the group {_quoted(group)}: they could look up"
                " solutions and answers."
            )
        if group.plan.models and group.plan.models.hosted_tools:
            yield (
                f"The agents of the group {_quoted(group)} could use tools at the models' providers: they could look"
                " up solutions and answers."
            )


def _of_leaderboards(groups: Sequence[GroupRecord]) -> Iterator[str]:
    models = [
        run.competition_id
        for group in groups
        for run in group.runs.values()
        if run.verdict and run.verdict.leaderboard == "models"
    ]
    if models:
        yield (
            f"The leaderboard of {_names(models)} is a field of models and not of people: its medals say"
            " nothing about human competitors."
        )


def _of_salvage(groups: Sequence[GroupRecord]) -> Iterator[str]:
    salvaged = [run.run_id for group in groups for run in group.runs.values() if run.salvaged]
    if salvaged:
        yield (
            f"{count(salvaged, 'run')} ended badly without a good submission in place and count with the last good"
            f" one from before: {_names(salvaged)}."
        )


def _of_reports(gradings: Sequence[GradingReport], registry: Registry | None) -> Iterator[str]:
    for grading in gradings:
        for what, said, counted in grading.disagreements():
            yield f"The head of the report {grading.name!r} says {said} {what}, and its rows {counted}: the rows count."
        odd = {row.competition_id: said for row in grading.rows for said in row.contradictions()}
        if odd:
            yield (
                f"The report {grading.name!r} contradicts itself in {count(odd, 'row')}, which count as the better of"
                f" what they say: {_names(f'{name} ({said})' for name, said in odd.items())}."
            )
    if differing := differing_thresholds(gradings, registry):
        yield (
            f"Reports have other thresholds than the leaderboards here for {_names(differing)}; medals are taken as"
            " reported."
        )
    if gradings and any(row.data is None for grading in gradings for row in grading.rows):
        yield (f"{count(gradings, 'report')} by other programs do not say which data, sandbox and limits the runs had.")


def _of_gaps(runs: Sequence[RunResult], agents: Sequence[AgentSummary]) -> Iterator[str]:
    unfinished = [run.run_id for run in runs if not run.finished]
    if unfinished:
        yield f"{count(unfinished, 'run')} of {len(runs)} not finished: {_names(unfinished)}."
    failed = [run.run_id for run in runs if run.outcome is Outcome.FAILED]
    if failed:
        yield (
            f"Grading itself failed for {count(failed, 'run')}, which count as submitted and not valid:"
            f" {_names(failed)}."
        )
    for agent in agents:
        if not agent.seeds_counted:
            yield f"The agent {agent.agent!r} has no finished run that counts."
        elif agent.rule is Rule.PADDED:
            if agent.runs_padded:
                yield (
                    f"{count(range(agent.runs_padded), 'run')} of the agent {agent.agent!r} missing, which count as"
                    " not submitted, as was asked for."
                )
        elif agent.rule is Rule.ALL:
            yield (
                f"The agent {agent.agent!r} has no seed with every competition finished; its means are over"
                f" {count(agent.seeds_counted, 'begun seed')}, unfinished runs counting as not submitted."
            )
        elif agent.seeds_counted != agent.seeds:
            yield (
                f"The means of the agent {agent.agent!r} are over the {count(agent.seeds_counted, 'seed')}"
                f" (of {len(agent.seeds)}) in which every competition is finished"
                f"{_left_over(agent)}."
            )
        if len(agent.seeds_counted) == 1:
            yield f"Only one seed of the agent {agent.agent!r} counts: its means have no standard error."


def _of_mixtures(
    groups: Sequence[GroupRecord], runs: Sequence[RunResult], agents: Sequence[AgentSummary]
) -> Iterator[str]:
    if len({agent.competitions for agent in agents}) > 1:
        yield "The agents ran different competitions, so that their means cannot be compared."
    for what, values in (
        ("competition versions", {_version(run) for run in runs}),
        ("versions of mlebench", {group.mlebench_version for group in groups}),
        ("sandboxes", {group.plan.sandbox for group in groups}),
        ("networks", {group.plan.network for group in groups}),
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
        yield (
            f"Several groups ran the same seeds of {_names(renumbered)}; the later ones count as repetitions"
            " and are numbered on."
        )


def _left_over(agent: AgentSummary) -> str:
    return f"; {count(agent.runs_left_over, 'finished run')} left over" if agent.runs_left_over else ""


def _version(run: RunResult) -> str:
    return run.competition.partition("@")[2] or "v1"


def _quoted(group: GroupRecord) -> str:
    return repr(group.run_group)


def _names(names: Iterable[str]) -> str:
    return join_names(sorted(set(names)), NAMED)
