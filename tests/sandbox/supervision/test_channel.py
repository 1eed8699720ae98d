"""Channels cut what arrives into messages, and close at its end."""

from __future__ import annotations

import os
import select
import socket

import pytest

from mlebench.sandbox.supervision.channel import PipeChannel, SocketChannel
from mlebench.sandbox.supervision.messages import NamespaceStarted, Ready, Waiting

READY = b'{"ready": true, "ports": [80]}\n'


@pytest.fixture
def pipe():
    source, sink = os.pipe()
    channel = PipeChannel(source, b'{"command": []}')
    with os.fdopen(sink, "wb", buffering=0) as file:
        yield channel, file
    channel.close()
    os.close(channel.config_source)


def test_a_pipe_carries_the_config_once_and_to_its_end(pipe):
    channel, file = pipe
    file.write(b'{"waiting": true}\n')
    assert channel.receive() == [Waiting()]
    channel.send_config()
    channel.send_config()  # again, which does nothing
    assert os.read(channel.config_source, 100) == b'{"command": []}'
    assert os.read(channel.config_source, 100) == b""


def test_a_config_for_a_process_that_is_gone_is_lost():
    source, sink = os.pipe()
    channel = PipeChannel(source, b"{}")
    for descriptor in (sink, channel.config_source):
        os.close(descriptor)
    channel.send_config()
    channel.close()


@pytest.fixture
def channel(tmp_path):
    folder = tmp_path / ("long" * 40)  # longer than the path of a socket may be
    folder.mkdir()
    channel = SocketChannel(folder / "s", b'{"command": []}')
    yield channel
    channel.close()


def connect(channel, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path / ("long" * 40))
    client = socket.socket(socket.AF_UNIX)
    client.settimeout(60)
    client.connect("s")
    return client


def receive(channel):
    assert select.select([channel], [], [], 60)[0]
    return channel.receive()


def test_a_message_is_received_when_its_line_is_complete(pipe):
    channel, file = pipe
    assert channel.receive() == []
    file.write(READY[:10])
    assert channel.receive() == []
    file.write(READY[10:] + b'{"child-pid": 4}\n{"exit-code": 0}\n')
    assert channel.receive() == [Ready((80,)), NamespaceStarted(4)]


def test_a_pipe_closes_when_its_writers_have(pipe):
    channel, file = pipe
    file.write(READY)
    file.close()
    assert channel.receive() == [Ready((80,))]
    assert channel.receive() == []
    assert channel.fileno() == -1
    channel.close()  # again, which does nothing
    assert channel.receive() == []


def test_the_first_to_connect_gets_the_config_and_talks(channel, monkeypatch, tmp_path):
    channel.send("lost")  # no process is there yet
    with connect(channel, monkeypatch, tmp_path) as client:
        assert receive(channel) == [Waiting(os.getpid())]
        channel.send_config()
        client.sendall(READY)
        assert receive(channel) == [Ready((80,))]
        channel.send("terminate")
        assert client.makefile("rb").read(26) == b'{"command": []}\nterminate\n'


def test_no_second_process_can_connect(channel, monkeypatch, tmp_path):
    with connect(channel, monkeypatch, tmp_path):
        receive(channel)
        with pytest.raises(ConnectionRefusedError):
            connect(channel, monkeypatch, tmp_path)


def test_a_socket_closes_when_its_process_is_gone(channel, monkeypatch, tmp_path):
    with connect(channel, monkeypatch, tmp_path):
        receive(channel)
    assert receive(channel) == []
    assert channel.fileno() == -1
    channel.send("terminate")  # does nothing
    assert channel.receive() == []
