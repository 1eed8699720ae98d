"""Live progress of a group of runs: a table of what runs now on a terminal, a line for each finished run elsewhere."""

from __future__ import annotations

import sys
import threading
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Self

from mlebench.cli.output import console
from mlebench.ground.wording import format_clock, format_money

if TYPE_CHECKING:
    from rich.console import Group

    from mlebench.runs.record import RunRecord

_ROWS = 20
"""Running agents that are shown at most."""


@dataclass
class _Running:
    """What is known of a run that is under way."""

    began: float = field(default_factory=time.monotonic)
    last: str = "starting"
    told: float = field(default_factory=time.monotonic)
    valid: str = "nothing yet"
    """What the last answer of the submission check was."""
    calls: int = 0
    money: float = 0.0


class LiveProgress:
    """Shows a group's runs on standard error; a context manager, called from many threads."""

    def __init__(self, total: int, done: int) -> None:
        self._console = console(stderr=True)
        self._total = total
        self._done = done
        self._running: dict[str, _Running] = {}
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        from rich.live import Live

        self._live = Live(
            get_renderable=self._render, console=self._console, transient=True, refresh_per_second=2, auto_refresh=True
        )
        self._on_terminal = sys.stderr.isatty()
        if self._on_terminal:
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._on_terminal:
            self._live.stop()

    def started(self, run: RunRecord) -> None:
        with self._lock:
            self._running[run.run_id] = _Running()

    def event(self, run: RunRecord, kind: str, /, **facts: object) -> None:
        from mlebench.runs.story import tell

        with self._lock:
            row = self._running.get(run.run_id)
            if row is None:
                return
            row.last, row.told = tell({"kind": kind, **facts}), time.monotonic()
            if kind == "check":
                row.valid = "valid" if str(facts.get("answer", "")).endswith("is valid.") else "not valid"
            if kind == "model_call":
                row.calls += 1
                cost = facts.get("cost")
                row.money += cost if isinstance(cost, float) else 0.0

    def finished(self, run: RunRecord) -> None:
        with self._lock:
            self._running.pop(run.run_id, None)
            self._done += 1
            self._console.print(f"[{self._done}/{self._total}] {_story(run)}", soft_wrap=True)

    def _render(self) -> Group:
        from rich.console import Group
        from rich.progress_bar import ProgressBar
        from rich.table import Table
        from rich.text import Text

        with self._lock:
            rows = sorted(self._running.items(), key=lambda item: item[1].began)
            done = self._done
        now = time.monotonic()
        table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
        for name in ("run", "for", "last event", "check", "model calls"):
            table.add_column(name, no_wrap=name != "last event", ratio=1 if name == "last event" else None)
        for run_id, row in rows[:_ROWS]:
            calls = f"{row.calls}, {format_money(row.money)}" if row.calls else "none"
            last = f"{row.last} ({format_clock(now - row.told)} ago)"
            table.add_row(
                Text(run_id), format_clock(now - row.began), Text(last, overflow="ellipsis"), row.valid, calls
            )
        bar = ProgressBar(total=max(1, self._total), completed=done, width=40)
        more = f", {len(rows) - _ROWS} more at work" if len(rows) > _ROWS else ""
        return Group(bar, Text(f"{done} of {self._total} runs{more}"), table)


def _story(run: RunRecord) -> str:
    """Return one line that says what came of a run."""
    facts = [run.run_id]
    if run.ending is not None:
        facts.append(f"{run.ending.reason} after {run.ending.seconds:.1f} s")
    if run.verdict is not None:
        score = "no score" if run.verdict.score is None else f"score {run.verdict.score:g}"
        medal = f", {run.verdict.medal} medal" if run.verdict.medal else ""
        reason = f" ({run.verdict.reason})" if run.verdict.reason else ""
        facts.append(f"{run.verdict.outcome}, {score}{medal}{reason}")
    return "; ".join(facts)
