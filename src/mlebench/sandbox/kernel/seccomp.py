"""The seccomp filter of every job, similar to the default filters of container engines.

It refuses system calls that jobs never need and that have often been the way out of a sandbox, with EPERM: mounting,
creating or entering namespaces, loading code into the kernel, keys, memory of other processes, io_uring, and more.
`clone3` fails with ENOSYS, so that libraries fall back to `clone`, whose flags a filter can read. So do calls that are
newer than this filter, and those that take something of which the whole machine has a fixed number: asynchronous I/O of
the kernel, filters of sockets. Huge pages fail as on a machine that has reserved none, since the limit on memory does
not count them. Calls by the numbers of another architecture are refused.

References
----------
seccomp(2); Documentation/networking/filter.rst of the Linux kernel, for classic BPF.
"""

from __future__ import annotations

import errno
import platform
import socket
import struct
import sys
from typing import NamedTuple

from mlebench.sandbox.kernel.syscalls import (
    AUDIT_ARCH,
    BPF_ABS,
    BPF_JEQ,
    BPF_JGE,
    BPF_JMP,
    BPF_JSET,
    BPF_K,
    BPF_LD,
    BPF_RET,
    BPF_W,
    CLONE_NEWCGROUP,
    CLONE_NEWIPC,
    CLONE_NEWNET,
    CLONE_NEWNS,
    CLONE_NEWPID,
    CLONE_NEWUSER,
    CLONE_NEWUTS,
    DENIED,
    FIRST_UNKNOWN,
    JUDGED,
    MAP_HUGETLB,
    MFD_HUGETLB,
    MISSING,
    SCHED_SETAFFINITY,
    SECCOMP_DATA_ARCH,
    SECCOMP_DATA_ARGS,
    SECCOMP_DATA_NR,
    SECCOMP_RET_ALLOW,
    SECCOMP_RET_ERRNO,
    SHM_HUGETLB,
    SO_ATTACH_BPF,
    SO_ATTACH_FILTER,
    SO_ATTACH_REUSEPORT_CBPF,
    SO_ATTACH_REUSEPORT_EBPF,
    SOL_SOCKET,
    UNCOUNTED,
    X32_SYSCALL_BIT,
)

MAX_SEGMENT_BYTES = 4096
"""Maximum size of a segment of System V shared memory; the kernel allows 4096 of them. Larger ones fail with EINVAL: a
segment that nothing is attached to is visible in a control group only."""
MAX_SEMAPHORES = 32
"""Maximum number of System V semaphores in a set, for the same reason; the kernel allows 32000 sets."""
_SOCKET_FAMILIES = (socket.AF_UNIX, socket.AF_INET, socket.AF_INET6, socket.AF_NETLINK)
"""The families that namespaces confine. Others, above all AF_VSOCK, lead past them to the hypervisor or into rarely
used code of the kernel."""
_NEW_NAMESPACES = (
    CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET
)
_UPPER_HALF = 4
"""Offset of the upper 32 bits of an argument."""


class _Instruction(NamedTuple):
    """`struct sock_filter`."""

    code: int
    jump_true: int
    """Instructions to skip if the condition holds."""
    jump_false: int
    """Instructions to skip otherwise."""
    k: int

    def encode(self) -> bytes:
        return struct.pack("<HBBI", *self)


def is_supported(machine: str = "") -> bool:
    """Return whether there is a filter for a machine, such as `x86_64`; by default for this one."""
    return (machine or platform.machine()) in DENIED and sys.byteorder == "little"


def make_filter(machine: str = "", *, kernel_enforces: bool = True, pins_processors: bool = False) -> bytes:
    """Return the filter for a machine, in the form that the kernel takes.

    Parameters
    ----------
    machine : str
        Architecture, such as `x86_64`; by default that of this machine.
    kernel_enforces : bool
        Whether a control group counts all memory of the job. If not, calls that hide memory from the harness fail too.
    pins_processors : bool
        Whether the job must stay on its processors: `sched_setaffinity` then succeeds and changes nothing.

    Raises
    ------
    KeyError
        If there is no filter for this machine.
    """
    machine = machine or platform.machine()
    judged, missing = JUDGED[machine], MISSING[machine]
    if not kernel_enforces:
        missing = missing | UNCOUNTED[machine]
    denied = sorted(DENIED[machine].values())
    program = [
        *_check_architecture(machine),
        _jump(BPF_JGE, FIRST_UNKNOWN, false=1),
        _fail(errno.ENOSYS),
        *(line for number in sorted(missing.values()) for line in _refuse(number, errno.ENOSYS)),
        *(line for number in denied for line in _refuse(number, errno.EPERM)),
        *(_refuse(SCHED_SETAFFINITY[machine], 0) if pins_processors else ()),
        *_check_size(judged["shmget"], MAX_SEGMENT_BYTES, flags=SHM_HUGETLB),
        *_check_size(judged["semget"], MAX_SEMAPHORES),
        *_check_flags(judged["mmap"], 3, MAP_HUGETLB, errno.ENOMEM),
        *_check_flags(judged["memfd_create"], 1, MFD_HUGETLB, errno.EINVAL),
        *_check_socket(judged["socket"]),
        *_check_socket_option(judged["setsockopt"]),
        *_check_flags(judged["clone"], 0, _NEW_NAMESPACES, errno.EPERM),
        _return(SECCOMP_RET_ALLOW),
    ]
    return b"".join(instruction.encode() for instruction in program)


def _check_architecture(machine: str) -> list[_Instruction]:
    """Refuse the numbers of other architectures, then load the number of the system call."""
    program = [
        _load(SECCOMP_DATA_ARCH),
        _jump(BPF_JEQ, AUDIT_ARCH[machine], true=1),
        _fail(errno.EPERM),
        _load(SECCOMP_DATA_NR),
    ]
    if machine == "x86_64":
        program += [_jump(BPF_JGE, X32_SYSCALL_BIT, false=1), _fail(errno.EPERM)]
    return program


def _refuse(number: int, error: int) -> list[_Instruction]:
    return [_jump(BPF_JEQ, number, false=1), _fail(error)]


def _check_size(number: int, maximum: int, flags: int = 0) -> list[_Instruction]:
    """Limit the second argument, a size, and refuse flags in the third."""
    size = SECCOMP_DATA_ARGS[1]
    return [
        _jump(BPF_JEQ, number, false=8),
        _load(SECCOMP_DATA_ARGS[2]),
        _jump(BPF_JSET, flags, true=4),
        _load(size + _UPPER_HALF),
        _jump(BPF_JEQ, 0, false=2),
        _load(size),
        _jump(BPF_JGE, maximum + 1, false=1),
        _fail(errno.EINVAL),
        _return(SECCOMP_RET_ALLOW),
    ]


def _check_socket(number: int) -> list[_Instruction]:
    """Allow some families of sockets, the first argument."""
    count = len(_SOCKET_FAMILIES)
    return [
        _jump(BPF_JEQ, number, false=count + 3),
        _load(SECCOMP_DATA_ARGS[0]),
        *(_jump(BPF_JEQ, family, true=count - index) for index, family in enumerate(_SOCKET_FAMILIES)),
        _fail(errno.EAFNOSUPPORT),
        _return(SECCOMP_RET_ALLOW),
    ]


def _check_socket_option(number: int) -> list[_Instruction]:
    """Refuse to attach filters to sockets: compiled, they take memory of which the whole machine has a fixed amount."""
    options = (SO_ATTACH_FILTER, SO_ATTACH_BPF, SO_ATTACH_REUSEPORT_CBPF, SO_ATTACH_REUSEPORT_EBPF)
    count = len(options)
    return [
        _jump(BPF_JEQ, number, false=count + 5),
        _load(SECCOMP_DATA_ARGS[1]),
        _jump(BPF_JEQ, SOL_SOCKET, false=count + 1),
        _load(SECCOMP_DATA_ARGS[2]),
        *(_jump(BPF_JEQ, option, true=count - index) for index, option in enumerate(options)),
        _return(SECCOMP_RET_ALLOW),
        _fail(errno.EPERM),
    ]


def _check_flags(number: int, index: int, flags: int, error: int) -> list[_Instruction]:
    """Refuse flags in an argument of a system call."""
    return [
        _jump(BPF_JEQ, number, false=4),
        _load(SECCOMP_DATA_ARGS[index]),
        _jump(BPF_JSET, flags, false=1),
        _fail(error),
        _return(SECCOMP_RET_ALLOW),
    ]


def _load(offset: int) -> _Instruction:
    """Load 32 bits of struct seccomp_data."""
    return _Instruction(BPF_LD | BPF_W | BPF_ABS, 0, 0, offset)


def _jump(condition: int, value: int, *, true: int = 0, false: int = 0) -> _Instruction:
    """Compare what was loaded with a value, and skip instructions."""
    return _Instruction(BPF_JMP | condition | BPF_K, true, false, value)


def _return(action: int) -> _Instruction:
    return _Instruction(BPF_RET | BPF_K, 0, 0, action)


def _fail(error: int) -> _Instruction:
    """Let the system call fail with an error number."""
    return _return(SECCOMP_RET_ERRNO | error)
