"""Names and numbers of the Linux kernel that seccomp filters consist of.

The sources are include/uapi/linux/{bpf_common,seccomp,audit,sched,memfd}.h, include/uapi/asm-generic/{mman,socket}.h,
arch/x86/entry/syscalls/syscall_64.tbl and include/uapi/asm-generic/unistd.h.
"""

from __future__ import annotations

# Classic BPF: classes, sizes, modes and jumps of an instruction.
BPF_LD, BPF_JMP, BPF_RET = 0x00, 0x05, 0x06
BPF_W = 0x00
BPF_ABS = 0x20
BPF_JEQ, BPF_JGE, BPF_JSET = 0x10, 0x30, 0x40
BPF_K = 0x00
BPF_MAXINSNS = 4096

SECCOMP_RET_ALLOW = 0x7FFF0000
SECCOMP_RET_ERRNO = 0x00050000
"""The lower 16 bits hold the error number."""

# Offsets in struct seccomp_data. Arguments are 64 bits wide and little-endian.
SECCOMP_DATA_NR = 0
SECCOMP_DATA_ARCH = 4
SECCOMP_DATA_ARGS = (16, 24, 32, 40, 48, 56)

AUDIT_ARCH = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
"""AUDIT_ARCH_X86_64 and AUDIT_ARCH_AARCH64."""
X32_SYSCALL_BIT = 0x40000000

CLONE_NEWNS = 0x00020000
CLONE_NEWCGROUP = 0x02000000
CLONE_NEWUTS = 0x04000000
CLONE_NEWIPC = 0x08000000
CLONE_NEWUSER = 0x10000000
CLONE_NEWPID = 0x20000000
CLONE_NEWNET = 0x40000000


def _parse_table(text: str) -> dict[str, int]:
    return {name: int(number) for name, _, number in (entry.partition("=") for entry in text.split())}


JUDGED = {
    "x86_64": _parse_table("clone=56  memfd_create=319  mmap=9  semget=64  setsockopt=54  shmget=29  socket=41"),
    "aarch64": _parse_table(
        "clone=220  memfd_create=279  mmap=222  semget=190  setsockopt=208  shmget=194  socket=198"
    ),
}
"""Numbers of system calls that are allowed with some arguments, by architecture and name."""
MISSING = {
    "x86_64": _parse_table("clone3=435  io_setup=206  memfd_secret=447"),
    "aarch64": _parse_table("clone3=435  io_setup=0  memfd_secret=447"),
}
"""Numbers of system calls that fail as on a kernel that lacks them, by architecture and name."""
UNCOUNTED = {
    "x86_64": _parse_table("msgget=68  semget=64  vmsplice=278"),
    "aarch64": _parse_table("msgget=186  semget=190  vmsplice=75"),
}
"""The same for system calls that hide memory from a harness that cannot use a control group."""
SCHED_SETAFFINITY = {"x86_64": 203, "aarch64": 122}
FIRST_UNKNOWN = 467
"""The newest kernel when this table was written had no number above 466 that jobs need."""

# Flags and options in the arguments of system calls that are judged; they are the same on both architectures.
MAP_HUGETLB = 0x40000
SHM_HUGETLB = 0o4000
MFD_HUGETLB = 0x4
SOL_SOCKET = 1
SO_ATTACH_FILTER, SO_ATTACH_BPF, SO_ATTACH_REUSEPORT_CBPF, SO_ATTACH_REUSEPORT_EBPF = 26, 50, 51, 52
DENIED = {
    "x86_64": _parse_table("""
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
    "aarch64": _parse_table("""
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
"""Numbers of system calls that are always refused, by architecture and name."""
