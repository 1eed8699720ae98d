"""The helper module beside every agent: the task as an object, the submission check, the model."""

import re
from pathlib import Path

import pytest

import mlebench.agents
from mlebench.agents.inside.mlebench_task import BudgetUsedUp, Model, ModelError, Task
from mlebench.gateway.scripted import Reply, ScriptedServer


@pytest.fixture
def environment(tmp_path, ship):
    for name in ("submission", "code", "logs", "agent"):
        (tmp_path / name).mkdir()
    (tmp_path / "instructions.txt").write_text("Do it.")
    folders = {f"{name.upper()}_DIR": str(tmp_path / name) for name in ("submission", "code", "logs", "agent")}
    return folders | {
        "DATA_DIR": str(ship.public_dir),
        "INSTRUCTIONS": str(tmp_path / "instructions.txt"),
        "TIME_LIMIT_SECS": "60",
        "SEED": "2",
        "HARDWARE": "1 core",
    }


def test_a_task_is_read_from_the_environment_variables(environment, ship):
    task = Task.from_environment(environment)
    assert task.instructions == "Do it."
    assert (task.seed, task.seconds, task.model, task.competition_id) == (2, 60, None, None)
    assert 0 <= task.seconds_left <= 60
    assert task.sample_submission == ship.sample_submission
    with pytest.raises(ModelError, match="offers no model"):
        task.ask("Hello?")


def test_a_file_is_submitted_even_if_the_check_does_not_answer(environment, tmp_path):
    """tests/agents/test_mlab.py tests the rest in a sandbox: the message, and that a valid submission is kept."""
    task = Task.from_environment(environment | {"VALIDATE_URL": "http://127.0.0.1:9"})
    (tmp_path / "mine.csv").write_text("id\n")
    assert "does not answer" in task.submit(tmp_path / "mine.csv")
    assert (task.submission / "submission.csv").read_text() == "id\n"
    assert [path.name for path in task.submission.iterdir()] == ["submission.csv"]
    assert "cannot be read" in task.validate(tmp_path / "none.csv")


def model(server, **more):
    return Model(f"{server.url}/v1", "large", pause=0.01, **more)


def test_temporary_failures_are_retried():
    talk = [
        Reply("Busy.", status=503),
        Reply("Hello.", cut_after=20),
        Reply(cut_after=0),
        Reply(malformed=True),
        "Hello.",
    ]
    with ScriptedServer(talk) as server:
        assert model(server).ask("Hi") == "Hello."
        assert len(server.requests) == 5


def test_permanent_failures_are_not_retried():
    with ScriptedServer([Reply("No such model.", status=404)]) as server:
        with pytest.raises(ModelError, match=re.escape("404: No such model.")):
            model(server).ask("Hi")
        assert len(server.requests) == 1


def test_retries_are_limited():
    with ScriptedServer(lambda asked: Reply("Busy.", status=429)) as server:
        with pytest.raises(ModelError, match="429"):
            model(server, tries=3).ask("Hi")
        assert len(server.requests) == 3


def test_a_used_up_budget_is_an_error_of_its_own():
    with ScriptedServer([Reply("Spent.", status=403, code="budget_exceeded")]) as server, pytest.raises(BudgetUsedUp):
        model(server).ask("Hi")


def test_fields_that_a_model_refuses_are_learned():
    """Models differ in the name of the output limit, and in whether they accept a temperature or a stop."""

    def script(asked):
        for name in ("max_tokens", "stop"):
            if name in asked.body:
                return Reply(f"Unsupported parameter: '{name}' is not supported with this model.", status=400)
        return f"{asked.body.get('max_completion_tokens')} {asked.body.get('temperature')}"

    with ScriptedServer(script) as server:
        asking = model(server, max_tokens=7, temperature=0.5)
        assert asking.ask("Hi", stop=["x"]) == "7 0.5"
        assert asking.ask("Hi", stop=["x"]) == "7 0.5"
        assert len(server.requests) == 4  # learned once


def test_the_module_needs_only_the_standard_library():
    text = (Path(mlebench.agents.__file__).parent / "inside/mlebench_task.py").read_text()
    assert "import mlebench\n" not in text
    assert "from mlebench" not in text.partition('"""\n\n')[2]
