"""Late submissions."""

import pytest

from mlebench.errors import NetworkError, UsageError

from .conftest import LEAF
from .server import Fault


def test_a_late_submission_is_uploaded_and_scored(kaggle, client, tmp_path):
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


def test_a_missing_file_is_not_submitted(client, tmp_path):
    with pytest.raises(UsageError, match="There is no submission"):
        client.submit(LEAF, tmp_path / "submission.csv", "a try")


def test_a_submission_whose_answer_was_lost_is_found(kaggle, client, tmp_path):
    (tmp_path / "submission.csv").write_bytes(b"id\n1\n")
    client.submit(LEAF, tmp_path / "submission.csv", "one")
    kaggle.lost.append("CreateSubmission")
    with pytest.raises(NetworkError):
        client.submit(LEAF, tmp_path / "submission.csv", "two")
    client.submit(LEAF, tmp_path / "submission.csv", "three")
    assert client.find_submission(LEAF, "two") == 101
    assert client.find_submission(LEAF, "four") is None
