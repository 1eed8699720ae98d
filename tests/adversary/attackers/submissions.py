"""Leaves something odd in place of a submission. The mode says what."""

import os
import shutil
import socket
import sys
import threading
import time
from pathlib import Path

from attempts import only_inside, report, targets

only_inside()
KNOWN = targets()
HOME = Path("/home/submission")
PATH = HOME / "submission.csv"
SAMPLE = "/home/data/sample_submission.csv"
ANSWERS = KNOWN["answers"][0]
"""A path on the host, which a harness that runs as root could follow."""


def link_to_answers():
    PATH.symlink_to(ANSWERS)


def link_to_sample():
    PATH.symlink_to(SAMPLE)


def link_to_itself():
    PATH.symlink_to("submission.csv")


def pipe():
    os.mkfifo(PATH)


def folder():
    PATH.mkdir()
    shutil.copy(SAMPLE, PATH / "submission.csv")


def listening():
    server = socket.socket(socket.AF_UNIX)
    server.bind(str(PATH))
    server.listen()


def device():
    try:
        os.mknod(PATH, 0o20666, os.makedev(1, 5))
    except OSError as error:
        report("device", False, f"refused: {error.strerror}")
    else:
        report("device", True, "an endless file")


def hard_link():
    shutil.copy(SAMPLE, HOME / "other.csv")
    os.link(HOME / "other.csv", PATH)


def hard_link_to_data():
    try:
        os.link(SAMPLE, PATH)
    except OSError as error:
        report("hard_link_to_data", False, f"refused: {error.strerror}")
    else:
        report("hard_link_to_data", True, "linked")


def huge():
    """A sparse file of a hundred gigabytes."""
    with PATH.open("wb") as file:
        file.truncate(100 << 30)


def many_huge():
    """Sparse files, whose copies may take disk."""
    for number in range(40):
        with (HOME / f"{number}.csv").open("wb") as file:
            file.truncate(100 << 20)
    shutil.copy(SAMPLE, PATH)


def moved_away():
    """Replace the folder itself by a link."""
    for change in (lambda: HOME.rename("/home/old"), HOME.rmdir, lambda: HOME.symlink_to(os.path.dirname(ANSWERS))):
        try:
            change()
        except OSError as error:
            report("moved_away", False, f"refused: {error.strerror}")
        else:
            report("moved_away", True, "replaced")
            return


def closed():
    """A folder and a file that even their owner may not open."""
    shutil.copy(SAMPLE, PATH)
    PATH.chmod(0)
    HOME.chmod(0)
    Path("/home/code/closed").mkdir()
    Path("/home/code/closed/file").write_text("x")
    Path("/home/code/closed").chmod(0)


def leased():
    """A lease delays everybody else who opens the file."""
    import fcntl
    import signal

    signal.signal(signal.SIGIO, signal.SIG_IGN)
    shutil.copy(SAMPLE, PATH)
    file = PATH.open("r+b")
    fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_WRLCK)
    time.sleep(3)


def long_paths():
    """Each name is allowed, but the whole path is longer than any path may be."""
    shutil.copy(SAMPLE, PATH)
    for folder, name, depth in (("/home/logs", "l" * 255, 40), ("/home/agent", "d" * 10, 1200)):
        os.chdir(folder)
        for _ in range(depth):
            os.mkdir(name)
            os.chdir(name)
        Path("bottom").write_text("x")


def many_files():
    """More files than the harness collects."""
    shutil.copy(SAMPLE, PATH)
    for number in range(1500):
        if number % 100 == 0:
            os.mkdir(f"/home/code/{number}")
        os.close(os.open(f"/home/code/{number - number % 100}/{number}", os.O_CREAT | os.O_WRONLY))


def other_name():
    shutil.copy(SAMPLE, HOME / "Submission.CSV")
    shutil.copy(SAMPLE, HOME / "submission.csv ")


def compressed():
    """A small file that decompresses to a large one."""
    import gzip

    PATH.write_bytes(gzip.compress(b"id,grower_a\n" + b"0" * (200 << 20), 9))


def wide():
    PATH.write_text(",".join(f"c{number}" for number in range(1_000_000)) + "\n" + "," * 999_999 + "\n")


def script_in_a_name():
    PATH.write_text("id,<script>alert(1)</script>,\x1b[2J\n1,2,3\n")


def racing(inside, outside):
    """Replace the file by one kind and the other as fast as possible, until the run is over."""

    def flip(number):
        link, file = HOME / f"l{number}", HOME / f"f{number}"
        while True:
            outside(link)
            os.replace(link, PATH)
            inside(file)
            os.replace(file, PATH)

    for number in range(2):
        threading.Thread(target=flip, args=(number,), daemon=True).start()
    time.sleep(5)


def racing_link():
    racing(lambda path: shutil.copy(SAMPLE, path), lambda path: path.symlink_to(ANSWERS))


def racing_pipe():
    racing(lambda path: shutil.copy(SAMPLE, path), os.mkfifo)


def racing_folder():
    """Swap a folder with a link to a folder of the host, while the harness measures and when it collects."""
    shutil.copy(SAMPLE, PATH)
    real, link, place = Path("/home/code/real"), Path("/home/code/link"), Path("/home/code/place")
    real.mkdir()
    (real / "own").write_text("x")
    link.symlink_to(os.path.dirname(ANSWERS))
    link.rename(place)
    end = time.monotonic() + 3
    while time.monotonic() < end:
        place.rename(link)
        real.rename(place)
        place.rename(real)
        link.rename(place)


globals()[sys.argv[1]]()
