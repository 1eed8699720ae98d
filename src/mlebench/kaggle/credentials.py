"""The user's Kaggle credentials, found in the places that Kaggle's own programs look at, in their order."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from mlebench.errors import CredentialsError
from mlebench.ground.files import home_folder

if TYPE_CHECKING:
    from kagglesdk import KaggleClient as Library

WAYS = (
    "make a token in your Kaggle account's settings and give it in KAGGLE_API_TOKEN or in ~/.kaggle/access_token, or a "
    "key in KAGGLE_USERNAME and KAGGLE_KEY or in ~/.kaggle/kaggle.json"
)
OAUTH_FILE = "~/.kaggle/credentials.json"
"""Where Kaggle's command line keeps what its login gave."""


@dataclass(frozen=True)
class Credentials:
    """A token, or a name and a key; never shown."""

    origin: str
    """Where they stand, for messages."""
    token: str | None = None
    username: str | None = None
    key: str | None = None

    def __repr__(self) -> str:
        return f"Credentials(from {self.origin})"


def find_credentials() -> Credentials | None:
    """Return the user's credentials without asking Kaggle, or None; raises CredentialsError for a broken file."""
    from kagglesdk import get_access_token_from_env

    token, origin = get_access_token_from_env()
    if token:
        return Credentials(origin if origin == "KAGGLE_API_TOKEN" else "~/.kaggle/access_token", token=token)
    username, key = os.environ.get("KAGGLE_USERNAME"), os.environ.get("KAGGLE_KEY")
    if username and key:
        return Credentials("KAGGLE_USERNAME and KAGGLE_KEY", username=username, key=key)
    for folder in key_folders():
        if (folder / "kaggle.json").is_file():
            return _read_key(folder / "kaggle.json")
    return _read_login()


def key_folders() -> list[Path]:
    """Return the folders that `kaggle.json` may lie in."""
    if os.environ.get("KAGGLE_CONFIG_DIR"):
        return [Path(os.environ["KAGGLE_CONFIG_DIR"])]
    config = Path(os.environ.get("XDG_CONFIG_HOME") or home_folder() / ".config")
    return [home_folder() / ".kaggle", config / "kaggle"]


def library_client(credentials: Credentials) -> Library:
    """Return a client of Kaggle's library; this asks Kaggle only where a login's token has run out."""
    from kagglesdk import KaggleClient as Library

    token = credentials.token
    if token is None and credentials.key is None:
        token = _token_of_login()
    from mlebench.ground.version import __version__

    return Library(
        username=credentials.username,
        password=credentials.key,
        api_token=token,
        user_agent=f"mlebench/{__version__}",
    )


def _read_key(path: Path) -> Credentials:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        return Credentials(str(path), username=content["username"], key=content["key"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise CredentialsError(
            f"The file {path} does not hold a Kaggle name and key ({type(error).__name__}); "
            "download it again from your Kaggle account's settings."
        ) from error


def _read_login() -> Credentials | None:
    return Credentials(OAUTH_FILE) if (home_folder() / OAUTH_FILE.removeprefix("~/")).is_file() else None


def _token_of_login() -> str:
    from kagglesdk import KaggleClient as Library
    from kagglesdk import KaggleCredentials

    login = KaggleCredentials.load(client=Library())
    token = login.get_access_token() if login is not None else None
    if not token:
        raise CredentialsError(f"The login in {OAUTH_FILE} is of no use any more; log in anew, or {WAYS}.")
    return str(token)
