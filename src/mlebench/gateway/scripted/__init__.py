"""A model server that follows a script: for tests, and to try an agent without a model.

    with ScriptedServer([Reply("Hello."), Reply(status=429, headers={"Retry-After": "1"})]) as server:
        client = openai.OpenAI(base_url=f"{server.url}/v1", api_key="any")

It speaks the OpenAI and the Anthropic protocol: chat completions, responses, completions with logprobs,
embeddings, messages and their token count, plain and as streams, with tool calls and token counts.
"""

from mlebench.gateway.scripted.script import Asked, Reply, Script, Tokens, ToolCall, count_tokens
from mlebench.gateway.scripted.server import ScriptedServer

__all__ = ["Asked", "Reply", "Script", "ScriptedServer", "Tokens", "ToolCall", "count_tokens"]
