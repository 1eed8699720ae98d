"""A model server that follows a script: for tests, and to try an agent without a model.

    with ScriptedServer([Reply("Hello."), Reply(status=429, headers={"Retry-After": "1"})]) as server:
        client = openai.OpenAI(base_url=f"{server.url}/v1", api_key="any")

It serves the OpenAI and Anthropic APIs: chat completions, responses, completions with logprobs, embeddings, messages
and their token count. Responses can be plain or streamed, with tool calls and token counts.

script    Reply and ToolCall: what the model replies; Request: what it was sent
server    ScriptedServer: a real HTTP server on loopback
formats   replies as JSON objects and event streams, a module for each API
"""

from mlebench.gateway.scripted.script import Reply, Request, Script, TokenCounts, ToolCall, count_tokens
from mlebench.gateway.scripted.server import ScriptedServer

__all__ = ["Reply", "Request", "Script", "ScriptedServer", "TokenCounts", "ToolCall", "count_tokens"]
