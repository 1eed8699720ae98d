"""Submit the sample submission, and report from inside what the sandbox allows.

It needs only the standard library, and py7zr for samples in 7z archives. The report is `checks.json` in the log folder:
for each guarantee of the sandbox, whether it held, and what was seen.
"""

import importlib.util
import json
import os
import re
import socket
import subprocess
import zipfile
from pathlib import Path

DATA = Path(os.environ["DATA_DIR"])
SUBMISSION = Path(os.environ["SUBMISSION_DIR"])
LOGS = Path(os.environ["LOGS_DIR"])
DOCUMENTATION_ADDRESS = ("192.0.2.1", 80)
"""An address that is reserved for documentation (RFC 5737)."""
AGENT = Path(os.environ["AGENT_DIR"])
OWN = {DATA, SUBMISSION, LOGS, Path(os.environ["CODE_DIR"]), AGENT}
SKIPPED = {"/proc", "/sys", "/dev", "/usr"}
ANSWER_FOLDERS = {"private", "prepared", "attempts"}


def main() -> None:
    submit_sample()
    guarantees = {
        "not_root": not_root,
        "answers_out_of_sight": answers_out_of_sight,
        "other_runs_out_of_sight": other_runs_out_of_sight,
        "network_closed": network_closed,
        "host_processes_out_of_sight": host_processes_out_of_sight,
        "data_read_only": data_read_only,
        "submission_check_answers": submission_check_answers,
    }
    checks = {name: dict(zip(("held", "seen"), check(), strict=True)) for name, check in guarantees.items()}
    (LOGS / "checks.json").write_text(json.dumps(checks, indent=2) + "\n")
    for name, check in checks.items():
        print(f"{'held  ' if check['held'] else 'BROKEN'} {name}: {check['seen']}")


def submit_sample() -> None:
    """Submit the first file that may be the sample submission and that the submission check accepts."""
    submission = SUBMISSION / "submission.csv"
    first = None
    for path in candidates():
        content = read_table(path)
        if content is None:
            continue
        submission.write_bytes(content)
        if is_valid(submission):
            return
        first = first or content
    if first is None:
        print("There is no readable sample submission.")
    else:
        submission.write_bytes(first)


def candidates() -> list[Path]:
    """Return the files that may be the sample submission; the test table comes last, for tasks without a sample."""
    names = ("(^|_)(sample|random)", "^test")
    files = sorted(path for path in DATA.rglob("*") if re.search(r"\.(csv|txt)(\.zip|\.7z)?$", path.name.lower()))
    return [path for name in names for path in files if re.search(name, path.name.lower())]


def read_table(path: Path) -> bytes | None:
    """Return the content of a table, from its file or its archive."""
    if path.suffix == ".zip":
        with zipfile.ZipFile(path) as archive:
            return archive.read(archive.namelist()[0])
    if path.suffix == ".7z":
        if not importlib.util.find_spec("py7zr"):
            return None
        import py7zr

        with py7zr.SevenZipFile(path) as archive:
            archive.extractall(AGENT)
        return (AGENT / path.stem).read_bytes()
    return path.read_bytes()


def is_valid(submission: Path) -> bool:
    """Return whether the submission check accepts a file."""
    return '"Submission is valid."' in ask_the_check(submission)


def ask_the_check(submission: Path) -> str:
    script = Path(os.environ.get("TOOLS_DIR", "/home")) / "validate_submission.sh"
    command = ["sh", str(script), str(submission)]
    result = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    return (result.stdout or result.stderr).strip()


def not_root() -> tuple[bool, str]:
    return os.geteuid() != 0, f"user {os.geteuid()}, groups {os.getgroups()}"


def answers_out_of_sight() -> tuple[bool, str]:
    found = [path for path in visible_folders() if path.name in ANSWER_FOLDERS and is_open(path)]
    return not found, f"folders that could hold answers: {[str(path) for path in found[:3]]}"


def other_runs_out_of_sight() -> tuple[bool, str]:
    homes = [path for path in visible_folders() if path.name == "submission" and path != SUBMISSION]
    return not homes, f"other submission folders: {[str(path) for path in homes[:3]]}"


def is_open(folder: Path) -> bool:
    """Return whether a folder can be listed or entered; /etc/ssl/private of an image can not."""
    return os.access(folder, os.R_OK) or os.access(folder, os.X_OK)


def visible_folders() -> list[Path]:
    """Return the folders that can be listed, up to a depth and a number that keep this fast."""
    found, front = [], [Path("/")]
    for _ in range(7):
        below = []
        for folder in front:
            try:
                children = [path for path in folder.iterdir() if path.is_dir() and not path.is_symlink()]
            except OSError:
                continue
            below += [path for path in children if str(path) not in SKIPPED and path not in OWN]
        found += below
        front = below[: 20_000 - len(found)]
    return found


def network_closed() -> tuple[bool, str]:
    interfaces = [line.split(":")[0].strip() for line in Path("/proc/net/dev").read_text().splitlines()[2:]]
    outside = [name for name in interfaces if name != "lo"]
    try:
        socket.create_connection(DOCUMENTATION_ADDRESS, timeout=1).close()
        answer = "connected"
    except OSError as error:
        answer = str(error)
    return not outside, f"interfaces {interfaces}; a connection to the outside: {answer}"


def host_processes_out_of_sight() -> tuple[bool, str]:
    processes = [path for path in Path("/proc").iterdir() if path.name.isdigit()]
    return len(processes) < 16, f"{len(processes)} processes in /proc"


def data_read_only() -> tuple[bool, str]:
    probe = DATA / ".written-by-the-agent"
    try:
        probe.write_text("")
        probe.unlink()
    except OSError as error:
        return True, str(error.strerror)
    return False, "the data folder is writable"


def submission_check_answers() -> tuple[bool, str]:
    answer = ask_the_check(SUBMISSION / "submission.csv")
    return '"Submission is valid."' in answer, answer


if __name__ == "__main__":
    main()
