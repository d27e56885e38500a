"""Which rank of which job a process is."""

from __future__ import annotations

import os
import re
import socket
import sys
from collections.abc import Mapping, Sequence
from typing import Any

RANKS = ("RANK", "OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "MV2_COMM_WORLD_RANK", "SLURM_PROCID")
WORLDS = ("WORLD_SIZE", "OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MV2_COMM_WORLD_SIZE", "SLURM_NTASKS")
LOCAL_WORLDS = ("LOCAL_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE", "MV2_COMM_WORLD_LOCAL_SIZE", "SLURM_NTASKS_PER_NODE")
"""How many ranks share the machine."""

_DEVICES = "/dev"
_NVIDIA = re.compile(r"nvidia\d+$")


def rank_of() -> int | None:
    """The rank: what torch.distributed says once it is initialised, else the environment; None where neither does."""
    return _known("get_rank", RANKS)


def world_size() -> int | None:
    """How many ranks there are, None where nothing says."""
    return _known("get_world_size", WORLDS)


def _known(asked: str, names: Sequence[str]) -> int | None:
    distributed = sys.modules.get("torch.distributed")
    try:
        if distributed is not None and distributed.is_available() and distributed.is_initialized():
            return int(getattr(distributed, asked)())
    except (AttributeError, RuntimeError, ValueError):
        pass
    return number_in(os.environ, names)


def number_in(environment: Mapping[str, str], names: Sequence[str]) -> int | None:
    """The first of some variables that is a number; None where none is."""
    for name in names:
        text = environment.get(name, "")
        if text.isdecimal():
            return int(text)
    return None


def host_name() -> str:
    """The machine's name as it can stand in a file's."""
    return re.sub(r"[^A-Za-z0-9-]+", "-", socket.gethostname()).strip("-")[:60] or "host"


def process_name() -> str:
    """How files of this process begin: ``HOST_PID`` and, where it is known, ``_rankN``."""
    rank = rank_of()
    return f"{host_name()}_{os.getpid()}" + ("" if rank is None else f"_rank{rank}")


def versions(torch: Any, own: str) -> dict[str, str]:
    """Versions of what took part."""
    return {
        "stepscope": own,
        "torch": str(getattr(torch, "__version__", "")),
        "python": ".".join(map(str, sys.version_info[:3])),
    }


def cores() -> int:
    """Cores that this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1


def gpus() -> int:
    """GPUs that this process could open, by their device files: asking a driver would start it.

    Those of AMD all share one file and count as one.
    """
    try:
        names = os.listdir(_DEVICES)
    except OSError:
        return 0
    return sum(_NVIDIA.match(name) is not None for name in names) or int("kfd" in names)


def arguments() -> list[str]:
    """The command line of this process; at the time torch is imported ``sys.argv`` may not be the last word."""
    return [str(one) for one in getattr(sys, "argv", [])]
