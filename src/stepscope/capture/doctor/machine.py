"""Questions that several checks ask about the machine."""

from __future__ import annotations

import re

from stepscope.capture.system import System

SYS_PTRACE, SYS_ADMIN, PERFMON = 19, 21, 38
"""Capabilities by their bit, as in ``linux/capability.h``."""
_CONTAINER_FILES = ("/.dockerenv", "/run/.containerenv")


def has_capability(system: System, bit: int) -> bool:
    """Whether this process holds a capability in effect."""
    found = re.search(r"^CapEff:\s*([0-9a-fA-F]+)", system.read("/proc/self/status") or "", re.MULTILINE)
    return found is not None and bool(int(found[1], 16) >> bit & 1)


def is_filtered(system: System) -> bool:
    """Whether seccomp filters system calls, as container runtimes do by default."""
    return re.search(r"^Seccomp:\s*2\b", system.read("/proc/self/status") or "", re.MULTILINE) is not None


def is_kubernetes(system: System) -> bool:
    return bool(system.environment.get("KUBERNETES_SERVICE_HOST"))


def is_container(system: System) -> bool:
    return is_kubernetes(system) or any(system.glob(path) for path in _CONTAINER_FILES)


def has_driver(system: System) -> bool:
    """Whether there is an NVIDIA driver. Below WSL there is no module, and the library answers all the same."""
    return system.read("/proc/driver/nvidia/version") is not None or system.which("nvidia-smi") is not None


def last_line(text: str) -> str:
    """The last line that says something, not too long."""
    lines = [" ".join(line.split()) for line in text.splitlines() if line.strip()]
    return lines[-1][:200] if lines else ""
