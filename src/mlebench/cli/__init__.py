"""The command line: a thin door onto the rooms, a module for each command."""

from mlebench.cli.main import main

__all__ = ["main"]
