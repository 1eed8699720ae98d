"""A task that is being written: its files, and what they look like once the task is prepared and graded."""

from __future__ import annotations

import csv
import io
import shutil
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from mlebench.authoring.task.briefs import write_brief, write_obfuscated_brief
from mlebench.authoring.task.code import TEST, declaration_text, find_telltale_words, task_text
from mlebench.authoring.task.leaderboard import ModelScore, score_models
from mlebench.authoring.task.parts import Parts
from mlebench.authoring.task.synthetic import synthetic_rows
from mlebench.errors import MLEBenchError, RawDataError, UsageError
from mlebench.tasks.competition import Competition
from mlebench.tasks.values import Values

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from mlebench.authoring.task.form import Form
    from mlebench.authoring.task.table import Table


@dataclass(frozen=True)
class Scores:
    """What preparing and grading a new task showed."""

    train_rows: int
    test_rows: int
    sample: float
    best: float


@dataclass(frozen=True)
class Draft:
    """A task that is being written."""

    task_id: str
    title: str
    table: Table
    form: Form
    test_size: float
    embed: bool

    def write_code(self, folder: Path) -> None:
        """Write the declaration and the code; briefs and leaderboard are still empty."""
        self._write_declaration(folder, [])
        code = task_text(self.title, self.table, self.form, self.test_size, embedded=self.embed)
        (folder / "task.py").write_text(code, encoding="utf-8")
        (folder / "test_task.py").write_text(TEST, encoding="utf-8")
        (folder / "brief.md").touch()
        (folder / "leaderboard.csv").touch()

    def write_data(self, folder: Path) -> None:
        """Write the table, or synthetic data for rehearsals."""
        from mlebench.preparation import pack

        name = self.table.path.name
        if self.embed:
            (folder / "data").mkdir()
            shutil.copyfile(self.table.path, folder / "data" / name)
        else:
            content = synthetic_rows(self.table, self.form).to_csv(index=False, lineterminator="\n").encode()
            pack(folder / "rehearsal.zip", {name: content, "rehearsal.json": b"{}\n"})

    def complete(self, folder: Path, data: Path, progress: Callable[[str], object]) -> Scores:
        """Prepare the table and grade it as users will; write the briefs, the telltale words and the leaderboard."""
        competition = Competition.bind(folder, data)
        parts = self._prepare(competition)
        try:
            sample_score = competition.grader.score(parts.sample, parts.answers)
            best_possible = competition.grader.score(parts.answers, parts.answers)
        except MLEBenchError as error:
            raise RawDataError(f"No task can be made from {self.table.path.name}: {error}") from error
        self._write_briefs(folder, parts)
        scores = score_models(
            competition.grader, self.form, parts, self.table.target, lambda model: progress(f"fitting {model}")
        )
        sample_score = round(sample_score, 5)
        best = scores[0].score if scores else best_possible
        _write_leaderboard(
            folder, scores or [ModelScore(sample_score, "the sample submission, since no simple model could be fitted")]
        )
        return Scores(len(parts.train), len(parts.test), sample_score, best)

    def _write_declaration(self, folder: Path, telltale_words: list[str]) -> None:
        year = datetime.now(UTC).year
        text = declaration_text(
            self.task_id, self.title, self.table, self.form, telltale_words, year=year, embedded=self.embed
        )
        (folder / "competition.yaml").write_text(text, encoding="utf-8")

    def _prepare(self, competition: Competition) -> Parts:
        """Run the preparer on the table and check that all classes are in both parts of the split."""
        for place in (competition.raw_dir, competition.public_dir, competition.private_dir):
            place.mkdir(parents=True)
        shutil.copyfile(self.table.path, competition.raw_dir / self.table.path.name)
        competition.prepare_fn(competition.raw_dir, competition.public_dir, competition.private_dir)
        parts = Parts.read(competition)
        if not len(parts.train) or not len(parts.answers):
            raise RawDataError(f"The table {self.table.path.name} has too few rows for a split of that size.")
        target, classes = self.table.target, set(map(str, self.form.classes))
        missing = classes - set(map(str, parts.train[target].unique()))
        if self.form.values is Values.PROBABILITIES:
            missing |= classes - set(map(str, parts.answers[target].unique()))
        if missing:
            raise RawDataError(
                f"The class {min(missing)!r} of {target!r} is so rare that one part of the split has none of it; "
                "add rows of it, remove it, or choose another --test-size."
            )
        return parts

    def _write_briefs(self, folder: Path, parts: Parts) -> None:
        """Write both briefs, and declare the words that the obfuscated one must not contain."""
        obfuscated = write_obfuscated_brief(self.table, self.form, parts)
        words = find_telltale_words(self.task_id, self.title, obfuscated)
        if any(word.casefold() in obfuscated.casefold() for word in (self.title, *words)):
            raise UsageError(
                f"The title {self.title!r} or the id {self.task_id!r} is a word that every obfuscated brief uses; "
                "choose one that is more specific, with --title or as the folder's name."
            )
        brief = write_brief(self.title, self.table, self.form, parts)
        (folder / "brief.md").write_text(brief, encoding="utf-8")
        (folder / "brief_obfuscated.md").write_text(obfuscated, encoding="utf-8")
        self._write_declaration(folder, words)


def _write_leaderboard(folder: Path, scores: list[ModelScore]) -> None:
    for name, columns in (("leaderboard.csv", 1), ("model_field.csv", 2)):
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(["score", "model"][:columns])
        writer.writerows([(row.score, row.model)[:columns] for row in scores])
        (folder / name).write_text(out.getvalue(), encoding="utf-8")
