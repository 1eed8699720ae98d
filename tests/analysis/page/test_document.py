from __future__ import annotations

import base64
import hashlib
import re

import pytest

from mlebench.analysis.page.document import document
from mlebench.analysis.page.markup import tag

from ..pages import Outline
from ..records import HOSTILE


def policy_of(text: str) -> str:
    (policy,) = (at["content"] for _, at in Outline(text).elements if at.get("http-equiv") == "Content-Security-Policy")
    assert policy is not None
    return policy


@pytest.mark.parametrize("scripts", [(), ("script.js",), ("live.js",), ("script.js", "live.js")])
def test_the_policy_allows_the_scripts_of_the_page_and_no_others(scripts: tuple[str, ...]) -> None:
    text = document("Title", scripts=scripts)
    codes = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    hashes = [base64.b64encode(hashlib.sha256(code.encode()).digest()).decode() for code in codes]
    allowed = re.findall(r"script-src ([^;]*);", policy_of(text))[0].split()
    assert allowed == ([f"'sha256-{digest}'" for digest in hashes] or ["'none'"])
    assert len(codes) == len(scripts)


@pytest.mark.parametrize(("live", "requests"), [(False, False), (True, True)])
def test_only_a_live_page_may_make_requests(live: bool, requests: bool) -> None:
    text = document("Title", live=live)
    assert ("connect-src 'self'" in policy_of(text)) is requests
    assert ("refresh" in text) is requests


def test_a_hostile_title_is_text() -> None:
    text = document(HOSTILE, tag("p", HOSTILE))
    outline = Outline(text)
    assert outline.open == []
    assert (outline.count("script"), outline.count("img")) == (1, 0)
