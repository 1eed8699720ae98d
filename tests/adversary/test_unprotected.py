"""Without isolation the attackers succeed, which proves that the other tests can fail."""

import re
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from .attacks import ATTACKERS, remains_of_this_process


def test_answers_and_keys_are_found_without_isolation(attack):
    done = attack("process", "discovery")["discovery"]
    found = {"answers_by_path", "secrets_by_path", "folders_by_path", "answers_beside_the_data"}
    assert done.gained.keys() == found | {"key_in_other_environments"}
    assert "no_isolation" in [event["kind"] for event in done.flagged]


def test_the_competition_is_found_where_a_run_is_not_obfuscated_or_not_isolated(attack, host):
    name = host.competition.id.encode().hex()
    done = attack("process", "identity", arguments=(name,))["identity"]
    assert done.gained.keys() >= {"variables", "environments", "open_files"}
    done = attack("process", "identity", arguments=(name,), obfuscated=True)["identity"]
    assert "open_files" in done.gained
    assert "variables" not in done.gained


def test_servers_are_reached_without_isolation(attack, host):
    done = attack("process", "network")["network"]
    reached = {"server_on_loopback", "server_by_udp", "unix_socket", "abstract_socket"}
    if host.targets["addresses"]:
        reached.add("server_on_the_hosts_addresses")
    if host.targets["tcp6"]:
        reached.add("server_by_ipv6")
    assert done.gained.keys() == reached
    assert {"tcp", "udp", "unix", "abstract"} <= set(host.calls)
    assert not host.is_unharmed()


@pytest.mark.parametrize("path", sorted(ATTACKERS.glob("*.py")), ids=lambda path: path.stem)
def test_attackers_that_could_do_harm_refuse_to_run_outside_a_sandbox(path):
    assert re.search(r"^only_inside\(\)$|HARMLESS_ONLY", path.read_text(), re.MULTILINE)


def test_the_search_for_remains_finds_a_job_that_runs(attack, isolating):
    with ThreadPoolExecutor(1) as pool:
        attacks = pool.submit(attack, isolating, "persistence", "ignoring", seconds=4, grace=0.5)
        living, remains = [], []
        while not attacks.done():
            living += attack.living_processes()
            remains += remains_of_this_process(isolating)
            time.sleep(0.05)
        attacks.result()
    assert any("persistence.py" in command for command in living)
    assert remains or isolating == "bubblewrap"  # which leaves none where it cannot create control groups
