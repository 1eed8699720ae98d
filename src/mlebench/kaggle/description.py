"""The text of a competition's pages at Kaggle, followed by what is different in this benchmark."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mlebench.kaggle.markdown import demote_headings, to_markdown

if TYPE_CHECKING:
    from mlebench.kaggle.client import KaggleClient
    from mlebench.tasks.competition import Competition

PAGES = {
    "description": "Description",
    "evaluation": "Evaluation",
    "data-description": "Data",
}
"""The pages that describe the task, in this order, and their headings; others are about rules, prizes and dates."""
DIFFERENT = "What is different here"


def describe(client: KaggleClient, competition: Competition) -> str | None:
    """Return a competition's pages as Markdown, followed by what is different here.

    Parameters
    ----------
    client
        Downloads the pages.
    competition
        Provides the brief and the known errors of the pages.

    Returns
    -------
    str or None
        None if the competition has no pages that describe the task.

    Raises
    ------
    KaggleError
        The pages cannot be downloaded.
    """
    pages = client.pages(competition.id)
    by_name = {name.strip().lower().replace(" ", "-"): content for name, content in pages.items()}
    texts = {heading: to_markdown(by_name[name]) for name, heading in PAGES.items() if by_name.get(name, "").strip()}
    if not texts:
        return None
    parts = [f"# {competition.name}"]
    parts += [f"## {heading}\n\n{demote_headings(text, 2)}" for heading, text in texts.items()]
    return "\n\n".join([*parts, errata(competition)]) + "\n"


def errata(competition: Competition) -> str:
    """Return what is different here, as Markdown: the errors of the pages and our brief.

    Known problems of other kinds (leaks, quirks of a metric) are for readers of results and would be hints to agents.
    """
    problems = competition.declaration.known_problems if competition.declaration else ()
    wrong = [problem.text for problem in problems if problem.kind == "text" and competition.version in problem.versions]
    parts = [
        f"## {DIFFERENT}",
        "The text above comes from the competition's own pages. Here the data are split again, nothing is sent to "
        "Kaggle, and there are no rounds, teams, dates or prizes. Where the text above and the text below disagree, "
        "the text below is right: it describes the files, the format of a submission and how it is scored.",
    ]
    if wrong:
        parts.append("\n".join(f"- {text}" for text in wrong))
    return "\n\n".join([*parts, demote_headings(competition.brief().strip(), 2)])
