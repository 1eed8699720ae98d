"""Download one large file over connections that break, from a server that may replace the file meanwhile."""

from __future__ import annotations

import logging
import re
from http import HTTPStatus
from typing import TYPE_CHECKING

from mlebench.errors import NetworkError, TransferError
from mlebench.ground.extras import require
from mlebench.kaggle.partial import PartialDownload, open_partial
from mlebench.kaggle.remote_file import RemoteFile

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable, Iterator
    from pathlib import Path

    import requests

    from mlebench.kaggle.errors import Subject
    from mlebench.kaggle.retry import RetryPolicy

logger = logging.getLogger(__name__)

CHUNK_BYTES = 64 * 1024
"""Bytes per write: small, so that a kill loses little on a slow connection."""
RESET_BYTES = 16 * 1024 * 1024
"""New bytes after which the count of interruptions starts again at zero."""


def download_file(
    open_response: Callable[[], requests.Response],
    target: Path,
    subject: Subject,
    policy: RetryPolicy,
    progress: Callable[[int, int | None], None] | None = None,
    cancel: threading.Event | None = None,
) -> Path:
    """Download a file to `target`, and resume an earlier partial download.

    Parameters
    ----------
    open_response
        Returns a response for the whole file whose body is not read yet. It is called again after each interruption,
        because the address that it is redirected to expires.
    target
        Path of the complete file; `mlebench.kaggle.partial` describes the files beside it.
    subject
        What is downloaded, for messages.
    policy
        Limits of retries and waits.
    progress
        Called with the bytes so far and the total, or None if the server does not say.
    cancel
        Stops the download when it is set.

    Returns
    -------
    Path
        `target`.

    Raises
    ------
    TransferError
        The connection broke too often, `cancel` was set, or another process downloads the same file.
    ChecksumError
        Size or hash of the complete file are wrong.
    DiskFullError
        The file does not fit on the disk.
    NetworkError
        The first request fails.
    """
    require("kaggle")
    from requests import RequestException
    from urllib3.exceptions import HTTPError as StreamError

    progress = progress or (lambda size, total: None)
    interruptions, furthest, has_started = 0, 0, False
    with open_partial(target) as partial:
        while True:
            reason = "the connection ended"
            try:
                with open_response() as whole:
                    has_started = True
                    response = _resume(whole, partial, policy)
                    partial.require_space()
                    progress(partial.size, partial.total)
                    for data in _read(response):
                        if cancel is not None and cancel.is_set():
                            raise _stopped(partial, subject)
                        partial.append(data)
                        progress(partial.size, partial.total)
                if partial.is_complete:
                    partial.finish()
                    return target
            except (RequestException, StreamError, NetworkError) as error:
                if not has_started:
                    raise
                reason = type(error).__name__
            if partial.size >= furthest + RESET_BYTES:
                interruptions, furthest = 0, partial.size
            interruptions += 1
            if interruptions >= policy.max_interruptions:
                raise TransferError(
                    f"The download of {subject.name} was interrupted {interruptions} times ({reason}) and has "
                    f"{partial}; run the same command again to resume."
                )
            pause = policy.pause_before(interruptions + 1)
            logger.warning(
                "The download of %s was interrupted at %s; resuming in %.0f s.", subject.name, partial, pause
            )
            policy.wait(pause, cancel)
            if cancel is not None and cancel.is_set():
                raise _stopped(partial, subject)


def _resume(whole: requests.Response, partial: PartialDownload, policy: RetryPolicy) -> requests.Response | None:
    """Return a response with the remaining bytes, or None if no bytes are missing.

    If the partial download cannot be resumed, it is emptied and the response is the whole one.
    """
    remote, size = RemoteFile.from_headers(whole.headers), partial.size
    if size and partial.remote is not None and partial.remote.is_same_as(remote) and size <= (remote.size or size):
        if size == remote.size:
            return None
        rest = _request_rest(whole.url, partial, remote, policy)
        if rest is not None:
            return rest
        logger.warning("The server cannot resume %s; downloading it from the beginning.", partial.target.name)
    elif size:
        logger.warning("%s has changed on the server; downloading it from the beginning.", partial.target.name)
    partial.restart(remote)
    return whole


def _request_rest(
    url: str, partial: PartialDownload, remote: RemoteFile, policy: RetryPolicy
) -> requests.Response | None:
    """Request the bytes behind the partial download; None if the server sends the whole file or another one."""
    require("kaggle")
    import requests

    start = partial.size
    response = requests.get(
        url,
        headers={"Range": f"bytes={start}-", "Accept-Encoding": "identity", **remote.if_range},
        stream=True,
        timeout=policy.timeouts,
    )
    content_range = re.fullmatch(r"bytes ([0-9]{1,18})-[0-9]+/([0-9]+|\*)", response.headers.get("Content-Range", ""))
    is_rest = (
        content_range is not None
        and int(content_range[1]) == start
        and content_range[2] in ("*", str(remote.size))
        and response.headers.get("ETag") in (None, remote.etag)
    )
    if response.status_code == HTTPStatus.PARTIAL_CONTENT and is_rest:
        return response
    response.close()
    if response.status_code != HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE:
        response.raise_for_status()  # a failed request is no reason to discard the bytes
    return None


def _read(response: requests.Response | None) -> Iterator[bytes]:
    """Yield the body of a response; a content encoding is not decoded, since it would change the byte count."""
    if response is not None:
        with response:
            yield from response.raw.stream(CHUNK_BYTES, decode_content=False)


def _stopped(partial: PartialDownload, subject: Subject) -> TransferError:
    return TransferError(
        f"The download of {subject.name} was stopped at {partial}; run the same command again to resume."
    )
