"""Pauses between attempts."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

from mlebench.kaggle import RetryPolicy
from mlebench.kaggle.retry import parse_retry_after

from .conftest import QUICK


def test_retry_after_is_a_number_or_a_date():
    assert parse_retry_after("7") == 7
    assert 50 < parse_retry_after(format_datetime(datetime.now(UTC) + timedelta(seconds=60), usegmt=True)) <= 60
    assert parse_retry_after("Wed, 01 Jan 2020 00:00:00 GMT") == 0
    assert parse_retry_after("soon") is None and parse_retry_after(None) is None


def test_the_policy_of_the_tests_is_quicker_than_the_default():
    assert QUICK.backoff < RetryPolicy().backoff and RetryPolicy().max_rate_limit_wait >= 60
