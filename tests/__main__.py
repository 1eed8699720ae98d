"""All checks: `python -m tests [arguments of pytest]`. People and CI run the same."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CHECKS = (
    ("ruff", "check", "."),
    ("ruff", "format", "--check", "."),
    ("mypy",),
    # Many tests wait for containers and limits: more workers than cores, which take over from one another.
    ("pytest", "-n", "3", "--dist", "worksteal", *sys.argv[1:]),
)


def main() -> int:
    failed = [check for check in CHECKS if run(check)]
    for check in failed:
        print(f"Failed: {' '.join(check)}", file=sys.stderr)
    return 1 if failed else 0


def run(check: tuple[str, ...]) -> int:
    print(f"== {' '.join(check)}", flush=True)
    return subprocess.run([sys.executable, "-m", *check], cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
