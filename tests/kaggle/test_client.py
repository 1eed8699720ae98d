"""The real library against a Kaggle server on this machine."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import mlebench
from mlebench.errors import CredentialsError, KaggleError, NetworkError

from .conftest import LEAF
from .server import TOKEN, Fault, leaf

SOURCE = str(Path(mlebench.__file__).parents[1])


def run(code: str, environment: dict[str, str], folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env=environment | {"PYTHONPATH": SOURCE},
        cwd=folder,
        timeout=300,
    )


@pytest.mark.slow("programs")
def test_creating_a_client_prints_nothing_writes_nothing_and_sends_no_request(kaggle, bare, tmp_path):
    code = "from mlebench.kaggle import KaggleClient; KaggleClient(); import sys; assert 'kagglesdk' not in sys.modules"
    done = run(code, bare | kaggle.environment | {"KAGGLE_API_TOKEN": TOKEN}, tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert list((tmp_path / "home").iterdir()) == [] and kaggle.asked == []


@pytest.mark.slow("programs")
def test_a_call_prints_nothing_and_creates_no_folder(kaggle, bare, tmp_path):
    code = f"from mlebench.kaggle import KaggleClient; assert KaggleClient().competition({LEAF!r}).entered"
    done = run(code, bare | kaggle.environment, tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert list((tmp_path / "home").iterdir()) == []


@pytest.mark.slow("programs")
@pytest.mark.parametrize("asked", [f"files({LEAF!r})", f"download({LEAF!r}, Path('leaf.zip'))"])
def test_without_the_library_the_error_names_the_extra(bare, tmp_path, asked):
    absent = "import sys; sys.modules |= dict.fromkeys(['kagglesdk', 'requests'])"
    code = f"from pathlib import Path; from mlebench.kaggle import KaggleClient; KaggleClient().{asked}"
    done = run(f"{absent}; {code}", bare, tmp_path)
    line = "This needs the package 'kagglesdk'; install it with: pip install 'mlebench[kaggle]'"
    assert f"MissingExtraError: {line}" in done.stderr


def test_a_competition_has_a_metric_a_deadline_and_an_address(client):
    info = client.competition(LEAF)
    assert info.entered and info.metric == "LogLoss" and info.deadline.year == 2017
    assert info.url.endswith(LEAF)


def test_files_are_read_page_by_page(kaggle, client):
    kaggle.competitions[LEAF].files = {f"file {at}": at for at in range(5)}
    assert [(file.name, file.bytes) for file in client.files(LEAF)] == [(f"file {at}", at) for at in range(5)]
    assert kaggle.count("ListDataFiles") == 3


def test_the_size_of_an_archive_is_known_without_downloading_it(kaggle, client):
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


def test_a_survey_raises_errors_that_concern_all_competitions(client, monkeypatch):
    monkeypatch.setenv("KAGGLE_KEY", "a-wrong-key")
    with pytest.raises(CredentialsError):
        client.survey([LEAF, "other", "third"])


def test_a_leaderboard_is_read_to_its_end(kaggle, client):
    kaggle.competitions[LEAF].leaderboard = [f"{at / 1000:.5f}" for at in range(450)]
    assert client.leaderboard(LEAF) == [at / 1000 for at in range(450)]
    assert kaggle.count("GetLeaderboard") == 3


def test_a_leaderboard_with_a_score_that_is_not_a_number_is_refused(kaggle, client):
    kaggle.competitions[LEAF].leaderboard = ["first"]
    with pytest.raises(KaggleError, match="not a number"):
        client.leaderboard(LEAF)


@pytest.mark.parametrize(
    ("method", "answer", "call"),
    [
        ("ListCompetitionPages", {"pages": [{"name": {}, "content": "a"}]}, "pages"),
        ("ListCompetitionPages", {"pages": [{"name": "a", "content": [1]}]}, "pages"),
        ("ListCompetitionPages", {"pages": 5}, "pages"),
        ("ListDataFiles", {"files": [{"name": "a", "totalBytes": "1"}]}, "files"),
        ("GetLeaderboard", {"submissions": [{"score": {"a": 1}}]}, "leaderboard"),
        ("GetCompetition", {"title": ["a"]}, "competition"),
        ("GetKernel", {"blob": {"source": {"a": 1}, "language": "python", "kernelType": "script"}}, "kernel"),
        ("GetKernel", {"blob": {"source": "a", "language": 5, "kernelType": "script"}}, "kernel"),
    ],
)
def test_an_answer_with_values_of_other_types_is_not_understood(kaggle, client, method, answer, call):
    kaggle.faults.append(Fault(method, 200, {"Content-Type": "application/json"}, json.dumps(answer).encode(), times=9))
    with pytest.raises(NetworkError, match="is not understood"):
        getattr(client, call)("a/b" if call == "kernel" else LEAF)


def test_lone_surrogates_in_texts_become_question_marks(kaggle, client):
    answer = b'{"blob": {"source": "a\\ud800", "language": "python", "kernelType": "script"}}'
    kaggle.faults.append(Fault("GetKernel", 200, {"Content-Type": "application/json"}, answer))
    assert client.kernel("a/b").source == "a?"


@pytest.mark.parametrize("body", [b"[]", b'{"code": "x"}', b'{"code": []}', b"[" * 5000])
def test_an_error_whose_body_is_odd_is_an_error_of_kaggle(kaggle, client, body):
    kaggle.faults.append(Fault("GetCompetition", 400, {"Content-Type": "application/json"}, body, times=9))
    with pytest.raises(KaggleError):
        client.competition(LEAF)


@pytest.mark.parametrize("score", ["nan", "inf", "-1e999", "0x1"])
def test_a_leaderboard_with_a_score_that_is_not_finite_is_refused(kaggle, client, score):
    kaggle.competitions[LEAF].leaderboard = ["0.1", score]
    with pytest.raises(KaggleError, match=f"not a number: '{score}'"):
        client.leaderboard(LEAF)
