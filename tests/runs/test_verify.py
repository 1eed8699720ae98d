"""Any change of a finished record is found, and the file is named; no state that a harness leaves is a finding."""

import json
import os
import random
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from mlebench.errors import RunError
from mlebench.runs.chain import START, as_line, link
from mlebench.runs.verify import fingerprint, remarks, verify

GROUPS = Path(__file__).parent / "groups"
"""Real groups of the version before groups had a log: 2 agents x 2 tasks x 2 seeds."""
DERIVED = ("report.json", "report.html", "report_files")

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


@pytest.fixture(params=["without_log", "without_log_killed"])
def old_group(request, tmp_path):
    """A group that an earlier version has finished, and one that it was killed in."""
    with tarfile.open(GROUPS / f"{request.param}.tar.xz") as archive:
        archive.extractall(tmp_path)
    (folder,) = tmp_path.iterdir()
    return folder


def files_of(folder):
    return sorted(
        path
        for path in folder.rglob("*")
        if path.is_file() and not path.is_symlink() and not set(path.relative_to(folder).parts) & {".lock", *DERIVED}
    )


def shown(path):
    return "".join(character if character.isprintable() else ascii(character)[1:-1] for character in str(path))


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
            assert shown(path.relative_to(group)) in [one.path for one in found], (path, place, found)
        path.write_bytes(content)
    assert verify(group) == []


def test_a_folder_that_is_not_a_run_is_refused(tmp_path):
    with pytest.raises(RunError, match="neither"):
        verify(tmp_path)


def change_at_random(group, dice):
    """Change one or two names in a group; return what was done, or None if nothing has changed."""
    files = files_of(group)
    links = sorted(path for path in group.rglob("*") if path.is_symlink())
    path, other = dice.sample(files, 2)
    content, added = path.read_bytes(), other.read_bytes()
    match dice.randrange(9):
        case 0:
            place = dice.randrange(len(content) + 1)
            new = content[:place] + bytes([dice.randrange(256)]) + content[place + dice.randrange(2) :]
        case 1:
            new = content[: dice.randrange(len(content) + 1)]
        case 2:
            new = content + added
        case 3:
            new = added
        case 4:
            lines = content.splitlines(keepends=True)
            dice.shuffle(lines)
            new = b"".join(lines[: dice.randrange(len(lines) + 1)])
        case 5:
            path.unlink()
            return f"remove {path}"
        case 6:
            path.write_bytes(added)
            other.write_bytes(content)
            return f"swap {path} and {other}" if added != content else None
        case 7:
            path.rename(path.with_name("kept"))
            path.symlink_to("kept")
            return f"link {path}"
        case _:
            path = dice.choice(links)
            target = path.resolve()
            path.unlink()
            if target.is_dir():
                shutil.copytree(target, path)
            else:
                shutil.copyfile(target, path)
            return f"replace the link {path}"
    path.write_bytes(new)
    return f"write {path}" if new != content else None


def test_random_changes_are_found(finished, tmp_path):
    dice = random.Random(int(os.environ.get("MLEBENCH_SEED", "5")))
    for number in range(int(os.environ.get("MLEBENCH_ROUNDS", "60"))):
        group = tmp_path / str(number)
        shutil.copytree(finished, group, symlinks=True)
        done = change_at_random(group, dice)
        assert (verify(group) != []) == (done is not None), done
        shutil.rmtree(group)


def test_who_builds_all_chains_again_is_found_by_the_digest_only(finished, tmp_path):
    group = tmp_path / "forged"
    shutil.copytree(finished, group, symlinks=True)
    log, chain = group / "group.jsonl", START
    lines = []
    for line in log.read_text().splitlines():
        event = json.loads(line)
        del event["chain"]
        chain = link(chain, event := event | {"time": event["time"].replace("20", "19", 1)})
        lines.append(as_line({**event, "chain": chain}))
    log.write_text("".join(lines))
    assert verify(group)
    (group / ".lock").write_text(f"{chain}\n")
    assert verify(group) == []
    assert fingerprint(group) == chain
    assert fingerprint(group) != fingerprint(finished)


def test_a_copy_of_a_group_has_the_same_digest(finished, tmp_path):
    copied = tmp_path / "elsewhere" / "other"
    shutil.copytree(finished, copied, symlinks=True)
    with tarfile.open(tmp_path / "group.tar", "w") as archive:
        archive.add(copied, "bundled")
    with tarfile.open(tmp_path / "group.tar") as archive:
        archive.extractall(tmp_path)
    for folder in (copied, tmp_path / "bundled"):
        assert verify(folder) == []
        assert fingerprint(folder) == fingerprint(finished)


def test_a_group_of_an_earlier_version_has_no_findings(old_group):
    assert verify(old_group) == []
    assert [verify(old_group / run.name) for run in old_group.glob("demo-*")] == [[]] * len(
        list(old_group.glob("demo-*"))
    )
    assert remarks(old_group)[0].startswith("This group has no group log")


def test_an_earlier_version_printed_the_same_digest(tmp_path):
    with tarfile.open(GROUPS / "without_log.tar.xz") as archive:
        archive.extractall(tmp_path)
    assert fingerprint(tmp_path / "old") == "00da33a472926b648d2cd9f61813f700ba9260e778d88e9629718f5fbe507c8c"


def test_the_exit_code_of_the_command_tells_the_result(group):
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
