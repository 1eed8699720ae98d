"""Calls are repeated where that helps, and fail with a clear error where it does not."""

import socket

import pytest

from mlebench.errors import NetworkError, RateLimitError
from mlebench.kaggle import KaggleClient, RetryPolicy

from .conftest import LEAF
from .server import Fault


def test_a_rate_limit_is_logged_and_waited_for(kaggle, client, caplog):
    kaggle.faults.append(Fault("GetCompetition", 429, {"Retry-After": "1"}, times=2))
    caplog.set_level("INFO")
    assert client.competition(LEAF).entered
    assert [record.message for record in caplog.records if "429" in record.message] == [
        f"Kaggle limits the rate of requests (HTTP 429); retrying the one about the competition {LEAF} in 1 second."
    ] * 2


def test_a_rate_limit_that_lasts_too_long_is_an_error(kaggle, client, is_one_sentence):
    kaggle.faults.append(Fault("GetCompetition", 429, {"Retry-After": "3600"}))
    with pytest.raises(RateLimitError, match="for 1 hour") as error:
        client.competition(LEAF)
    assert is_one_sentence(str(error.value)) and kaggle.count("GetCompetition") == 1


def test_rate_limits_without_retry_after_end_in_an_error(kaggle):
    kaggle.faults.append(Fault("GetCompetition", 429, times=1000))
    with pytest.raises(RateLimitError):
        KaggleClient(RetryPolicy(backoff=0.01, max_rate_limit_wait=0.2)).competition(LEAF)
    assert kaggle.count("GetCompetition") < 10


def test_server_errors_are_retried_before_they_are_raised(kaggle, client, is_one_sentence):
    kaggle.faults.append(Fault("GetCompetition", 500, times=3))
    assert client.competition(LEAF).entered
    kaggle.faults.append(Fault("GetCompetition", 503, body=b"<html>", times=4))
    with pytest.raises(NetworkError, match="HTTP 503") as error:
        client.competition(LEAF)
    assert is_one_sentence(str(error.value)) and kaggle.count("GetCompetition") == 8


def test_a_response_that_is_not_json_is_an_error(kaggle, client, is_one_sentence):
    kaggle.faults.append(Fault("GetCompetition", 200, {"Content-Type": "text/html"}, b"<p>Welcome to this hotel"))
    with pytest.raises(NetworkError, match="the response is not understood") as error:
        client.competition(LEAF)
    assert is_one_sentence(str(error.value))


def test_a_network_that_is_down_is_an_error(kaggle, client, monkeypatch, is_one_sentence):
    for name in ("http_proxy", "HTTP_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    with pytest.raises(NetworkError, match="check the network") as error:
        client.competition(LEAF)
    assert is_one_sentence(str(error.value))


def test_a_server_that_never_responds_times_out(kaggle, monkeypatch):
    with socket.socket() as silent:  # accepts connections and sends nothing
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        for name in ("http_proxy", "HTTP_PROXY"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{silent.getsockname()[1]}")
        with pytest.raises(NetworkError, match="timed out"):
            KaggleClient(RetryPolicy(backoff=0.01, connect_timeout=1.0, read_timeout=0.2)).competition(LEAF)
