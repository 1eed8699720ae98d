from __future__ import annotations

import doctest

import pytest

from mlebench.errors import UsageError
from mlebench.ground import wording
from mlebench.ground.wording import (
    count,
    format_binary_size,
    format_duration,
    format_short_duration,
    join_names,
    parse_duration,
    plain,
)


def test_examples_are_right():
    results = doctest.testmod(wording)
    assert results.attempted > 8 and results.failed == 0


@pytest.mark.parametrize(
    ("things", "text"),
    [
        (0, "0 runs"),
        (1, "1 run"),
        (1.0, "1 run"),
        ({"a": 1}, "1 run"),
        (2.5, "2.5 runs"),
        (10_000_000, "10,000,000 runs"),
    ],
)
def test_a_noun_agrees_with_its_number(things, text):
    assert count(things, "run") == text


def test_sizes_keep_to_plain_digits():
    assert format_binary_size(1010 * 2**30) == "1010 GiB"
    assert format_binary_size(5000 * 2**40) == "5000 TiB"


@pytest.mark.parametrize(
    ("seconds", "short", "long"),
    [(0, "0 s", "0 seconds"), (119, "119 s", "2 minutes"), (3600, "60 min", "1 hour"), (129_600, "36 h", "36 hours")],
)
def test_a_duration_has_one_short_and_one_long_form(seconds, short, long):
    assert (format_short_duration(seconds), format_duration(seconds)) == (short, long)


def test_names_within_the_limit_are_all_shown():
    assert join_names(["a", "b"], limit=2) == "a, b"
    assert join_names([]) == ""


def test_text_of_unknown_origin_can_neither_print_escapes_nor_flood_a_message():
    assert plain("\x1b[2J{}") == "'?[2J()'"
    assert len(plain("x" * 100_000)) < 100


@pytest.mark.parametrize(
    ("duration", "seconds"), [("90s", 90), ("45m", 2700), ("24h", 86400), ("2d", 172800), ("7", 7), (2.5, 2.5)]
)
def test_durations_are_numbers_with_a_unit_or_seconds(duration, seconds):
    assert parse_duration(duration) == seconds


@pytest.mark.parametrize("text", ["", "h", "-1s", "nan", "inf", "1w", "1h30m"])
def test_what_is_not_a_duration_is_refused(text):
    with pytest.raises(UsageError, match="duration"):
        parse_duration(text)
