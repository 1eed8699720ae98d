"""Tells whether two tasks share their memory or their open files."""

from __future__ import annotations

import ctypes
import functools
import platform
from enum import IntEnum
from typing import TYPE_CHECKING

from mlebench.sandbox.kernel.syscalls import DENIED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


class Resource(IntEnum):
    """What kcmp(2) compares: include/uapi/linux/kcmp.h."""

    KCMP_VM = 1
    KCMP_FILES = 2


def find_distinct(tasks: Iterable[int], resource: Resource) -> list[int]:
    """Return one task for each distinct value of a resource.

    Parameters
    ----------
    tasks : iterable of int
        Ids of threads, such as those of one process.
    resource : Resource
        What may be shared.

    Returns
    -------
    list of int
        All tasks where the kernel does not tell, since looking at the same thing twice does no harm.
    """
    found: list[int] = []
    for task in tasks:
        if not any(_is_shared(task, other, resource) for other in found):
            found.append(task)
    return found


def _is_shared(task: int, other: int, resource: Resource) -> bool:
    number = DENIED.get(platform.machine(), {}).get("kcmp")
    return number is not None and _syscall()(number, task, other, int(resource), 0, 0) == 0


@functools.cache
def _syscall() -> Callable[..., int]:
    function = ctypes.CDLL(None).syscall
    function.argtypes = [ctypes.c_long] * 6
    function.restype = ctypes.c_long
    return function
