"""The model gateway: agents in sandboxes use language models without a network and without keys.

Who calls whom, from the agent's request (top) to the provider (bottom):

    gateway          ModelGateway: keys, upstreams and event loop of a group of runs
      server         ModelServer: the Unix socket of one run
        connection   HttpConnection: HTTP/1.1 with one client
        handler      RequestHandler: routes requests, limits memory, answers errors
          routes     Route: the paths of both APIs
          call       Call: one call, from its request to its record
            requests     UpstreamRequest: the parsed and changed body
              allowlist        the fields of each route, in openai_fields, responses_fields, anthropic_fields
                shapes         what a JSON value may be; leaf_shapes: single values
              expected_tokens  ExpectedTokens: what a call may use
            accounting   Accounting: reserve, charge and record a call
              budget         BudgetTracker: limits and usage of the run
              prices         Price: US dollars per million tokens
              call_log       CallLog: model_calls.jsonl
              bodies         BodyCapture: logged bodies
            recording    Recording: record and replay
            upstreams    UpstreamClient: send with the key, retry
              retries        when to retry
            relay        ResponseRelay: stream the response to the client
              event_stream   EventStreamParser: server-sent events
              token_counts   TokenCounter: tokens as reported or estimated

config (models.yaml), usage (TokenUsage, ModelUsage, RunUsage), responses (Response) and errors (GatewayError) are
values that most of them share.
"""

from mlebench.gateway.models.call_log import CallRecord
from mlebench.gateway.models.config import Budget, ModelEntry, ModelsConfig, Upstream
from mlebench.gateway.models.gateway import ModelGateway
from mlebench.gateway.models.prices import Price, PriceTable
from mlebench.gateway.models.recording import Mode, RecordedResponse
from mlebench.gateway.models.server import ModelServer
from mlebench.gateway.models.usage import ModelUsage, RunUsage, TokenUsage

__all__ = [
    "Budget",
    "CallRecord",
    "Mode",
    "ModelEntry",
    "ModelGateway",
    "ModelServer",
    "ModelUsage",
    "ModelsConfig",
    "Price",
    "PriceTable",
    "RecordedResponse",
    "RunUsage",
    "TokenUsage",
    "Upstream",
]
