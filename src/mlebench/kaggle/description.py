"""The text of a competition's own pages, with what is different here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mlebench.kaggle.markdown import demoted, to_markdown

if TYPE_CHECKING:
    from mlebench.kaggle.client import KaggleClient
    from mlebench.tasks.competition import Competition

PAGES = {
    "description": "Description",
    "evaluation": "Evaluation",
    "data-description": "Data",
}
"""The pages that say what a task is, in this order, and their headings; rules, prizes and dates say nothing of it."""
DIFFERENT = "What is different here"


def describe(client: KaggleClient, competition: Competition) -> str | None:
    """Return a competition's pages as Markdown, followed by what is different here; None where it has no pages.

    Raises KaggleError.
    """
    pages = client.pages(competition.id)
    by_name = {name.strip().lower().replace(" ", "-"): content for name, content in pages.items()}
    texts = {heading: to_markdown(by_name[name]) for name, heading in PAGES.items() if by_name.get(name, "").strip()}
    if not texts:
        return None
    parts = [f"# {competition.name}"]
    parts += [f"## {heading}\n\n{demoted(text, 2)}" for heading, text in texts.items()]
    return "\n\n".join([*parts, errata(competition)]) + "\n"


def errata(competition: Competition) -> str:
    """Return what must be known beside the pages, as Markdown.

    It is the statement's own errors and our brief, which says what is handed out and how it is scored. Known problems
    of other kinds are for readers of results: to tell them to an agent would hand it leaks and quirks.
    """
    problems = competition.declaration.known_problems if competition.declaration else ()
    wrong = [problem.text for problem in problems if problem.kind == "text" and competition.version in problem.versions]
    parts = [
        f"## {DIFFERENT}",
        "The text above is that of the competition's own pages. Here the data are split anew, nothing is sent to "
        "Kaggle, and there are no rounds, teams, dates or prizes. Where the text above and what follows disagree, "
        "what follows holds: it says which files there are, what they hold, how a submission looks and how it is "
        "scored.",
    ]
    if wrong:
        parts.append("\n".join(f"- {text}" for text in wrong))
    return "\n\n".join([*parts, demoted(competition.brief().strip(), 2)])
