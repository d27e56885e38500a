"""Command lines of ``ncu`` for some kernels of a job, and what they cost."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from stepscope.capture.nsight.kernels import Target
from stepscope.capture.nsight.ranks import around_each, torchrun
from stepscope.capture.nsight.tool import Tool
from stepscope.capture.system import System

_SMALL = ("basic", "default")
"""The smallest set by its newer and its older name."""
_PASSES = {"basic": (10, 10), "default": (10, 10), "full": (38, 38)}
"""How often a set has a kernel replayed: by ncu 2025.3.1 on an H200, ``profiler__replayer_passes``."""
_BETWEEN = (10, 38)
_NO_SET = re.compile(r"^(Identifier|-+|Enabled)$")


@dataclass(frozen=True)
class NcuPlan:
    """What to examine.

    Attributes:
        folder: of the reports.
        pattern: regular expression of the functions.
        skip, count: of each function so many launches are skipped, and so many examined.
        most: launches to examine of all functions together; None for no limit.
        set_name: of sections, as of `checked_set`.
        sections: more of them.
        rank: of this process, where it is one of several.
        ranks: of a torchrun these.
    """

    folder: str
    pattern: str
    skip: int
    count: int
    most: int | None
    set_name: str
    sections: Sequence[str] = ()
    locks_clocks: bool = False
    rank: int | None = None
    ranks: Sequence[int] = (0,)


@dataclass(frozen=True)
class Cost:
    """What it takes.

    Attributes:
        launches: at most.
        passes: of each, from and to.
        gpu_ns: of the kernels themselves in the fewest passes; saving and restoring memory comes on top.
    """

    launches: int
    passes: tuple[int, int]
    gpu_ns: int


def sets_of(tool: Tool, system: System) -> list[str]:
    """Sets of sections that this version has; they are called differently in others."""
    answer = system.ask([tool.path, "--list-sets"])
    words = [line.split()[0] for line in answer.out.splitlines() if line.strip()] if answer is not None else []
    return [word for word in words if re.fullmatch(r"[a-z]\w*", word) and not _NO_SET.match(word)]


def checked_set(asked: str | None, known: Sequence[str]) -> str | None:
    """The set to collect: the one that was asked for, by the name that it has in this version, else the smallest.

    Returns:
        None where this version has no such set.
    """
    if not known:
        return asked or _SMALL[0]
    names = _SMALL if asked is None or asked in _SMALL else (asked,)
    return next((name for name in names if name in known), None)


def profile(tool: Tool, plan: NcuPlan, command: Sequence[str]) -> list[str]:
    """The command line that examines launches of a job. Of a torchrun by default only rank 0 is examined."""
    job = torchrun(command)
    numbers = "|".join(str(plan.skip + 1 + place) for place in range(plan.count))
    rank = "_rank%q{RANK}" if job is not None else "" if plan.rank is None else f"_rank{plan.rank}"
    head = [
        tool.path,
        "--export",
        f"{plan.folder.replace('%', '%%')}/%h{rank}_%p",
        *("--target-processes", "all"),
        *("--set", plan.set_name),
        *(word for section in plan.sections for word in ("--section", section)),
        # Locked clocks make launches comparable with one another, and not with a trace.
        *("--clock-control", "base" if plan.locks_clocks else "none"),
        *("--kernel-name-base", "function"),
        # A number of launches alone would count all functions together: the most frequent one would take them all.
        *("--kernel-id", f"::regex:{plan.pattern}:{numbers}"),
        *(() if plan.most is None else ("--launch-count", str(plan.most))),
        *(("--import-source", "yes") if tool.has("--import-source") else ()),
    ]
    if job is None:
        return [*head, *command]
    return around_each(job, head, plan.ranks, ())


def cost(targets: Sequence[Target], count: int, set_name: str) -> Cost:
    """What examining so many launches of each takes."""
    passes = _PASSES.get(set_name, _BETWEEN)
    launches = [(target, min(target.kernels * count, target.calls)) for target in targets]
    gpu_ns = sum(target.mean_ns * number for target, number in launches) * passes[0]
    return Cost(sum(number for _, number in launches), passes, gpu_ns)
