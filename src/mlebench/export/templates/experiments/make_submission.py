"""Write the submission.jsonl of a run group from its metadata.json: a line per run, in order."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any


def list_runs(metadata: Path, log_path: str, code_path: str) -> list[dict[str, Any]]:
    """Return a row per run; the competition is the part of the run id before the first `_`."""
    group = metadata.parent
    runs = json.loads(metadata.read_text(encoding="utf-8"))["runs"]

    def path_of(name: str) -> str | None:
        return str(group / name) if (group / name).is_file() else None

    return [
        {
            "competition_id": run_id.split("_")[0],
            "submission_path": path_of(f"{run_id}/submission/submission.csv"),
            "logs_path": path_of(f"{run_id}/{log_path}"),
            "code_path": path_of(f"{run_id}/{code_path}"),
        }
        for run_id in runs
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--metadata", type=Path, required=True)
    parser.add_argument("--output", type=Path, default=Path("submission.jsonl"))
    parser.add_argument("--rel-log-path", default="logs/agent.log")
    parser.add_argument("--rel-code-path", default="code/train.py")
    args = parser.parse_args()
    lines = [json.dumps(row) + "\n" for row in list_runs(args.metadata, args.rel_log_path, args.rel_code_path)]
    args.output.write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
