"""Data in sockets counts, whoever has them open."""

from __future__ import annotations

import array
import os
import socket

import pytest

from mlebench.sandbox.kernel.socket_memory import SocketMeter

SIZE = 100_000
root_only = pytest.mark.skipif(os.geteuid() != 0, reason="only root can look into the network namespace of a job")


@pytest.fixture
def meter():
    meter = SocketMeter(os.getpid())
    yield meter
    meter.close()
    assert meter.measure() == 0


def unix_stream():
    return socket.socketpair()


def unix_datagrams():
    return socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)


def tcp():
    with socket.create_server(("127.0.0.1", 0)) as server:
        client = socket.create_connection(server.getsockname())
        return client, server.accept()[0]


def udp():
    one, other = (socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(2))
    other.bind(("127.0.0.1", 0))
    one.connect(other.getsockname())
    return one, other


@root_only
@pytest.mark.parametrize("connect", [unix_stream, unix_datagrams, tcp, udp])
@pytest.mark.parametrize("closes", [False, True], ids=["both open", "sender closed"])
def test_what_is_sent_counts_until_it_is_received(meter, connect, closes):
    one, other = connect()
    with one, other:
        before = meter.measure()
        for _ in range(10):
            one.send(bytes(SIZE // 10))
        if closes:
            one.close()
        assert meter.measure() - before > 0.9 * SIZE / (10 if connect is udp else 1)


@root_only
def test_what_is_in_a_socket_in_a_message_counts(meter):
    before = meter.measure()
    carrier, carried = socket.socketpair(), socket.socketpair()
    with carrier[0], carrier[1]:
        carried[0].send(bytes(SIZE))
        carrier[0].sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [carried[1].fileno()]))])
        for end in carried:
            end.close()
        assert meter.measure() - before > 0.9 * SIZE


def test_nothing_is_measured_where_the_namespace_cannot_be_entered():
    meter = SocketMeter(2**22 + 1)  # beyond the largest process id
    assert meter.measure() == 0
    meter.close()
