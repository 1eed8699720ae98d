"""The first process inside a sandbox. It sets up the job's surroundings, then starts the job's command.

It runs as `python -I -S entrypoint SOURCE [STATUS]` with nothing but the standard library: the sandbox shows this
folder to the job without the package around it. So its modules import each other relatively, and nothing else of
mlebench.

`SOURCE` is a file descriptor from which the `Config` is read, and `STATUS` one for reports; in a container, `SOURCE` is
the path of a Unix socket for both. The harness sends the config when it has confined this process. One of three things
happens to the command (see `main`):

- bubblewrap: this process becomes the command. bubblewrap itself is process 1 of the PID namespace.
- a plain process: this process stays the parent of everything that the command starts (`subreaper`).
- a container: this process stays process 1 (`container`).

It reports to the harness with one JSON object per line (`protocol`).
"""
