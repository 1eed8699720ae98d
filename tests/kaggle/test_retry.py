"""Pauses between attempts."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from mlebench.errors import RateLimitError
from mlebench.kaggle import RetryPolicy
from mlebench.kaggle.retry import MAX_SECONDS, parse_retry_after

from .conftest import LEAF, QUICK
from .server import Fault


def test_retry_after_is_a_number_or_a_date():
    assert parse_retry_after("7") == 7
    assert 50 < parse_retry_after(format_datetime(datetime.now(UTC) + timedelta(seconds=60), usegmt=True)) <= 60
    assert parse_retry_after("Wed, 01 Jan 2020 00:00:00 GMT") == 0
    assert parse_retry_after("soon") is None and parse_retry_after(None) is None


@pytest.mark.parametrize(
    "header", ["\xb2", "", "-1", "1e9", "nan", "\uff11", "Wed, 99 Jan 2020 00:00:00 GMT", ",", "1 2"]
)
def test_a_malformed_retry_after_is_ignored(header):
    assert parse_retry_after(header) is None


def test_a_wait_without_end_is_bounded(kaggle, client):
    assert parse_retry_after("9" * 400) == MAX_SECONDS
    kaggle.faults.append(Fault("GetCompetition", 429, {"Retry-After": "9" * 400}))
    with pytest.raises(RateLimitError):
        client.competition(LEAF)


def test_the_policy_of_the_tests_is_quicker_than_the_default():
    assert QUICK.backoff < RetryPolicy().backoff and RetryPolicy().max_rate_limit_wait >= 60
