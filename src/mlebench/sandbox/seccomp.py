"""The filter of system calls of every job, in the spirit of those that container engines put on by default.

What a job never needs and what has often been the way out of a sandbox is refused with EPERM: mounting, making
or entering namespaces, loading code into the kernel, keys, other processes' memory, io_uring, and more.
`clone3` is answered as by a kernel without it, so that libraries fall back on `clone`, whose flags a filter
can read. Calls by another architecture's numbers are refused as a whole.

The numbers are the kernel's: arch/x86/entry/syscalls/syscall_64.tbl and include/uapi/asm-generic/unistd.h.
The form is classic BPF as in seccomp(2): struct sock_filter {u16 code; u8 jt; u8 jf; u32 k}.
"""

from __future__ import annotations

import errno
import platform
import struct
import sys

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _ERRNO = 0x7FFF0000, 0x00050000
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT, _SECOND_ARGUMENT = 0, 4, 16, 24  # in struct seccomp_data, little-endian
_NEW_NAMESPACES = 0x7E020000  # CLONE_NEW{NS,CGROUP,UTS,IPC,USER,PID,NET}
_X32_BIT = 0x40000000

_AUDIT_ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}


def _table(text: str) -> dict[str, int]:
    return {name: int(number) for name, _, number in (word.partition("=") for word in text.split())}


DENIED = {
    "x86_64": _table("""
        _sysctl=156  acct=163  add_key=248  bpf=321  chroot=161  clock_adjtime=305  clock_settime=227
        create_module=174  delete_module=176  fanotify_init=300  finit_module=313  fsconfig=431  fsmount=432
        fsopen=430  fspick=433  get_kernel_syms=177  init_module=175  io_uring_enter=426
        io_uring_register=427  io_uring_setup=425  ioperm=173  iopl=172  kcmp=312  kexec_file_load=320
        kexec_load=246  keyctl=250  lookup_dcookie=212  mount=165  mount_setattr=442  move_mount=429
        move_pages=279  name_to_handle_at=303  nfsservctl=180  open_by_handle_at=304  open_tree=428
        perf_event_open=298  pidfd_getfd=438  pivot_root=155  process_madvise=440  process_vm_readv=310
        process_vm_writev=311  query_module=178  quotactl=179  quotactl_fd=443  reboot=169  request_key=249
        setdomainname=171  sethostname=170  setns=308  settimeofday=164  swapoff=168  swapon=167  sysfs=139
        syslog=103  umount2=166  unshare=272  uselib=134  userfaultfd=323  ustat=136  vhangup=153
    """),
    "aarch64": _table("""
        acct=89  add_key=217  bpf=280  chroot=51  clock_adjtime=266  clock_settime=112  delete_module=106
        fanotify_init=262  finit_module=273  fsconfig=431  fsmount=432  fsopen=430  fspick=433
        init_module=105  io_uring_enter=426  io_uring_register=427  io_uring_setup=425  kcmp=272
        kexec_file_load=294  kexec_load=104  keyctl=219  lookup_dcookie=18  mount=40  mount_setattr=442
        move_mount=429  move_pages=239  name_to_handle_at=264  nfsservctl=42  open_by_handle_at=265
        open_tree=428  perf_event_open=241  pidfd_getfd=438  pivot_root=41  process_madvise=440
        process_vm_readv=270  process_vm_writev=271  quotactl=60  quotactl_fd=443  reboot=142
        request_key=218  setdomainname=162  sethostname=161  setns=268  settimeofday=170  swapoff=225
        swapon=224  syslog=116  umount2=39  unshare=97  userfaultfd=282  vhangup=58
    """),
}
"""Refused calls of each architecture with their numbers."""
_CLONE = {"x86_64": 56, "aarch64": 220}
_CLONE3 = 435
_SOCKET = {"x86_64": 41, "aarch64": 198}
_FAMILIES = (1, 2, 10, 16)
"""Families of sockets that are held by namespaces and filters of the network: AF_UNIX, AF_INET, AF_INET6 and
AF_NETLINK. Others, above all AF_VSOCK, lead past them, to the hypervisor or into corners of the kernel."""
_SHMGET = {"x86_64": 29, "aarch64": 194}
LARGEST_SEGMENT = 64 * 1024
"""Bytes of a segment of System V's shared memory; the kernel allows 4096 of them. Larger ones are refused as too
large, since those that nobody has attached are seen nowhere but in a control group."""


def is_supported(machine: str = "") -> bool:
    """Tell whether there is a filter for a machine; by default for this one."""
    return (machine or platform.machine()) in DENIED and sys.byteorder == "little"


def make_filter(machine: str = "") -> bytes:
    """Return the filter for a machine as the kernel takes it; raise KeyError where there is none."""
    machine = machine or platform.machine()
    refuse, no_such = _ERRNO | errno.EPERM, _ERRNO | errno.ENOSYS
    lines = [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_EQUAL, 1, 0, _AUDIT_ARCHITECTURES[machine]),
        (_RETURN, 0, 0, refuse),
        (_LOAD, 0, 0, _NUMBER),
    ]
    if machine == "x86_64":
        lines += [(_AT_LEAST, 0, 1, _X32_BIT), (_RETURN, 0, 0, refuse)]
    lines += [(_EQUAL, 0, 1, _CLONE3), (_RETURN, 0, 0, no_such)]
    for number in sorted(DENIED[machine].values()):
        lines += [(_EQUAL, 0, 1, number), (_RETURN, 0, 0, refuse)]
    lines += [
        (_EQUAL, 0, 6, _SHMGET[machine]),
        (_LOAD, 0, 0, _SECOND_ARGUMENT + 4),  # its upper half
        (_EQUAL, 0, 2, 0),
        (_LOAD, 0, 0, _SECOND_ARGUMENT),
        (_AT_LEAST, 0, 1, LARGEST_SEGMENT + 1),
        (_RETURN, 0, 0, _ERRNO | errno.EINVAL),
        (_RETURN, 0, 0, _ALLOW),
    ]
    lines += [(_EQUAL, 0, len(_FAMILIES) + 3, _SOCKET[machine]), (_LOAD, 0, 0, _FIRST_ARGUMENT)]
    lines += [(_EQUAL, len(_FAMILIES) - index, 0, family) for index, family in enumerate(_FAMILIES)]
    lines += [(_RETURN, 0, 0, _ERRNO | errno.EAFNOSUPPORT), (_RETURN, 0, 0, _ALLOW)]
    lines += [
        (_EQUAL, 0, 3, _CLONE[machine]),
        (_LOAD, 0, 0, _FIRST_ARGUMENT),
        (_ANY_BIT, 0, 1, _NEW_NAMESPACES),
        (_RETURN, 0, 0, refuse),
        (_RETURN, 0, 0, _ALLOW),
    ]
    return b"".join(struct.pack("<HBBI", *line) for line in lines)
