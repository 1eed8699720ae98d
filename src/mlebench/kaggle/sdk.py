"""kagglesdk, Kaggle's own library: its requests and the parts of its client."""

from __future__ import annotations

from typing import Any

from mlebench.ground.extras import require


def make_request(name: str, **fields: Any) -> Any:
    """Return an instance of the request class `name` with its fields set; the library rejects unknown fields."""
    require("kaggle")
    from kagglesdk.competitions.types import competition_api_service as competitions
    from kagglesdk.kernels.types import kernels_api_service as kernels
    from kagglesdk.security.types import oauth_service as security

    request_class = next(getattr(module, name) for module in (competitions, kernels, security) if hasattr(module, name))
    request = request_class()
    for field, value in fields.items():
        setattr(request, field, value)
    return request


def competition_api(sdk: Any) -> Any:
    """Return the library's client for competitions."""
    return sdk.competitions.competition_api_client
