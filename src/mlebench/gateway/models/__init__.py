"""The model gateway: the way of agents in sandboxes to language models, without a network and without keys.

config      models.yaml: upstreams, models, prices, budget
gateway     ModelGateway, for a group of runs; gives out doors
door        one run's Unix socket: connections, requests, refusals
exchange    one call, from request to record
connection  HTTP/1.1 towards the agent
requests    what goes upstream; hosted: what is kept from providers
upstreams   asking providers, retries
answers     answers on their way, streams of events
usage       tokens; prices: what they cost; meter: what is left of a budget
calls       the log; recording: record and replay
protocols   paths, errors, list of models
"""

from mlebench.gateway.models.calls import CallRecord
from mlebench.gateway.models.config import Budget, ModelEntry, ModelsConfig, Upstream
from mlebench.gateway.models.door import ModelDoor
from mlebench.gateway.models.gateway import ModelGateway
from mlebench.gateway.models.meter import Spending, Spent
from mlebench.gateway.models.prices import Price, PriceTable
from mlebench.gateway.models.recording import Mode, RecordedAnswer
from mlebench.gateway.models.usage import Usage

__all__ = [
    "Budget",
    "CallRecord",
    "Mode",
    "ModelDoor",
    "ModelEntry",
    "ModelGateway",
    "ModelsConfig",
    "Price",
    "PriceTable",
    "RecordedAnswer",
    "Spending",
    "Spent",
    "Upstream",
    "Usage",
]
