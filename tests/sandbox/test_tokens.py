"""Tokens tell jobs of living harnesses from those of dead ones."""

from __future__ import annotations

from mlebench.sandbox.tokens import is_orphaned, new_token


def test_tokens_of_other_namespaces_and_other_texts_are_not_orphaned():
    assert not is_orphaned("1-999999-1-abc")
    assert not is_orphaned("whatever")
    assert not is_orphaned(new_token())
