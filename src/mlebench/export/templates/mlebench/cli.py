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


def parser() -> argparse.ArgumentParser:
    """Return what reads the command line."""
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
    tools = commands.add_parser("dev", help="for those who build competitions")
    leaderboard = tools.add_subparsers(dest="tool", required=True).add_parser("download-leaderboard")
    one_or_all = leaderboard.add_mutually_exclusive_group(required=True)
    one_or_all.add_argument("-c", "--competition-id")
    one_or_all.add_argument("--all", action="store_true")
    leaderboard.add_argument("--force", action="store_true")
    return root


def run(words: argparse.Namespace) -> None:
    """Do what the command line says."""
    data_dir = getattr(words, "data_dir", None)
    bound = registry.set_data_dir(data_dir) if data_dir else registry
    if words.command == "prepare":
        for competition_id in chosen_ids(words, bound):
            download_and_prepare_dataset(
                bound.get_competition(competition_id),
                keep_raw=words.keep_raw,
                overwrite_checksums=words.overwrite_checksums,
                overwrite_leaderboard=words.overwrite_leaderboard,
                skip_verification=words.skip_verification,
            )
    elif words.command == "grade":
        grade_jsonl(words.submission, words.output_dir, bound)  # type: ignore[arg-type]  # this tree's registry
    elif words.command == "grade-sample":
        report = grade_csv(words.submission, bound.get_competition(words.competition_id))
        logger.info("Competition report:")
        print(json.dumps(report.to_dict(), indent=4))
    else:
        ids = bound.list_competition_ids() if words.all else [words.competition_id]
        for competition_id in ids:
            print(ensure_leaderboard_exists(bound.get_competition(competition_id), force=words.force))


def chosen_ids(words: argparse.Namespace, bound: Registry) -> list[str]:
    """Return the ids that `prepare` is asked for."""
    if words.competition_id:
        return [words.competition_id]
    if words.list:
        return str(words.list.read_text(encoding="utf-8")).split()
    return bound.get_lite_competition_ids() if words.lite else bound.list_competition_ids()


def main() -> None:
    """Run the command line and exit."""
    root = parser()
    words = root.parse_args()
    if words.command is None:
        root.print_help()
        return
    try:
        run(words)
    except MLEBenchError as error:
        sys.exit(f"mlebench: {error}")


if __name__ == "__main__":
    main()
