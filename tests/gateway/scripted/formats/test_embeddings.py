"""Scripted embeddings."""

from __future__ import annotations

import base64
import struct

import pytest

from mlebench.gateway.scripted.formats import embeddings
from mlebench.gateway.scripted.script import Reply

PATH = "/v1/embeddings"


@pytest.mark.parametrize(("given", "number"), [("one", 1), (["one"], 1), (["one", "two"], 2), ([], 0)])
def test_each_input_gets_a_vector(asked, given, number):
    data = embeddings.document(asked(PATH, input=given), Reply())["data"]
    assert [item["index"] for item in data] == list(range(number))


def test_equal_texts_have_equal_vectors_and_others_have_others(asked):
    one, other, again = embeddings.document(asked(PATH, input=["a", "b", "a"]), Reply())["data"]
    assert one["embedding"] == again["embedding"] != other["embedding"]
    assert len(one["embedding"]) == embeddings.DIMENSIONS


def test_base64_holds_the_same_numbers(asked):
    (plain,) = embeddings.document(asked(PATH, input="a"), Reply())["data"]
    (coded,) = embeddings.document(asked(PATH, input="a", encoding_format="base64"), Reply())["data"]
    values = struct.unpack(f"<{embeddings.DIMENSIONS}f", base64.b64decode(coded["embedding"]))
    assert values == pytest.approx(plain["embedding"])


def test_embeddings_have_no_output_tokens(asked):
    usage = embeddings.document(asked(PATH, input="a"), Reply("not sent"))["usage"]
    assert usage["total_tokens"] == usage["prompt_tokens"] > 0
