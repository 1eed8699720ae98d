"""models.yaml, prices and keys: what is said about mistakes, before anything starts."""

from __future__ import annotations

import subprocess
import sys

import pytest

from mlebench.errors import DeclarationError, EnvironmentUnfitError, MissingExtraError
from mlebench.gateway.models import ModelGateway, ModelsConfig, TokenUsage
from mlebench.gateway.models.prices import load_prices
from mlebench.gateway.models.token_counts import TokenCounter, read_usage

GOOD = """
upstreams:
  openai: {protocol: openai, base_url: "https://models.example/v1", key_variable: OPENAI_API_KEY}
models:
  gpt-4o: {upstream: openai, model: gpt-4o-2024-08-06, parameters: {temperature: 1.0}}
prices: mine.yaml
budget: {money: 20, tokens: 5_000_000}
"""


def test_reading(tmp_path):
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
        ("budget", "bugdet", "declares bugdet wrongly"),
        ("models:\n  gpt-4o: {up", "nothing:\n  gpt-4o: {up", "nothing"),
    ],
)
def test_mistakes(tmp_path, old, new, message):
    path = tmp_path / "models.yaml"
    path.write_text(GOOD.replace(old, new, 1))
    with pytest.raises(DeclarationError, match=message):
        ModelsConfig.read(path)


def test_missing_files(tmp_path, is_short_message):
    with pytest.raises(DeclarationError, match="No such file") as caught:
        ModelsConfig.read(tmp_path / "models.yaml")
    assert is_short_message(str(caught.value))
    (tmp_path / "models.yaml").write_text(GOOD)
    with pytest.raises(DeclarationError, match="price file"):
        ModelsConfig.read(tmp_path / "models.yaml").load_prices()


def test_keys(tmp_path, is_short_message):
    (tmp_path / "models.yaml").write_text(GOOD.replace("prices: mine.yaml", ""))
    config = ModelsConfig.read(tmp_path / "models.yaml")
    for environment in ({}, {"OPENAI_API_KEY": " "}, {"OPENAI_API_KEY": "sk\nx"}):
        with pytest.raises(EnvironmentUnfitError, match="OPENAI_API_KEY") as caught:
            ModelGateway(config, environment=environment)
        assert is_short_message(str(caught.value))
    ModelGateway(config, environment={"OPENAI_API_KEY": "sk-1\n"})


def test_without_the_extra(tmp_path, monkeypatch):
    (tmp_path / "models.yaml").write_text(GOOD)
    monkeypatch.setitem(sys.modules, "httpx", None)
    with pytest.raises(MissingExtraError, match=r"mlebench\[models\]"):
        ModelGateway(ModelsConfig.read(tmp_path / "models.yaml"), environment={"OPENAI_API_KEY": "x"})


def test_importing_needs_no_extra():
    script = (
        "import sys, mlebench.gateway.models, mlebench.gateway.scripted; print({'httpx', 'h11'} & set(sys.modules))"
    )
    assert subprocess.check_output([sys.executable, "-c", script], text=True) == "set()\n"


def test_prices():
    price = load_prices(None)["gpt-4o-2024-08-06"]
    assert price.cost(TokenUsage(input=1_000_000, cached_input=1_000_000, output=1_000_000)) == 13.75
    assert load_prices(None)["o1-preview"].cost(TokenUsage(cached_input=1_000_000)) == 15


@pytest.mark.parametrize(
    ("told", "usage"),
    [
        ({"prompt_tokens": 10, "completion_tokens": 2, "prompt_tokens_details": None}, TokenUsage(10, 0, 0, 2)),
        ({"prompt_tokens": 10, "prompt_tokens_details": {"cached_tokens": 4}}, TokenUsage(6, 4, 0, 0)),
        ({"input_tokens": 9, "output_tokens": 5, "output_tokens_details": {"reasoning_tokens": 3}, "total_tokens": 14},
         TokenUsage(9, 0, 0, 5, 3)),
        ({"input_tokens": 9, "cache_read_input_tokens": 2, "cache_creation_input_tokens": 1, "output_tokens": 5},
         TokenUsage(9, 2, 1, 5)),
        ({"prompt_tokens": -5, "completion_tokens": "7"}, TokenUsage()),
        ({"prompt_tokens": 3, "prompt_tokens_details": {"cached_tokens": 50}}, TokenUsage(0, 3, 0, 0)),
        ({}, None),
        ("many", None),
    ],
)  # fmt: skip
def test_usage(told, usage):
    assert read_usage(told) == usage


def test_odd_events_are_no_trouble():
    reader = TokenCounter()
    for data in (b"", b"x", b"[]", b"null", b'{"response": 5}', b'{"usage": []}', b'{"choices": [{"delta": "four"}]}'):
        reader.read_event(data)
    usage, estimated = reader.count(40)
    assert (usage.input, usage.output, estimated) == (10, 1, True)
