"""The parts of the research agent: parsing of answers and inputs, and the folder that it cannot leave."""

import importlib
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

import mlebench.agents.registry

AGENTS = Path(mlebench.agents.__file__).parent


@pytest.fixture
def parts(monkeypatch):
    """The modules, imported as in a run."""
    monkeypatch.syspath_prepend(str(AGENTS / "inside"))
    monkeypatch.syspath_prepend(str(AGENTS / "mlab"))
    names = ("actions", "answer", "arguments", "files", "scripts", "settings")
    yield SimpleNamespace(**{name: importlib.import_module(f"research_agent.{name}") for name in names})
    for name in [name for name in sys.modules if name.startswith("research_agent")]:
        del sys.modules[name]


ANSWER = """Reflection: It worked.
Research Plan and Status:
1. Look.
2. **Train.**
Fact Check: Nothing: all is known.
Thought: Action is needed.
Action: {action}
Action Input: {{"dir_path": "."}}
Observation: I made this up.
"""


@pytest.mark.parametrize("action", ["List Files", "list files", "[List Files]", "`List Files`", "**List Files**."])
def test_six_sections_are_parsed_and_an_invented_observation_is_cut(parts, action):
    read = parts.answer.read_answer(ANSWER.format(action=action), list(parts.actions.ACTIONS))
    assert read.action == "List Files"
    assert read.input == '{"dir_path": "."}'
    assert read.sections["Research Plan and Status"] == "1. Look.\n2. **Train.**"


def test_headings_may_have_markup(parts):
    marked = (
        ANSWER.format(action="List Files").replace("Thought:", "**Thought:**").replace("Fact Check:", "### Fact Check:")
    )
    assert parts.answer.read_answer(marked, ["List Files"]).sections["Thought"] == "Action is needed."


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("Fact Check: Nothing: all is known.\n", ""), "without Fact Check"),
        (("Reflection: It worked.\n", ""), "without Reflection"),
        (("List Files", "Browse"), "none of the tools"),
    ],
)
def test_the_error_in_an_answer_is_named(parts, change, words):
    with pytest.raises(parts.answer.FormatError, match=words):
        parts.answer.read_answer(ANSWER.format(action="List Files").replace(*change), ["List Files"])


@pytest.mark.parametrize(
    "text",
    [
        '{"name": "a.py", "text": "x = \\"1\\"\\ny"}',
        '```json\n{"name": "a.py", "text": "x = \\"1\\"\\ny"}\n```',
        'Here it is: {"name": "a.py", "text": "x = \\"1\\"\ny"} as you wanted.',
        '{"name": "a.py", "text": "x = "1"\ny"}',
        'name: a.py, text: x = "1"\ny',
        '{"name": "a.py",\n"text": "x = \\"1\\"\ny",}',
    ],
)
def test_inputs_are_parsed_or_repaired(parts, text):
    assert parts.arguments.read_arguments(text, ["name", "text"]) == {"name": "a.py", "text": 'x = "1"\ny'}


@pytest.mark.parametrize("text", ["", "a.py", '{"name": "a.py"}', '["name", "text"]'])
def test_inputs_beyond_repair_are_refused(parts, text):
    with pytest.raises(parts.arguments.InputError, match="name, text"):
        parts.arguments.read_arguments(text, ["name", "text"])


def test_numbers_become_text(parts):
    assert parts.arguments.read_arguments('{"line": 3}', ["line"]) == {"line": "3"}


@pytest.fixture
def folder(parts, tmp_path):
    for name in ("work", "data", "other"):
        (tmp_path / name).mkdir()
    (tmp_path / "data/train.csv").write_text("id\n")
    (tmp_path / "other/answers.csv").write_text("id\n")
    (tmp_path / "work/data").symlink_to(tmp_path / "data")
    (tmp_path / "work/way-out").symlink_to(tmp_path / "other")
    return parts.files.WorkFolder(tmp_path / "work", tmp_path / "data")


def test_no_path_leads_out_of_the_work_folder(parts, folder, tmp_path):
    assert folder.read("data/train.csv") == "id\n"
    for name in ("../other/answers.csv", "way-out/answers.csv", str(tmp_path / "other/answers.csv"), "/etc/passwd"):
        with pytest.raises(parts.files.EnvError, match="outside"):
            folder.read(name)
        with pytest.raises(parts.files.EnvError, match="outside"):
            folder.write(name, "x")
        with pytest.raises(parts.files.EnvError, match="outside"):
            folder.copy(name, "mine.csv")
    with pytest.raises(parts.files.EnvError, match="outside"):
        folder.write("data/train.csv", "x")


def test_changes_can_be_undone_one_by_one(folder):
    for content in ("one", "two", "three"):
        folder.write("a/b.py", content)
    assert folder.undo("a/b.py") == "two"
    assert folder.undo("a/b.py") == "one"


@pytest.mark.slow("programs")
def test_scripts_are_stopped_with_their_descendants(parts, tmp_path):
    code = "import subprocess, sys, time; print('begun', flush=True); subprocess.run(['sleep', '1000'])"
    output = parts.scripts.run_script(["-c", code], tmp_path, 1.0, lambda: None)
    assert output.startswith("begun")
    assert "stopped after 1 seconds" in output


@pytest.mark.slow("programs")
def test_the_output_of_scripts(parts, tmp_path):
    def run(code):
        return parts.scripts.run_script(["-c", code], tmp_path, 60, lambda: None)

    assert run("print(1)") == "1\n"
    assert run("import sys; print(2, file=sys.stderr)") == "2\n"
    assert "printed nothing" in run("")
    assert "ZeroDivisionError" in run("1 / 0")
    assert "ended with 3" in run("raise SystemExit(3)")
    assert len(run("print('x' * 10**6)")) < 250_000


def test_settings_come_from_the_declaration(parts):
    given = parts.settings.Settings.from_environment({"MAX_STEPS": "7", "RETRIEVAL": "1", "SCRIPT_SECONDS": "30"})
    assert (given.max_steps, given.retrieval, given.script_seconds, given.max_retries) == (7, True, 30.0, 5)
    declared = mlebench.agents.registry.get_agent("mlab/paper-gpt-4o").declaration.environment
    paper = parts.settings.Settings.from_environment(declared)
    assert (paper.max_steps, paper.agent_max_steps, paper.max_seconds, paper.max_retries) == (2000, 2000, 86400.0, 10)
