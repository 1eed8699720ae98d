"""What the one who prepares tells the one who watches."""

from __future__ import annotations

import logging
from enum import StrEnum
from typing import Protocol

logger = logging.getLogger(__name__)


class Step(StrEnum):
    """What is being done for a competition; each can be cut short and is then gone on with."""

    DOWNLOAD = "download"
    UNPACK = "unpack"
    PREPARE = "prepare"
    COPY = "copy"
    VERIFY = "verify"
    SAMPLE = "grade the sample"


class Progress(Protocol):
    """Is told what happens to one competition; calls may come from several threads."""

    def step(self, step: Step, total: int | None = None) -> None:
        """Take note that a step begins; `total` is how many bytes it is about, where that is known."""

    def advance(self, size: int, files: int = 0) -> None:
        """Take note that so many further bytes and files of the step are done."""

    def say(self, text: str) -> None:
        """Take note of a sentence that a reader should see."""


class Quiet:
    """Keeps steps to itself and logs sentences; what a call from Python gets."""

    def step(self, step: Step, total: int | None = None) -> None: ...

    def advance(self, size: int, files: int = 0) -> None: ...

    def say(self, text: str) -> None:
        logger.info("%s", text)
