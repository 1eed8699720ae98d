"""Print the number of competitions with each result, per seed, and the mean over the seeds with its standard error."""

from __future__ import annotations

import argparse
import csv
import json
import math
import statistics
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
MEDALS = ("gold_medal", "silver_medal", "bronze_medal")
METRICS = {
    "any_medal": MEDALS,
    **{name: (name,) for name in (*MEDALS, "above_median", "valid_submission", "submission_exists")},
}
"""The metrics, and the fields of a row of which at least one must be true."""
Z_95 = 1.96
MISSING: dict[str, Any] = {}

Row = dict[str, Any]


def find_reports(experiment_id: str) -> list[Path]:
    """Return the grading reports of an experiment's run groups."""
    with (ROOT / "runs" / "run_group_experiments.csv").open(newline="", encoding="utf-8") as file:
        groups = [row["run_group"] for row in csv.DictReader(file) if row["experiment_id"] == experiment_id]
    found = []
    for group in groups:
        reports = sorted((ROOT / "runs" / group).rglob("*grading_report*.json"))
        if len(reports) != 1:
            raise SystemExit(f"The run group {group} must have one grading report, not {len(reports)}.")
        found += reports
    return found


def split_by_seed(reports: list[Path], ids: list[str], wanted: int, *, pad: bool) -> list[list[Row]]:
    """Return the rows of each seed: the n-th row of every competition of the split belongs to seed n."""
    rows: dict[str, list[Row]] = {name: [] for name in ids}
    for path in reports:
        for row in json.loads(path.read_text(encoding="utf-8"))["competition_reports"]:
            if row["competition_id"] in rows:
                rows[row["competition_id"]].append(row)
    number = max(map(len, rows.values())) if wanted < 0 else wanted
    short = [name for name in ids if len(rows[name]) < number]
    if short and not pad:
        raise SystemExit(
            f"Fewer than {number} seeds: {', '.join(short)}; use --pad-missing to count the missing ones as failures."
        )
    return [[rows[name][n] if n < len(rows[name]) else MISSING for name in ids] for n in range(number)]


def count(rows: list[Row], metric: str) -> int:
    """Return the number of rows that count for a metric."""
    return sum(any(row.get(name) for name in METRICS[metric]) for row in rows)


def summarize(by_seed: list[list[Row]]) -> dict[str, Any]:
    """Return mean, standard error and interval of each metric, in percent of competitions."""
    metrics = {}
    for name in METRICS:
        shares = [100 * count(rows, name) / len(rows) for rows in by_seed]
        mean = statistics.fmean(shares)
        error = statistics.stdev(shares) / math.sqrt(len(shares)) if len(shares) > 1 else 0.0
        metrics[name] = {
            "mean": mean,
            "ci_lower": mean - Z_95 * error,
            "ci_upper": mean + Z_95 * error,
            "standard_error": error,
        }
    return {
        "num_seeds_averaged": len(by_seed),
        "num_competitions_per_seed": len(by_seed[0]),
        "metrics": metrics,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("--grading-reports", type=Path, nargs="+")
    which.add_argument("--experiment-id")
    parser.add_argument("--num-seeds", type=int, default=-1, help="-1 for all")
    parser.add_argument("--split", default="split75", help="a split's name, or a file with an id on each line")
    parser.add_argument("--pad-missing", action="store_true", help="count seeds that are missing as failures")
    args = parser.parse_args()
    named = ROOT / "experiments" / "splits" / f"{args.split}.txt"
    ids = (named if named.is_file() else Path(args.split)).read_text(encoding="utf-8").split()
    reports = args.grading_reports or find_reports(args.experiment_id)
    by_seed = split_by_seed(reports, ids, args.num_seeds, pad=args.pad_missing)
    if not by_seed:
        raise SystemExit("The reports hold no run of the split.")
    for number, rows in enumerate(by_seed):
        print(f"Seed {number}: {', '.join(f'{name} {count(rows, name)}' for name in METRICS)}")
    print("Average metrics across seeds:")
    print(json.dumps(summarize(by_seed), indent=2))


if __name__ == "__main__":
    main()
