"""The network is closed unless a job asks for it, and an open one is recorded."""

from __future__ import annotations

import socket
import threading

import pytest

from mlebench.errors import UsageError
from mlebench.sandbox import get_sandbox
from mlebench.sandbox.container import ContainerSandbox
from mlebench.sandbox.limits import Limits
from mlebench.sandbox.stop import StopSignal

from .conftest import CONTAINERS

CALLER = """
import socket, sys
with open("/proc/net/route") as file:
    gateway = next(line.split()[2] for line in file if line.split()[1] == "00000000")
address = socket.inet_ntoa(bytes.fromhex(gateway)[::-1])
print(socket.create_connection((address, int(sys.argv[1])), timeout=10).recv(10).decode())
try:
    socket.create_connection(("127.0.0.1", int(sys.argv[1])), timeout=10)
except OSError as error:
    print(type(error).__name__)
with open("/etc/resolv.conf") as file:
    print("nameserver" in file.read())
print({line.split()[1] for line in open("/proc/self/status") if line.startswith("Cap")})
"""


@pytest.fixture(params=CONTAINERS)
def container(request):
    return ContainerSandbox(request.getfixturevalue(request.param).name)


def test_an_open_network_leads_out_but_not_to_private_servers_of_the_host(bench, container):
    with socket.create_server(("0.0.0.0", 0)) as server:

        def answer():
            connection, _ = server.accept()
            with connection:
                connection.sendall(b"here")

        thread = threading.Thread(target=answer, daemon=True)
        thread.start()
        port = str(server.getsockname()[1])
        result = bench(container, "{python}", "-c", CALLER, port, network="open")
    assert result.log.split() == ["here", "ConnectionRefusedError", "True", "{'0000000000000000'}"], result.log
    assert result.events.of("network_open")


def test_a_closed_network_is_not_recorded(bench, isolating):
    assert not bench(isolating, "true").events.of("network_open")


def test_the_network_of_a_plain_process_is_always_open(bench):
    assert bench(get_sandbox("process"), "true").events.of("network_open")


def test_bubblewrap_refuses_with_the_way_out(bench, bubblewrap, events, is_short_message):
    job = bench.job(("true",), network="open")
    with pytest.raises(UsageError, match="--sandbox docker or podman") as refusal:
        bubblewrap.run(job, Limits(), stop=StopSignal(), events=events)
    assert is_short_message(str(refusal.value))
    assert events.received == []
