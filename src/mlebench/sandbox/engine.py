"""A container engine, driven by its command-line client: Docker, or Podman, which takes the same words."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from typing import IO, TYPE_CHECKING, Any

from mlebench.errors import EngineError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

ENGINES = ("docker", "podman")
_PACKAGES = {"docker": "docker.io", "podman": "podman"}


class Engine:
    """One engine by the name of its client."""

    def __init__(self, name: str) -> None:
        self.name = name

    @property
    def program(self) -> str:
        """Path of the client."""
        program = shutil.which(self.name)
        if not program:
            package = _PACKAGES.get(self.name, self.name)
            raise EngineError(f"The program {self.name} is not installed; install it with: apt-get install {package}.")
        return program

    def call(self, *arguments: str, seconds: float = 60.0, source: IO[bytes] | None = None) -> str:
        """Give the engine one command and return what it answers; raise EngineError with what it complains of."""
        try:
            done = subprocess.run(
                [self.program, *arguments],
                stdin=source or subprocess.DEVNULL,
                capture_output=True,
                timeout=seconds,
                check=False,
                start_new_session=True,  # Ctrl-C is for the harness, which stops the job in its own way
            )
        except subprocess.TimeoutExpired:
            raise EngineError(
                f"The command {self.name} {arguments[0]} gave no answer within {seconds:.0f} seconds."
            ) from None
        if done.returncode:
            raise EngineError(f"The command {self.name} {arguments[0]} failed: {_complaint(done.stderr)}")
        return done.stdout.decode(errors="replace").strip()

    def probe(self, seconds: float = 20.0) -> str | None:
        """Return None if the engine answers, else a sentence with the reason and the way out."""
        try:
            self.version(seconds)
        except EngineError as error:
            return str(error)
        return None

    def version(self, seconds: float = 20.0) -> str:
        """Return the engine's version."""
        part = "Server" if self.name == "docker" else "Client"
        try:
            version = self.call("version", "--format", f"{{{{.{part}.Version}}}}", seconds=seconds)
        except EngineError as error:
            if "not installed" in str(error) or self.name != "docker":
                raise
            remedy = "start dockerd, or the service docker"
            if "permission denied" in str(error):
                remedy = "ask as root, or as a member of the group docker"
            raise EngineError(f"No docker engine answers; {remedy} ({error}).") from None
        if not re.match(r"\d", version):
            raise EngineError(f"No {self.name} engine answers; start it first.")
        return version

    def inspect_image(self, name: str) -> dict[str, Any] | None:
        """Return what the engine knows of an image that it has, as `inspect` prints it, or None."""
        try:
            found = json.loads(self.call("image", "inspect", name))
        except EngineError as error:
            if re.search("no such image|not known", str(error), re.IGNORECASE):
                return None
            raise
        return found[0] if found else None

    def list_containers(self, label: str, seconds: float = 60.0) -> dict[str, str]:
        """Return the ids of all containers with a label, each with the label's value."""
        # Not `inspect`, which fails for what Podman was killed while making.
        value = f'index .Labels "{label}"' if self.name == "podman" else f'.Label "{label}"'
        words = ["--all", "--no-trunc", "--filter", f"label={label}", "--format", f"{{{{.ID}}}} {{{{{value}}}}}"]
        lines = self.call("ps", *words, seconds=seconds).splitlines()
        return {identity: token.strip() for identity, _, token in (line.partition(" ") for line in lines)}

    def build(
        self,
        folder: Path,
        *,
        tag: str,
        labels: Mapping[str, str],
        arguments: Mapping[str, str],
        ca_bundle: Path | None = None,
        log: IO[bytes] | None = None,
        seconds: float = 7200.0,
    ) -> None:
        """Build the Dockerfile in a folder, with the network of the host, for the packages that it installs."""
        words = ["build", "--network", "host", "--tag", tag]
        for name, value in labels.items():
            words += ["--label", f"{name}={value}"]
        for name, value in arguments.items():
            words += ["--build-arg", f"{name}={value}"]
        if ca_bundle:
            words += ["--secret", f"id=ca,src={ca_bundle}"]
        program, environment = self.program, dict(os.environ)
        if self.name == "docker":
            program, environment["DOCKER_BUILDKIT"] = self._builder(), "1"
        try:
            done = subprocess.run(
                [program, *words, "."],
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
            raise EngineError(f"{self.name} could not build {tag}: {_complaint(done.stdout)}")

    def _builder(self) -> str:
        """Return a docker client that can build: a new one needs its plug-in buildx, an old one has it inside."""
        folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
        for folder in dict.fromkeys(folders):
            program = shutil.which("docker", path=folder)
            if program and (_answer(program, "buildx", "version") or _major(program) < 23):
                return program
        raise EngineError("The docker client cannot build images; install its plug-in: apt-get install docker-buildx.")


def _answer(*command: str) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def _major(program: str) -> int:
    found = re.search(r"version (\d+)\.", _answer(program, "--version"))
    return int(found[1]) if found else 99


def _complaint(output: bytes) -> str:
    """Return the line that says what is wrong, of what a client printed."""
    lines = [line.strip() for line in output.decode(errors="replace").splitlines() if line.strip()]
    errors = [line for line in lines if re.search(r"error|cannot|failed|no such", line, re.IGNORECASE)]
    line = (errors or lines or ["it gave no reason"])[-1]
    return line[:400].rstrip(".?! ") + "."


def mount(source: Path | str, target: str, *, writable: bool = False) -> Sequence[str]:
    """Return the option that shows a folder or file of the host; paths may hold commas and quotes."""
    words = ["type=bind", f"source={source}", f"target={target}", *([] if writable else ["readonly"])]
    quoted = ['"' + word.replace('"', '""') + '"' if "," in word or '"' in word else word for word in words]
    return "--mount", ",".join(quoted)
