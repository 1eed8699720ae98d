"""Output is printed literally: brackets in quoted text, and every digit of a table."""

import io

import pytest
from rich.table import Table

from mlebench.cli.terminal import Terminal


def printed(thing, width=80):
    out = Terminal()
    out.file, out.width = io.StringIO(), width
    out.print(thing)
    assert out.width == width
    return out.file.getvalue()


def test_brackets_and_colons_are_not_markup():
    words = "pip install 'mlebench[kaggle]' [/tmp] root:x:0"
    table = Table()
    table.add_column("[bold]")
    table.add_row(words)
    assert printed(words) == f"{words}\n"
    assert words in printed(table) and "[bold]" in printed(table)


@pytest.mark.parametrize("width", [1, 10, 20, 40, 60])
def test_a_table_loses_nothing_in_a_narrow_terminal(width):
    table = Table(box=None)
    for name in ("competition", "metric", "better"):
        table.add_column(name)
    table.add_column("score", no_wrap=True, justify="right")
    table.add_row("leaf-classification", "mean of the logarithm", "lower", "0.12345 ± 0.00067")
    text = printed(table, width)
    for words in ("leaf-classification", "logarithm", "better", "lower", "0.12345 ± 0.00067"):
        assert words in text
