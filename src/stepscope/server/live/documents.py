"""Running jobs as the API sends them."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from typing import Any

from stepscope.capture.agent.live import PACE
from stepscope.capture.agents import ancestors
from stepscope.capture.live_files import Process
from stepscope.capture.plan import DEEP_STEPS, PASS_GAP, TYPICAL_SLOWDOWN
from stepscope.capture.telemetry.lines import SUFFIX
from stepscope.capture.telemetry.tail import last_seconds
from stepscope.server.listing import Run
from stepscope.server.live.jobs import Job, Window, windows

_SECONDS = 60.0
_WARMUP = 2
"""Steps before a window that the profiler takes part in, too."""

_GPU = ("gpu_util_pct", "power_mw", "sm_clock_mhz", "mem_used_bytes")
_HOST = ("tree.cpu_pct", "cpu.busy_pct", "tree.memory_bytes", "host.memory_used_bytes")


def job_document(job: Job, runs: Sequence[Run]) -> dict[str, Any]:
    """A job without the times of its steps.

    Args:
        runs: that are listed: what a window's files belong to.
    """
    first = job.processes[0].said
    return {
        "id": job.id,
        "folder": job.folder,
        "command": shlex.join(first["argv"]),
        "versions": first["versions"],
        "options": first["options"],
        "state": job.state,
        "world_size": first["world_size"],
        "began_s": min(one.said["began_ns"] for one in job.processes) // 10**9,
        "on_demand": bool(job.on_demand),
        "here": all(one.is_here for one in job.on_demand),
        "attach": _attach_pid(job),
        "cost": _cost(job),
        "processes": [_process(one, job.now_ns) for one in job.processes],
        "windows": [_window(one, runs) for one in windows(job)],
    }


def steps_document(process: Process) -> dict[str, Any]:
    """The last steps of one process, the newest last; how many there were before these is known from its steps."""
    return {"pid": process.pid, "step_ns": process.said["step_ns"], "problems": process.said.get("problems", [])}


def _attach_pid(job: Job) -> int | None:
    """The number that `stepscope attach` takes for all that can be asked: of the one, or of what started them all."""
    pids = [one.pid for one in job.on_demand if one.is_here]
    if len(pids) < 2:
        return pids[0] if pids else None
    common = set.intersection(*(set(ancestors(pid)) for pid in pids))
    return next((pid for pid in ancestors(pids[0]) if pid in common and pid > 1), None)


def _process(one: Process, now_ns: int) -> dict[str, Any]:
    said = one.said
    return {
        **{
            name: said[name] for name in ("rank", "pid", "host", "steps", "steps_are", "on_demand", "next", "recording")
        },
        "state": one.state(now_ns),
        "age_ms": round(one.age_s(now_ns) * 1000),
        "pace_ns": said["pace"]["last_ns"],
        "best_ns": said["pace"]["best_ns"],
        "mean_ns": round(_mean(said["step_ns"][-PACE:])) if said["step_ns"] else None,
    }


def _window(window: Window, runs: Sequence[Run]) -> dict[str, Any]:
    parts = window.parts
    firsts, lasts = ([part[name] for part in parts if part[name] is not None] for name in ("first_step", "last_step"))
    return {
        "first_step": min(firsts, default=None),
        "last_step": max(lasts, default=None),
        "slowdown": max((part["slowdown"] for part in parts if part["slowdown"]), default=None),
        "closed": next((part["closed"] for part in parts if part["closed"] not in ("", "end")), "end"),
        "problem": next((part["problem"] for part in parts if part["problem"]), ""),
        "files": [os.path.basename(file) for file in window.files],
        "whole": window.is_whole,
        "gone": window.is_whole and not all(map(os.path.exists, window.files)),
        "run": _run_of(window, runs),
    }


def _run_of(window: Window, runs: Sequence[Run]) -> str | None:
    """The run that all files of a window are in: with one of them missing, it would be another one soon."""
    if not window.is_whole or not window.files:
        return None
    wanted = set(window.files)
    return next((run.id for run in runs if wanted <= set(run.files)), None)


def _cost(job: Job) -> dict[str, Any] | None:
    """What a window that is asked for now would take; None where nobody can be asked, or no step was timed.

    ``slowdown`` is that of the last window, but no less than 1: a profiler makes no step shorter, the steps around it
    were longer. Before there is one, it is what is typical of host-bound steps. All steps with the profiler count:
    those before the window, and both passes of two. ``stop_ns`` is how long one step waited for the profiler to stop,
    None before there was a window.
    """
    known = [one for one in job.on_demand if one.said["step_ns"]]
    if not known:
        return None
    first = known[0].said
    measured = [max(1.0, part["slowdown"]) for one in windows(job)[-1:] for part in one.parts if part["slowdown"]]
    slowdown = max(measured, default=TYPICAL_SLOWDOWN["stack" in (first["options"].get("with") or [])])
    steps = first["active"] + _WARMUP
    others = 0
    if first["options"].get("two_pass"):
        steps, others = steps + DEEP_STEPS + _WARMUP, PASS_GAP - _WARMUP
    step_ns = max(one.said["pace"]["last_ns"] or _mean(one.said["step_ns"][-PACE:]) for one in known)
    return {
        "steps": first["active"],
        "two_pass": bool(first["options"].get("two_pass")),
        "slowdown": slowdown,
        "measured": bool(measured),
        "stop_ns": max((part["stop_ns"] or 0 for one in windows(job)[-1:] for part in one.parts), default=None),
        "ns": round(step_ns * (steps * slowdown + others)),
    }


def _mean(times: Sequence[int]) -> float:
    return sum(times) / len(times)


def telemetry_document(job: Job, process: Process) -> dict[str, Any] | None:
    """The last minute of the machine that a process runs on, of its GPU where it has one; None where nobody samples."""
    path = _telemetry_file(job.folder, process.said["host"])
    if path is None:
        return None
    gpu = f"gpu{_local_rank(process)}."
    try:
        found = last_seconds(path, _SECONDS, {*(gpu + name for name in _GPU), *_HOST})
    except OSError:
        return None
    end = max((samples[-1][0] for samples in found.values()), default=0)
    names = [name for name in (*(gpu + one for one in _GPU), *_HOST) if name in found]
    return {
        "file": os.path.basename(path),
        "age_ms": max(0, job.now_ns - end) // 10**6 if end else None,
        "counters": [_counter(name, found[name], end) for name in names],
    }


def _counter(name: str, samples: Sequence[tuple[int, float]], end: int) -> dict[str, Any]:
    return {
        "name": name,
        "before_ms": [(end - moment) // 10**6 for moment, _ in samples],
        "values": [value for _, value in samples],
    }


def _local_rank(process: Process) -> str:
    said = str(process.said.get("local_rank") or "")
    return said if said.isdecimal() else "0"


def _telemetry_file(folder: str, host: str) -> str | None:
    """The newest one of a machine. Its name begins as those of the recordings of that machine do."""
    try:
        names = [name for name in os.listdir(folder) if name.startswith(f"{host}.") and name.endswith(SUFFIX)]
    except OSError:
        return None
    paths = [os.path.join(folder, name) for name in names]
    return max((path for path in paths if not os.path.islink(path)), default=None)
