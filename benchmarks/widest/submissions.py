"""Writers of submissions that are as large and as costly as intake allows."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from mlebench.grading.intake import MAX_COLUMNS, Allowance
from mlebench.ground.tables import read_csv
from mlebench.tasks.values import Values

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    import pandas as pd

    from mlebench.tasks.competition import Competition

SPARE = 2**16
"""Bytes that a submission stays below what is allowed, since its last cell may take some too many."""
TEXTS = (Values.TEXT, Values.ANYTHING, Values.TRUNCATED_NUMBERS)
MANY = 100_000
"""Rows from which on ids are worth an attack."""
HASH_BITS = 32
SLICE = 266 * 266
"""Pixels of a slice of a scan."""


@dataclass(frozen=True)
class Sample:
    """What a submission must look like: the table of the sample submission, its ids and its targets."""

    table: pd.DataFrame
    ids: list[str]
    targets: list[str]
    is_text: bool
    allowance: Allowance
    """What intake allows for a submission like the sample."""

    @classmethod
    def of(cls, competition: Competition, max_bytes: int) -> Sample:
        """Return the sample of a competition that is declared, for submissions of at most this size."""
        assert competition.declaration is not None
        shape = competition.declaration.submission
        table = read_csv(competition.sample_submission)
        targets = [name for name in shape.target_names(table) if name in table] or [str(table.columns[-1])]
        allowed = Allowance.like(competition.sample_submission)
        allowance = replace(allowed, bytes=min(max_bytes, allowed.bytes))
        return cls(table, shape.ids, targets, shape.values in TEXTS, allowance)

    @property
    def max_bytes(self) -> int:
        """Maximum size of a submission."""
        return self.allowance.bytes - SPARE

    @property
    def further_columns(self) -> int:
        """How many columns a submission may have that the sample does not have."""
        columns = min(self.allowance.fields // (len(self.table) + 1), MAX_COLUMNS)
        return max(1, columns - len(self.table.columns))

    @property
    def room(self) -> int:
        """Bytes for each target cell."""
        rest = self.table.drop(columns=self.targets).to_csv(index=False).encode()
        return max(0, (self.max_bytes - len(rest)) // (len(self.table) * len(self.targets)) - 1)

    def with_cells(self, cells: list[str]) -> bytes:
        """Return the submission with these cells, row by row, in the last target, and the sample's in the others."""
        return csv(self.table.assign(**{self.targets[-1]: cells}))

    def with_all(self, cell: str) -> bytes:
        """Return the submission with the same cell in all targets."""
        return csv(self.table.assign(**dict.fromkeys(self.targets, cell)))

    def with_one(self, make: Callable[[int], str]) -> bytes:
        """Return the submission with one cell in the first row, which is made for the bytes that are left."""
        content = csv(self.table.assign(**{self.targets[-1]: ["\0", *self.cells(1)]}))
        return content.replace(b"\0", make(self.max_bytes - len(content)).encode())

    def cells(self, first: int) -> list[str]:
        """Return the cells of the sample's last target from a row on, as text."""
        column = self.table[self.targets[-1]]
        return column.astype(object).where(column.notna(), "").map(str).tolist()[first:]


def csv(table: pd.DataFrame) -> bytes:
    return table.to_csv(index=False, lineterminator="\n").encode()


def repeat(words: str, room: int) -> str:
    """Return a text again and again, up to a number of bytes, without the blank at the end."""
    return (words * max(1, room // len(words))).rstrip(" ")


def numbered(pattern: str, room: int) -> str:
    """Return a text with a different number at each place of `{}`, up to a number of bytes."""
    count = room // (len(pattern) + len(str(room)) - 2)
    return "".join(pattern.format(number) for number in range(count)).rstrip(" ")


def digits(sample: Sample) -> bytes:
    return sample.with_all("0." + "3" * (sample.room - 2))


def zeros(sample: Sample) -> bytes:
    return sample.with_all("0" * (sample.room - 1) + "1")


def whole_numbers(sample: Sample) -> bytes:
    return sample.with_all("7" * min(sample.room, 4_300))


def exponents(sample: Sample) -> bytes:
    return sample.with_all("9" * max(1, sample.room - 6) + "e-300")


def columns(sample: Sample) -> bytes:
    """Columns of the same long name, as many as may be."""
    return widened(sample, "x" * 3_000)


def mangled_columns(sample: Sample) -> bytes:
    """Columns of a name, and columns that have the names that pandas gives to its repetitions."""
    return widened(sample, "x", "x.{}")


def widened(sample: Sample, *patterns: str) -> bytes:
    further = sample.further_columns
    names = itertools.islice((pattern.format(number) for number in itertools.count() for pattern in patterns), further)
    lines = csv(sample.table).decode().splitlines()
    row = ",1" * further
    header = ",".join([lines[0], *names])[: sample.max_bytes - len(row) * len(lines)].rpartition(",")[0]
    return (
        "\n".join([header, *(line + ",1" * (header.count(",") - lines[0].count(",")) for line in lines[1:])])
    ).encode()


def index(sample: Sample) -> bytes:
    """Rows that are longer than the header, of which pandas makes an index of many levels."""
    lines = csv(sample.table).decode().splitlines()
    return "\n".join(
        [lines[0], *(f"{row}," * sample.further_columns + line for row, line in enumerate(lines[1:]))]
    ).encode()


def integer_ids(sample: Sample) -> bytes:
    """Ids of 64 bits that have the same place in a hash table of pandas, whose hash is (x >> 33) ^ x ^ (x << 11)."""
    high = np.arange(1, len(sample.table) + 1, dtype=np.uint64) << np.uint64(33)
    wanted = (high >> np.uint64(33)) & np.uint64(2**HASH_BITS - 1)
    low = wanted.copy()
    for _ in range(3):  # solves low ^ (low << 11) = wanted in 32 bits
        low = wanted ^ ((low << np.uint64(11)) & np.uint64(2**HASH_BITS - 1))
    return csv(sample.table.assign(**{sample.ids[0]: high | low}))


def text_ids(sample: Sample) -> bytes:
    """Ids of blocks that have the same sum with factors 31: `Aa` and `BB`."""
    bits = max(1, (len(sample.table) - 1).bit_length())
    ids = ["".join(pair) for pair in itertools.islice(itertools.product(("Aa", "BB"), repeat=bits), len(sample.table))]
    return csv(sample.table.assign(**{sample.ids[0]: ids}))


def one(words: str) -> Callable[[Sample], bytes]:
    return lambda sample: sample.with_one(lambda room: repeat(words, room))


def one_numbered(pattern: str) -> Callable[[Sample], bytes]:
    return lambda sample: sample.with_one(lambda room: numbered(pattern, room))


def all_rows(words: str) -> Callable[[Sample], bytes]:
    return lambda sample: sample.with_all(repeat(words, sample.room))


def quotes(sample: Sample) -> bytes:
    return sample.with_one(lambda room: '"' * (room // 2 * 2))


def one_mask(room: int) -> str:
    """Return a mask of many runs of one pixel."""
    return " ".join(f"{start} 1" for start in range(1, 2 * (room // 12), 2))


def runs_everywhere(sample: Sample) -> bytes:
    return sample.with_all(one_mask(sample.room))


def signed_runs(sample: Sample) -> bytes:
    """Masks that need the long way of decoding: three numbers in a row."""
    return sample.with_all("+1 +2 " * max(1, sample.room // 6 - 1) + "+1")


def scattered(share: float) -> Callable[[Sample], bytes]:
    """Masks of as many runs as there is room for, all over a slice, which cover a share of it."""

    def make(sample: Sample) -> bytes:
        step = max(2, -(-SLICE // max(1, sample.room // 10)))
        length = max(1, int(step * share))
        return sample.with_all(" ".join(f"{start} {length}" for start in range(1, SLICE - length, step)))

    return make


KINDS: dict[str, Callable[[Sample], bytes]] = {
    "sample": lambda sample: csv(sample.table),
    "digits": digits,
    "zeros": zeros,
    "whole numbers": whole_numbers,
    "exponents": exponents,
    "columns": columns,
    "mangled columns": mangled_columns,
    "index": index,
    "integer ids": integer_ids,
    "text ids": text_ids,
    "one cell": one("x" * 2**10),
    "short words": one("1 "),
    "words": one("999 "),
    "different words": one_numbered("{} "),
    "all words": all_rows("12 "),
    "quotes": quotes,
}
NUMBERS = ("sample", "digits", "zeros", "whole numbers", "exponents", "columns", "mangled columns", "index")
MASKS: dict[str, Callable[[Sample], bytes]] = {
    "runs": lambda sample: sample.with_one(one_mask),
    "runs everywhere": runs_everywhere,
    "signed runs": signed_runs,
    "dots": scattered(0),
    "stripes": scattered(0.2),
    "thick stripes": scattered(0.9),
}
OBJECTS: dict[str, dict[str, Callable[[Sample], bytes]]] = {
    "kuzushiji-recognition": {
        "points in one box": one("U+3040 5 5 "),
        "points in columns": one_numbered("U+3040 5 {} "),
        "points beside boxes": one("U+3040 0 5 "),
        "different labels": one_numbered("U+{} 1 1 "),
    },
    "3d-object-detection-for-autonomous-vehicles": {
        "one car": one("1 0 0 -22.6 1.9 4.7 1.7 0 car "),
        "cars": one_numbered("1 0 {} -22.6 2 5 2 0 car "),
        "large boxes": one_numbered("1 {} 0 -22.6 1e9 1e9 2 0 car "),
        "needles": one_numbered("1 0 0 -22.6 1e6 1e-6 2 {} car "),
        "small words": one("1 1 1 1 1 1 1 1 car "),
    },
    "siim-covid19-detection": {
        "boxes": one("opacity 1 0 0 9 9 "),
        "negative": one("negative 1 0 0 1 1 "),
        "different labels": one_numbered("o{} 1 0 0 1 1 "),
        "different boxes": one_numbered("opacity 0.{} 0 0 1 1 "),
    },
    "vinbigdata-chest-xray-abnormalities-detection": {
        "boxes": one("0 1 0 0 1 1 "),
        "different boxes": one_numbered("0 0.{} 0 0 1 1 "),
        "different classes": one_numbered("{} 1 0 0 1 1 "),
    },
}
IN_MASKS = (
    "google-research-identify-contrails-reduce-global-warming",
    "hubmap-kidney-segmentation",
    "tgs-salt-identification-challenge",
    "uw-madison-gi-tract-image-segmentation",
    "vesuvius-challenge-ink-detection",
)


def kinds(competition: Competition, sample: Sample) -> dict[str, Callable[[Sample], bytes]]:
    """Return the writers of submissions for a task, by kind."""
    ids = {"text ids", "integer ids"} if len(sample.table) >= MANY else set()
    texts = set(KINDS) - {"integer ids", "text ids"} if sample.is_text else {*NUMBERS}
    chosen = {name: make for name, make in KINDS.items() if name in texts | ids}
    if competition.id in IN_MASKS:
        chosen |= MASKS
    return chosen | OBJECTS.get(competition.id, {})


def write(
    competition: Competition, folder: Path, kind: str | None, max_bytes: int = Allowance().bytes
) -> Iterator[tuple[str, int]]:
    """Write the submissions of a task into a folder, and yield the name and the size of each."""
    sample = Sample.of(competition, max_bytes)
    for name, make in kinds(competition, sample).items():
        if kind in (None, name):
            content = make(sample)
            (folder / f"{name}.csv").write_bytes(content)
            yield name, len(content)
