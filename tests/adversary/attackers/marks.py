"""Leaves marks on files that only root may remove, and reads or changes what lies beyond a process without asking root.

What an attempt leaves has to be removed with the run, which the tests check.
"""

import ctypes
import fcntl
import os
import platform
import struct
from contextlib import suppress
from pathlib import Path

from attempts import CannotTry, attempt, only_inside, system_call

only_inside()
HOME = Path("/home/code")
X86 = platform.machine() == "x86_64"
FS_IOC_GETFLAGS, FS_IOC_SETFLAGS = 0x80086601, 0x40086602
FS_IOC_FSGETXATTR, FS_IOC_FSSETXATTR = 0x801C581F, 0x401C5820
IMMUTABLE, APPEND = 0x10, 0x20


def new_file(name, content=b"x"):
    path = HOME / name
    path.write_bytes(content)
    return path


def set_flags(path, flags):
    """Set flags of a file or folder as chattr(1) does; return whether they are set."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        before = struct.unpack("q", fcntl.ioctl(descriptor, FS_IOC_GETFLAGS, bytes(8)))[0]
        fcntl.ioctl(descriptor, FS_IOC_SETFLAGS, struct.pack("q", before | flags))
        return struct.unpack("q", fcntl.ioctl(descriptor, FS_IOC_GETFLAGS, bytes(8)))[0] & flags
    finally:
        os.close(descriptor)


@attempt
def immutable_file():
    return set_flags(new_file("immutable"), IMMUTABLE)


@attempt
def appendable_file():
    return set_flags(new_file("appendable"), APPEND)


@attempt
def immutable_folder():
    (HOME / "folder").mkdir()
    (HOME / "folder/file").touch()
    return set_flags(HOME / "folder", IMMUTABLE)


@attempt
def immutable_by_extended_flags():
    """The same by an interface that several file systems share."""
    descriptor = os.open(new_file("extended"), os.O_RDONLY)
    fields = list(struct.unpack("IIIII8s", fcntl.ioctl(descriptor, FS_IOC_FSGETXATTR, bytes(28))))
    fields[0] |= 0x8 | 0x10
    fcntl.ioctl(descriptor, FS_IOC_FSSETXATTR, struct.pack("IIIII8s", *fields))
    return "set"


@attempt
def immutable_by_new_call():
    """file_setattr(2) of Linux 6.17."""
    path = os.fsencode(new_file("by_call"))
    attributes = ctypes.create_string_buffer(struct.pack("QIIII", 0x8 | 0x10, 0, 0, 0, 0))
    system_call(469, -100, path, attributes, 24, 0)
    return "set"


@attempt
def harmless_flags():
    """Flags that an owner may set must not keep anyone from removing the file."""
    for bit in range(32):
        path = new_file(f"flag-{bit}")
        try:
            set_flags(path, 1 << bit)
        except OSError:
            continue
        if (1 << bit) in (IMMUTABLE, APPEND):
            return f"flag {1 << bit:#x}"
    return None


def attributes(*names):
    found = []
    for path in (new_file("attributes"), HOME, Path("/tmp")):
        for name in names:
            try:
                os.setxattr(path, name, b"x")
            except OSError:
                continue
            found.append((str(path), name))
    return found


@attempt
def trusted_attributes():
    return attributes("trusted.mark", "trusted.overlay.opaque", "trusted.overlay.redirect")


@attempt
def security_attributes():
    """Not security.selinux: where SELinux is off, an owner may set it, and it means nothing."""
    with suppress(OSError):
        os.setxattr(new_file("labelled"), "security.selinux", b"system_u:object_r:etc_t:s0\0")
    return attributes("security.mark", "security.ima", "security.evm", "security.SMACK64")


@attempt
def capabilities_of_a_file():
    path = new_file("capable", Path("/bin/true").read_bytes())
    os.setxattr(path, "security.capability", struct.pack("IIIII", 0x02000001, 0xFFFFFFFF, 0, 0xFFFFFFFF, 0))
    return "a program with capabilities"


@attempt
def many_attributes():
    """What an owner may set is removed with the file."""
    path = new_file("many")
    for number in range(1000):
        try:
            os.setxattr(path, f"user.{number}", b"x" * 1000)
        except OSError:
            break


@attempt
def system_attributes():
    """An access list that shuts out everyone must not shut out the harness."""
    (HOME / "closed").mkdir()
    (HOME / "closed/file").touch()
    nobody = struct.pack("I", 2) + b"".join(struct.pack("HHI", tag, 0, 0xFFFFFFFF) for tag in (0x01, 0x04, 0x10, 0x20))
    for path, name in ((HOME / "closed/file", "access"), (HOME / "closed", "access"), (HOME / "closed", "default")):
        try:
            os.setxattr(path, f"system.posix_acl_{name}", nobody)
        except OSError:
            continue


@attempt
def mount_with_other_attributes():
    """open_tree_attr(2) of Linux 6.15: a copy of a read-only mount that is writable."""
    change = ctypes.create_string_buffer(struct.pack("QQQQ", 0, 0x1, 0, 0))
    os.close(system_call(467, -100, b"/home/data", 1 | 0x8000, change, 32))
    return "a copy of the data's mount"


@attempt
def comparing_with_the_first_process():
    """kcmp(2) tells about addresses in the kernel."""
    return f"order {system_call(312 if X86 else 272, os.getpid(), 1, 1, 0, 0)}"


@attempt
def real_time_input():
    """The real-time class of ioprio_set(2) goes before all other processes of the machine."""
    system_call(251 if X86 else 30, 1, 0, 1 << 13)
    return "input and output in real time"


@attempt
def input_of_others():
    """Change the priority of process 1."""
    system_call(251 if X86 else 30, 1, 1, 3 << 13)
    if os.stat("/proc/1").st_uid == os.getuid():
        raise CannotTry("process 1 of this sandbox belongs to the job's user")
    return "input and output of process 1"


@attempt
def verity_and_encryption():
    """Marks that cannot be removed from a file must not keep it from being removed."""
    for request, argument in ((0x40806685, struct.pack("IIII", 1, 1, 4096, 0) + bytes(112)), (0x800C6613, bytes(12))):
        descriptor = os.open(new_file(f"sealed-{request}"), os.O_RDONLY)
        try:
            fcntl.ioctl(descriptor, request, argument)
        except OSError:
            continue
        finally:
            os.close(descriptor)
