"""OpenAI embeddings: `/v1/embeddings`. The vector of a text is made from its digest."""

from __future__ import annotations

import base64
import hashlib
import json
import struct
from typing import TYPE_CHECKING

from mlebench.gateway.scripted.formats.parts import Json, token_counts, with_usage

if TYPE_CHECKING:
    from mlebench.gateway.scripted.script import Reply, Request

DIMENSIONS = 8


def document(request: Request, reply: Reply) -> Json:
    """Return a vector for each input, as a list of floats or in base64."""
    given = request.body.get("input")
    data = []
    for index, text in enumerate(given if isinstance(given, list) else [given]):
        vector = [byte / 255 for byte in hashlib.sha256(json.dumps(text).encode()).digest()[:DIMENSIONS]]
        embedding: object = vector
        if request.body.get("encoding_format") == "base64":
            embedding = base64.b64encode(struct.pack(f"<{DIMENSIONS}f", *vector)).decode()
        data.append({"object": "embedding", "index": index, "embedding": embedding})
    tokens = token_counts(request, reply).input
    embeddings = {"object": "list", "model": request.body.get("model"), "data": data}
    return with_usage(embeddings, reply, {"prompt_tokens": tokens, "total_tokens": tokens})
