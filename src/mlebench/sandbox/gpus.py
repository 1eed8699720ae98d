"""NVIDIA GPUs, by the numbers that `nvidia-smi` gives them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from mlebench.errors import SandboxUnavailableError

_DRIVER = Path("/proc/driver/nvidia/gpus")
_SHARED_DEVICES = ("nvidiactl", "nvidia-uvm", "nvidia-uvm-tools")


@dataclass(frozen=True, slots=True)
class Gpu:
    """One GPU, as NVIDIA's driver describes it."""

    number: int
    """As `nvidia-smi` counts, which is the order of the PCI bus."""
    uuid: str
    minor: int
    """Number of its device file."""


def list_gpus(driver: Path = _DRIVER) -> list[Gpu]:
    """Return the GPUs of this machine, in the order of their numbers."""
    found = []
    for number, path in enumerate(sorted(driver.glob("*/information"))):
        pairs = (line.partition(":") for line in path.read_text(errors="replace").splitlines())
        facts = {name.strip(): value.strip() for name, _, value in pairs}
        minor = facts.get("Device Minor", str(number))
        found.append(Gpu(number, facts.get("GPU UUID", str(number)), int(minor)))
    return found


def require_gpus(numbers: tuple[int, ...] | None, driver: Path = _DRIVER) -> None:
    """Raise SandboxUnavailableError if this machine lacks one of these GPUs."""
    available = len(list_gpus(driver)) if numbers else 0
    missing = [number for number in numbers or () if not 0 <= number < available]
    if missing:
        found = f"{available}, numbered from 0" if available else "none with NVIDIA's driver"
        raise SandboxUnavailableError(
            f"This machine has no GPU {', '.join(map(str, missing))}: it has {found}. Ask for other GPUs, or for none."
        )


def device_files(numbers: tuple[int, ...] | None, driver: Path = _DRIVER) -> list[Path]:
    """Return the device files by which a job reaches these GPUs and no others."""
    if not numbers:
        return []
    known = list_gpus(driver)
    names = [f"nvidia{known[number].minor}" for number in numbers]
    return [Path("/dev") / name for name in (*names, *_SHARED_DEVICES)]


def visible_devices(numbers: tuple[int, ...] | None, driver: Path = _DRIVER) -> str:
    """Return CUDA_VISIBLE_DEVICES for a job that sees all GPUs of the machine: ids of its own, or empty for none."""
    known = list_gpus(driver) if numbers else []
    return ",".join(known[number].uuid for number in numbers or ())
