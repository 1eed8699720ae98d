"""The command line of bubblewrap for a job: what the job sees, and how it starts."""

from __future__ import annotations

import os
import sys
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from mlebench.errors import SandboxUnavailableError
from mlebench.sandbox import python_install
from mlebench.sandbox.entrypoint_config import entrypoint_files
from mlebench.sandbox.kernel.memory_file import open_memory_file
from mlebench.sandbox.limits import GiB, MiB
from mlebench.sandbox.paths import HARNESS_FOLDER

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_MAPPED_USER = 12345
"""User and group id inside a user namespace. Outside it is the harness's own user."""
_ENTRYPOINT = HARNESS_FOLDER / "entrypoint"
_NAMESPACES = ("ipc", "pid", "net", "uts", "cgroup-try")
_SETPRIV_CAPABILITIES = ("CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP")
"""What setpriv needs to become another user. It drops them itself."""
_TMP_BYTES = GiB
_SHM_BYTES = 256 * MiB
_LIBRARY_FOLDERS = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")
_ETC_FILES = {
    "passwd": "root:x:0:0:root:/root:/usr/sbin/nologin\nagent:x:{user}:{user}:agent:/home/agent:/bin/bash\n",
    "group": "root:x:0:\nagent:x:{user}:\n",
    "hosts": "127.0.0.1 localhost sandbox\n",
    "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
}
_NO_MODULE = b"raise ModuleNotFoundError(f'No module named {__name__!r}', name=__name__)\n"


class BubblewrapCommand:
    """Collects the options of bwrap. The order of calls is the order of mounts.

    Parameters
    ----------
    user : int or None
        User id that the job runs as; None where the harness is not root and makes a user namespace.
    """

    def __init__(self, user: int | None) -> None:
        self.user = user
        self.descriptors: list[int] = []
        """Files in memory that bwrap has to inherit."""
        self._options: list[str] = []
        self._folders = {PurePath("/")}
        self._mounted: list[Path] = []

    def mount_system(self, devices: Iterable[Path] = ()) -> None:
        """Mount programs and libraries, a minimal /etc, new /proc, /dev and /tmp, and these device files."""
        for name in ("etc", "home", "opt", "run"):
            self._make_folder(PurePath("/") / name)
        self._mount_same(Path("/usr"))
        for name in _LIBRARY_FOLDERS:
            path = Path("/") / name
            if path.is_symlink():
                self._add("--symlink", str(path.readlink()), str(path))
            elif path.exists():
                self._mount_same(path)
        for file in ("/etc/ld.so.cache", "/etc/alternatives"):
            self._add("--ro-bind-try", file, file)
        for name, content in _ETC_FILES.items():
            self.add_file(content.format(user=self.user or _MAPPED_USER).encode(), PurePath("/etc") / name, 0o644)
        self._add("--proc", "/proc", "--dev", "/dev")
        self._add("--perms", "1777", "--size", str(_SHM_BYTES), "--tmpfs", "/dev/shm")
        for device in devices:
            self._add("--dev-bind-try", str(device), str(device))
        self._add("--remount-ro", "/dev")
        self._add("--perms", "1777", "--size", str(_TMP_BYTES), "--tmpfs", "/tmp")
        self._folders |= {PurePath("/usr"), PurePath("/tmp"), PurePath("/dev")}
        for name, source in entrypoint_files().items():
            self.add_file(source, _ENTRYPOINT / name, 0o644)

    def mount_python(self, python: Path | None = None) -> None:
        """Mount the harness's Python with all packages except mlebench, and the job's own interpreter if it has one."""
        prefixes = python_install.harness_python_prefixes()
        if python is not None:
            prefixes += python_install.environment_prefixes(python, prefixes)
        if self.user is not None:
            python_install.require_readable(prefixes)
        for prefix in prefixes:
            self._mount_same(prefix)
        for folder in python_install.find_package_folders(self._mounted, Path(__file__).parents[1]):
            self._add("--perms", "0755", "--tmpfs", str(folder))
            # An empty folder could still be imported, as a namespace package.
            self.add_file(_NO_MODULE, folder / "__init__.py", 0o644)
            self._add("--remount-ro", str(folder))

    def require_hidden(self, *paths: Path) -> None:
        """Raise SandboxUnavailableError if one of these paths lies in a folder that every job sees."""
        for path in paths:
            for top in self._mounted:
                if path.resolve().is_relative_to(top.resolve()):
                    raise SandboxUnavailableError(
                        f"{path} lies inside {top}, which every job in bubblewrap sees. Move it elsewhere."
                    )

    def mount_read_only(self, source: Path, target: PurePath) -> None:
        """Mount a folder or file of the host."""
        self._make_folder(target.parent)
        self._add("--ro-bind", str(source.resolve()), str(target))

    def mount_writable(self, source: Path, target: PurePath) -> None:
        """Mount a folder of the host that the job may write to."""
        self._make_folder(target.parent)
        self._add("--bind", str(source.resolve()), str(target))

    def add_file(self, content: bytes, target: PurePath, mode: int) -> None:
        """Add a small read-only file that exists inside only."""
        self._make_folder(target.parent)
        descriptor = open_memory_file(content)
        self.descriptors.append(descriptor)
        self._add("--perms", f"{mode:04o}", "--file", str(descriptor), str(target))

    def filter_calls(self, content: bytes) -> None:
        """Filter the job's system calls with this seccomp filter."""
        descriptor = open_memory_file(content)
        self.descriptors.append(descriptor)
        self._add("--seccomp", str(descriptor))

    def write_options(self, status: int, variables: Mapping[str, str]) -> int:
        """Return the descriptor of a file in memory with all options.

        They are not on the command line, since that of the first process is readable inside.

        Parameters
        ----------
        status : int
            Descriptor that bwrap reports its state to.
        variables : mapping of str to str
            All environment variables of the job.
        """
        options = ["--die-with-parent", "--new-session", *(f"--unshare-{name}" for name in _NAMESPACES)]
        options += ["--hostname", "sandbox", "--json-status-fd", str(status)]
        if self.user is None:
            options += ["--unshare-user", "--uid", str(_MAPPED_USER), "--gid", str(_MAPPED_USER)]
        else:
            options += ["--cap-drop", "ALL"]
            for capability in _SETPRIV_CAPABILITIES:
                options += ["--cap-add", capability]
        options += [*self._options, "--remount-ro", "/", "--chdir", "/home/agent", "--clearenv"]
        for name, value in variables.items():
            options += ["--setenv", name, value]
        return open_memory_file(b"".join(os.fsencode(option) + b"\0" for option in options))

    def first_command(self, config: int, status: int) -> tuple[str, ...]:
        """Return the command that bwrap starts; it gets the descriptors of the entrypoint's config and its reports."""
        command = (sys.executable, "-I", "-S", str(_ENTRYPOINT), str(config), str(status))
        if self.user is None:
            return command
        user = str(self.user)
        return (
            *("/usr/bin/setpriv", "--reuid", user, "--regid", user, "--clear-groups"),
            *("--bounding-set=-all", "--inh-caps=-all", "--no-new-privs", *command),
        )

    def _add(self, *options: str) -> None:
        self._options += options

    def _mount_same(self, folder: Path) -> None:
        """Mount a folder read-only at its own path."""
        self._make_folder(folder.parent)
        self._add("--ro-bind", str(folder), str(folder))
        self._mounted.append(folder)

    def _make_folder(self, folder: PurePath) -> None:
        """Make a folder and its parents. Those that bwrap makes itself, as root, are closed to other users."""
        for path in [*reversed(folder.parents), folder]:
            if path not in self._folders and not any(path.is_relative_to(mounted) for mounted in self._mounted):
                self._folders.add(path)
                self._add("--perms", "0755", "--dir", str(path))
