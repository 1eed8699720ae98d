"""The options of bubblewrap: what a job sees, in the order of its mounts."""

from __future__ import annotations

import os
from pathlib import Path, PurePath

import pytest

from mlebench.errors import SandboxUnavailableError
from mlebench.sandbox.bubblewrap_command import BubblewrapCommand


@pytest.fixture
def read():
    """Return the options of a command, and close its descriptors afterwards."""
    commands = []

    def options(command, **variables):
        commands.append(command)
        with os.fdopen(command.write_options(9, variables), "rb") as file:
            return [os.fsdecode(option) for option in file.read().split(b"\0")[:-1]]

    yield options
    for descriptor in (descriptor for command in commands for descriptor in command.descriptors):
        os.close(descriptor)


def follows(options, *expected):
    return any(options[start : start + len(expected)] == list(expected) for start in range(len(options)))


def test_no_variable_of_the_harness_is_passed_on(read):
    options = read(BubblewrapCommand(None), HOME="/home/agent", EMPTY="")
    cleared = options.index("--clearenv")
    assert options[cleared + 1 :] == ["--setenv", "HOME", "/home/agent", "--setenv", "EMPTY", ""]


def test_without_root_there_is_a_user_namespace_and_with_root_no_capability_stays(read):
    assert "--unshare-user" in read(BubblewrapCommand(None))
    options = read(BubblewrapCommand(40_000))
    assert "--unshare-user" not in options
    assert follows(options, "--cap-drop", "ALL")


def test_a_job_of_root_becomes_another_user_before_python_starts():
    assert BubblewrapCommand(None).first_command(5, 6)[-2:] == ("5", "6")
    command = BubblewrapCommand(40_000).first_command(5, 6)
    assert command[:5] == ("/usr/bin/setpriv", "--reuid", "40000", "--regid", "40000")
    assert "--no-new-privs" in command
    assert command[-len(BubblewrapCommand(None).first_command(5, 6)) :] == BubblewrapCommand(None).first_command(5, 6)


def test_the_parents_of_a_mount_are_made_once_and_open_to_all(read, tmp_path):
    command = BubblewrapCommand(None)
    command.mount_read_only(tmp_path, PurePath("/home/data"))
    command.mount_writable(tmp_path, PurePath("/home/code"))
    options = read(command)
    assert follows(options, "--perms", "0755", "--dir", "/home", "--ro-bind", str(tmp_path), "/home/data")
    assert follows(options, "--bind", str(tmp_path), "/home/code")
    assert options.count("--dir") == 1


def test_a_file_in_memory_has_its_content_and_mode(read):
    command = BubblewrapCommand(None)
    command.add_file(b"text", PurePath("/etc/x"), 0o640)
    (descriptor,) = command.descriptors
    assert os.pread(descriptor, 10, 0) == b"text"
    assert follows(read(command), "--perms", "0640", "--file", str(descriptor), "/etc/x")


def test_what_every_job_sees_cannot_be_hidden(read, tmp_path):
    command = BubblewrapCommand(None)
    command.require_hidden(tmp_path)
    command.mount_system()
    command.require_hidden(tmp_path)
    with pytest.raises(SandboxUnavailableError, match="lies inside /usr"):
        command.require_hidden(tmp_path, Path("/usr/share/private"))
    read(command)
