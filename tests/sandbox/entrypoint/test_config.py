"""The config of the first process inside a sandbox."""

from __future__ import annotations

from mlebench.sandbox.entrypoint.config import Config, Forward


def test_a_config_survives_the_way_into_the_sandbox():
    config = Config(
        command=["sh", "-c", 'echo "ü\n"'],
        forwards=[Forward(5000, "/run/harness/5000.sock", {"VALIDATE_URL": "", "OPENAI_BASE_URL": "/v1"})],
        rlimits={"RLIMIT_CORE": 0},
        cpus=[0, 3],
        environment={"LANG": "C.UTF-8"},
    )
    assert b"\n" not in config.encode()
    assert Config.decode(config.encode().decode()) == config
