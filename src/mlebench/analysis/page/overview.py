"""The top of the page: what ran, the caveats, and the main table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mlebench.analysis.model import Rate, Rule
from mlebench.analysis.page.leaderboard import rate_plot
from mlebench.analysis.page.markup import Html, facts_list, header_row, join, table, tag
from mlebench.analysis.page.tables import render_table
from mlebench.analysis.tables.agents import headline_table
from mlebench.analysis.tables.problems import describe_touched
from mlebench.analysis.wording import NOTHING, describe_extent
from mlebench.ground.wording import count, format_binary_size, format_short_duration, printable
from mlebench.sandbox.kernel.cgroup import ENFORCERS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from mlebench.analysis.model import AgentSummary, Estimate, Summary
    from mlebench.runs.reader import Group
    from mlebench.runs.record import GroupRecord
    from mlebench.sandbox.limits import Limits


def page_title(summary: Summary) -> str:
    """Return the title of the page."""
    reported = dict.fromkeys(f"Reports on {report.agent}" for report in summary.reports)
    names = [printable(name, limit=200) for name in (*(group.run_group for group in summary.groups), *reported)]
    if not names:
        return "No runs"
    return names[0] if len(names) == 1 else f"{names[0]} and {count(len(names) - 1, 'more source')}"


def header(summary: Summary, groups: Sequence[Group]) -> Html:
    """Return the header: what ran, when, where, and how much of it counts."""
    kind = "Rehearsal report" if summary.basis == "rehearsal" else "Report"
    records = [group.record for group in groups]
    facts = {
        "When": _when(records),
        "Machine": _distinct(records, lambda group: group.machine),
        "Sandbox": _distinct(records, lambda group: f"{group.plan.sandbox}, network {group.plan.network}"),
        "Limits per run": _distinct(records, lambda group: _describe_limits(group.plan.limits)),
        "Memory limited by": _distinct(
            records, lambda group: ENFORCERS[group.enforcement] if group.enforcement else None
        ),
        "Briefs": _distinct(records, lambda group: "obfuscated" if group.plan.obfuscated else None),
        "Software": _distinct(records, lambda group: f"mlebench {group.mlebench_version}"),
    }
    return tag(
        "header",
        tag("p", f"mlebench · {kind}", class_="kind"),
        tag("h1", page_title(summary)),
        tag("p", _lead(summary), class_="lead"),
        facts_list({name: printable(fact) for name, fact in facts.items()}),
    )


def _lead(summary: Summary) -> str:
    if not summary.runs:
        return "There are no runs."
    agents, competitions = count(summary.agents, "agent"), count(summary.competitions, "competition")
    seeds = {len(agent.seeds) for agent in summary.agents}
    with_seeds = f" with {count(max(seeds), 'seed')}" if len(seeds) == 1 else ""
    if summary.runs == 1:
        finished = "finished" if summary.runs_finished else "not finished"
    elif summary.runs_finished == summary.runs:
        finished = "all of them finished"
    else:
        finished = f"{summary.runs_finished} of them finished"
    if summary.runs_counted == summary.runs_finished:
        counted = ""
    elif summary.runs_counted:
        verb = "counts as a result" if summary.runs_counted == 1 else "count as results"
        counted = f"; {count(summary.runs_counted, 'run')} {verb}"
    else:
        counted = "; none counts as a result"
    return f"{agents} in {competitions}{with_seeds}: {count(summary.runs, 'run')}, {finished}{counted}."


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


def _distinct(groups: Sequence[GroupRecord], fact: Callable[[GroupRecord], str | None]) -> str:
    """Return a fact of all groups, each value once."""
    return "; ".join(dict.fromkeys(text for group in groups if (text := fact(group))))


def _describe_limits(limits: Limits) -> str:
    parts = [
        format_short_duration(limits.seconds),
        count(limits.cpus, "core") if limits.cpus else None,
        f"{format_binary_size(limits.memory)} memory" if limits.memory else None,
        f"{format_binary_size(limits.disk)} disk" if limits.disk else None,
    ]
    return ", ".join(filter(None, parts))


def caveat_box(summary: Summary) -> Html | None:
    """Return what a reader must know before trusting the numbers."""
    if not summary.caveats:
        return None
    items = join(tag("li", printable(sentence)) for sentence in summary.caveats)
    return tag("aside", tag("h2", "Before you trust the numbers"), tag("ul", items), class_="caveats")


def main_section(summary: Summary) -> Html:
    """Return the main table: one row per agent, one column per rate."""
    rehearsal = "Rehearsal, not a result. " if summary.basis == "rehearsal" else ""
    headings = [rate.heading for rate in Rate]
    note = f"{rehearsal}Percent of competitions: mean ± standard error over seeds, with the value of each seed below."
    return tag(
        "section",
        tag("h2", "Results", id="results"),
        tag("p", note, class_="note"),
        table(
            "Results",
            [header_row(["Agent", *headings], headings)],
            (_agent_row(summary, agent) for agent in summary.agents),
            "main",
        ),
        tag("p", _rules(summary.agents), class_="note"),
        *_headline(summary),
    )


def _headline(summary: Summary) -> Iterator[Html]:
    """Yield the main table without the competitions whose leaderboard is void or saturated, if there are any."""
    if summary.headline is None:
        return
    shown = headline_table(summary)
    yield tag("h3", shown.title, id="headline")
    yield tag("p", shown.caption, class_="note")
    yield render_table(shown, "sortable")


def _agent_row(summary: Summary, agent: AgentSummary) -> Html:
    touched = describe_touched(summary, agent.agent)
    return tag(
        "tr",
        tag(
            "th",
            tag("bdi", printable(agent.agent, limit=200)),
            tag("small", describe_extent(agent)),
            tag("small", tag("a", touched, href="#table-problems")) if touched else None,
            scope="row",
        ),
        join(_rate_cell(rate, agent.rates[rate]) for rate in Rate),
    )


def _rate_cell(rate: Rate, estimate: Estimate) -> Html:
    classes = f"number {rate}"
    if estimate.mean is None:
        return tag("td", NOTHING, class_=classes)
    error = tag("span", f" ± {estimate.sem:.1f}", class_="error") if estimate.sem is not None else None
    seeds = "  ".join(f"{value:.1f}" for value in estimate.per_seed)
    return tag(
        "td",
        tag("span", f"{estimate.mean:.1f}", error, class_="estimate"),
        rate_plot(estimate) if rate is Rate.ANY_MEDAL else None,
        tag("small", seeds) if len(estimate.per_seed) > 1 else None,
        class_=classes,
    )


def _rules(agents: Iterable[AgentSummary]) -> str:
    """Return which seeds enter the means."""
    rules = {agent.rule for agent in agents}
    if rules == {Rule.COMPLETE}:
        rule = "The means are over seeds in which every competition is finished."
    elif rules == {Rule.ALL}:
        rule = "No seed is complete: the means are over all started seeds, and unfinished runs count as not submitted."
    elif rules == {Rule.PADDED}:
        rule = "The means are over all started seeds, and missing runs count as not submitted."
    else:
        rule = (
            "The means are over seeds in which every competition is finished. For agents without such a seed, they are"
            " over all started seeds, and unfinished runs count as not submitted."
        )
    return (
        f"{rule} Gold, silver and bronze exclude each other; any medal is their sum. Above median means strictly"
        " better than the median team of the leaderboard."
    )
