"""Finding ``nsys`` and ``ncu``, and what the version found can do."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from stepscope.capture.system import System

NSYS, NCU = "nsys", "ncu"
OLDEST = {NSYS: (2022, 4), NCU: (2022, 3)}
"""Older ones were never tried."""
PLACES = {
    NSYS: (
        "/opt/nvidia/nsight-systems/*/bin/nsys",
        "/opt/nvidia/nsight-systems-cli/*/bin/nsys",
        "/opt/nvidia/nsight-compute/*/host/target-linux-x64/nsys",
        "/usr/local/cuda*/bin/nsys",
    ),
    NCU: ("/opt/nvidia/nsight-compute/*/ncu", "/usr/local/cuda*/bin/ncu"),
}
"""Where the installers put them, which often is not on PATH."""
_HELP = {NSYS: ("profile", "--help"), NCU: ("--help",)}
_VERSION = re.compile(r"[Vv]ersion:? +(\d{4}(?:\.\d+)+)")
_OPTION = re.compile(r"^\s*(?:-\w\s*(?:\[|,)\s*)?(--[a-z][\w-]*)", re.MULTILINE)


@dataclass(frozen=True)
class Tool:
    """A tool that answered.

    Attributes:
        name: `NSYS` or `NCU`.
        path: as it is to be called: its name alone where that is the one on PATH.
        version: as 2025, 3, 2.
        options: long options that its help lists (of ``nsys profile``). Spellings are looked up here: that is exact
            for versions that nobody has seen yet, too. Where the help says none, all are taken for known.
    """

    name: str
    path: str
    version: tuple[int, ...]
    options: frozenset[str]

    @property
    def version_text(self) -> str:
        return ".".join(map(str, self.version))

    @property
    def is_too_old(self) -> bool:
        return self.version < OLDEST[self.name]

    def has(self, option: str) -> bool:
        return option in self.options or not self.options

    def first_of(self, *spellings: str) -> str | None:
        """The first of several spellings of an option that this version knows."""
        return next((one for one in spellings if self.has(one)), None)


@dataclass(frozen=True)
class Broken:
    """A file of that name which says no version: the one of the CUDA toolkit only looks for an installation."""

    name: str
    path: str


def find(name: str, system: System, path: str | None = None) -> Tool | Broken | None:
    """The tool at a path, else on PATH, else the newest one in the usual places.

    Returns:
        The first that answers; else the first that is there and does not; None where there is none.
    """
    first_broken = None
    found: list[Tool] = []
    for candidate in _candidates(name, system, path):
        tool = _asked(name, candidate, system)
        if tool is None:
            first_broken = first_broken or Broken(name, candidate)
        elif candidate in (path, name):
            return tool
        else:
            found.append(tool)
    return max(found, key=lambda tool: tool.version, default=first_broken)


def _candidates(name: str, system: System, path: str | None) -> Iterator[str]:
    if path is not None:
        yield path
        return
    if system.which(name):
        yield name
    for pattern in PLACES[name]:
        yield from system.glob(pattern)


def _asked(name: str, path: str, system: System) -> Tool | None:
    said = system.ask([path, "--version"])
    version = _VERSION.search(said.out) if said is not None else None
    if said is None or said.code or version is None:
        return None
    described = system.ask([path, *_HELP[name]])
    options = _OPTION.findall(described.out + described.err) if described is not None else []
    numbers = tuple(int(part) for part in version[1].split(".")[:3])
    return Tool(name, path, numbers, frozenset(options))
