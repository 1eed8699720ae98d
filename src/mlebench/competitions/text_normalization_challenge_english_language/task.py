"""Tokens of English sentences, to be written as they are spoken."""

from pathlib import Path

from mlebench.preparation import split_spoken_texts, split_spoken_tokens


def prepare(raw: Path, public: Path, private: Path) -> None:
    split_spoken_tokens(raw, public, private, language="en")


def prepare_v2(raw: Path, public: Path, private: Path) -> None:
    split_spoken_texts(raw, public, private, language="en")
