"""The top of the page: what ran, what to beware of, and the main table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mlebench.analysis.estimates import Rate
from mlebench.analysis.page.markup import Html, join, table, tag
from mlebench.analysis.page.strip import rate_drawing
from mlebench.analysis.problems import touched_text
from mlebench.analysis.wording import NOTHING, extent_text, printable
from mlebench.ground.wording import count, format_binary_size, format_short_duration

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from mlebench.analysis.agent_summary import AgentSummary
    from mlebench.analysis.estimates import Estimate
    from mlebench.analysis.report import Summary
    from mlebench.runs.record import GroupRecord
    from mlebench.sandbox.limits import Limits


def page_title(summary: Summary) -> str:
    """Return what the page is called."""
    reported = dict.fromkeys(f"Reports on {report.agent}" for report in summary.reports)
    names = [printable(name, limit=200) for name in (*(group.run_group for group in summary.groups), *reported)]
    if not names:
        return "No runs"
    return names[0] if len(names) == 1 else f"{names[0]} and {count(len(names) - 1, 'more source')}"


def head(summary: Summary, groups: Sequence[GroupRecord]) -> Html:
    """Return the headline: what ran, when, where, and how much of it counts."""
    kind = "Rehearsal report" if summary.basis == "rehearsal" else "Report"
    facts = {
        "When": _when(groups),
        "Machine": _each(groups, lambda group: group.machine),
        "Sandbox": _each(groups, lambda group: f"{group.plan.sandbox}, network {group.plan.network}"),
        "Limits of a run": _each(groups, lambda group: _limits(group.plan.limits)),
        "Briefs": _each(groups, lambda group: "obfuscated" if group.plan.obfuscated else None),
        "Software": _each(groups, lambda group: f"mlebench {group.mlebench_version}"),
    }
    return tag(
        "header",
        tag("p", f"mlebench · {kind}", class_="kind"),
        tag("h1", page_title(summary)),
        tag("p", _lead(summary), class_="lead"),
        tag(
            "dl",
            join(tag("div", tag("dt", name), tag("dd", printable(fact))) for name, fact in facts.items() if fact),
        ),
    )


def _lead(summary: Summary) -> str:
    if not summary.runs:
        return "Nothing has been run."
    agents, competitions = (
        count(summary.agents, "agent"),
        count(summary.competitions, "competition"),
    )
    seeds = {len(agent.seeds) for agent in summary.agents}
    with_seeds = f" with {count(max(seeds), 'seed')}" if len(seeds) == 1 else ""
    finished = (
        "all of them finished" if summary.runs_finished == summary.runs else f"{summary.runs_finished} of them finished"
    )
    if summary.runs == 1:
        finished = "finished" if summary.runs_finished else "not finished"
    if summary.runs_counted == summary.runs_finished:
        counted = ""
    elif summary.runs_counted:
        counted = f"; {count(summary.runs_counted, 'run')} count as results"
    else:
        counted = "; none counts as a result"
    runs = count(summary.runs, "run")
    return f"{agents} in {competitions}{with_seeds}: {runs}, {finished}{counted}."


def _when(groups: Sequence[GroupRecord]) -> str:
    runs = [run for group in groups for run in group.runs.values()]
    starts = [run.started_at for run in runs if run.started_at] or [group.created_at for group in groups]
    ends = [run.ended_at for run in runs if run.ended_at]
    if not starts:
        return ""
    start = min(starts)
    if not ends:
        return f"from {start:%d %b %Y, %H:%M %Z}"
    end = max(ends)
    until = f"{end:%H:%M %Z}" if end.date() == start.date() else f"{end:%d %b %Y, %H:%M %Z}"
    return f"{start:%d %b %Y, %H:%M} – {until}"


def _each(groups: Sequence[GroupRecord], fact: Callable[[GroupRecord], str | None]) -> str:
    return "; ".join(dict.fromkeys(said for group in groups if (said := fact(group))))


def _limits(limits: Limits) -> str:
    bounds = [
        format_short_duration(limits.seconds),
        f"{limits.cpus:g} cores" if limits.cpus else None,
        f"{format_binary_size(limits.memory)} memory" if limits.memory else None,
        f"{format_binary_size(limits.disk)} disk" if limits.disk else None,
    ]
    return ", ".join(bound for bound in bounds if bound)


def caveat_box(summary: Summary) -> Html | None:
    """Return what a reader must know before the numbers."""
    if not summary.caveats:
        return None
    items = join(tag("li", printable(sentence)) for sentence in summary.caveats)
    return tag("aside", tag("h2", "Before you trust the numbers"), tag("ul", items), class_="caveats")


def main_section(summary: Summary) -> Html:
    """Return the main table: a row an agent, a column a rate."""
    rehearsal = "Rehearsal, not a result. " if summary.basis == "rehearsal" else ""
    header = tag(
        "tr",
        tag("th", "Agent", scope="col"),
        join(tag("th", rate.heading, scope="col", class_="number") for rate in Rate),
    )
    return tag(
        "section",
        tag("h2", "Results", id="results"),
        tag(
            "p",
            f"{rehearsal}Percent of competitions: mean ± standard error over seeds, and beneath it the value"
            " of each seed.",
            class_="note",
        ),
        table("Results", [header], (_agent_row(summary, agent) for agent in summary.agents), "main"),
        tag("p", _note(summary.agents), class_="note"),
    )


def _agent_row(summary: Summary, agent: AgentSummary) -> Html:
    flag = touched_text(summary.problems, agent.agent)
    return tag(
        "tr",
        tag(
            "th",
            tag("bdi", printable(agent.agent, limit=200)),
            tag("small", extent_text(agent)),
            tag("small", tag("a", flag, href="#table-problems")) if flag else None,
            scope="row",
        ),
        join(_rate_cell(rate, agent.rates[rate]) for rate in Rate),
    )


def _rate_cell(rate: Rate, estimate: Estimate) -> Html:
    classes = f"number {rate}"
    if estimate.mean is None:
        return tag("td", NOTHING, class_=classes)
    error = tag("span", f" ± {estimate.sem:.1f}", class_="error") if estimate.sem is not None else None
    several = len(estimate.per_seed) > 1
    return tag(
        "td",
        tag("span", f"{estimate.mean:.1f}", error, class_="estimate"),
        rate_drawing(estimate) if rate is Rate.ANY_MEDAL else None,
        tag("small", "  ".join(f"{value:.1f}" for value in estimate.per_seed)) if several else None,
        class_=classes,
    )


def _note(agents: Iterable[AgentSummary]) -> str:
    rules = {agent.rule for agent in agents}
    if rules == {"complete seeds"}:
        rule = "Seeds in which every competition is finished enter the means."
    elif rules == {"all seeds"}:
        rule = "No seed is complete: all begun seeds enter the means, unfinished runs counting as not submitted."
    else:
        rule = (
            "Seeds in which every competition is finished enter the means; for agents without such a seed all"
            " begun seeds do, unfinished runs counting as not submitted."
        )
    return (
        f"{rule} Gold, silver and bronze exclude each other, and any medal is their sum. Above median means"
        " strictly better than the median team of the leaderboard."
    )
