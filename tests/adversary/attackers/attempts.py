"""How attackers report the outcome of each attempt: one JSON object per line on standard output.

    {"attempt": name, "tried": bool, "gained": bool, "detail": a short text}

An attempt is a function without arguments. It returns what it gained, or something false. `OSError` means that the
sandbox refused, and `CannotTry` that this machine or image lacks what the attempt needs.
"""

import ctypes
import json
import os
import re
import sys
from pathlib import Path

CANARY = re.compile(rb"canary-of-the-test-[0-9a-f]{16}")
"""The secret in everything that must stay out of reach."""
LIBC = ctypes.CDLL(None, use_errno=True)


class CannotTry(Exception):
    """The attempt cannot be made here; the message gives the reason."""


def attempt(function):
    """Make an attempt at once, and report its outcome."""
    tried, gained, detail = True, False, "nothing"
    try:
        found = function()
        gained, detail = bool(found), str(found or detail)
    except CannotTry as reason:
        tried, detail = False, str(reason)
    except OSError as error:
        detail = f"refused: {error.strerror or error}"
    report(function.__name__, gained, detail, tried=tried)
    return function


def report(name, gained, detail, *, tried=True):
    line = {"attempt": name, "tried": tried, "gained": gained, "detail": detail[:300]}
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


def targets():
    """Return where everything is on the host; the strongest attacker knows it."""
    return json.loads(Path(__file__).with_name("targets.json").read_text())


def only_inside():
    """Exit unless this is a user without privileges in a sandbox: what follows can harm a machine."""
    if os.getuid() == 0 or os.environ.get("HARMLESS_ONLY"):
        sys.exit("This attacker is for sandboxes that isolate.")


def system_call(number, *arguments):
    """Make a system call by its number.

    Raises
    ------
    OSError
        The kernel refused it.
    """
    result = LIBC.syscall(ctypes.c_long(number), *(ctypes.c_long(a) if isinstance(a, int) else a for a in arguments))
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))
    return result


def has_canary(path, max_bytes=1 << 20):
    """Tell whether a file can be read and contains a canary."""
    try:
        with open(path, "rb") as file:
            return bool(CANARY.search(file.read(max_bytes)))
    except OSError:
        return False
