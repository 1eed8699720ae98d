"""The real library against a Kaggle on this machine: what is asked, and what comes of refusals."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest

import mlebench
from mlebench.errors import (
    CompetitionUnavailableError,
    CredentialsError,
    KaggleError,
    NetworkError,
    RateLimitError,
    RulesNotAcceptedError,
    UsageError,
)
from mlebench.kaggle import KaggleClient, Patience, rules_page
from mlebench.kaggle.patience import retry_after

from .conftest import LEAF, QUICK
from .server import KEY, NAME, TOKEN, Fault, leaf

SOURCE = str(Path(mlebench.__file__).parents[1])


def run(code: str, environment: dict[str, str], folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env=environment | {"PYTHONPATH": SOURCE},
        cwd=folder,
        timeout=60,
    )


def test_naming_the_client_says_nothing_makes_nothing_and_asks_nobody(kaggle, bare, tmp_path):
    code = "from mlebench.kaggle import KaggleClient; KaggleClient(); import sys; assert 'kagglesdk' not in sys.modules"
    done = run(code, bare | kaggle.environment | {"KAGGLE_API_TOKEN": TOKEN}, tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert list((tmp_path / "home").iterdir()) == [] and kaggle.asked == []


def test_a_call_says_nothing_and_makes_no_folder(kaggle, bare, tmp_path):
    code = f"from mlebench.kaggle import KaggleClient; assert KaggleClient().competition({LEAF!r}).entered"
    done = run(code, bare | kaggle.environment, tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert list((tmp_path / "home").iterdir()) == []


@pytest.mark.parametrize("asked", [f"files({LEAF!r})", f"download({LEAF!r}, Path('leaf.zip'))"])
def test_without_the_library_the_error_names_the_extra(bare, tmp_path, asked):
    for name in ("kagglesdk", "requests"):
        (tmp_path / f"{name}.py").write_text("raise ImportError('not here')")
    code = f"from pathlib import Path; from mlebench.kaggle import KaggleClient; KaggleClient().{asked}"
    done = run(f"import sys; sys.path.insert(0, '.'); {code}", bare, tmp_path)
    line = "This needs the package 'kagglesdk'; install it with: pip install 'mlebench[kaggle]'"
    assert f"MissingExtraError: {line}" in done.stderr


def test_facts_of_a_competition(client):
    facts = client.competition(LEAF)
    assert facts.entered and facts.metric == "LogLoss" and facts.deadline.year == 2017
    assert facts.url.endswith(LEAF)


def test_files_are_read_page_by_page(kaggle, client):
    kaggle.competitions[LEAF].files = {f"file {at}": at for at in range(5)}
    assert [(file.name, file.bytes) for file in client.files(LEAF)] == [(f"file {at}", at) for at in range(5)]
    assert kaggle.count("ListDataFiles") == 3


def test_the_size_of_an_archive_is_asked_without_fetching_it(kaggle, client):
    assert client.archive_size(LEAF) == len(kaggle.competitions[LEAF].storage.archive)


def test_a_survey_tells_apart_accepted_refused_and_unknown(kaggle, client):
    kaggle.competitions |= {"other": leaf(100), "closed": leaf(100)}
    kaggle.competitions["other"].entered = False
    kaggle.competitions["closed"].refusal = (403, "This competition is closed to new entrants.")
    survey = client.survey([LEAF, "other", "closed", "nowhere", LEAF])
    assert survey.sizes == {LEAF: len(kaggle.competitions[LEAF].storage.archive)}
    assert survey.accepted == {LEAF: True, "other": False}
    assert survey.problems.keys() == {"closed", "nowhere"}
    assert survey.pages == ["https://www.kaggle.com/c/other/rules"]


def test_a_survey_ends_with_what_concerns_all(client, monkeypatch):
    monkeypatch.setenv("KAGGLE_KEY", "a-wrong-key")
    with pytest.raises(CredentialsError):
        client.survey([LEAF, "other", "third"])


# Credentials


def home() -> Path:
    return Path(os.environ["HOME"])


def by_key_file(folder: Path) -> None:
    folder.mkdir(parents=True)
    (folder / "kaggle.json").write_text(json.dumps({"username": NAME, "key": KEY}))


def by_token_file() -> None:
    (home() / ".kaggle").mkdir()
    (home() / ".kaggle/access_token").write_text(TOKEN + "\n")


def by_login() -> None:
    (home() / ".kaggle").mkdir()
    facts = {"refresh_token": "r", "access_token": TOKEN, "username": NAME, "scopes": []}
    until = (datetime.now(UTC) + timedelta(hours=5)).isoformat()
    (home() / ".kaggle/credentials.json").write_text(json.dumps(facts | {"access_token_expiration": until}))


@pytest.mark.parametrize(
    "give",
    [
        lambda: os.environ.update(KAGGLE_USERNAME=NAME, KAGGLE_KEY=KEY),
        lambda: os.environ.update(KAGGLE_API_TOKEN=TOKEN),
        lambda: by_key_file(home() / ".kaggle"),
        lambda: by_key_file(home() / ".config/kaggle"),
        by_token_file,
        by_login,
    ],
    ids="variables token key-file key-file-xdg token-file login".split(),
)
def test_every_usual_way_of_giving_credentials(kaggle, client, monkeypatch, give):
    monkeypatch.delenv("KAGGLE_USERNAME")
    monkeypatch.delenv("KAGGLE_KEY")
    monkeypatch.setenv("KAGGLE_API_TOKEN", "")
    give()
    assert client.whoami() == NAME
    assert client.competition(LEAF).entered


def test_a_folder_of_the_users_choice_holds_the_key(client, monkeypatch, tmp_path):
    monkeypatch.delenv("KAGGLE_USERNAME")
    by_key_file(tmp_path / "keys")
    monkeypatch.setenv("KAGGLE_CONFIG_DIR", str(tmp_path / "keys"))
    assert client.whoami() == NAME


def test_no_credentials_names_the_ways_and_asks_nobody(kaggle, client, monkeypatch, is_one_sentence):
    monkeypatch.delenv("KAGGLE_KEY")
    with pytest.raises(
        CredentialsError, match=r"KAGGLE_API_TOKEN.*access_token.*KAGGLE_USERNAME.*kaggle\.json"
    ) as error:
        client.files(LEAF)
    assert is_one_sentence(str(error.value)) and kaggle.asked == [] and error.value.exit_code == 3


def test_a_broken_key_file_is_named(client, monkeypatch):
    monkeypatch.delenv("KAGGLE_KEY")
    by_key_file(home() / ".kaggle")
    (home() / ".kaggle/kaggle.json").write_text("{}")
    with pytest.raises(CredentialsError, match=r"kaggle\.json does not hold a Kaggle name and key"):
        client.files(LEAF)


def test_refused_credentials_say_where_they_come_from_and_not_what_they_are(client, monkeypatch, is_one_sentence):
    monkeypatch.setenv("KAGGLE_KEY", "a-wrong-key")
    with pytest.raises(CredentialsError, match="from KAGGLE_USERNAME and KAGGLE_KEY") as error:
        client.whoami()
    assert is_one_sentence(str(error.value)) and "a-wrong-key" not in str(error.value)
    assert "a-wrong-key" not in repr(client._session.credentials)


def test_a_token_that_has_run_out_is_told(client, monkeypatch):
    monkeypatch.setenv("KAGGLE_API_TOKEN", "an-old-token")
    with pytest.raises(CredentialsError):
        client.whoami()


# Refusals


def test_rules_that_are_not_accepted_come_with_their_address(kaggle, client, tmp_path, is_one_sentence):
    kaggle.competitions[LEAF].entered = False
    with pytest.raises(RulesNotAcceptedError, match="You must accept") as error:
        client.download(LEAF, tmp_path / "leaf.zip")
    assert rules_page(LEAF) in str(error.value) and is_one_sentence(str(error.value))


def test_an_unknown_competition(client, is_one_sentence):
    with pytest.raises(CompetitionUnavailableError, match="Kaggle does not know the competition nowhere") as error:
        client.competition("nowhere")
    assert is_one_sentence(str(error.value))


def test_a_closed_competition_says_what_is_left(kaggle, client, is_one_sentence):
    kaggle.competitions[LEAF].refusal = (403, "This competition is closed to new entrants. {Sorry}")
    with pytest.raises(CompetitionUnavailableError, match="--raw PATH") as error:
        client.archive_size(LEAF)
    assert is_one_sentence(str(error.value))


def test_rate_limits_are_waited_for_and_told(kaggle, client, caplog):
    kaggle.faults.append(Fault("GetCompetition", 429, {"Retry-After": "1"}, times=2))
    caplog.set_level("INFO")
    assert client.competition(LEAF).entered
    assert [record.message for record in caplog.records if "asks for a pause" in record.message] == [
        f"Kaggle asks for a pause (HTTP 429); going on with the competition {LEAF} in 1 seconds."
    ] * 2


def test_a_rate_limit_that_lasts_too_long_is_an_error(kaggle, client, is_one_sentence):
    kaggle.faults.append(Fault("GetCompetition", 429, {"Retry-After": "3600"}))
    with pytest.raises(RateLimitError, match="for 3,600 seconds") as error:
        client.competition(LEAF)
    assert is_one_sentence(str(error.value)) and kaggle.count("GetCompetition") == 1


def test_rate_limits_without_a_time_end_too(kaggle):
    kaggle.faults.append(Fault("GetCompetition", 429, times=1000))
    with pytest.raises(RateLimitError):
        KaggleClient(Patience(pause=0.01, longest_wait=0.2)).competition(LEAF)
    assert kaggle.count("GetCompetition") < 10


def test_retry_after_is_a_number_or_a_date():
    assert retry_after("7") == 7
    assert 50 < retry_after(format_datetime(datetime.now(UTC) + timedelta(seconds=60), usegmt=True)) <= 60
    assert retry_after("Wed, 01 Jan 2020 00:00:00 GMT") == 0
    assert retry_after("soon") is None and retry_after(None) is None


def test_failures_of_kaggle_pass_or_are_told(kaggle, client, is_one_sentence):
    kaggle.faults.append(Fault("GetCompetition", 500, times=3))
    assert client.competition(LEAF).entered
    kaggle.faults.append(Fault("GetCompetition", 503, body=b"<html>", times=4))
    with pytest.raises(NetworkError, match="HTTP 503") as error:
        client.competition(LEAF)
    assert is_one_sentence(str(error.value)) and kaggle.count("GetCompetition") == 8


def test_an_answer_that_is_no_json_is_told(kaggle, client, is_one_sentence):
    kaggle.faults.append(Fault("GetCompetition", 200, {"Content-Type": "text/html"}, b"<p>Welcome to this hotel"))
    with pytest.raises(NetworkError, match="what it answers is not understood") as error:
        client.competition(LEAF)
    assert is_one_sentence(str(error.value))


def test_a_network_that_is_down_is_told(kaggle, client, monkeypatch, is_one_sentence):
    for name in ("http_proxy", "HTTP_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    with pytest.raises(NetworkError, match="look at the network") as error:
        client.competition(LEAF)
    assert is_one_sentence(str(error.value))


def test_a_server_that_never_answers_is_left(kaggle, monkeypatch):
    with socket.socket() as silent:  # takes connections and says nothing
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        for name in ("http_proxy", "HTTP_PROXY"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{silent.getsockname()[1]}")
        with pytest.raises(NetworkError, match="in time"):
            KaggleClient(Patience(pause=0.01, connect=1.0, read=0.2)).competition(LEAF)


# Pages, leaderboards, notebooks, submissions


def test_a_leaderboard_is_read_to_its_end(kaggle, client):
    kaggle.competitions[LEAF].leaderboard = [f"{at / 1000:.5f}" for at in range(450)]
    assert client.leaderboard(LEAF) == [at / 1000 for at in range(450)]
    assert kaggle.count("GetLeaderboard") == 3


def test_a_leaderboard_of_words_is_refused(kaggle, client):
    kaggle.competitions[LEAF].leaderboard = ["first"]
    with pytest.raises(KaggleError, match="no number"):
        client.leaderboard(LEAF)


def test_a_late_submission_and_its_scores(kaggle, client, tmp_path):
    file = tmp_path / "submission.csv"
    file.write_bytes(b"id,x\n1,2\n")
    ref = client.submit(LEAF, file, "a try")
    assert list(kaggle.uploads.values()) == [b"id,x\n1,2\n"]
    scores = client.submission_scores(LEAF, ref)
    assert (scores.status, scores.public_score, scores.private_score) == ("complete", 0.5, 0.25)


def test_a_submission_is_made_once_even_if_kaggle_fails(kaggle, client, tmp_path):
    (tmp_path / "submission.csv").write_bytes(b"id\n1\n")
    kaggle.faults.append(Fault("CreateSubmission", 500))
    with pytest.raises(NetworkError):
        client.submit(LEAF, tmp_path / "submission.csv", "a try")
    assert kaggle.count("CreateSubmission") == 1 and kaggle.submissions == {}


def test_a_submission_that_is_not_there(client, tmp_path):
    with pytest.raises(UsageError, match="There is no submission"):
        client.submit(LEAF, tmp_path / "submission.csv", "a try")


def test_quick_patience_is_shorter_than_the_real_one():
    assert QUICK.pause < Patience().pause and Patience().longest_wait >= 60
