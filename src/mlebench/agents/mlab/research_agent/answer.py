"""Parse an answer: six sections, in order."""

from __future__ import annotations

import re
from dataclasses import dataclass

SECTIONS = ("Reflection", "Research Plan and Status", "Fact Check", "Thought", "Action", "Action Input")
STOP = "Observation:"
_HEADS = [rf"^[#*\s]*{re.escape(name)}[*\s]*:[*]*" for name in SECTIONS]
_FORMAT = re.compile("(.*?)".join(_HEADS) + "(.*)", re.DOTALL | re.MULTILINE)


class FormatError(Exception):
    """The answer is not in the format; the message tells the model what to fix."""


@dataclass(frozen=True)
class Answer:
    """One answer of the model, by section."""

    sections: dict[str, str]

    @property
    def action(self) -> str:
        return self.sections["Action"]

    @property
    def input(self) -> str:
        return self.sections["Action Input"]

    def __str__(self) -> str:
        return "\n".join(f"{name}: {text}" for name, text in self.sections.items())


def read_answer(text: str, actions: list[str]) -> Answer:
    """Return the sections of an answer; FormatError names missing sections, or an unknown tool."""
    text = re.split(rf"^[#*\s]*{STOP}", text, maxsplit=1, flags=re.MULTILINE)[0]
    match = _FORMAT.search(text)
    if match is None:
        missing = [n for n, head in zip(SECTIONS, _HEADS, strict=True) if not re.search(head, text, re.MULTILINE)]
        what = f"without {', '.join(missing)}" if missing else "with its sections out of order"
        raise FormatError(
            f"Your answer was not in the format: it came {what}. Write these six sections, each once and in this "
            f"order, each beginning a line with its name and a colon: {', '.join(SECTIONS)}."
        )
    sections = dict(zip(SECTIONS, (part.strip() for part in match.groups()), strict=True))
    wanted = sections["Action"].strip("[]`*\"'. \n").casefold()
    found = [name for name in actions if name.casefold() == wanted]
    if not found:
        raise FormatError(f"Your Action {sections['Action'][:80]!r} is none of the tools: {', '.join(actions)}.")
    return Answer(sections | {"Action": found[0]})
