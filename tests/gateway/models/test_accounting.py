"""Costs of models with and without a price."""

from __future__ import annotations

import openai
import pytest

from mlebench.errors import DeclarationError
from mlebench.gateway.models import Budget


def test_a_listed_model_without_a_price_and_a_budget_of_money_exclude_each_other(rig):
    server = rig.serve(["1"])
    config = rig.config(server, prices={"gpt": {"input": 1, "output": 1}}, default_upstream="one")
    gateway = rig.gateway(config)
    with pytest.raises(DeclarationError, match="'claude' has no price"):
        rig.open(gateway, budget=Budget(money=1))
    with pytest.raises(DeclarationError, match="'claude' has no price"):
        rig.gateway(config.model_copy(update={"budget": Budget(money=1)}))
    run = rig.open(gateway)
    run.message()
    assert run.model_server.usage().total.unpriced == 1
    assert run.calls()[0].cost is None


def test_unlisted_models_without_a_price_are_refused_under_a_money_budget(rig):
    server, run = rig(["1"], default_upstream="one", budget=Budget(money=1))
    with pytest.raises(openai.PermissionDeniedError, match="has no price"):
        run.chat(model="other")
    assert not server.requests
