"""Fuzz one target: `python -m tests.fuzz.worker TARGET FOLDER DATA [options and folders of libFuzzer]`."""

from __future__ import annotations

import logging
import sys
from pathlib import Path

import atheris

from .target import corpus, load


def main() -> None:
    name, folder, data, *arguments = sys.argv[1:]
    logging.disable()  # targets provoke thousands of warnings
    with atheris.instrument_imports(include=["mlebench"]):
        target = load(name)
    with (
        atheris.instrument_imports(include=["mlebench", *target.libraries]),
        target.open(Path(folder), Path(data)) as take,
    ):
        for path in corpus(name):  # functions import modules when they are called
            try:
                take(path.read_bytes())
            except BaseException:
                print(f"The input {path} fails.", file=sys.stderr)
                raise
        atheris.Setup([sys.argv[0], *arguments], take, custom_mutator=target.mutate)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
