"""The attackers themselves: where nothing protects, they gain, and so the other tests can fail."""

import re
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from .conftest import ATTACKERS, left_by_this_harness


def test_answers_and_keys_are_found_where_nothing_protects(field):
    attack = field.attack("process", "seeker")["seeker"]
    found = {"answers_by_path", "secrets_by_path", "folders_by_path", "answers_beside_the_data"}
    assert attack.gained.keys() == found | {"key_in_other_environments"}
    assert "no_isolation" in [event["kind"] for event in attack.flagged]


def test_servers_are_reached_where_nothing_protects(field, host):
    attack = field.attack("process", "caller")["caller"]
    ways = {"server_on_loopback", "server_by_udp", "unix_socket", "abstract_socket"}
    if host.targets["addresses"]:
        ways.add("server_on_the_hosts_addresses")
    if host.targets["tcp6"]:
        ways.add("server_by_ipv6")
    assert attack.gained.keys() == ways
    assert {"tcp", "udp", "unix", "abstract"} <= set(host.calls)
    assert not host.is_unharmed()


@pytest.mark.parametrize("path", sorted(ATTACKERS.glob("*.py")), ids=lambda path: path.stem)
def test_attackers_that_could_hurt_a_machine_refuse_to_run_outside(path):
    assert re.search(r"^only_inside\(\)$|HARMLESS_ONLY", path.read_text(), re.MULTILINE)


def test_what_is_left_would_be_seen(field, isolating):
    with ThreadPoolExecutor(1) as pool:
        attack = pool.submit(field.attack, isolating, "limpet", "ignoring", seconds=2, grace=0.5)
        living, left = [], []
        while not attack.done():
            living += field.living_processes()
            left += left_by_this_harness(isolating)
            time.sleep(0.05)
        attack.result()
    assert any("limpet.py" in command for command in living)
    assert left or isolating == "bubblewrap"  # which needs nothing beside its processes where it may make no groups
