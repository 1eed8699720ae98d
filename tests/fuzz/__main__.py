"""Fuzz the parsers that meet bytes of unknown origin: mutated input must not break their contracts.

    python -m tests.fuzz                         all targets, a minute each
    python -m tests.fuzz archive --seconds 3600  one target, for an hour
    python -m tests.fuzz archive --input FILE    repeat one input

target          Target: a parser and its contract
targets         a module for each target
json_mutations  changes of JSON that keep it JSON
worker          fuzzes one target by libFuzzer, through atheris
corpus          inputs of each target: samples, and inputs that failed once. `test_corpus.py` repeats them all.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from .target import CORPUS, load, target_names

ROOT = Path(__file__).resolve().parents[2]
WORK = ROOT / "build" / "fuzz"
"""Inputs that reach new code are kept here, so that the next call continues where this one ends."""
SCRATCH = Path("/dev/shm") if Path("/dev/shm").is_dir() else None
"""Where targets write files: in memory, if possible."""
INPUT_SECONDS = 120
"""An input that takes longer is a finding. Other processes may keep the machine busy, so this is generous."""
MEMORY_MIB = 3072
FINDING = re.compile(r"Test unit written to (.+)")


def main() -> int:
    options = parse()
    if options.input:
        return _repeat(options.targets[0], options.input)
    names = options.targets or target_names()
    with ThreadPoolExecutor(options.jobs) as pool:
        failed = [
            name for name, good in zip(names, pool.map(lambda one: _fuzz(one, options), names), strict=True) if not good
        ]
    if failed:
        print(f"Failed: {', '.join(failed)}. Fix the cause and keep the input: the tests repeat it.", file=sys.stderr)
    return 1 if failed else 0


def parse(arguments: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.fuzz", description="Fuzz the parsers that meet foreign bytes."
    )
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"one of {', '.join(target_names())}")
    parser.add_argument("--seconds", type=int, default=60, help="for each target (default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=2, help="targets at a time (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="of the mutations; 0 draws one (default: %(default)s)")
    parser.add_argument("--input", type=Path, metavar="FILE", help="give this input to the target once")
    options = parser.parse_args(arguments)
    unknown = sorted(set(options.targets) - set(target_names()))
    if unknown:
        parser.error(f"There is no target {unknown[0]!r}. Targets: {', '.join(target_names())}.")
    if options.input and len(options.targets) != 1:
        parser.error("--input needs exactly one target.")
    return options


def _repeat(name: str, path: Path) -> int:
    with tempfile.TemporaryDirectory() as folder, load(name).open(Path(folder), WORK / "data") as take:
        take(path.read_bytes())
    print(f"{name} keeps its contract on {path}.")
    return 0


def _fuzz(name: str, options: argparse.Namespace) -> bool:
    """Fuzz one target, print what came of it, and return whether it kept its contract."""
    found, kept, log = CORPUS / name, WORK / name, WORK / f"{name}.log"
    kept.mkdir(parents=True, exist_ok=True)
    target = load(name)
    words = WORK / f"{name}.dict"
    words.write_text("".join(f'"{_escape(word)}"\n' for word in target.words) or "#\n", encoding="ascii")
    with tempfile.TemporaryDirectory(prefix="mlebench-fuzz-", dir=SCRATCH) as folder, log.open("wb") as output:
        command = [sys.executable, "-m", "tests.fuzz.worker", name, folder, str(WORK / "data")]
        command += [
            f"-seed={options.seed}",
            f"-max_total_time={options.seconds}",
            f"-max_len={target.max_bytes}",
            f"-dict={words}",
        ]
        command += [f"-timeout={INPUT_SECONDS}", f"-report_slow_units={INPUT_SECONDS}", f"-rss_limit_mb={MEMORY_MIB}"]
        command += [f"-artifact_prefix={found}/", "-keep_seed=1", "-print_final_stats=1", str(kept), str(found)]
        done = subprocess.run(command, cwd=ROOT, stdout=output, stderr=subprocess.STDOUT, check=False)
    text = log.read_text(encoding="utf-8", errors="replace")
    if done.returncode == 0:
        counts = dict(re.findall(r"stat::(\w+):\s+(\d+)", text))
        print(
            f"{name}: {int(counts['number_of_executed_units']):,} inputs, {len(list(kept.iterdir())):,} kept.",
            flush=True,
        )
        return True
    written = FINDING.search(text)
    print(f"{name}: failed.\n{_tail(text)}", file=sys.stderr)
    if written:
        place = Path(written[1]).relative_to(ROOT)
        print(f"New finding: {place}\nRepeat it: python -m tests.fuzz {name} --input {place}", file=sys.stderr)
    return False


def _tail(text: str) -> str:
    """Return the exception, or the last lines of a log."""
    start = text.find("=== Uncaught Python exception")
    lines = text[max(0, start) :].splitlines()
    return "\n".join(lines[:60] if start >= 0 else lines[-30:])


def _escape(word: bytes) -> str:
    return "".join(chr(byte) if 32 <= byte < 127 and byte not in b'"\\' else f"\\x{byte:02x}" for byte in word)


if __name__ == "__main__":
    sys.exit(main())
