from __future__ import annotations


def test_bundled_leaderboards_are_found_and_force_changes_nothing(mlebench):
    for args in (("-c", "spaceship-titanic"), ("--competition", "spaceship-titanic", "--force"), ("--all",)):
        result = mlebench("dev", "download-leaderboard", *args)
        assert result.returncode == 0, result.stderr
        assert any("spaceship_titanic" in line for line in result.stdout.splitlines())
