"""Requests to the gateway as bytes."""

from __future__ import annotations

import json

BODY = json.dumps({"model": "gpt", "messages": [{"role": "user", "content": "Hi"}]}).encode()
CHAT = "/v1/chat/completions"


def post(path=CHAT, body=BODY, headers="", length=None):
    """Return a request whose length may be wrong."""
    length = len(body) if length is None else length
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{headers}Content-Length: {length}\r\n\r\n"
    return head.encode("latin-1") + body


def status_of(response):
    """Return the status of a response."""
    return int(response.split(b" ", 2)[1])
