"""Run OpenHands' CodeAct agent on the task, with a terminal, a file editor and the run's model gateway."""

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
"""The answer to a model that stops without calling a tool, as if it waited for a person."""


class CallCounter:
    """Counts the answers of the model, and keeps the last one and the last error."""

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
            kind = event.tool_name if isinstance(event, ActionEvent) else "a message"
            print(f"Call {self.calls}: {kind}", flush=True)


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
    max_calls, counter = int(os.environ["ITERATIONS"]), CallCounter()
    conversation = Conversation(
        # Without a condenser, a conversation ends when it outgrows the model's context window.
        agent=Agent(llm=llm, tools=tools, system_prompt_kwargs={"cli_mode": True}, condenser=default_condenser(llm)),
        workspace=str(task.code),
        persistence_dir=str(task.logs / "openhands"),
        # The same for the same seed, so that a recorded run can be replayed.
        conversation_id=uuid.uuid5(uuid.NAMESPACE_URL, str(task.seed)),
        max_iteration_per_run=max_calls,
        visualizer=None,
        callbacks=[counter],
        delete_on_close=False,
    )
    message = task.instructions
    try:
        while counter.calls < max_calls:
            conversation.max_iteration_per_run = max_calls - counter.calls
            conversation.send_message(message)
            conversation.run()
            status = conversation.state.execution_status
            if status != ConversationExecutionStatus.FINISHED or not isinstance(counter.last, MessageEvent):
                break
            message = GO_ON
    except Exception as error:
        if _is_budget_error(error):
            raise BudgetUsedUp(str(error)) from None
        raise
    finally:
        print(f"Ended after {counter.calls} calls: {conversation.state.execution_status.value}", flush=True)
    if counter.error and "budget_exceeded" in counter.error:
        raise BudgetUsedUp(counter.error)
    # Not conversation.close(), which waits for processes of the terminal; they end with this process.
    os._exit(0)


def _is_budget_error(error: BaseException | None) -> bool:
    """Return whether the cause of an error is that the budget is used up."""
    while error is not None:
        if isinstance(error, PermissionDeniedError):
            return "budget_exceeded" in str(error)
        error = error.__cause__ or error.__context__
    return False


if __name__ == "__main__":
    run(solve)
