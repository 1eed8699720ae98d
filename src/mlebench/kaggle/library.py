"""Kaggle's own library, kagglesdk: imported when it is needed, and what is handed to it."""

from __future__ import annotations

from typing import Any

from mlebench.errors import MissingExtraError


def require_library() -> None:
    """Raise MissingExtraError unless the library is installed."""
    try:
        import kagglesdk  # noqa: F401
    except ImportError as error:
        raise MissingExtraError("kagglesdk", "kaggle") from error


def request(name: str, **fields: Any) -> Any:
    """Return a request of the library by the name of its class, with fields set."""
    require_library()
    from kagglesdk.competitions.types import competition_api_service as competitions
    from kagglesdk.kernels.types import kernels_api_service as kernels
    from kagglesdk.security.types import oauth_service as security

    kind = next(getattr(module, name) for module in (competitions, kernels, security) if hasattr(module, name))
    filled = kind()
    for field, value in fields.items():
        setattr(filled, field, value)  # the library refuses names that it does not know
    return filled


def competitions_of(kaggle: Any) -> Any:
    """Return the part of the library that speaks of competitions."""
    return kaggle.competitions.competition_api_client
