from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mlebench.cli.options import Folders, RunsDir, open_registry


def view(
    sources: Annotated[
        list[str],
        typer.Argument(
            metavar="SOURCE...",
            help="Run groups, by name or folder, and grading reports, as `mlebench report` takes them.",
        ),
    ],
    runs_dir: RunsDir = Path("runs"),
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port on 127.0.0.1; 0 takes a free one.")] = 0,
    folders: Folders = None,
) -> None:
    """Show run groups in a browser while they go on: progress, last events, the queue, the report so far.

    Only programs on this machine can reach it. Ctrl-C ends it; runs are not touched.

    Example: mlebench view my-group --port 8000
    """
    from mlebench.analysis.live.server import LiveServer
    from mlebench.analysis.live.site import Site
    from mlebench.errors import EnvironmentUnfitError

    site = Site(sources, runs_dir, open_registry(None, folders))
    site.look()  # what is wrong with the names is said here and not in the browser
    try:
        server = LiveServer(site, port)
    except OSError as error:
        raise EnvironmentUnfitError(
            f"Port {port} of 127.0.0.1 cannot be used ({error.strerror}); name another with --port, or 0 for a free"
            " one."
        ) from error
    with server:
        typer.echo(server.url)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            typer.echo("Ended.", err=True)
