"""Fetching one large file over a network that may cut it anywhere, and from a server that may change it meanwhile."""

from __future__ import annotations

import logging
import re
from http import HTTPStatus
from typing import TYPE_CHECKING

from mlebench.errors import NetworkError, TransferError
from mlebench.kaggle.identity import Identity
from mlebench.kaggle.part import Part, held

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable, Iterator
    from pathlib import Path

    import requests

    from mlebench.kaggle.patience import Patience
    from mlebench.kaggle.refusals import Subject

logger = logging.getLogger(__name__)

CHUNK = 64 * 1024
"""Bytes written at a time: few, so that over a slow wire little is lost by a kill."""
REWARDED = 16 * 1024 * 1024
"""Bytes further than ever before that make up for all cuts up to then."""


def fetch(
    ask: Callable[[], requests.Response],
    target: Path,
    subject: Subject,
    patience: Patience,
    progress: Callable[[int, int | None], None] | None = None,
    cancel: threading.Event | None = None,
) -> Path:
    """Fetch a file to `target`; see KaggleClient.download.

    `ask` opens an answer that holds the whole, its body not yet read. It is called anew after each cut, since the
    address that it leads to runs out.
    """
    from requests import RequestException
    from urllib3.exceptions import HTTPError as StreamError

    progress = progress or (lambda there, total: None)
    cuts, furthest, begun = 0, 0, False
    with held(target) as part:
        while True:
            reason = "the connection ended"
            try:
                with ask() as whole:
                    begun = True
                    answer = _going_on(whole, part, patience)
                    part.require_room()
                    progress(part.size, _total(part))
                    for data in _bytes(answer):
                        if cancel is not None and cancel.is_set():
                            raise _stopped(part, subject)
                        part.append(data)
                        progress(part.size, _total(part))
                if part.is_whole:
                    part.finish()
                    return target
            except (RequestException, StreamError, NetworkError) as error:
                if not begun:
                    raise  # a network that is down from the start is told at once
                reason = type(error).__name__
            if part.size >= furthest + REWARDED:
                cuts, furthest = 0, part.size
            cuts += 1
            if cuts >= patience.cuts:
                raise TransferError(
                    f"The download of {subject.name} was cut {cuts} times ({reason}) and has {_so_far(part)}; "
                    "what is there is kept, and the same command goes on from it."
                )
            pause = patience.before(cuts + 1)
            logger.warning(
                "The download of %s was cut with %s; going on in %.0f s.", subject.name, _so_far(part), pause
            )
            patience.wait(pause, cancel)
            if cancel is not None and cancel.is_set():
                raise _stopped(part, subject)


def _going_on(whole: requests.Response, part: Part, patience: Patience) -> requests.Response | None:
    """Return an answer whose body goes on where the part ends, or the whole one with the part emptied.

    None if nothing is left to fetch.
    """
    identity, size = Identity.of(whole.headers), part.size
    if size and part.identity is not None and part.identity.is_that_of(identity) and size <= (identity.size or size):
        if size == identity.size:
            return None
        rest = _ask_for_rest(whole.url, part, identity, patience)
        if rest is not None:
            return rest
        logger.warning("The server does not go on within %s; beginning anew.", part.target.name)
    elif size:
        logger.warning("%s is another one than when its download began; beginning anew.", part.target.name)
    part.begin(identity)
    return whole


def _ask_for_rest(url: str, part: Part, identity: Identity, patience: Patience) -> requests.Response | None:
    """Ask for what is behind the part; None where the server gives the whole, or a part of something else."""
    import requests

    start = part.size
    answer = requests.get(
        url,
        headers={"Range": f"bytes={start}-", "Accept-Encoding": "identity", **identity.condition},
        stream=True,
        timeout=(patience.connect, patience.read),
    )
    place = re.fullmatch(r"bytes (\d+)-\d+/(\d+|\*)", answer.headers.get("Content-Range", ""))
    fits = place is not None and int(place[1]) == start and place[2] in ("*", str(identity.size))
    same = answer.headers.get("ETag") in (None, identity.etag)
    if answer.status_code == HTTPStatus.PARTIAL_CONTENT and fits and same:
        return answer
    answer.close()
    if answer.status_code != HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE:
        answer.raise_for_status()  # says nothing about the bytes that are there
    return None


def _bytes(answer: requests.Response | None) -> Iterator[bytes]:
    """Yield an answer's body as it comes; what the server may have packed for the way is not unpacked."""
    if answer is not None:
        with answer:
            yield from answer.raw.stream(CHUNK, decode_content=False)


def _total(part: Part) -> int | None:
    return part.identity.size if part.identity is not None else None


def _so_far(part: Part) -> str:
    from mlebench.ground.wording import format_size

    total = _total(part)
    return format_size(part.size) + (f" of {format_size(total)}" if total is not None else "")


def _stopped(part: Part, subject: Subject) -> TransferError:
    return TransferError(
        f"The download of {subject.name} was stopped with {_so_far(part)}; the same command goes on from there."
    )
