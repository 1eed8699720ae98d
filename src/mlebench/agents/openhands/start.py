"""Runs OpenHands' CodeAct agent on the task, with a terminal and a file editor, against the run's model gateway."""

from __future__ import annotations

import os
import uuid

from litellm.exceptions import PermissionDeniedError
from mlebench_task import BudgetUsedUp, ModelError, Task, protocol_of, run
from openhands.sdk import LLM, Agent, Conversation, Tool
from openhands.sdk.context.condenser import default_condenser
from openhands.sdk.conversation.state import ConversationExecutionStatus
from openhands.sdk.event import ActionEvent, Event, MessageEvent
from openhands.sdk.event.conversation_error import ConversationErrorEvent
from openhands.tools.file_editor import FileEditorTool
from openhands.tools.terminal import TerminalTool
from pydantic import SecretStr

GO_ON = "Please go on in the way that you think is best; nobody will answer. Call finish when you are done."
"""Said when the model stops without calling a tool: a person would have to answer then."""


class Counter:
    """Counts what the model said, and keeps the last thing."""

    def __init__(self) -> None:
        self.calls = 0
        self.last: Event | None = None
        self.error: str | None = None
        self._answers: set[str] = set()

    def __call__(self, event: Event) -> None:
        if isinstance(event, ConversationErrorEvent):
            self.error = f"{event.code}: {event.detail}"
            print(f"Error {self.error}", flush=True)
        if isinstance(event, ActionEvent) or (isinstance(event, MessageEvent) and event.source == "agent"):
            self.last = event
            self._answers.add(event.llm_response_id or event.id)
            self.calls = len(self._answers)
            what = event.tool_name if isinstance(event, ActionEvent) else "a message"
            print(f"Call {self.calls}: {what}", flush=True)


def solve(task: Task) -> None:
    if task.model is None:
        raise ModelError("this agent needs a model; start the run with --models")
    protocol = protocol_of(task.model.name)
    llm = LLM(
        model=f"{protocol}/gateway/{task.model.name}",
        base_url=os.environ["OPENAI_BASE_URL" if protocol == "openai" else "ANTHROPIC_BASE_URL"],
        api_key=SecretStr("unused"),
        temperature=task.model.temperature,
        max_output_tokens=task.model.max_tokens,
        num_retries=8,
        timeout=900,
        usage_id="agent",
    )
    tools = [
        Tool(name=TerminalTool.name, params={"terminal_type": "subprocess"}),
        Tool(name=FileEditorTool.name),
    ]
    most, seen = int(os.environ["ITERATIONS"]), Counter()
    conversation = Conversation(
        # Without a condenser, a conversation that outgrows the model's window ends there.
        agent=Agent(llm=llm, tools=tools, system_prompt_kwargs={"cli_mode": True}, condenser=default_condenser(llm)),
        workspace=str(task.code),
        persistence_dir=str(task.logs / "openhands"),
        # The same for the same seed, so that a recording gives the same run again.
        conversation_id=uuid.uuid5(uuid.NAMESPACE_URL, str(task.seed)),
        max_iteration_per_run=most,
        visualizer=None,
        callbacks=[seen],
        delete_on_close=False,
    )
    message = task.instructions
    try:
        while seen.calls < most:
            conversation.max_iteration_per_run = most - seen.calls
            conversation.send_message(message)
            conversation.run()
            status = conversation.state.execution_status
            if status != ConversationExecutionStatus.FINISHED or not isinstance(seen.last, MessageEvent):
                break
            message = GO_ON
    except Exception as error:
        if _is_refusal(error):
            raise BudgetUsedUp(str(error)) from None
        raise
    finally:
        print(f"Ended after {seen.calls} calls: {conversation.state.execution_status.value}", flush=True)
    if seen.error and "budget_exceeded" in seen.error:
        raise BudgetUsedUp(seen.error)
    # Not conversation.close(): it waits for what still runs in the terminal, and all of that ends with this process.
    os._exit(0)


def _is_refusal(error: BaseException | None) -> bool:
    """Tell whether the gateway's refusal to spend more is behind an error."""
    while error is not None:
        if isinstance(error, PermissionDeniedError):
            return "budget_exceeded" in str(error)
        error = error.__cause__ or error.__context__
    return False


if __name__ == "__main__":
    run(solve)
