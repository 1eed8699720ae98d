import pytest

from mlebench.kaggle.models import Survey, source_suffix


@pytest.mark.parametrize(
    ("language", "kind", "suffix"),
    [
        ("python", "notebook", ".ipynb"),
        ("r", "Notebook", ".ipynb"),
        ("Python", "script", ".py"),
        ("RMarkdown", "script", ".Rmd"),
        ("cobol", "script", ".txt"),
        ("", "", ".txt"),
    ],
)
def test_the_suffix_of_a_source_follows_from_kind_and_language(language, kind, suffix):
    assert source_suffix(language, kind) == suffix


def test_rules_that_are_not_accepted_have_pages():
    survey = Survey(accepted={"leaf": True, "ship": False, "wine": False})
    assert survey.pages == ["https://www.kaggle.com/c/ship/rules", "https://www.kaggle.com/c/wine/rules"]
