"""A copy of a finished group to tamper with, and what a change must lead to."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from mlebench.runs.chain import START, as_line, link
from mlebench.runs.removal import remove_tree
from mlebench.runs.verify import verify

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from mlebench.runs.verify import Finding

Tamper = tuple["Callable[[Group], object]", str]
"""A change, and the path of the finding that it must lead to."""


class Group(Path().__class__):  # type: ignore[misc]
    """The folder of a group, with functions that change it."""

    good = "demo-wine_good_seed-0"
    """The run of a good agent with two attempts; the first was interrupted."""
    idle = "demo-wine_idle_seed-0"
    """The run of an agent without a submission."""

    def edit(self, name: str, old: str, new: str, *, count: int = -1) -> None:
        """Replace text in a file that contains it."""
        text = (self / name).read_text()
        assert old in text, (name, old)
        (self / name).write_text(text.replace(old, new, count))

    def change_record(self, name: str, change: Callable[[dict[str, Any]], object]) -> None:
        """Change a record, and write it as mlebench does."""
        content = json.loads((self / name).read_text())
        change(content)
        (self / name).write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n")

    def change_run(self, run: str, **fields: object) -> None:
        """Change fields of a run, also in the copy that the group has."""
        self.change_record(f"{run}/run.json", lambda record: record.update(fields))
        self.change_record("metadata.json", lambda record: record["runs"][run].update(fields))

    def cut(self, name: str, lines: int) -> None:
        """Remove the last lines of a log."""
        kept = (self / name).read_text().splitlines(keepends=True)[:-lines]
        (self / name).write_text("".join(kept))

    def forge(self, name: str, keep: Callable[[dict[str, Any]], object]) -> None:
        """Change a log, and build its whole chain again: `keep` may change an event, and leaves it out if false."""
        events = [json.loads(line) for line in (self / name).read_text().splitlines()]
        value, text = START, ""
        for number, event in enumerate([event for event in events if keep(event) is not False]):
            event["number"] = number
            del event["chain"]
            value = link(value, event)
            text += as_line({**event, "chain": value})
        (self / name).write_text(text)
        if name == "group.jsonl":
            (self / ".lock").write_text(f"{value}\n")

    def forge_line(self, name: str, number: int, change: Callable[[dict[str, Any]], object]) -> None:
        """Change one line of a file whose lines are JSON objects."""
        lines = (self / name).read_text().splitlines()
        line = json.loads(lines[number])
        change(line)
        lines[number] = json.dumps(line)
        (self / name).write_text("\n".join(lines) + "\n")

    def replace_by_link(self, name: str, target: str) -> None:
        """Put a link in the place of a file or folder."""
        self.remove(name)
        (self / name).symlink_to(target)

    def remove(self, name: str) -> None:
        """Remove a file, link or folder."""
        path = self / name
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()

    def swap(self, one: str, other: str) -> None:
        """Exchange two files or folders."""
        (self / one).rename(self / "swapped")
        (self / other).rename(self / one)
        (self / "swapped").rename(self / other)

    def copy(self, source: str, target: str) -> None:
        """Copy a file or folder, links included."""
        if (self / source).is_dir():
            shutil.copytree(self / source, self / target, symlinks=True)
        else:
            shutil.copyfile(self / source, self / target)


@pytest.fixture
def group(finished: Path, tmp_path: Path) -> Iterator[Group]:
    """A copy of the finished group, in another place and with another name.

    Nothing says that the group was closed, so a kill may explain what is missing at the end. Changes must be found
    even so, and more so in a closed group. The copy is removed after the test: pytest cannot remove folders that are
    nested deeper than the recursion limit.
    """
    shutil.copytree(finished, tmp_path / "elsewhere", symlinks=True)
    (tmp_path / "elsewhere" / ".lock").write_text("")
    yield Group(tmp_path / "elsewhere")
    remove_tree(tmp_path / "elsewhere")


@pytest.fixture
def closed_group(finished: Path, tmp_path: Path) -> Group:
    """A copy of the finished group as it was closed."""
    shutil.copytree(finished, tmp_path / "closed", symlinks=True)
    return Group(tmp_path / "closed")


@pytest.fixture
def places() -> Callable[[Path], list[str]]:
    """A function that returns the paths of what is wrong with a group; each text is one line."""

    def get(folder: Path) -> list[str]:
        findings: Iterable[Finding] = verify(folder)
        assert all(each.text and (each.path + each.text).isprintable() for each in findings)
        return [each.path for each in findings]

    return get
