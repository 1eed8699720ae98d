"""The root command: registers all commands, and turns expected errors into one line and an exit code."""

from __future__ import annotations

import logging
import sys
from io import TextIOWrapper
from typing import NoReturn

import typer

from mlebench.cli import (
    agent,
    data,
    demo,
    dev,
    doctor,
    export,
    grade,
    grade_sample,
    image,
    list_competitions,
    log,
    new,
    prepare,
    regrade,
    report,
    run,
    schema,
    show,
    study,
    validate,
    verify,
    view,
)
from mlebench.cli.command import Command
from mlebench.cli.remedies import find_remedy
from mlebench.errors import EnvironmentUnfitError, MLEBenchError
from mlebench.ground.version import __version__

app = typer.Typer(
    name="mlebench",
    help="Measure how well AI agents do machine-learning engineering: an offline Kaggle.",
    epilog="Start with: mlebench demo. Exit codes: 0 success, 1 failure or a negative answer, 2 wrong usage,"
    " 3 something is missing on this machine.",
    invoke_without_command=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for command, name in (
    (demo.demo, "demo"),
    (run.run, "run"),
    (report.report, "report"),
    (view.view, "view"),
    (log.log, "log"),
    (verify.verify, "verify"),
    (regrade.regrade, "regrade"),
    (list_competitions.list_competitions, "list"),
    (show.show, "show"),
    (prepare.prepare, "prepare"),
    (new.new, "new"),
    (grade_sample.grade_sample, "grade-sample"),
    (grade.grade, "grade"),
    (validate.validate, "validate"),
    (doctor.doctor, "doctor"),
    (schema.schema, "schema"),
):
    app.command(name, cls=Command)(command)
app.add_typer(data.app, name="data")
app.add_typer(agent.app, name="agent")
app.add_typer(image.app, name="image")
app.add_typer(export.app, name="export")
app.add_typer(study.app, name="study")
app.add_typer(dev.app, name="dev")


@app.callback()
def root(context: typer.Context, version: bool = typer.Option(False, "--version", help="Print the version.")) -> None:
    logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stderr)
    logging.getLogger("httpx").setLevel(logging.WARNING)  # it logs every request at INFO
    if version:
        typer.echo(__version__)
    elif context.invoked_subcommand is None:
        typer.echo(context.get_help())


def main() -> NoReturn:
    """Run the command line and exit."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # for characters that the terminal's encoding lacks
    try:
        app()
    except MLEBenchError as error:
        _fail(str(error), error.exit_code)
    except OSError as error:
        remedy = find_remedy(error)
        if remedy is None:
            raise
        place = f" {error.filename}" if error.filename else " a file"
        _fail(f"Cannot use{place}: {error.strerror}. {remedy}", EnvironmentUnfitError.exit_code)
    sys.exit(0)


def _fail(message: str, exit_code: int) -> NoReturn:
    print(f"mlebench: {message}", file=sys.stderr)
    sys.exit(exit_code)
