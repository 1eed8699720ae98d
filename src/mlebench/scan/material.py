"""What scanners look at: public files and tables of a prepared task, its sample, answers, test and train items."""

from __future__ import annotations

import functools
import itertools
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from mlebench.grading.answers import load_answers
from mlebench.ground.loading import LazyFunction
from mlebench.ground.tables import read_csv
from mlebench.scan.files import FileIndex
from mlebench.scan.tables import PublicTable, read_tables
from mlebench.scan.targets import Target, as_text, code_like, code_targets
from mlebench.tasks.values import Values

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from mlebench.tasks.competition import Competition

    Array = np.ndarray[Any, np.dtype[Any]]

SAMPLE = re.compile(r"sample[^/]*submission", re.IGNORECASE)
"""Paths of tables that are samples of submissions."""
SEPARATORS = "_-. |:/"


@dataclass(frozen=True)
class Items:
    """Things with a known or unknown answer, such as pictures or rows.

    Attributes
    ----------
    keys : list of str
        What names each item in files and tables.
    targets : list of Target
        The answers, one value per item; empty if they have no form that statistics can use.
    """

    keys: list[str]
    targets: list[Target]
    table: PublicTable | None = None
    """The public table with a row for each of these items, in their order."""
    rows: Array | None = None
    """For each item, the number of its row in the file of the table."""

    def __len__(self) -> int:
        return len(self.keys)

    @functools.cached_property
    def are_parts(self) -> bool:
        """Whether keys name parts of things, such as the positions of a sequence: many share their last part."""
        parts = [(_shortened(key, 1), key) for key in self.keys]
        wholes = {whole for whole, _ in parts}
        lasts = {key[len(whole) :] for whole, key in parts}
        return "" not in wholes and len(lasts) <= 0.5 * len(parts) and len(wholes) <= 0.5 * len(parts)


class Material:
    """A prepared task, read lazily.

    Parameters
    ----------
    competition : Competition
        A competition with prepared data.
    advance : callable, optional
        Called with a number of files whenever so many are read.
    """

    def __init__(self, competition: Competition, advance: Callable[[int], object] | None = None) -> None:
        assert competition.declaration is not None
        self.competition = competition
        self.declaration = competition.declaration
        self.advance = advance or (lambda number: None)
        self.limits: list[str] = []
        """What the current scanner left out; it adds sentences."""

    @functools.cached_property
    def files(self) -> FileIndex:
        """The public files."""
        return FileIndex(self.competition.public_dir)

    def read_path(self, path: str) -> bytes | None:
        """Return the bytes of a public file by its path, such as `train.zip!cat.1.jpg`; None if there is none."""
        for number in range(len(self.files)):
            if path.endswith(self.files.names[number]) and self.files.path(number) == path:
                return self.files.read(number)
        return None

    @functools.cached_property
    def sample(self) -> pd.DataFrame:
        """The sample submission."""
        return read_csv(self.competition.sample_submission)

    @functools.cached_property
    def answers(self) -> pd.DataFrame | None:
        """The answers as a table with the submission's ids; None if they have no such form."""
        competition, ids = self.competition, self.declaration.submission.ids
        answers: pd.DataFrame | None = load_answers(competition.answers)
        if self.declaration.answer_table and competition.folder is not None:
            answers = LazyFunction(competition.folder / "task.py", self.declaration.answer_table)(answers)
        if not isinstance(answers, pd.DataFrame) or not set(ids) <= set(answers.columns):
            answers = read_csv(competition.gold_submission) if competition.gold_submission.suffix == ".csv" else None
        if answers is not None and not set(ids) <= set(answers.columns):
            if len(answers) != len(self.sample) or not set(ids) <= set(self.sample.columns):
                return None
            answers = answers.assign(**{name: self.sample[name] for name in ids})
        return answers

    @functools.cached_property
    def target_names(self) -> list[str]:
        """The target columns of the answers."""
        if self.answers is None:
            return []
        named = self.declaration.submission.target_names(self.sample) or list(self.answers.columns)
        named = [name for name in named if name not in self.declaration.submission.ids]
        return [name for name in named if name in self.answers.columns]

    @property
    def are_labels(self) -> bool:
        """Whether targets are names of classes, even if they are numbers."""
        return self.declaration.submission.values in (Values.LABELS, Values.TRUNCATED_NUMBERS)

    @functools.cached_property
    def test(self) -> Items:
        """The test items in the order of the sample submission."""
        return self._find_test_items()[0]

    @functools.cached_property
    def item_of_row(self) -> Array:
        """For each row of the answers, the number of its test item."""
        keys = pd.Index(self.test.keys)
        return np.asarray(keys.get_indexer(pd.Index(self._shared["rows"])))

    @functools.cached_property
    def train(self) -> Items | None:
        """The items of a public table with known answers; None if there is no such table."""
        return self._find_train_items()

    @functools.cached_property
    def test_item_of(self) -> Array:
        """For each public file, the number of the test item that it belongs to, or -1: int32 of shape (n_files,)."""
        return self._find_test_items()[1]

    @functools.cached_property
    def train_item_of(self) -> Array:
        """For each public file, the number of the train item that it belongs to, or -1: int32 of shape (n_files,)."""
        if self.train is None:
            return np.full(len(self.files), -1, dtype=np.int32)
        found = match_files(self.files, self.train.keys)
        found[self.test_item_of >= 0] = -1
        return found

    @functools.cached_property
    def is_item(self) -> Array:
        """For each public file, whether it seems to be an item: it has the suffix of a test item."""
        test = np.flatnonzero(self.test_item_of >= 0)
        suffixes = {self.files.suffix(number) for number in test[:1000]}
        return np.fromiter((self.files.suffix(number) in suffixes for number in range(len(self.files))), bool)

    @functools.cached_property
    def tables(self) -> list[PublicTable]:
        """The tables with a row per test or train item, and all others that are small."""
        sample = self.competition.sample_submission.name
        found = (table for table in read_tables(self.files) if table.path.rpartition("/")[2] != sample)
        return [table for table in found if not SAMPLE.search(table.path)]

    @functools.cached_property
    def _shared(self) -> dict[str, Any]:
        return {}

    def _find_test_items(self) -> tuple[Items, Array]:
        if "test" not in self._shared:
            self._shared["test"] = self._make_test_items()
        found: tuple[Items, Array] = self._shared["test"]
        return found

    def _make_test_items(self) -> tuple[Items, Array]:
        ids = self.declaration.submission.ids
        answers = self.answers
        if answers is None:
            return Items([], []), np.full(len(self.files), -1, dtype=np.int32)
        whole = as_text(answers[ids[0]])
        best, best_files, cut = whole, match_files(self.files, unique(whole)), 0
        while (best_files >= 0).sum() == 0 and cut < 3:
            cut += 1
            shorter = whole.map(functools.partial(_shortened, times=cut))
            if shorter.nunique() < 2 or (shorter == "").any():
                break
            files = match_files(self.files, unique(shorter))
            if (files >= 0).any():
                best, best_files = shorter, files
        if cut:  # some ids have one part more than others
            named = {key for number, key in enumerate(unique(best)) if number in set(best_files.tolist())}
            shorter = best.map(functools.partial(_shortened, times=1))
            best = best.where(best.isin(named) | ~shorter.isin(named), shorter)
            best_files = match_files(self.files, unique(best))
        keys = unique(best)
        self._shared["rows"] = best
        targets = self._targets_of(answers, best, keys)
        table, rows = self._row_table(keys)
        if table is None and not (best_files >= 0).any():  # ids of parts, and a table with a row for each whole
            wholes = unique(whole.map(functools.partial(_shortened, times=1)))
            table, rows = self._row_table(wholes) if 1 < len(wholes) < len(keys) else (None, None)
            if table is not None:
                keys = wholes
                self._shared["rows"] = whole.map(functools.partial(_shortened, times=1))
                targets = self._targets_of(answers, whole.map(functools.partial(_shortened, times=1)), keys)
        if table is not None and not (best_files >= 0).any():
            best_files = self._files_by_column(table.frame)
        return Items(keys, targets, table, rows), best_files

    def _files_by_column(self, frame: pd.DataFrame) -> Array:
        """Return for each public file the number of the row whose cells name it, or -1; the best column counts."""
        best = np.full(len(self.files), -1, dtype=np.int32)
        for name in frame.columns:
            cells = as_text(frame[name])
            if pd.api.types.is_numeric_dtype(frame[name]) or cells.str.len().median() < 3:
                continue
            distinct = unique(cells)
            found = match_files(self.files, distinct)
            if len(distinct) > 1 and (found >= 0).sum() > (best >= 0).sum():
                first = np.flatnonzero(~cells.duplicated().to_numpy())
                best = np.where(found >= 0, first[np.maximum(found, 0)], -1).astype(np.int32)
        return best

    def _targets_of(self, answers: pd.DataFrame, keys_of_rows: pd.Series[Any], keys: list[str]) -> list[Target]:
        """Return the targets per item; of several rows, numbers are averaged and the most frequent text counts."""
        answers = answers[self.target_names]
        if len(keys) < len(answers):
            numbers: Any = pd.Index(keys).get_indexer(pd.Index(keys_of_rows))
            groups = answers.groupby(numbers)
            columns = {}
            for name in self.target_names:
                if pd.api.types.is_numeric_dtype(answers[name]):
                    columns[name] = groups[name].mean()
                else:
                    columns[name] = groups[name].agg(lambda cells: " ".join(map(str, cells.dropna())))
            answers = pd.DataFrame(columns).reset_index(drop=True)
        return code_targets(answers, self.target_names, are_labels=self.are_labels)

    def _row_table(self, keys: list[str]) -> tuple[PublicTable | None, Any]:
        """Return the public table that has a row for each item, reordered to the items, and the numbers of its rows."""
        best = (0.5, 0)
        found: tuple[PublicTable | None, Any] = (None, None)
        for table in self.tables:
            name = id_column(table.frame, keys)
            if name is None:
                continue
            texts = as_text(table.frame[name])
            rows = np.flatnonzero(~texts.duplicated())
            where = pd.Index(texts.iloc[rows]).get_indexer(pd.Index(keys))
            width = table.frame.shape[1]
            if (where >= 0).all() and (1.0, width) > best and len(table.frame) < 2 * len(keys) + 10:
                best = (1.0, width)
                chosen = table.frame.iloc[rows[where]].reset_index(drop=True)
                found = (PublicTable(table.path, chosen, table.is_whole), rows[where])
        return found

    def _find_train_items(self) -> Items | None:
        test = self.test
        best: tuple[int, int] = (0, 0)
        found = None
        features = set(test.table.frame.columns) if test.table is not None else set()
        for table in self.tables:
            if test.table is not None and table.path == test.table.path:
                continue
            targets = [code_like(target, table.frame, features) for target in test.targets]
            coded = [target for target in targets if target is not None and target.is_known.sum() >= 2]
            quality = (len(coded), len(features & set(table.frame.columns)))
            if coded and quality > best and len(table.frame) >= 2:
                best, name = quality, self._id_of_train(table)
                rows = np.arange(len(table.frame))
                keys = list(as_text(table.frame[name])) if name is not None else list(map(str, rows))
                found = Items(keys, coded, table, rows)
        return found or self._train_items_of_names() or self._train_items_without_answers(features)

    def _train_items_without_answers(self, features: set[str]) -> Items | None:
        """Return the items of the table with most columns of the test table, and with further ones."""
        best, found = 1, None
        for table in self.tables:
            names = set(table.frame.columns)
            is_other = self.test.table is not None and table.path != self.test.table.path
            if is_other and len(features & names) > best and names - features and len(table.frame) >= 2:
                best, name = len(features & names), self._id_of_train(table)
                keys = list(as_text(table.frame[name])) if name else list(map(str, range(len(table.frame))))
                found = Items(keys, [], table, np.arange(len(table.frame)))
        return found

    def _train_items_of_names(self) -> Items | None:
        """Return the files that are items and whose folder, or beginning of the name, is the name of a class."""
        target = next((one for one in self.test.targets if one.classes), None)
        if target is None or target.classes is None:
            return None
        code_of = {name: code for code, name in enumerate(target.classes)}
        keys, codes = [], []
        for number in np.flatnonzero(self.is_item & (self.test_item_of < 0)).tolist():
            parts = self.files.path(number).split("/")
            code = code_of.get(parts[-2] if len(parts) > 1 else "")
            if code is not None:
                keys.append(parts[-1])
                codes.append(code)
        if len(set(codes)) < 2:
            return None
        return Items(keys, [replace(target, values=np.array(codes))])

    def _id_of_train(self, table: PublicTable) -> str | None:
        """Return the column of a train table that names its rows: that of the sample, or the one that names files."""
        wanted = self.declaration.submission.ids[0]
        if wanted in table.frame.columns:
            return wanted
        stems = {self.files.stem(number) for number in np.flatnonzero(self.is_item)[:5000]}
        for name in table.frame.columns:
            if not pd.api.types.is_float_dtype(table.frame[name]):
                cells = as_text(table.frame[name]).iloc[:2000]
                if cells.map(lambda cell: cell.rpartition("/")[2].partition(".")[0] in stems).mean() > 0.3:
                    return str(name)
        return None


def match_files(index: FileIndex, keys: Iterable[str]) -> Array:
    """Return for each file the number of the key that names it, or -1: int32 of shape (n_files,).

    A key is the name of a file with or without its suffix, its path, the name of its folder, or the beginning of its
    name before a separator. The first of these forms that some file has is used for all files.
    """
    number_of = {key: number for number, key in enumerate(keys)}
    plain = {key.rpartition("/")[2].partition(".")[0]: number for key, number in number_of.items()}
    if len(plain) == len(number_of):
        number_of = plain | number_of
    found = np.full(len(index), -1, dtype=np.int32)
    for form in (_name_forms, _folder_forms, _beginnings, _numbers_at_end):
        for number in range(len(index)):
            for text in form(index, number):
                if (item := number_of.get(text)) is not None:
                    found[number] = item
                    break
        if (found >= 0).sum() >= 0.5 * len(number_of):
            return found
    return found


def _name_forms(index: FileIndex, number: int) -> tuple[str, ...]:
    name = index.names[number].rpartition("/")[2]
    stem = name.partition(".")[0]
    return name, name.rpartition(".")[0], stem, stem.lstrip("0")


def _folder_forms(index: FileIndex, number: int) -> list[str]:
    parents = index.path(number).split("/")[-2::-1]
    pairs = itertools.pairwise(parents)
    return [*parents[: max(1, len(parents) - 1)], *(above + sign + below for below, above in pairs for sign in "/-_")]


def _beginnings(index: FileIndex, number: int) -> list[str]:
    stem = index.stem(number)
    return [stem[:place] for place in range(len(stem) - 1, 0, -1) if stem[place] in SEPARATORS]


def _numbers_at_end(index: FileIndex, number: int) -> list[str]:
    found = re.search(r"0*(\d+)$", index.stem(number))
    return [found[1]] if found else []


def id_column(frame: pd.DataFrame, keys: Sequence[str]) -> str | None:
    """Return the column of a table whose cells include most of the keys; None if there is none."""
    probe = set(keys[:: max(1, len(keys) // 500)])
    for name in frame.columns:
        column = frame[name]
        if pd.api.types.is_float_dtype(column) and not (column.dropna() % 1 == 0).all():
            continue
        if len(probe & set(as_text(column))) > 0.9 * len(probe):
            return str(name)
    return None


def unique(texts: Iterable[str]) -> list[str]:
    """Return the distinct texts in the order of their first occurrence."""
    return list(dict.fromkeys(texts))


def _shortened(text: str, times: int) -> str:
    """Return a text without its last parts; underscores, hyphens and other separators stand between parts."""
    for _ in range(times):
        cut = max(text.rfind(separator) for separator in SEPARATORS)
        text = text[: max(cut, 0)]
    return text
