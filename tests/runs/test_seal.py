import hashlib
import os

import pytest

from mlebench.runs.layout import SUMS
from mlebench.runs.seal import file_digest, folder_digest, read_sums, seal, take_inventory


@pytest.fixture
def events():
    """The events that were logged, with a function that logs them."""
    logged = []
    return logged, lambda kind, /, **facts: logged.append((kind, facts))


def test_the_event_has_the_digest_of_the_list_of_digests(tmp_path, events):
    logged, log = events
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "a.py").write_text("pass")
    (tmp_path / "run.log").write_text("")
    (tmp_path / "events.jsonl").write_text("is written on")
    seal(tmp_path, log)
    folders = hashlib.sha256(b"code\0").hexdigest()
    digest = file_digest(tmp_path / SUMS)
    assert logged == [("sealed", {"files": 2, "bytes": 4, "folders": folders, "sha256": digest})]
    assert read_sums((tmp_path / SUMS).read_bytes()) == {
        b"code/a.py": hashlib.sha256(b"pass").hexdigest(),
        b"run.log": hashlib.sha256(b"").hexdigest(),
    }


@pytest.mark.parametrize("name", [b"a b", b"  two", b"line\nfeed", b"return\r", b"back\\slash", b"\\n", b"\xff.csv"])
def test_any_file_name_is_sealed_and_read_back(tmp_path, events, name):
    (tmp_path / os.fsdecode(name)).write_text("content")
    seal(tmp_path, events[1])
    assert list(read_sums((tmp_path / SUMS).read_bytes())) == list(take_inventory(tmp_path).files) == [name]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"0" * 64 + b"  a", "whole line"),
        (b"0" * 63 + b"  a\n", "damaged line"),
        (b"0" * 64 + b"  \n", "damaged line"),
        (b"\n", "damaged line"),
    ],
)
def test_a_damaged_list_is_refused(content, words):
    with pytest.raises(ValueError, match=words):
        read_sums(content)


def test_an_empty_folder_has_an_empty_list(tmp_path, events):
    seal(tmp_path, events[1])
    assert read_sums((tmp_path / SUMS).read_bytes()) == {}


def test_the_digest_of_a_folder_depends_on_names_and_contents(tmp_path):
    def digest(**files):
        folder = tmp_path / str(len(list(tmp_path.iterdir())))
        folder.mkdir()
        for name, content in files.items():
            (folder / name).write_text(content)
        return folder_digest(folder)

    assert digest(a="1", b="2") == digest(b="2", a="1")
    assert len({digest(), digest(a="1"), digest(b="1"), digest(a="2"), digest(a="1", b="")}) == 5
