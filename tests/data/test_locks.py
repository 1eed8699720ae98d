import os
import threading

from mlebench.data.locks import is_locked, locked


def test_a_lock_is_held_inside_and_free_afterwards(tmp_path):
    path = tmp_path / "lock"
    assert not is_locked(path)
    with locked(path):
        assert is_locked(path)
        assert path.read_text() == str(os.getpid())
    assert not is_locked(path)


def test_an_error_releases_the_lock(tmp_path):
    try:
        with locked(tmp_path / "lock"):
            raise ZeroDivisionError
    except ZeroDivisionError:
        assert not is_locked(tmp_path / "lock")


def test_who_waits_is_told_the_holder_once_and_gets_the_lock_next(tmp_path):
    told, done, waiting = [], [], threading.Event()

    def wait(holder):
        told.append(holder)
        waiting.set()

    def second():
        with locked(tmp_path / "lock", wait):
            done.append("second")

    thread = threading.Thread(target=second)
    with locked(tmp_path / "lock", told.append):
        thread.start()
        assert waiting.wait(60)
        done.append("first")
    thread.join()
    assert (told, done) == ([f"process {os.getpid()}"], ["first", "second"])
