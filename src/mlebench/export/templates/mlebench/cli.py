"""The command line of this tree: prepare, grade, grade-sample, dev download-leaderboard."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from mlebench.errors import MLEBenchError

from .data import download_and_prepare_dataset, ensure_leaderboard_exists
from .grade import grade_csv, grade_jsonl
from .registry import Registry, registry
from .utils import get_logger

logger = get_logger("mlebench")


def make_parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    root = argparse.ArgumentParser("mlebench", description="Prepares competitions and grades submissions.")
    commands = root.add_subparsers(dest="command")
    prepare = commands.add_parser("prepare", help="prepare competitions' data")
    which = prepare.add_mutually_exclusive_group(required=True)
    which.add_argument("-c", "--competition-id")
    which.add_argument("-a", "--all", action="store_true")
    which.add_argument("--lite", action="store_true", help="the split `low`")
    which.add_argument("-l", "--list", type=Path, help="a file with an id on each line")
    for option in ("--keep-raw", "--skip-verification", "--overwrite-checksums", "--overwrite-leaderboard"):
        prepare.add_argument(option, action="store_true")
    grade = commands.add_parser("grade", help="grade many submissions")
    grade.add_argument("--submission", type=Path, required=True, help="a JSONL file")
    grade.add_argument("--output-dir", type=Path, required=True)
    sample = commands.add_parser("grade-sample", help="grade one submission")
    sample.add_argument("submission", type=Path)
    sample.add_argument("competition_id")
    for command in (prepare, grade, sample):
        command.add_argument("--data-dir", type=Path)
    tools = commands.add_parser("dev", help="tools for authors of competitions")
    leaderboard = tools.add_subparsers(dest="tool", required=True).add_parser("download-leaderboard")
    one_or_all = leaderboard.add_mutually_exclusive_group(required=True)
    one_or_all.add_argument("-c", "--competition-id")
    one_or_all.add_argument("--all", action="store_true")
    leaderboard.add_argument("--force", action="store_true")
    return root


def run(args: argparse.Namespace) -> None:
    """Run the command."""
    data_dir = getattr(args, "data_dir", None)
    bound = registry.set_data_dir(data_dir) if data_dir else registry
    if args.command == "prepare":
        for competition_id in select_ids(args, bound):
            download_and_prepare_dataset(
                bound.get_competition(competition_id),
                keep_raw=args.keep_raw,
                overwrite_checksums=args.overwrite_checksums,
                overwrite_leaderboard=args.overwrite_leaderboard,
                skip_verification=args.skip_verification,
            )
    elif args.command == "grade":
        grade_jsonl(args.submission, args.output_dir, bound)  # type: ignore[arg-type]  # this tree's registry
    elif args.command == "grade-sample":
        report = grade_csv(args.submission, bound.get_competition(args.competition_id))
        logger.info("Competition report:")
        print(json.dumps(report.to_dict(), indent=4))
    else:
        ids = bound.list_competition_ids() if args.all else [args.competition_id]
        for competition_id in ids:
            print(ensure_leaderboard_exists(bound.get_competition(competition_id), force=args.force))


def select_ids(args: argparse.Namespace, bound: Registry) -> list[str]:
    """Return the ids of the competitions to prepare."""
    if args.competition_id:
        return [args.competition_id]
    if args.list:
        return str(args.list.read_text(encoding="utf-8")).split()
    return bound.get_lite_competition_ids() if args.lite else bound.list_competition_ids()


def main() -> None:
    """Run the command line and exit."""
    root = make_parser()
    args = root.parse_args()
    if args.command is None:
        root.print_help()
        return
    try:
        run(args)
    except MLEBenchError as error:
        sys.exit(f"mlebench: {error}")


if __name__ == "__main__":
    main()
