"""The user's Kaggle credentials, from the same places and in the same order as Kaggle's own programs."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from mlebench.errors import CredentialsError
from mlebench.ground.extras import require
from mlebench.ground.files import home_folder
from mlebench.ground.version import __version__

if TYPE_CHECKING:
    from kagglesdk import KaggleClient as SdkClient

HOW_TO_AUTHENTICATE = (
    "create a token in your Kaggle account's settings and store it in KAGGLE_API_TOKEN or ~/.kaggle/access_token, "
    "or a key in KAGGLE_USERNAME and KAGGLE_KEY or ~/.kaggle/kaggle.json"
)
LOGIN_FILE = "~/.kaggle/credentials.json"
"""Where the login of Kaggle's command line stores its tokens."""


@dataclass(frozen=True)
class Credentials:
    """A token, or a user name and a key; their values are never shown."""

    origin: str
    """The variable or file that they come from, for messages."""
    token: str | None = None
    username: str | None = None
    key: str | None = None

    def __repr__(self) -> str:
        return f"Credentials(from {self.origin})"


def find_credentials() -> Credentials | None:
    """Return the user's credentials without a request to Kaggle, or None.

    Raises
    ------
    CredentialsError
        A file of credentials is malformed.
    MissingExtraError
        The extra `kaggle` is not installed.
    """
    require("kaggle")
    from kagglesdk import get_access_token_from_env

    token, origin = get_access_token_from_env()
    if token:
        return Credentials(origin if origin == "KAGGLE_API_TOKEN" else "~/.kaggle/access_token", token=token)
    username, key = os.environ.get("KAGGLE_USERNAME"), os.environ.get("KAGGLE_KEY")
    if username and key:
        return Credentials("KAGGLE_USERNAME and KAGGLE_KEY", username=username, key=key)
    for folder in _key_folders():
        if (folder / "kaggle.json").is_file():
            return _read_key(folder / "kaggle.json")
    has_login = (home_folder() / LOGIN_FILE.removeprefix("~/")).is_file()
    return Credentials(LOGIN_FILE) if has_login else None


def sdk_client(credentials: Credentials) -> SdkClient:
    """Return a client of kagglesdk; this sends a request only if the token of a login has expired."""
    require("kaggle")
    from kagglesdk import KaggleClient as SdkClient

    token = credentials.token
    if token is None and credentials.key is None:
        token = _read_login_token()
    return SdkClient(
        username=credentials.username,
        password=credentials.key,
        api_token=token,
        user_agent=f"mlebench/{__version__}",
    )


def _key_folders() -> list[Path]:
    """Return the folders that may hold `kaggle.json`."""
    if os.environ.get("KAGGLE_CONFIG_DIR"):
        return [Path(os.environ["KAGGLE_CONFIG_DIR"])]
    config = Path(os.environ.get("XDG_CONFIG_HOME") or home_folder() / ".config")
    return [home_folder() / ".kaggle", config / "kaggle"]


def _read_key(path: Path) -> Credentials:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        return Credentials(str(path), username=content["username"], key=content["key"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise CredentialsError(
            f"The file {path} does not hold a Kaggle user name and key ({type(error).__name__}); "
            "download it again from your Kaggle account's settings."
        ) from error


def _read_login_token() -> str:
    require("kaggle")
    from kagglesdk import KaggleClient as SdkClient
    from kagglesdk import KaggleCredentials

    login = KaggleCredentials.load(client=SdkClient())
    token = login.get_access_token() if login is not None else None
    if not token:
        raise CredentialsError(f"The login in {LOGIN_FILE} has expired; log in again, or {HOW_TO_AUTHENTICATE}.")
    return str(token)
