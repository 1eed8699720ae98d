"""Errors inside the model gateway; none of them leaves it.

GatewayError             the gateway answers a request with an error of its own
ClientDisconnectedError  the client is gone, so nothing can be sent any more
BrokenStreamError        a response ended before it was complete
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mlebench.gateway.models.config import Protocol

BUDGET_EXCEEDED = "budget_exceeded"
_TYPES = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    405: "invalid_request_error",
    408: "timeout_error",
    413: "request_too_large",
    429: "rate_limit_error",
}


class GatewayError(Exception):
    """Raised when the gateway itself answers a request with an error.

    Parameters
    ----------
    status : int
        The HTTP status of the response.
    message : str
        What is wrong, for the agent.
    code : str, optional
        The error code of the OpenAI API; without it, the error type that belongs to the status.
    retry : bool, optional
        Whether clients should send the request again. The official clients obey.
    param : str, optional
        The name of the field that is wrong.
    """

    def __init__(
        self, status: int, message: str, *, code: str | None = None, retry: bool = False, param: str | None = None
    ) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.code = code
        self.retry = retry
        self.param = param

    def body(self, protocol: Protocol) -> bytes:
        """Return the body of the error response."""
        kind = self.code if self.code == BUDGET_EXCEEDED else _TYPES.get(self.status, "api_error")
        if protocol == "anthropic":
            document: dict[str, Any] = {"type": "error", "error": {"type": kind, "message": self.message}}
        else:
            error = {"message": self.message, "type": kind, "param": self.param, "code": self.code or kind}
            document = {"error": error}
        return json.dumps(document).encode()

    def headers(self) -> list[tuple[str, str]]:
        """Return the headers of the error response."""
        headers = [("content-type", "application/json")]
        if not self.retry and self.status < 500:
            headers.append(("x-should-retry", "false"))
        return headers


class ClientDisconnectedError(Exception):
    """Raised when the client has closed the connection, or does not read any more."""


class BrokenStreamError(Exception):
    """Raised while the chunks of a response are read: it ended before it was complete."""
