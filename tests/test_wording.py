"""The words that CONTRIBUTING.md asks to avoid stay out of code, tests and documents."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[1]
GUIDE = ROOT / "CONTRIBUTING.md"
TABLE = re.compile(r"\| avoid \| write \|\n\|---\|---\|\n((?:\|.*\n)+)")
TEXT = {tokenize.COMMENT, tokenize.STRING, getattr(tokenize, "FSTRING_MIDDLE", tokenize.STRING)}
KEPT = ("src/mlebench/competitions/", "tests/golden/")
"""Tasks' own texts and data, which stay as they are to the byte."""


@cache
def replacements() -> dict[str, str]:
    """The words to avoid and what to write instead, as the table in CONTRIBUTING.md lists them."""
    found = TABLE.search(GUIDE.read_text(encoding="utf-8"))
    assert found is not None
    rows = [row.strip("|").split("|") for row in found[1].splitlines()]
    return {word: better.strip() for avoid, better in rows for word in re.findall("`([^`]+)`", avoid)}


def pattern_of(word: str) -> str:
    """A regular expression of a word or phrase, across line ends; `x_*` stands for names that begin with `x_`."""
    spelled = r"\s+".join(map(re.escape, word.split()))
    return spelled.removesuffix(r"\*") + r"\w+" if word.endswith("*") else spelled


def prose(path: Path) -> Iterator[tuple[int, str]]:
    """Yield passages of a document, or a module's comments, strings and the names it defines, with their lines."""
    text = path.read_text(encoding="utf-8")
    if path == GUIDE:
        text = TABLE.sub(lambda found: "\n" * found[0].count("\n"), text)
    if path.suffix != ".py":
        yield 1, text
        return
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type in TEXT:
            yield token.start[0], token.string
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.arg(arg=name):
                yield node.lineno, name
            case ast.Name(id=name, ctx=ast.Store()):
                yield node.lineno, name


def sources() -> list[Path]:
    """Everything that people read: code, tests, benchmarks and documents."""
    code = [path for folder in ("src", "tests", "benchmarks") for path in sorted((ROOT / folder).rglob("*.py"))]
    documents = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "src").rglob("*.md")]
    documents += (ROOT / "src").rglob("*.yaml")
    return [path for path in [*code, *sorted(documents)] if not path.relative_to(ROOT).as_posix().startswith(KEPT)]


def test_the_table_has_words_and_replacements():
    assert len(replacements()) > 5
    assert all(replacements().values())


def test_nothing_uses_words_to_avoid():
    words = list(replacements())
    pattern = re.compile("|".join(rf"(?<![\w-])_*({pattern_of(word)})(?![\w-])" for word in words), re.IGNORECASE)
    found = [
        f"{path.relative_to(ROOT)}:{start + text[: match.start()].count(chr(10))}: {match[0]!r};"
        f" write: {replacements()[words[match.lastindex - 1]]}"
        for path in sources()
        for start, text in prose(path)
        for match in pattern.finditer(text)
    ]
    assert not found, "\n".join(found)
