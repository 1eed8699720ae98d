"""All checks: `python -m tests [--quick] [arguments of pytest]`. People and CI run the same."""

import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# Slow tests wait for containers and limits, so they get more workers than cores. An idle worker takes over tests.
WORKERS = "2" if "--quick" in sys.argv else "4"
CHECKS = (
    ("ruff", "check", "."),
    ("ruff", "format", "--check", "."),
    ("mypy",),
    ("pytest", "-n", WORKERS, "--dist", "worksteal", *sys.argv[1:]),
)


def main() -> int:
    failed = [check for check in CHECKS if not passes(check)]
    for check in failed:
        print(f"Failed: {' '.join(check)}", file=sys.stderr)
    return 1 if failed else 0


def passes(check: tuple[str, ...]) -> bool:
    print(f"== {' '.join(check)}", flush=True)
    start = time.monotonic()
    done = subprocess.run([sys.executable, "-m", *check], cwd=ROOT, check=False)
    print(f"   {time.monotonic() - start:.0f} s", flush=True)
    return done.returncode == 0


if __name__ == "__main__":
    sys.exit(main())
