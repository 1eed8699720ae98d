"""Run the agent of mini-swe-agent on the task, with its bash tool and the run's model gateway."""

from __future__ import annotations

import os
from importlib import resources
from pathlib import Path

# Set before the package is imported: no banner, its folder inside the agent's, no download of prices.
os.environ |= {
    "MSWEA_SILENT_STARTUP": "1",
    "MSWEA_GLOBAL_CONFIG_DIR": os.environ["AGENT_DIR"] + "/.mini-swe-agent",
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
}

import yaml
from litellm.exceptions import PermissionDeniedError
from minisweagent.agents.default import DefaultAgent
from minisweagent.environments.local import LocalEnvironment
from minisweagent.models.litellm_model import LitellmModel
from mlebench_task import BudgetUsedUp, ModelError, Task, protocol_of, run

HERE = Path(__file__).parent


class Commands(LocalEnvironment):
    """The package's shell; a command ends with the run at the latest."""

    def __init__(self, task: Task, **settings: object) -> None:
        super().__init__(**settings)
        self._task = task

    def execute(self, action: dict, cwd: str = "", *, timeout: int | None = None) -> dict:
        limit = timeout or self.config.timeout
        return super().execute(action, cwd, timeout=max(1, min(limit, int(self._task.seconds_left))))


def solve(task: Task) -> None:
    if task.model is None:
        raise ModelError("this agent needs a model; start the run with --models")
    settings = yaml.safe_load((resources.files("minisweagent") / "config" / "mini.yaml").read_text())
    prompts = yaml.safe_load((HERE / "prompts.yaml").read_text(encoding="utf-8"))
    sampling = {"temperature": task.model.temperature, "max_tokens": task.model.max_tokens}
    model = LitellmModel(
        model_name=f"{protocol_of(task.model.name)}/gateway/{task.model.name}",
        model_kwargs={"drop_params": True, **{name: value for name, value in sampling.items() if value is not None}},
        observation_template=settings["model"]["observation_template"],
        format_error_template=settings["model"]["format_error_template"],
        cost_tracking="ignore_errors",  # the gateway tracks costs
    )
    commands = Commands(
        task,
        cwd=str(task.code),
        env=settings["environment"]["env"],
        timeout=int(os.environ["COMMAND_SECONDS"]),
    )
    agent = DefaultAgent(
        model,
        commands,
        system_template=prompts["system"],
        instance_template=prompts["task"],
        step_limit=int(os.environ["STEP_LIMIT"]),
        cost_limit=0,
        max_consecutive_format_errors=10,
        output_path=task.logs / "trajectory.json",
    )
    try:
        result = agent.run(task.instructions, seconds=int(task.seconds), hardware=task.hardware)
    except PermissionDeniedError as error:
        if "budget_exceeded" not in str(error):
            raise
        raise BudgetUsedUp(str(error)) from None
    print(f"Ended after {agent.n_calls} calls: {result['exit_status']}", flush=True)


if __name__ == "__main__":
    run(solve)
