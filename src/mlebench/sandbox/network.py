"""The two kinds of network that a job can have."""

from __future__ import annotations

from typing import Literal

Network = Literal["closed", "open"]
"""`closed` leaves the port forwards only. `open` adds what the container engine's network reaches: the internet,
servers of this machine that listen on all addresses, and other jobs whose network is open."""
