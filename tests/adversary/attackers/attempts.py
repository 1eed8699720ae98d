"""How an attacker tells what came of each attempt: one JSON object a line on its standard output.

    {"attempt": name, "tried": bool, "gained": bool, "what": one sentence or less}

An attempt is a function without arguments: what it returns is what it gained, nothing if nothing. An `OSError`
is the sandbox's refusal, and `CannotTry` means that this machine or image lacks what the attempt needs.
"""

import ctypes
import json
import os
import re
import sys
from pathlib import Path

CANARY = re.compile(rb"canary-of-the-test-[0-9a-f]{16}")
"""What the tests put into everything that must stay out of reach."""
LIBC = ctypes.CDLL(None, use_errno=True)


class CannotTry(Exception):
    """The attempt could not be made at all; says why."""


def attempt(function):
    """Make an attempt at once, and tell what came of it."""
    tried, gained, what = True, False, "nothing"
    try:
        found = function()
        gained, what = bool(found), str(found or what)
    except CannotTry as reason:
        tried, what = False, str(reason)
    except OSError as error:
        what = f"refused: {error.strerror or error}"
    tell(function.__name__, gained, what, tried=tried)
    return function


def tell(name, gained, what, *, tried=True):
    line = {"attempt": name, "tried": tried, "gained": gained, "what": what[:300]}
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


def targets():
    """Return what the strongest attacker would know: where on the host everything is."""
    return json.loads(Path(__file__).with_name("targets.json").read_text())


def only_inside():
    """End here unless this is a user without rights: what follows could hurt a machine."""
    if os.getuid() == 0 or os.environ.get("HARMLESS_ONLY"):
        sys.exit("This attacker is for sandboxes that isolate.")


def system_call(number, *arguments):
    """Call the kernel; raises OSError."""
    result = LIBC.syscall(ctypes.c_long(number), *(ctypes.c_long(a) if isinstance(a, int) else a for a in arguments))
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))
    return result


def canaries_in(path, most=1 << 20):
    """Return whether a file that can be read holds a canary."""
    try:
        with open(path, "rb") as file:
            return bool(CANARY.search(file.read(most)))
    except OSError:
        return False
