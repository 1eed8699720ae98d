import os

import pytest

from mlebench.runs.instructions import describe_hardware, write_instructions
from mlebench.sandbox.limits import GiB, Limits
from mlebench.sandbox.paths import JobPaths


def test_instructions_name_what_is_there(arena):
    run = arena.run_one("import os; print(open(os.environ['INSTRUCTIONS']).read()); print(os.listdir('/home'))")
    log = (arena.folder / "runs" / "group" / run.run_id / "run.log").read_text()
    assert "/home/submission" in log
    assert "10 minutes" in log
    assert arena.competition.description[:200] in log
    for name in ("data", "submission", "code", "logs", "agent", "instructions.txt", "validate_submission.sh"):
        assert f"'{name}'" in log


@pytest.mark.parametrize(
    ("limits", "text"),
    [
        (Limits(cpus=1, memory=GiB), "1 core, 1 GiB of memory, no GPU"),
        (Limits(cpus=4, memory=16 * GiB, gpus=(3,)), "4 cores, 16 GiB of memory, 1 GPU"),
        (Limits(cpus=2.5, memory=GiB // 2, gpus=(0, 1)), "2.5 cores, 512 MiB of memory, 2 GPUs"),
    ],
)
def test_hardware_is_described_in_words(limits, text):
    assert describe_hardware(limits) == text


def test_the_hardware_of_this_machine_stands_for_missing_limits():
    cores, memory, gpus = describe_hardware(Limits()).split(", ")
    assert int(cores.split()[0]) == os.cpu_count()
    assert memory.endswith(" of memory")
    assert gpus == "no GPU"


@pytest.mark.parametrize(
    ("warning", "network", "texts"),
    [
        (0, "closed", ("There is no warning before the time is up.", "There is no internet.")),
        (60, "open", ("1 minute before the end, /home/logs/", "There is internet access")),
    ],
)
def test_the_rules_say_what_holds_and_the_brief_follows_unchanged(warning, network, texts):
    brief = "# Wine\n\nPredict {this}.\n"
    limits = Limits(seconds=3600, warning=warning)
    text = write_instructions(brief, limits, JobPaths(), network=network)
    assert all(part in text for part in texts)
    assert text.endswith(f"THE TASK\n\n{brief}")
