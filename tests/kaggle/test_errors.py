"""Error responses become exceptions that say what to do."""

import pytest

from mlebench.errors import CompetitionUnavailableError, RulesNotAcceptedError
from mlebench.kaggle import rules_page

from .conftest import LEAF


def test_rules_that_are_not_accepted_are_an_error_with_their_address(kaggle, client, tmp_path, is_one_sentence):
    kaggle.competitions[LEAF].entered = False
    with pytest.raises(RulesNotAcceptedError, match="You must accept") as error:
        client.download(LEAF, tmp_path / "leaf.zip")
    assert rules_page(LEAF) in str(error.value) and is_one_sentence(str(error.value))


def test_an_unknown_competition_is_an_error(client, is_one_sentence):
    with pytest.raises(CompetitionUnavailableError, match="Kaggle does not know the competition nowhere") as error:
        client.competition("nowhere")
    assert is_one_sentence(str(error.value))


def test_a_closed_competition_is_an_error_that_names_the_way_out(kaggle, client, is_one_sentence):
    kaggle.competitions[LEAF].refusal = (403, "This competition is closed to new entrants. {Sorry}")
    with pytest.raises(CompetitionUnavailableError, match="--raw PATH") as error:
        client.archive_size(LEAF)
    assert is_one_sentence(str(error.value))
