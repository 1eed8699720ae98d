"""Tries to reach servers of the host, its network, the internet, name servers and other sandboxes."""

import os
import socket
import subprocess
import sys

from attempts import CannotTry, attempt, only_inside, targets

KNOWN = targets()
SECONDS = 3


def reached(family, kind, *addresses, request=b"GET / HTTP/1.0\r\n\r\n"):
    """Return the addresses that answer."""
    found = []
    for address in addresses:
        try:
            with socket.socket(family, kind) as client:
                client.settimeout(SECONDS)
                client.connect(address)
                client.send(request)
                if client.recv(100):
                    found.append(address)
        except OSError:
            continue
    return found


@attempt
def server_on_loopback():
    return reached(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", KNOWN["tcp"]))


@attempt
def server_on_the_hosts_addresses():
    return reached(socket.AF_INET, socket.SOCK_STREAM, *((host, KNOWN["tcp"]) for host in KNOWN["addresses"]))


@attempt
def server_by_udp():
    hosts = ["127.0.0.1", *KNOWN["addresses"]]
    return reached(socket.AF_INET, socket.SOCK_DGRAM, *((host, KNOWN["udp"]) for host in hosts))


@attempt
def server_by_ipv6():
    if KNOWN["tcp6"] is None:
        raise CannotTry("the host has no IPv6")
    return reached(socket.AF_INET6, socket.SOCK_STREAM, ("::1", KNOWN["tcp6"]))


@attempt
def unix_socket():
    return reached(socket.AF_UNIX, socket.SOCK_STREAM, KNOWN["unix"])


@attempt
def abstract_socket():
    return reached(socket.AF_UNIX, socket.SOCK_STREAM, "\0" + KNOWN["abstract"])


only_inside()


@attempt
def interfaces():
    return [name for _, name in socket.if_nameindex() if name not in ("lo", "tunl0", "sit0", "ip6tnl0", "gre0")]


@attempt
def routes():
    with open("/proc/net/route") as file:
        return file.read().splitlines()[1:]


@attempt
def internet():
    hosts = [("192.0.2.1", 80), ("1.1.1.1", 53), ("8.8.8.8", 443), ("169.254.169.254", 80)]
    return reached(socket.AF_INET, socket.SOCK_STREAM, *hosts)


@attempt
def gateways_of_containers():
    hosts = [(f"172.{part}.0.1", KNOWN["tcp"]) for part in (17, 18)] + [("10.88.0.1", KNOWN["tcp"])]
    return reached(socket.AF_INET, socket.SOCK_STREAM, *hosts)


@attempt
def names():
    """Names of other machines must not resolve."""
    found = []
    known = "example.com pypi.org host.docker.internal host.containers.internal metadata.google.internal"
    for name in known.split():
        try:
            found.append(socket.getaddrinfo(name, 80)[0][4])
        except OSError:
            continue
    return found


@attempt
def packages():
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--retries", "0", "--timeout", "2", "iniconfig"]
    done = subprocess.run(command, cwd="/tmp", capture_output=True, text=True, timeout=60)
    if "No module named pip" in done.stderr:
        raise CannotTry("there is no pip")
    return done.returncode == 0 and done.stdout


@attempt
def raw_sockets():
    with socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP):
        return "raw"


@attempt
def packet_sockets():
    with socket.socket(17, socket.SOCK_RAW, 0x0300):
        return "packets"


@attempt
def ping():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM, socket.IPPROTO_ICMP) as own:
        own.settimeout(1)
        own.sendto(b"\x08\0\xf7\xff\0\0\0\0", (KNOWN["addresses"][0] if KNOWN["addresses"] else "192.0.2.1", 0))
        return own.recv(100)


@attempt
def a_new_interface():
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0) as link:
        # RTM_NEWLINK for an interface of kind dummy.
        data = b"\x12\0\x01\0dummy\0\0\0"
        kind = (4 + 9).to_bytes(2, "little") + b"\x01\0dummy\0\0\0"
        info = (4 + len(kind)).to_bytes(2, "little") + b"\x12\0" + kind
        body = b"\0" * 16 + info
        head = (16 + len(body)).to_bytes(4, "little") + b"\x10\0\x05\x06" + b"\x01\0\0\0" + b"\0" * 4
        link.settimeout(1)
        link.sendto(head + body, (0, 0))
        answer = link.recv(4096)
        error = int.from_bytes(answer[16:20], "little", signed=True)
        if error:
            raise OSError(-error, os.strerror(-error))
        return data


@attempt
def the_port_forward():
    """It leads to the submission check only: other paths are refused, and it is no proxy."""
    found = []
    lines = ("GET http://127.0.0.1:{}/", "CONNECT 127.0.0.1:{}", "GET /../../etc/passwd")
    for line in lines:
        with socket.create_connection(("127.0.0.1", 5000), timeout=SECONDS) as client:
            client.sendall(line.format(KNOWN["tcp"]).encode() + b" HTTP/1.1\r\nHost: x\r\n\r\n")
            answer = client.recv(1000)
            if b" 200 " in answer.split(b"\r\n")[0]:
                found.append(line)
    return found


@attempt
def own_server():
    """A server in the sandbox is reachable on the sandbox's own loopback only."""
    server = socket.create_server(("0.0.0.0", 0))
    port = server.getsockname()[1]
    return reached(socket.AF_INET, socket.SOCK_STREAM, *((host, port) for host in KNOWN["addresses"]))
