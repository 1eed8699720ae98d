"""Archives of all kinds and what can become of them: flipped bits, cuts, insertions, spliced and lying headers.

    python -m tests.preparation.mutants [COUNT [SEED]]

tries so many mutants, each bounded in memory, file size and time, and prints those that do what is not allowed.
"""

from __future__ import annotations

import bz2
import gzip
import io
import os
import random
import resource
import shutil
import signal
import struct
import sys
import tarfile
import tempfile
import time
import zipfile
import zlib
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mlebench.errors import ArchiveError
from mlebench.preparation import extract, extract_7z, member_names, read_member, repack, retar, tar_member_names

if TYPE_CHECKING:
    from collections.abc import Callable

CONTENTS = {
    "train.csv": b"id,x\n" + b"".join(b"%d,%d\n" % (row, row * row % 97) for row in range(400)),
    "images/a.jpg": random.Random(1).randbytes(700),
    "images/deep/\N{LATIN SMALL LETTER E WITH ACUTE}.png": b"\0" * 3000,
    "empty": b"",
}
LONG = "long/" + "n" * 120
SECONDS = 30
MEMORY = 2**32
LARGEST_FILE = 64 * 2**20


def zip_of(method: int, *, streamed: bool = False) -> bytes:
    out = io.BytesIO()
    if streamed:  # sizes stand behind the data
        out.seekable = lambda: False  # type: ignore[method-assign]
    with zipfile.ZipFile(out, "w", method) as file:
        for name, content in CONTENTS.items():
            file.writestr(name, content)
    return out.getvalue()


def tar_of(form: int, pack: Callable[[bytes], bytes] = bytes) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=form) as file:
        for name, content in (CONTENTS | ({} if form == tarfile.USTAR_FORMAT else {LONG: b"x"})).items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            file.addfile(member, io.BytesIO(content))
    return pack(out.getvalue())


def seven_of(filters: list[dict[str, int]] | None, *, plain_header: bool = False) -> bytes:
    import py7zr

    out = io.BytesIO()
    with py7zr.SevenZipFile(out, "w", filters=filters) as file:
        file.set_encoded_header_mode(not plain_header)
        for name, content in CONTENTS.items():
            file.writestr(content, name)
    return out.getvalue()


def seeds() -> dict[str, bytes]:
    """Return a sound archive of each kind by its name."""
    import py7zr

    return {
        "stored.zip": zip_of(zipfile.ZIP_STORED),
        "deflated.zip": zip_of(zipfile.ZIP_DEFLATED),
        "streamed.zip": zip_of(zipfile.ZIP_DEFLATED, streamed=True),
        "ustar.tar": tar_of(tarfile.USTAR_FORMAT),
        "gnu.tar": tar_of(tarfile.GNU_FORMAT),
        "pax.tar": tar_of(tarfile.PAX_FORMAT),
        "pax.tar.gz": tar_of(tarfile.PAX_FORMAT, lambda data: gzip.compress(data, mtime=0)),
        "gnu.tar.bz2": tar_of(tarfile.GNU_FORMAT, bz2.compress),
        "lzma2.7z": seven_of(None),
        "plain.7z": seven_of(None, plain_header=True),
        "copied.7z": seven_of([{"id": py7zr.FILTER_COPY}], plain_header=True),
        "deflated.7z": seven_of([{"id": py7zr.FILTER_DEFLATE}], plain_header=True),
    }


def mutant(name: str, data: bytes, draw: random.Random, others: list[bytes]) -> bytes:
    """Return an archive that is damaged in a way or two, sometimes with checksums that fit the damage."""
    unpacked = name.endswith(".gz") and draw.random() < 0.5
    mutated = bytearray(gzip.decompress(data) if unpacked else data)
    for _ in range(draw.choice([1, 1, 1, 2, 4])):
        mutate(mutated, draw, others)
    if ".tar" in name and draw.random() < 0.6:
        mend_tar(mutated)
    if name.endswith(".7z") and draw.random() < 0.8:
        mend_7z(mutated)
    return gzip.compress(bytes(mutated), mtime=0) if unpacked else bytes(mutated)


def mutate(data: bytearray, draw: random.Random, others: list[bytes]) -> None:
    size = max(len(data), 1)
    near_the_end = draw.random() < 0.5  # where directories stand
    place = draw.randrange(max(0, size - 500), size) if near_the_end else draw.randrange(size)
    length = draw.choice([1, 2, 4, 8, 30, 512, draw.randrange(1, size + 1)])
    match draw.randrange(8):
        case 0 | 1:
            for _ in range(draw.choice([1, 1, 3, 10])):
                at = min(len(data) - 1, place + draw.randrange(20))
                if at >= 0:
                    data[at] ^= 1 << draw.randrange(8)
        case 2:
            del data[place:]
        case 3:
            del data[place : place + length]
        case 4:
            data[place:place] = draw.choice([bytes(length), draw.randbytes(length), data[place : place + length]])
        case 5:
            value = draw.choice([0, 1, 0x7F, 0xFF, 0xFFFF, 0x7FFFFFFF, 0xFFFFFFFF, 2**63 - 1, 2**64 - 1])
            data[place : place + 8] = value.to_bytes(8, "little")[: draw.choice([1, 2, 4, 8])]
        case 6:
            other = draw.choice(others)
            start = draw.randrange(len(other))
            data[place : place + length] = other[start : start + length]
        case _:
            for old, new in ((b"images/", b"../../x"), (b"train.csv", b"/etc/x\0ab"), (b"empty", b"image")):
                if draw.random() < 0.5:
                    data[:] = data.replace(old, new)


def mend_tar(data: bytearray) -> None:
    """Give headers the checksum that they should have."""
    for start in range(0, len(data) - 511, 512):
        if data[start + 257 : start + 262] == b"ustar":
            data[start + 148 : start + 156] = b" " * 8
            data[start + 148 : start + 156] = b"%06o\0 " % sum(data[start : start + 512])


def mend_7z(data: bytearray) -> None:
    """Give the two headers the checksums that they should have."""
    if len(data) > 32:
        offset, size = struct.unpack("<QQ", data[12:28])
        data[28:32] = struct.pack("<I", zlib.crc32(data[32 + offset : 32 + offset + size]))
        data[8:12] = struct.pack("<I", zlib.crc32(data[12:32]))


def wrong(name: str, data: bytes, folder: Path) -> str | None:
    """Unpack an archive in an empty folder; return what happened that may not, or None."""
    archive, target = folder / name, folder / "deep" / "target"
    archive.write_bytes(data)
    target.mkdir(parents=True)
    try:
        if name.endswith(".zip"):
            extract(archive, target)
            for member in member_names(archive):
                read_member(archive, member)
            repack(archive, folder / "deep" / "repacked.zip", lambda member: member)
        elif name.endswith(".7z"):
            extract_7z(archive, target)
        else:
            names = tar_member_names(archive)
            known = [member for member in (*CONTENTS, LONG) if member in names]
            retar(archive, {target / "new.tar": {member: member for member in known}})
    except ArchiveError as error:
        text = str(error)
        if not text.isprintable() or len(text) > 600 or not text.endswith("."):
            return f"said {text!r}"
        outcome = "refused"
    except BaseException as error:  # noqa: BLE001  this is what is looked for
        return f"raised {type(error).__name__}: {error}"
    else:
        outcome = "unpacked"
    (folder / "deep" / "repacked.zip").unlink(missing_ok=True)
    if set(os.listdir(folder)) != {name, "deep"} or os.listdir(folder / "deep") != ["target"]:  # noqa: PTH208
        return f"{outcome}, and left its folder: {sorted(map(str, folder.rglob('*')))}"
    for path in target.rglob("*"):
        if path.is_dir() and not path.is_symlink():
            continue
        if path.is_symlink() or not path.is_file():
            return f"{outcome}, and made {path.name!r}, which is not a file"
        whole = path.stat().st_size <= LARGEST_FILE and path.read_bytes() in CONTENTS.values()
        if name.endswith(".zip") and not whole:
            return f"{outcome}, and gave {path.name!r} another content"
        if name.endswith(".7z") and not whole and outcome == "unpacked" and data[32:] == SEEDS[name][32:]:
            return f"{outcome}, and gave {path.name!r} another content"
    return None


SEEDS: dict[str, bytes] = {}


def limit() -> None:
    """Bound this process, so that a mutant that asks for all memory or a huge file fails loudly."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_FSIZE, (LARGEST_FILE, LARGEST_FILE))
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)


def too_long(*_: Any) -> None:
    raise TimeoutError(f"still at it after {SECONDS} s")


def main(count: int, seed: int) -> int:
    """Try so many mutants; print what was found and how often which outcome came."""
    SEEDS.update(seeds())
    limit()
    signal.signal(signal.SIGALRM, too_long)
    found, slowest = Counter[str](), 0.0
    for number in range(seed, seed + count):
        draw = random.Random(number)
        name = draw.choice(list(SEEDS))
        data = mutant(name, SEEDS[name], draw, list(SEEDS.values()))
        folder = Path(tempfile.mkdtemp(prefix="mutant-"))
        try:
            start = time.process_time()
            signal.alarm(SECONDS)
            problem = wrong(name, data, folder)
            signal.alarm(0)
            slowest = max(slowest, time.process_time() - start)
            if problem:
                found[f"{name}: {problem[:150]}"] += 1
                print(f"{number} {name}: {problem}", flush=True)
        finally:
            signal.alarm(0)
            shutil.rmtree(folder, ignore_errors=True)
    print(f"{count} mutants, {sum(found.values())} of them wrong; the slowest took {slowest:.1f} s")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*(int(argument) for argument in [*sys.argv[1:], "300", "0"][:2])))
