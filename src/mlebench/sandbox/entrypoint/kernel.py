"""Calls of the kernel that Python has no function for, with the names of its headers."""

from __future__ import annotations

from enum import IntEnum


class Prctl(IntEnum):
    """Options of prctl(2): include/uapi/linux/prctl.h."""

    PR_SET_PDEATHSIG = 1
    PR_SET_DUMPABLE = 4
    PR_SET_SECCOMP = 22
    PR_SET_CHILD_SUBREAPER = 36


SECCOMP_MODE_FILTER = 2
"""include/uapi/linux/seccomp.h."""
SOCK_FILTER_BYTES = 8
"""Size of `struct sock_filter`, one instruction of a filter: include/uapi/linux/filter.h."""


def prctl(option: Prctl, value: int) -> None:
    """Call prctl(2); raise OSError if the kernel refuses."""
    import ctypes

    if ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0):
        raise OSError(ctypes.get_errno(), f"prctl({option.name}) failed")


def install_seccomp_filter(content: bytes) -> None:
    """Add a seccomp filter to those that the container engine has installed; raise OSError if the kernel refuses."""
    import ctypes

    class SockFprog(ctypes.Structure):
        _fields_ = (("len", ctypes.c_ushort), ("filter", ctypes.c_char_p))

    program = SockFprog(len(content) // SOCK_FILTER_BYTES, content)
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(Prctl.PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(program), 0, 0):
        raise OSError(ctypes.get_errno(), "the seccomp filter was refused")
