"""The configuration `models.yaml`: what is valid, and the messages about mistakes."""

from __future__ import annotations

import pytest

from mlebench.errors import DeclarationError, EnvironmentUnfitError
from mlebench.gateway.models import ModelGateway, ModelsConfig

GOOD = """
upstreams:
  openai: {protocol: openai, base_url: "https://models.example/v1", key_variable: OPENAI_API_KEY}
models:
  gpt-4o: {upstream: openai, model: gpt-4o-2024-08-06, parameters: {temperature: 1.0}}
prices: mine.yaml
budget: {money: 20, tokens: 5_000_000}
"""


def test_prices_are_read_relative_to_the_configuration(tmp_path):
    path = tmp_path / "models.yaml"
    path.write_text(GOOD)
    (tmp_path / "mine.yaml").write_text("date: 2025-01-01\nmodels: {other: {input: 1, output: 2}}\n")
    config = ModelsConfig.read(path)
    prices = config.load_prices()
    assert prices["other"].output == 2
    assert prices["gpt-4o-2024-08-06"].cached_input == 1.25
    assert config.find("gateway/gpt-4o")[1].model == "gpt-4o-2024-08-06"
    assert config.find("nothing") is None


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("protocol: openai", "protocol: openei", "declares upstreams.openai.protocol wrongly"),
        ("key_variable: OPENAI_API_KEY", "api_key: sk-1", "declares upstreams.openai.api_key wrongly"),
        ("https://models", "ftp://models", "use a URL such as"),
        ("https://models", "https://user:x@models", "without user"),
        ("upstream: openai", "upstream: opanai", "the unknown upstream 'opanai'"),
        ("  gpt-4o:", "  gateway/gpt-4o:", "without 'gateway/'"),
        ("money: 20", "money: -1", "declares budget.money wrongly"),
        ("key_variable: OPENAI_API_KEY", "allowed_fields: top_k", "declares upstreams.openai.allowed_fields wrongly"),
        ("key_variable: OPENAI_API_KEY", "allowed_fields: [a b]", "declares upstreams.openai.allowed_fields"),
        ("key_variable: OPENAI_API_KEY", "allowed_fields: [background]", "controls 'background'"),
        ("key_variable: OPENAI_API_KEY", "max_output_tokens: 0", "declares upstreams.openai.max_output_tokens wrongly"),
        ("budget", "bugdet", "declares bugdet wrongly"),
        ("models:\n  gpt-4o: {up", "nothing:\n  gpt-4o: {up", "nothing"),
    ],
)
def test_mistakes_are_named(tmp_path, old, new, message):
    path = tmp_path / "models.yaml"
    path.write_text(GOOD.replace(old, new, 1))
    with pytest.raises(DeclarationError, match=message):
        ModelsConfig.read(path)


def test_missing_files_are_named(tmp_path, is_short_message):
    with pytest.raises(DeclarationError, match="No such file") as caught:
        ModelsConfig.read(tmp_path / "models.yaml")
    assert is_short_message(str(caught.value))
    (tmp_path / "models.yaml").write_text(GOOD)
    with pytest.raises(DeclarationError, match="price file"):
        ModelsConfig.read(tmp_path / "models.yaml").load_prices()


def test_a_missing_or_unusable_key_is_named(tmp_path, is_short_message):
    (tmp_path / "models.yaml").write_text(GOOD.replace("prices: mine.yaml", ""))
    config = ModelsConfig.read(tmp_path / "models.yaml")
    for environment in ({}, {"OPENAI_API_KEY": " "}, {"OPENAI_API_KEY": "sk\nx"}):
        with pytest.raises(EnvironmentUnfitError, match="OPENAI_API_KEY") as caught:
            ModelGateway(config, environment=environment)
        assert is_short_message(str(caught.value))
    ModelGateway(config, environment={"OPENAI_API_KEY": "sk-1\n"})
