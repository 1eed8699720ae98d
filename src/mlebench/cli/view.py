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
            help="Run groups and grading reports, as in `mlebench report`.",
        ),
    ],
    runs_dir: RunsDir = Path("runs"),
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port on 127.0.0.1; 0 chooses a free one.")] = 0,
    folders: Folders = None,
) -> None:
    """Show run groups in a browser while they run: progress, latest events, the queue, the report so far.

    Only this machine can open the page. Ctrl-C stops the server; runs are not affected.

    Example: mlebench view my-group --port 8000
    """
    from mlebench.analysis.live.server import view as open_server

    with open_server(sources, runs_dir=runs_dir, port=port, registry=open_registry(None, folders)) as server:
        typer.echo(server.url)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            typer.echo("Stopped.", err=True)
