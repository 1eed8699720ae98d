"""What a job in bubblewrap sees of the file system, as options of bwrap."""

from __future__ import annotations

import os
import shlex
import site
import sys
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from mlebench.errors import SandboxUnavailableError
from mlebench.sandbox import seccomp
from mlebench.sandbox.plan import INSIDE, memory_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_MAPPED_USER = 12345
"""User and group number inside a user namespace; outside it is the harness's own user."""

_SCRIPT = PurePath("/run/inside.py")
_ETC = {
    "passwd": "root:x:0:0:root:/root:/usr/sbin/nologin\nagent:x:{user}:{user}:agent:/home/agent:/bin/bash\n",
    "group": "root:x:0:\nagent:x:{user}:\n",
    "hosts": "127.0.0.1 localhost sandbox\n",
    "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
}
_NO_MODULE = b"raise ModuleNotFoundError(f'No module named {__name__!r}', name=__name__)\n"


class View:
    """Collects options of bwrap; the order of calls is the order of mounts."""

    def __init__(self, user: int | None) -> None:
        self.user = user
        self.descriptors: list[int] = []
        self._options: list[str] = []
        self._folders = {PurePath("/")}
        self._shown: list[Path] = []

    def show_system(self, devices: Iterable[Path] = ()) -> None:
        """Show programs and libraries, a minimal /etc, fresh /proc, /dev and /tmp, and these device files."""
        for name in ("etc", "home", "opt", "run"):
            self._make_folder(PurePath("/") / name)
        self._show(Path("/usr"))
        for name in ("bin", "sbin", "lib", "lib32", "lib64", "libx32"):
            path = Path("/") / name
            if path.is_symlink():
                self._add("--symlink", str(path.readlink()), str(path))
            elif path.exists():
                self._show(path)
        for file in ("/etc/ld.so.cache", "/etc/alternatives"):
            self._add("--ro-bind-try", file, file)
        for name, content in _ETC.items():
            self.add_file(content.format(user=self.user or _MAPPED_USER).encode(), PurePath("/etc") / name, 0o644)
        self._add("--proc", "/proc", "--dev", "/dev")
        self._add("--perms", "1777", "--size", str(256 * 1024**2), "--tmpfs", "/dev/shm")
        self.show_devices(devices)
        self._add("--remount-ro", "/dev")
        self._add("--perms", "1777", "--size", str(1024**3), "--tmpfs", "/tmp")
        self._folders |= {PurePath("/usr"), PurePath("/tmp"), PurePath("/dev")}
        self.add_file(INSIDE.read_bytes(), _SCRIPT, 0o644)

    def show_python(self, own: Path | None = None) -> None:
        """Show the harness's Python with all its packages but mlebench itself, and the job's own if it has one."""
        prefixes = python_prefixes()
        if own is not None:
            prefixes += environment_prefixes(own, prefixes)
        if self.user is not None:
            refuse_closed(prefixes)
        for prefix in prefixes:
            self._show(prefix)
        for folder in hidden_folders(self._shown, Path(__file__).parents[1]):
            self._add("--perms", "0755", "--tmpfs", str(folder))
            # An empty folder would still be importable, as a namespace package.
            self.add_file(_NO_MODULE, folder / "__init__.py", 0o644)
            self._add("--remount-ro", str(folder))

    def show_devices(self, files: Iterable[Path]) -> None:
        """Show device files, of those that are there."""
        for file in files:
            self._add("--dev-bind-try", str(file), str(file))

    def refuse_if_shown(self, *private: Path) -> None:
        """Raise if a folder of the harness lies in what every job sees: its neighbours would be seen too."""
        for path in private:
            for top in self._shown:
                if path.resolve().is_relative_to(top.resolve()):
                    raise SandboxUnavailableError(
                        f"{path} lies inside {top}, which every job in bubblewrap sees; move it elsewhere."
                    )

    def show_read_only(self, source: Path, target: PurePath) -> None:
        """Show a folder or file of the host."""
        self._make_folder(target.parent)
        self._add("--ro-bind", str(source.resolve()), str(target))

    def show_writable(self, source: Path, target: PurePath) -> None:
        """Show a folder of the host that the job may write to."""
        self._make_folder(target.parent)
        self._add("--bind", str(source.resolve()), str(target))

    def add_file(self, content: bytes, target: PurePath, mode: int) -> None:
        """Add a small read-only file that exists inside only."""
        self._make_folder(target.parent)
        descriptor = memory_file(content)
        self.descriptors.append(descriptor)
        self._add("--perms", f"{mode:04o}", "--file", str(descriptor), str(target))

    def options(self, status: int, variables: Mapping[str, str]) -> int:
        """Return a descriptor of a file with all options."""
        namespaces = ["ipc", "pid", "net", "uts", "cgroup-try"]
        words = ["--die-with-parent", "--new-session", *(f"--unshare-{name}" for name in namespaces)]
        words += ["--hostname", "sandbox", "--json-status-fd", str(status)]
        if self.user is None:
            words += ["--unshare-user", "--uid", str(_MAPPED_USER), "--gid", str(_MAPPED_USER)]
        else:
            # What setpriv needs to become another user; it drops them itself.
            words += ["--cap-drop", "ALL"]
            for capability in ("CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP"):
                words += ["--cap-add", capability]
        if seccomp.is_supported():
            descriptor = memory_file(seccomp.make_filter())
            self.descriptors.append(descriptor)
            words += ["--seccomp", str(descriptor)]
        words += [*self._options, "--remount-ro", "/", "--chdir", "/home/agent", "--clearenv"]
        for name, value in variables.items():
            words += ["--setenv", name, value]
        return memory_file(b"".join(os.fsencode(word) + b"\0" for word in words))

    def command(self, plan: int) -> tuple[str, ...]:
        """Return the command that runs first inside."""
        first = (sys.executable, "-I", "-S", str(_SCRIPT), str(plan))
        if self.user is None:
            return first
        user = str(self.user)
        return (
            *("/usr/bin/setpriv", "--reuid", user, "--regid", user, "--clear-groups"),
            *("--bounding-set=-all", "--inh-caps=-all", "--no-new-privs", *first),
        )

    def _add(self, *words: str) -> None:
        self._options += words

    def _show(self, folder: Path) -> None:
        self._make_folder(folder.parent)
        self._add("--ro-bind", str(folder), str(folder))
        self._shown.append(folder)

    def _make_folder(self, folder: PurePath) -> None:
        """Make a folder and those above it; on its own, bwrap as root would close them to all others."""
        for path in [*reversed(folder.parents), folder]:
            if path not in self._folders and not any(path.is_relative_to(shown) for shown in self._shown):
                self._folders.add(path)
                self._add("--perms", "0755", "--dir", str(path))


def python_prefixes() -> list[Path]:
    """Return the folders outside /usr that the harness's Python lives in, outermost first."""
    prefixes = {Path(prefix) for prefix in (sys.prefix, sys.base_prefix, sys.exec_prefix)}
    prefixes |= {prefix.resolve() for prefix in prefixes}
    prefixes.add(Path(sys.executable).resolve().parent.parent)
    chosen: list[Path] = []
    for prefix in sorted(prefixes, key=lambda path: len(path.parts)):
        if len(prefix.parts) > 1 and not any(prefix.is_relative_to(top) for top in (Path("/usr"), *chosen)):
            chosen.append(prefix)
    return chosen


def environment_prefixes(python: Path, shown: Iterable[Path]) -> list[Path]:
    """Return the folders that the interpreter of a virtual environment lives in, of those not shown anyway."""
    folder = python.parent.parent
    bases = [
        line.partition("=")[2].strip()
        for line in (folder / "pyvenv.cfg").read_text().splitlines()
        if line.partition("=")[0].strip() == "home"
    ]
    # The interpreter that it was made with may itself be a link to one elsewhere.
    chosen: list[Path] = []
    for prefix in (folder, *(Path(base).parent for base in bases), python.resolve().parent.parent):
        if not any(prefix.is_relative_to(top) for top in (Path("/usr"), *shown, *chosen)):
            chosen.append(prefix)
    return chosen


def refuse_closed(prefixes: Iterable[Path]) -> None:
    """Raise if the harness's Python, or a package of its, was installed so that only its owner can read it."""
    sites = [Path(folder) for folder in site.getsitepackages()]
    for place in (*prefixes, *sites):
        contents = place.glob("*") if place in sites else ()
        if any(path.is_dir() and path.stat().st_mode & 0o005 != 0o005 for path in (place, *contents)):
            raise SandboxUnavailableError(
                f"{place} is closed to the job's user, who is not root; run: chmod -R o+rX {shlex.quote(str(place))}"
            )


def hidden_folders(shown: Iterable[Path], package: Path) -> list[Path]:
    """Return the folders of mlebench that would be visible inside."""
    package = package.resolve()
    places = {package.parent, *(Path(folder) for folder in site.getsitepackages())}
    candidates = {package}
    for place in places:
        candidates |= {place / package.name, *place.glob(f"{package.name}-*.dist-info")}
    tops = {top for folder in shown for top in (folder, folder.resolve())}
    return sorted(
        folder for folder in candidates if folder.is_dir() and any(folder.is_relative_to(top) for top in tops)
    )
