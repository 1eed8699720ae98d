"""Submit the sample submission, and report from inside how well the sandbox holds.

Little more than the standard library is used, so that this runs wherever Python does. The report is written to
`checks.json` among the logs: for each promise of the sandbox whether it held, and what was seen.
"""

import importlib.util
import json
import os
import shutil
import socket
import subprocess
import zipfile
from pathlib import Path

DATA = Path(os.environ["DATA_DIR"])
SUBMISSION = Path(os.environ["SUBMISSION_DIR"])
LOGS = Path(os.environ["LOGS_DIR"])
DOCUMENTATION_ADDRESS = ("192.0.2.1", 80)
"""An address that belongs to nobody (RFC 5737)."""
AGENT = Path(os.environ["AGENT_DIR"])
OWN = {DATA, SUBMISSION, LOGS, Path(os.environ["CODE_DIR"]), AGENT}
SKIPPED = {"/proc", "/sys", "/dev", "/usr"}
ANSWER_FOLDERS = {"private", "prepared", "attempts"}


def main() -> None:
    submit_sample()
    promises = {
        "not_root": not_root,
        "answers_out_of_sight": answers_out_of_sight,
        "other_runs_out_of_sight": other_runs_out_of_sight,
        "network_closed": network_closed,
        "host_processes_out_of_sight": host_processes_out_of_sight,
        "data_read_only": data_read_only,
        "submission_check_answers": submission_check_answers,
    }
    checks = {name: dict(zip(("held", "seen"), promise(), strict=True)) for name, promise in promises.items()}
    (LOGS / "checks.json").write_text(json.dumps(checks, indent=2) + "\n")
    for name, check in checks.items():
        print(f"{'held  ' if check['held'] else 'BROKEN'} {name}: {check['seen']}")


def submit_sample() -> None:
    """Put the sample submission in place, from its file or from the archive that it comes in."""
    for path in sorted(DATA.rglob("*")):
        name = path.name.lower()
        if not name.startswith(("sample", "kaggle_sample", "random")):
            continue
        if name.endswith(".csv"):
            shutil.copyfile(path, SUBMISSION / "submission.csv")
            return
        if name.endswith(".csv.zip"):
            with zipfile.ZipFile(path) as archive:
                (SUBMISSION / "submission.csv").write_bytes(archive.read(archive.namelist()[0]))
            return
        if name.endswith(".csv.7z") and importlib.util.find_spec("py7zr"):
            import py7zr

            with py7zr.SevenZipFile(path) as archive:
                archive.extractall(AGENT)
            shutil.copyfile(AGENT / path.name.removesuffix(".7z"), SUBMISSION / "submission.csv")
            return
    print("There is no sample submission that can be read here.")


def not_root() -> tuple[bool, str]:
    return os.geteuid() != 0, f"user {os.geteuid()}, groups {os.getgroups()}"


def answers_out_of_sight() -> tuple[bool, str]:
    found = [path for path in visible_folders() if path.name in ANSWER_FOLDERS]
    return not found, f"folders that could hold answers: {[str(path) for path in found[:3]]}"


def other_runs_out_of_sight() -> tuple[bool, str]:
    homes = [path for path in visible_folders() if path.name == "submission" and path != SUBMISSION]
    return not homes, f"other submission folders: {[str(path) for path in homes[:3]]}"


def visible_folders() -> list[Path]:
    """Return the folders that can be listed, down to a depth and number that keep this quick."""
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
    return False, "a file could be made in the data folder"


def submission_check_answers() -> tuple[bool, str]:
    script = Path(os.environ.get("TOOLS_DIR", "/home")) / "validate_submission.sh"
    result = subprocess.run(
        ["sh", str(script), str(SUBMISSION / "submission.csv")],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return '"Submission is valid."' in result.stdout, (result.stdout or result.stderr).strip()


if __name__ == "__main__":
    main()
