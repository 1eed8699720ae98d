"""Each change of a submission is kept as a snapshot, within bounds."""

import os
import time

import pytest

from mlebench.errors import RunError
from mlebench.runs.snapshots import FOLDER, INDEX, Bounds, Snapshots, read_snapshots

from ..waiting import wait_until


@pytest.fixture
def watched(tmp_path):
    (tmp_path / "submission").mkdir()
    (tmp_path / "attempt").mkdir()
    return tmp_path / "submission" / "submission.csv"


def watch(watched, events, **bounds):
    return Snapshots(watched, watched.parents[1] / "attempt", events=events, bounds=Bounds(period=0.02, **bounds))


def put(snapshots, path, text):
    """Replace a file, and wait until the last snapshot has its content."""
    fresh = path.with_suffix(".new")
    fresh.write_text(text)
    fresh.replace(path)
    time.sleep(0.1)  # long enough for a second snapshot of the same content
    assert wait_until(lambda: snapshots.taken and snapshots.path(snapshots.taken[-1]).read_text() == text)


def ignore(kind, /, **facts):
    pass


def test_each_change_is_kept_once(watched):
    with watch(watched, ignore) as snapshots:
        for text in ("a", "b", "b", "a"):
            put(snapshots, watched, text)
    assert [snapshots.path(snapshot).read_text() for snapshot in snapshots.taken] == ["a", "b", "a"]
    assert read_snapshots(watched.parents[1] / "attempt") == snapshots.taken
    assert [one.seconds for one in snapshots.taken] == sorted(one.seconds for one in snapshots.taken)


def test_the_last_state_is_kept_even_right_before_the_end(watched):
    with watch(watched, ignore, patience=60) as snapshots:
        watched.write_text("last")
    assert [snapshots.path(snapshot).read_text() for snapshot in snapshots.taken] == ["last"]


def test_a_file_that_always_changes_is_copied_after_a_while(watched):
    with watch(watched, ignore, patience=0.2) as snapshots, watched.open("w") as file:
        for _ in range(20_000):
            file.write("more\n")
            file.flush()
            time.sleep(0.005)
            if len(snapshots.taken) >= 2:
                break
        else:
            pytest.fail("it was not copied")


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir, lambda path: path.symlink_to("/etc/passwd")])
def test_only_regular_files_are_copied(watched, make):
    make(watched)
    with watch(watched, ignore) as snapshots:
        time.sleep(0.2)
    assert snapshots.taken == []


def test_hard_links_and_oversized_files_are_not_copied(watched):
    other = watched.with_name("other")
    other.write_text("linked")
    watched.hardlink_to(other)
    with watch(watched, ignore) as snapshots:
        time.sleep(0.2)
        watched.unlink()
        put(snapshots, watched, "x" * 101)
    assert len(snapshots.taken) == 1  # 101 bytes are fine here
    with watch(watched, ignore, file_bytes=100) as snapshots:
        time.sleep(0.2)
    assert snapshots.taken == []


def test_too_many_snapshots_are_thinned_out_but_the_last_stays(watched):
    told = []
    with watch(watched, lambda kind, /, **facts: told.append(kind), count=4, total_bytes=350) as snapshots:
        for number in range(9):
            put(snapshots, watched, f"{number}" * 100)
    assert len(snapshots.taken) <= 4
    assert snapshots.path(snapshots.taken[-1]).read_text() == "8" * 100
    assert "snapshots_dropped" in told
    kept = list((watched.parents[1] / "attempt" / "snapshots").glob("*.csv"))
    assert sum(path.stat().st_size for path in kept) <= 350


@pytest.mark.parametrize(
    "line",
    [
        "{",
        '{"seconds": NaN, "sha256": "%s", "bytes": 1}' % ("0" * 64),
        '{"seconds": 1, "sha256": "../../answers", "bytes": 1}',
        '{"seconds": 1, "sha256": "%s", "bytes": -1}' % ("0" * 64),
        "\x80",
    ],
)
def test_a_damaged_index_is_refused_in_one_sentence_that_names_it(tmp_path, line):
    (tmp_path / FOLDER).mkdir()
    (tmp_path / FOLDER / INDEX).write_text(f"{line}\n", encoding="latin-1")
    with pytest.raises(RunError, match=rf"{INDEX} is damaged\. Restore it"):
        read_snapshots(tmp_path)
