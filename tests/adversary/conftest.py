"""The adversary suite: hostile agents in real runs, from the prepared competition to the verified record.

An attacker is a script in `attackers/`. For each of its attempts it prints whether it gained anything. The tests also
check from outside: no server was reached, no file changed, no process remains, the verdict is right, the record
verifies, and its events show what the attacker tried. `test_unprotected.py` proves the attackers: in the sandbox
`process`, which does not isolate, they succeed. To test another sandbox, add its name to `SANDBOXES`.

Covered: finding answers, keys, other runs and the harness (by path, by content, through /proc); escaping through the
kernel's documented interfaces; the network; other runs at the same time; odd submissions; exhausting processes,
memory, disk, files and log; processes that do not end; tampering with the record; abusing the submission check.

Not covered: bugs of the kernel or the engine; side channels (time, caches, power); two runs that cooperate through the
data that both read (load, locks, access times); without root, deleted files that are partly mapped and not open, or
that only a message in a Unix socket or a system call in progress holds, and without control groups memory in sockets;
agents that know answers from elsewhere. `tests/gateway` attacks the model gateway.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from mlebench.sandbox import get_sandbox
from mlebench.sandbox.kernel.cgroup import ControlGroup

from .attacks import Attacker
from .host import Host, host_of, new_canary

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from mlebench.tasks.competition import Competition

SANDBOXES = ["bubblewrap", "docker", "podman"]


@pytest.fixture(params=SANDBOXES)
def isolating(request: pytest.FixtureRequest, require: Callable[[str | None], None]) -> str:
    """The name of each sandbox that isolates."""
    name: str = request.param
    if name == "bubblewrap":
        require(get_sandbox(name).probe())
    else:
        request.getfixturevalue(name)
    return name


@pytest.fixture(params=[*SANDBOXES, "bubblewrap-polling"])
def enforced(request: pytest.FixtureRequest, require: Callable[[str | None], None]) -> str:
    """The name of each sandbox that isolates; bubblewrap also without control groups, when the harness measures."""
    name: str = request.param
    if name in ("docker", "podman"):
        request.getfixturevalue(name)
        return name
    require(get_sandbox("bubblewrap").probe())
    if name == "bubblewrap-polling":
        patch: pytest.MonkeyPatch = request.getfixturevalue("monkeypatch")
        patch.setattr(ControlGroup, "create", lambda *_: None)
    return "bubblewrap"


@pytest.fixture
def host(tmp_path: Path, prepared: Callable[[str], Competition], monkeypatch: pytest.MonkeyPatch) -> Iterator[Host]:
    """A host with answers, keys, another run, and servers."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("OPENAI_API_KEY", new_canary())
    with host_of(tmp_path, prepared("demo-wine")) as host:
        yield host


@pytest.fixture
def attack(host: Host) -> Attacker:
    """A function that runs attackers on the host."""
    return Attacker(host)
