"""Work that a model does for the agent: summaries of long texts, descriptions of files, edits of scripts."""

from __future__ import annotations

import difflib
import re
from typing import TYPE_CHECKING

from .files import EnvError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Ask = Callable[[str], str]
_PYTHON = re.compile(r"```(?:python|py)?[ \t]*\n(.*?)```", re.DOTALL)

OBSERVATION = """\
This is {part} of what a tool answered to an AI research assistant. The assistant's last words were:

{context}

Summarise it for the assistant: what matters for the research, numbers and errors word for word. Write only what
stands there; guess nothing.

```
{text}
```
"""
FILE = """\
This is {part} of the file {name}, with the numbers of its lines:

```
{text}
```

Describe in detail what it holds concerning: {wanted}
Refer to line numbers. Write only what stands there; if nothing of that is in it, say so.
"""
MERGE = """\
These are notes on the parts of one text, in order. Make one text of them, with every fact and reference that
matters{wanted}; add nothing that is not in them.

{notes}
"""
EDIT = """\
Here is the script {name}:

```python
{content}
```

Change it as follows and leave the rest as it is: {instruction}
Answer with the whole new script in one fence that begins with ```python, and nothing else.
"""


def summarise(text: str, context: str, ask: Ask, block: int) -> str:
    """Return a summary of a long observation."""
    parts = [text[start : start + block] for start in range(0, len(text), block)]
    notes = [ask(OBSERVATION.format(part=_part(n, parts), context=context, text=part)) for n, part in enumerate(parts)]
    return _merge(notes, "", ask)


def understand(name: str, content: str, wanted: str, ask: Ask, block: int) -> str:
    """Return a description of a file, with references to its lines."""
    parts = list(_by_lines(content, block))
    notes = [
        ask(FILE.format(part=_part(n, parts), name=name, text=part, wanted=wanted)) for n, part in enumerate(parts)
    ]
    return _merge(notes, f" concerning: {wanted}", ask)


def edit(name: str, content: str, instruction: str, ask: Ask) -> tuple[str, str]:
    """Return the new version of a script, and a unified diff."""
    answer = ask(EDIT.format(name=name, content=content, instruction=instruction))
    fences = _PYTHON.findall(answer)
    if not fences:
        raise EnvError("the edit was not made, since the editing model did not answer with a script.")
    new = max(fences, key=len)
    diff = difflib.unified_diff(content.splitlines(keepends=True), new.splitlines(keepends=True), "old", "new")
    return new, "".join(line if line.endswith("\n") else line + "\n" for line in diff)


def _merge(notes: list[str], wanted: str, ask: Ask) -> str:
    return notes[0] if len(notes) == 1 else ask(MERGE.format(notes="\n\n".join(notes), wanted=wanted))


def _part(number: int, parts: list[str]) -> str:
    return f"part {number + 1} of {len(parts)}"


def _by_lines(content: str, block: int) -> Iterator[str]:
    """Yield a text in blocks of whole lines with line numbers."""
    part = ""
    for number, line in enumerate(content.splitlines() or [""], start=1):
        row = f"{number}: {line[:block]}\n"
        if part and len(part) + len(row) > block:
            yield part
            part = ""
        part += row
    yield part
