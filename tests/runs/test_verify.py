"""Any change of a finished record is found, and the file is named."""

import json
import random
import shutil

import pytest

from mlebench.errors import RunError
from mlebench.runs.events import EventLog, as_line, link
from mlebench.runs.verify import fingerprint, verify

CODE = """
import os
open("/home/code/mine.py", "w").write("pass")
open("/home/logs/with\\nnewline.txt", "w").write("odd name")
os.mkdir("/home/logs/deep"); open("/home/logs/deep/log.txt", "w").write("x" * 1000)
import subprocess
subprocess.run(["sh", "/home/validate_submission.sh", "/home/submission/submission.csv"])
"""


@pytest.fixture
def group(arena, submit):
    arena.run(arena.plan(arena.agent("tested", submit + CODE), seeds=2))
    return arena.folder / "runs" / "group"


def files_of(folder):
    return sorted(
        path for path in folder.rglob("*") if path.is_file() and not path.is_symlink() and path.name != ".lock"
    )


def test_an_untouched_group_agrees_with_its_record(group):
    assert verify(group) == []
    assert verify(group / "demo-wine_tested_seed-0") == []
    assert fingerprint(group) == fingerprint(group)


def test_any_flipped_byte_is_found_and_its_file_named(group):
    dice = random.Random(1)
    for path in files_of(group):
        content = path.read_bytes()
        places = {0, len(content) - 1, *(dice.randrange(len(content)) for _ in range(12))} if content else set()
        for place in places:
            changed = bytearray(content)
            changed[place] ^= 1 << dice.randrange(7)
            path.write_bytes(changed)
            found = verify(group)
            named = [one.path for one in found]
            relative = str(path.relative_to(group)).replace("\n", "\\x0a")
            close = path.name in ("run.json", "metadata.json") or any(
                one.replace("\n", "\\x0a") == relative for one in named
            )
            assert found and close, (path, place, found)
        path.write_bytes(content)
    assert verify(group) == []


def test_removed_and_added_files_are_found(group):
    run = group / "demo-wine_tested_seed-1"
    attempt = run / "attempts" / "1"
    for path in files_of(run):
        kept = path.read_bytes()
        path.unlink()
        assert verify(group), path
        path.write_bytes(kept)
    (attempt / "code" / "more.py").write_text("pass")
    assert [found.path for found in verify(run)] == ["attempts/1/code/more.py"]
    (attempt / "code" / "more.py").unlink()
    (attempt / "code" / "mine.py").unlink()
    (attempt / "code" / "mine.py").symlink_to("/etc/passwd")
    assert [found.path for found in verify(run)] == ["attempts/1/code/mine.py"]


def test_a_log_that_was_cut_or_replaced_is_found(group):
    log = group / "demo-wine_tested_seed-0" / "attempts" / "1" / "events.jsonl"
    lines = log.read_text().splitlines(keepends=True)
    for kept in range(len(lines)):
        log.write_text("".join(lines[:kept]))
        assert verify(group), kept
    chain, forged = "0" * 64, ""
    for line in lines:
        event = json.loads(line)
        del event["chain"]
        if event["kind"] == "graded":
            event["score"] = 1.0
        chain = link(chain, event)
        forged += as_line({**event, "chain": chain})
    before = fingerprint(group)
    log.write_text(forged)
    assert fingerprint(group) != before  # only who kept the digest can tell


def test_another_plan_in_the_groups_record_is_found(group):
    path = group / "metadata.json"
    path.write_text(path.read_text().replace('"seconds": 30.0', '"seconds": 31.0'))
    assert any("plan" in found.text for found in verify(group))


def test_a_folder_that_is_not_a_run_is_refused(tmp_path):
    with pytest.raises(RunError, match="neither"):
        verify(tmp_path)


def test_an_interrupted_attempt_need_not_be_sealed(group):
    run = group / "demo-wine_tested_seed-0"
    (run / "attempts" / "2").mkdir()
    with EventLog(run / "attempts" / "2" / "events.jsonl") as events:
        events("run")
    assert verify(group) == []
    shutil.rmtree(run / "attempts" / "2")


def test_the_exit_code_of_the_command_tells_the_result(group):
    import subprocess
    import sys

    def command(*more):
        arguments = [sys.executable, "-m", "mlebench", "verify", "group", "--runs-dir", str(group.parent), *more]
        return subprocess.run(arguments, capture_output=True, text=True, timeout=300, check=False)

    assert command().returncode == 0
    (group / "demo-wine_tested_seed-0" / "attempts" / "1" / "run.log").write_text("nothing happened\n")
    told = command("--json")
    assert told.returncode == 1
    assert [found["path"] for found in json.loads(told.stdout)["findings"]] == [
        "demo-wine_tested_seed-0/attempts/1/run.log"
    ]
