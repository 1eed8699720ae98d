"""A container engine, Docker or Podman, driven by its command-line client."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from typing import IO, TYPE_CHECKING

from mlebench.errors import EngineError, UnknownNameError
from mlebench.sandbox.engine_image import EngineImage

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

ENGINES = ("docker", "podman")
_PACKAGES = {"docker": "docker.io", "podman": "podman"}
_FIRST_DOCKER_WITHOUT_BUILDER = 23
"""Since this version the docker client builds images with its plug-in buildx only."""
_MAX_ERROR_LENGTH = 400


class Engine:
    """A container engine by the name of its client, `docker` or `podman`."""

    def __init__(self, name: str) -> None:
        self.name = name

    @property
    def program(self) -> str:
        """Path of the client; EngineError if it is not installed."""
        program = shutil.which(self.name)
        if not program:
            package = _PACKAGES.get(self.name, self.name)
            raise EngineError(f"The program {self.name} is not installed. Run: apt-get install {package}")
        return program

    def call(self, *arguments: str, seconds: float = 60.0, stdin: IO[bytes] | None = None) -> str:
        """Run one command of the client.

        Parameters
        ----------
        *arguments : str
            The command and its options.
        seconds : float
            Timeout.
        stdin : binary file, optional
            Standard input of the command.

        Returns
        -------
        str
            Standard output, without white space at its ends.

        Raises
        ------
        EngineError
            If the command fails or takes too long, with the engine's own message.
        """
        try:
            done = subprocess.run(
                [self.program, *arguments],
                stdin=stdin or subprocess.DEVNULL,
                capture_output=True,
                timeout=seconds,
                check=False,
                start_new_session=True,  # Ctrl-C is for the harness, which stops the job itself
            )
        except subprocess.TimeoutExpired:
            raise EngineError(f"{self.name} {arguments[0]} did not answer within {seconds:.0f} seconds.") from None
        if done.returncode:
            raise EngineError(f"{self.name} {arguments[0]} failed: {_find_error(done.stderr)}")
        return done.stdout.decode(errors="replace").strip()

    def probe(self, seconds: float = 20.0) -> str | None:
        """Return None if the engine answers, or the reason why not and what to do about it."""
        try:
            self.version(seconds)
        except EngineError as error:
            return str(error)
        return None

    def version(self, seconds: float = 20.0) -> str:
        """Return the engine's version; EngineError if it does not answer."""
        part = "Server" if self.name == "docker" else "Client"
        try:
            version = self.call("version", "--format", f"{{{{.{part}.Version}}}}", seconds=seconds)
        except EngineError as error:
            if "not installed" in str(error) or self.name != "docker":
                raise
            remedy = "Start the service docker"
            if "permission denied" in str(error):
                remedy = "Run as root, or join the group docker"
            raise EngineError(f"No docker engine answers. {remedy} ({str(error).rstrip('.')}).") from None
        if not re.match(r"\d", version):
            raise EngineError(f"No {self.name} engine answers. Start it first.")
        return version

    def inspect_image(self, name: str) -> EngineImage | None:
        """Return an image by its name or id, or None if the engine has no such image."""
        try:
            found = self.inspect_images([name])
        except EngineError as error:
            if re.search("no such image|not known", str(error), re.IGNORECASE):
                return None
            raise
        return found[0] if found else None

    def inspect_images(self, names: Iterable[str]) -> list[EngineImage]:
        """Return images by their names or ids; EngineError if the engine lacks one of them."""
        return [EngineImage.parse(fields) for fields in json.loads(self.call("image", "inspect", *names))]

    def list_containers(self, label: str, seconds: float = 60.0) -> dict[str, str]:
        """Return the value of a label for all containers that have it, by their ids."""
        # `inspect` would fail for containers that Podman was killed while creating.
        value = f'index .Labels "{label}"' if self.name == "podman" else f'.Label "{label}"'
        options = ["--all", "--no-trunc", "--filter", f"label={label}", "--format", f"{{{{.ID}}}} {{{{{value}}}}}"]
        lines = self.call("ps", *options, seconds=seconds).splitlines()
        return {container: value.strip() for container, _, value in (line.partition(" ") for line in lines)}

    def build(
        self,
        folder: Path,
        *,
        tag: str,
        labels: Mapping[str, str],
        build_args: Mapping[str, str],
        ca_bundle: Path | None = None,
        log: IO[bytes] | None = None,
        seconds: float = 7200.0,
    ) -> None:
        """Build the Dockerfile in a folder. It may use the host's network to install packages.

        Parameters
        ----------
        folder : Path
            The build context.
        tag : str
            Name of the image.
        labels : mapping of str to str
            Labels of the image.
        build_args : mapping of str to str
            Values of the `ARG`s in the Dockerfile.
        ca_bundle : Path, optional
            Certificates that the Dockerfile may mount as the secret `ca`.
        log : binary file, optional
            Receives the output of the build.
        seconds : float
            Timeout.

        Raises
        ------
        EngineError
            If the build fails or takes too long.
        """
        options = ["build", "--network", "host", "--tag", tag]
        for name, value in labels.items():
            options += ["--label", f"{name}={value}"]
        for name, value in build_args.items():
            options += ["--build-arg", f"{name}={value}"]
        if ca_bundle:
            options += ["--secret", f"id=ca,src={ca_bundle}"]
        program, environment = self.program, dict(os.environ)
        if self.name == "docker":
            program, environment["DOCKER_BUILDKIT"] = _find_docker_builder(), "1"
        try:
            done = subprocess.run(
                [program, *options, "."],
                cwd=folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=seconds,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise EngineError(f"{self.name} did not finish building {tag} within {seconds:.0f} seconds.") from None
        if log:
            log.write(done.stdout)
        if done.returncode:
            raise EngineError(f"{self.name} could not build {tag}: {_find_error(done.stdout)}")


def open_engine(name: str) -> Engine:
    """Return an engine that answers.

    Parameters
    ----------
    name : str
        `docker` or `podman`.

    Raises
    ------
    UnknownNameError
        If there is no engine of this name.
    EngineError
        If the engine does not answer.
    """
    if name not in ENGINES:
        raise UnknownNameError("container engine", name, ENGINES)
    engine = Engine(name)
    if problem := engine.probe():
        raise EngineError(problem)
    return engine


def _find_docker_builder() -> str:
    """Return a docker client that can build: a new one has the plug-in buildx, an old one needs none."""
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    for folder in dict.fromkeys(folders):
        program = shutil.which("docker", path=folder)
        if program and (
            _run_client(program, "buildx", "version") or _major_version(program) < _FIRST_DOCKER_WITHOUT_BUILDER
        ):
            return program
    raise EngineError("The docker client cannot build images. Run: apt-get install docker-buildx")


def _run_client(*command: str) -> str:
    """Return the output of a command, or nothing if it fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def _major_version(program: str) -> int:
    found = re.search(r"version (\d+)\.", _run_client(program, "--version"))
    return int(found[1]) if found else _FIRST_DOCKER_WITHOUT_BUILDER


def _find_error(output: bytes) -> str:
    """Return the line of a client's output that says what is wrong."""
    lines = [line.strip() for line in output.decode(errors="replace").splitlines() if line.strip()]
    errors = [line for line in lines if re.search(r"error|cannot|failed|no such", line, re.IGNORECASE)]
    line = (errors or lines or ["it gave no reason"])[-1]
    return line[:_MAX_ERROR_LENGTH].rstrip(".?! ") + "."
