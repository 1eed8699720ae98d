"""The texts that agents get for version v1 never change."""

import hashlib
import json
from pathlib import Path

import pytest

from mlebench.tasks.registry import Registry

BRIEFS = json.loads(Path(__file__).with_name("briefs.json").read_text())


@pytest.mark.parametrize("competition_id", BRIEFS)
def test_a_brief_of_v1_is_what_it_was(competition_id):
    competition = Registry().get_competition(competition_id)
    for name, digest in BRIEFS[competition_id].items():
        text = competition.brief(obfuscated=name == "obfuscated")
        assert hashlib.sha256(text.encode()).hexdigest() == digest, name
