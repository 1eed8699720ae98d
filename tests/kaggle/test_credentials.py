"""Credentials are found wherever Kaggle's own programs find them, and are never shown."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from mlebench.errors import CredentialsError

from .conftest import LEAF
from .server import KEY, NAME, TOKEN


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
def test_every_usual_place_of_credentials_is_searched(kaggle, client, monkeypatch, give):
    monkeypatch.delenv("KAGGLE_USERNAME")
    monkeypatch.delenv("KAGGLE_KEY")
    monkeypatch.setenv("KAGGLE_API_TOKEN", "")
    give()
    assert client.whoami() == NAME
    assert client.competition(LEAF).entered


def test_kaggle_config_dir_names_the_folder_of_the_key(client, monkeypatch, tmp_path):
    monkeypatch.delenv("KAGGLE_USERNAME")
    by_key_file(tmp_path / "keys")
    monkeypatch.setenv("KAGGLE_CONFIG_DIR", str(tmp_path / "keys"))
    assert client.whoami() == NAME


def test_without_credentials_the_error_names_the_places_and_no_request_is_sent(
    kaggle, client, monkeypatch, is_one_sentence
):
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
    with pytest.raises(CredentialsError, match=r"kaggle\.json does not hold a Kaggle user name and key"):
        client.files(LEAF)


def test_rejected_credentials_are_named_by_origin_and_never_shown(client, monkeypatch, is_one_sentence):
    monkeypatch.setenv("KAGGLE_KEY", "a-wrong-key")
    with pytest.raises(CredentialsError, match="from KAGGLE_USERNAME and KAGGLE_KEY") as error:
        client.whoami()
    assert is_one_sentence(str(error.value)) and "a-wrong-key" not in str(error.value)
    assert "a-wrong-key" not in repr(client._session.credentials)


def test_an_expired_token_is_an_error(client, monkeypatch):
    monkeypatch.setenv("KAGGLE_API_TOKEN", "an-old-token")
    with pytest.raises(CredentialsError):
        client.whoami()
