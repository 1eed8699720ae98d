"""Values as text for people: counts, sizes, durations, money, lists of names, and text of unknown origin."""

from __future__ import annotations

from collections.abc import Sized
from typing import TYPE_CHECKING

from mlebench.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_NAMES = 8
"""Names that `join_names` shows before it counts the rest."""
MAX_PLAIN = 60
"""Characters of a value that `plain` shows."""
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86_400}


def count(things: Sized | float, noun: str, plural: str | None = None) -> str:
    """Return a number with its noun: `count(3, "run")` is `3 runs`.

    Parameters
    ----------
    things
        A number, or a collection whose length counts.
    noun
        The singular.
    plural
        The plural, if it is not the singular with an `s`.

    Examples
    --------
    >>> count(1, "run"), count(12_345, "row"), count(1.5, "core"), count([], "entry", "entries")
    ('1 run', '12,345 rows', '1.5 cores', '0 entries')
    """
    number = len(things) if isinstance(things, Sized) else things
    text = f"{int(number):,}" if number == int(number) else f"{number:g}"
    return f"{text} {noun if number == 1 else plural or noun + 's'}"


def format_size(size: float) -> str:
    """Return a number of bytes in decimal units, as sizes of data are given.

    >>> format_size(999), format_size(1_234_567), format_size(250e9)
    ('999 bytes', '1.2 MB', '250 GB')
    """
    for unit in ("bytes", "kB", "MB", "GB", "TB"):
        if size < 999.5 or unit == "TB":
            break
        size /= 1000
    return f"{size:.0f} {unit}" if unit == "bytes" or size >= 99.95 else f"{size:.1f} {unit}"


def format_binary_size(size: float) -> str:
    """Return a number of bytes in binary units, as limits of memory and disk are given.

    >>> format_binary_size(1000), format_binary_size(16 * 2**30), format_binary_size(1.5 * 2**20)
    ('1000 bytes', '16 GiB', '1.5 MiB')
    """
    for unit in ("bytes", "KiB", "MiB", "GiB", "TiB"):
        if size < 1024 or unit == "TiB":
            break
        size /= 1024
    return f"{size:.3g} {unit}" if size < 999.5 else f"{size:.0f} {unit}"


def format_duration(seconds: float) -> str:
    """Return a duration in words, for sentences; from a minute on, it is rounded to minutes.

    >>> format_duration(9000), format_duration(60), format_duration(2.5)
    ('2 hours 30 minutes', '1 minute', '2.5 seconds')
    """
    if seconds < 60:
        return count(seconds, "second")
    hours, minutes = divmod(round(seconds / 60), 60)
    return " ".join(count(number, unit) for number, unit in ((hours, "hour"), (minutes, "minute")) if number)


def format_short_duration(seconds: float) -> str:
    """Return a duration as a number with a unit, for tables; three digits are significant.

    >>> format_short_duration(45), format_short_duration(5400), format_short_duration(86_400)
    ('45 s', '90 min', '24 h')
    """
    for length, unit in ((86_400, "d"), (3600, "h"), (60, "min")):
        if seconds >= 2 * length:
            number = seconds / length
            return f"{number:.3g} {unit}" if number < 100 else f"{number:.0f} {unit}"
    return f"{seconds:.3g} s"


def format_clock(seconds: float) -> str:
    """Return a duration as a clock shows it, for numbers that change, and for columns.

    >>> format_clock(5), format_clock(3725)
    ('0:00:05', '1:02:05')
    """
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}"


def parse_duration(duration: str | float) -> float:
    """Return a duration such as `90s`, `45m`, `24h`, `2d` or `3600` in seconds; UsageError if it is not one.

    >>> parse_duration("45m"), parse_duration(90)
    (2700.0, 90.0)
    """
    text = str(duration)
    number, unit = (text[:-1], text[-1]) if text[-1:] in _SECONDS else (text, "s")
    try:
        seconds = float(number) * _SECONDS[unit]
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds < float("inf"):
        raise UsageError(f"A duration is a number with s, m, h or d, such as 90s or 24h, not {text!r}.")
    return seconds


def format_money(dollars: float) -> str:
    """Return an amount of US dollars.

    >>> format_money(1234.5)
    '$1,234.50'
    """
    return f"${dollars:,.2f}"


def format_ordinal(place: int) -> str:
    """Return a place in a ranking.

    >>> [format_ordinal(place) for place in (1, 2, 3, 4, 11, 22, 113)]
    ['1st', '2nd', '3rd', '4th', '11th', '22nd', '113th']
    """
    ending = "th" if place % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(place % 10, "th")
    return f"{place}{ending}"


def join_names(names: Iterable[str], limit: int = MAX_NAMES) -> str:
    """Return names separated by commas; those beyond `limit` are counted.

    >>> join_names(["a", "b", "c", "d"], limit=2)
    'a, b and 2 more'
    """
    names = list(names)
    more = f" and {len(names) - limit} more" if len(names) > limit else ""
    return ", ".join(names[:limit]) + more


def one_line(text: str, limit: int = 300) -> str:
    r"""Return text of unknown origin in one printable line of at most `limit` characters.

    >>> one_line("a\n\x1b b")
    'a b'
    """
    line = "".join(character if character.isprintable() else " " for character in text[:limit])
    return " ".join(line.split())


def plain(value: object) -> str:
    r"""Return a value as short, printable text without braces; strings are quoted.

    Clients look for JSON in the output, so messages must not contain braces.

    >>> plain("a{b}\n"), plain(3.0), plain((1, "a"))
    ("'a(b)?'", '3.0', "1, 'a'")
    """
    if isinstance(value, tuple):
        return ", ".join(map(plain, value))
    text = value if isinstance(value, str) else str(value)
    shown = "".join(character if character.isprintable() else "?" for character in text[:MAX_PLAIN])
    shown = shown.replace("{", "(").replace("}", ")") + ("…" if len(text) > MAX_PLAIN else "")
    return f"'{shown}'" if isinstance(value, str) else shown


def printable(text: str, *, limit: int = 2000) -> str:
    r"""Return text of unknown origin without characters that control a terminal or a browser, and cut to a length.

    Agents can write escape sequences, which a terminal obeys, and characters that change the direction of writing.

    >>> printable("a\x1b[31mb"), printable("abcdef", limit=3)
    ('a [31mb', 'abc …')
    """
    shown = "".join(character if character.isprintable() else " " for character in text[:limit])
    return f"{shown} …" if len(text) > limit else shown
