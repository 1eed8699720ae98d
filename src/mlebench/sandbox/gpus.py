"""NVIDIA GPUs, by the numbers that `nvidia-smi` gives them."""

from __future__ import annotations

from pathlib import Path

from mlebench.errors import SandboxUnavailableError

_DRIVER = Path("/proc/driver/nvidia/gpus")
_SHARED_DEVICES = ("nvidiactl", "nvidia-uvm", "nvidia-uvm-tools")


def list_gpus(driver: Path = _DRIVER) -> list[dict[str, str]]:
    """Return what the driver tells of each GPU, in the order of their numbers, which is that of the PCI bus."""
    found = []
    for path in sorted(driver.glob("*/information")):
        pairs = (line.partition(":") for line in path.read_text(errors="replace").splitlines())
        found.append({name.strip(): value.strip() for name, _, value in pairs})
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
    names = [f"nvidia{known[number].get('Device Minor', number)}" for number in numbers]
    return [Path("/dev") / name for name in (*names, *_SHARED_DEVICES)]


def visible_devices(numbers: tuple[int, ...] | None, driver: Path = _DRIVER) -> str:
    """Return CUDA_VISIBLE_DEVICES for a job that sees all GPUs of the machine: ids of its own, or empty for none."""
    known = list_gpus(driver) if numbers else []
    return ",".join(known[number].get("GPU UUID", str(number)) for number in numbers or ())
