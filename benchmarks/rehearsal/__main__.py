"""The command line of the makers."""

from __future__ import annotations

import argparse
from pathlib import Path

from benchmarks.rehearsal.making import make_archive, makers
from mlebench.tasks.registry import COMPETITIONS_DIR, folder_name


def main() -> None:
    """Write `rehearsal.zip` of the given competitions."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.rehearsal", description=main.__doc__)
    parser.add_argument("ids", nargs="*", metavar="ID")
    parser.add_argument("--all", action="store_true", help="every competition that has a maker")
    parser.add_argument("--into", type=Path, help="write ID.zip into this folder instead")
    options = parser.parse_args()
    ids = makers() if options.all else options.ids
    unknown = sorted(set(ids) - set(makers()))
    if unknown or not ids:
        parser.error((f"unknown id {unknown[0]}; " if unknown else "no id given; ") + f"known: {', '.join(makers())}")
    for competition_id in ids:
        target = COMPETITIONS_DIR / folder_name(competition_id) / "rehearsal.zip"
        if options.into:
            target = options.into / f"{competition_id}.zip"
        content = make_archive(competition_id)
        target.write_bytes(content)
        print(f"{target}: {len(content):,} bytes")


if __name__ == "__main__":
    main()
