"""Record pairs of training steps, slow and fixed, and time them without the profiler: see README.md.

Slow and fixed alternate in one process, on a CPU on one thread. Each is timed without the profiler until some rounds in
a row agree, recorded with stacks, shapes and memory, recorded with operators alone, and timed again. A pair that is
already in the folder is replaced; the others stay.
"""

from __future__ import annotations

import argparse
import gzip
import importlib.util
import os
import random
import shutil
import sys
import time
from datetime import datetime, timezone
from pathlib import Path
from statistics import median

for needed in ("torch", "numpy"):
    if importlib.util.find_spec(needed) is None:
        sys.exit(f"cannot record pairs of CPU programs: this Python has no {needed}; run: pip install torch numpy")

import numpy as np  # noqa: E402
import torch  # noqa: E402
from torch.profiler import ProfilerActivity, profile, schedule  # noqa: E402

from yardstick import programs  # noqa: E402
from yardstick.programs import gpu  # noqa: E402
from yardstick.programs.registry import Pair, Scenario, Step  # noqa: E402
from yardstick.programs.training import device  # noqa: E402
from yardstick.truth import SIDES, Timed, add, agree, entry, read  # noqa: E402

FIRST_STEPS = 6
"""Before anything is timed: memory is allocated, optimizers make their state."""

STEPS_OF_ROUND = 15

MOST_ROUNDS = 40
"""Until those in a row agree: what else runs on the machine disturbs some of them."""

ROUNDS_AFTER = 3

WAIT, WARMUP = 1, 2
"""The profiler's own start lies in them."""

ACTIVE_DEEP, ACTIVE_LIGHT = 4, 6

PROGRAMS = {"cpu": programs.SCENARIOS, "cuda": gpu.SCENARIOS}
"""By the device that they run on."""


def main() -> None:
    """Parse the command line and record."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path, help="folder of the recordings and of truth.json")
    parser.add_argument("--device", choices=PROGRAMS, default="cpu", help="that the programs run on (default: cpu)")
    parser.add_argument("--only", metavar="NAMES", help="some pairs, separated by commas")
    parser.add_argument("--unsteady", action="store_true", help="only those that are missing or unsteady so far")
    parser.add_argument("--rounds", type=int, default=5, help="of unprofiled steps in a row that have to agree")
    options = parser.parse_args()
    every = PROGRAMS[options.device]
    names = options.only.split(",") if options.only else list(every)
    unknown = [name for name in names if name not in every]
    if unknown:
        parser.error(f"no such pairs: {', '.join(unknown)}; those for {options.device}: {', '.join(every)}")
    if options.unsteady:
        known = read(options.out)["scenarios"]
        names = [name for name in names if known.get(name, {}).get("unsteady", True)]
    options.out.mkdir(parents=True, exist_ok=True)
    _make_tensors_on(options.device)
    if options.device == "cpu":
        torch.set_num_threads(1)
    for name in names:
        print(_recorded(every[name], options.out, options.rounds), flush=True)


def _recorded(scenario: Scenario, out: Path, rounds: int) -> str:
    """Measure and record one pair; a line about it."""
    for seed in (random.seed, np.random.seed, torch.manual_seed):
        seed(0)
    pair = scenario.make()
    _rounds(pair, 1, FIRST_STEPS)
    before = _rounds_that_agree(pair, rounds)
    for step, side in zip(pair, SIDES, strict=True):
        _record(step, out / f"{scenario.name}.{side}.pt.trace.json.gz", deep=True)
        _record(step, out / f"{scenario.name}.{side}.light.pt.trace.json.gz", deep=False)
    after = _rounds(pair, ROUNDS_AFTER)
    slow, fixed = (Timed(tuple(runs), median(later)) for runs, later in zip(before, after, strict=True))
    found = entry(scenario.planted, scenario.findings, slow, fixed)
    add(out, _about(), scenario.name, found)
    times = f"{slow.step_ms:.2f} ms (x{slow.spread:.2f}), fixed {fixed.step_ms:.2f} ms (x{fixed.spread:.2f})"
    return f"{scenario.name}: {times}{', unsteady' if found['unsteady'] else ''}"


def _rounds(pair: Pair, rounds: int, steps: int = STEPS_OF_ROUND) -> tuple[list[float], list[float]]:
    """The usual step of each round, in ms; the sides take turns, so that both meet the same noise."""
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(rounds):
        for step, found in zip(pair, times, strict=True):
            found.append(_usual_step(step, steps))
    return times


def _usual_step(step: Step, steps: int) -> float:
    """In ms; on a GPU, where the host runs ahead, the mean of them all."""
    if not _on_gpu():
        return median(_milliseconds(step) for _ in range(steps))

    def every() -> None:
        for _ in range(steps):
            step()
        torch.cuda.synchronize()

    torch.cuda.synchronize()
    return _milliseconds(every) / steps


def _make_tensors_on(name: str) -> None:
    """Have the programs' tensors made on a device by what costs nothing at each call, as a default device would."""
    if name == "cuda":
        torch.set_default_tensor_type(torch.cuda.FloatTensor)


def _on_gpu() -> bool:
    return device().type == "cuda"


def _rounds_that_agree(pair: Pair, rounds: int) -> tuple[list[float], list[float]]:
    """The first so many in a row that agree on both sides, else the last ones."""
    slow, fixed = _rounds(pair, rounds)
    while not (agree(slow[-rounds:]) and agree(fixed[-rounds:])) and len(slow) < MOST_ROUNDS:
        for runs, later in zip((slow, fixed), _rounds(pair, 1), strict=True):
            runs += later
    return slow[-rounds:], fixed[-rounds:]


def _milliseconds(step: Step) -> float:
    begin = time.perf_counter()
    step()
    return 1e3 * (time.perf_counter() - begin)


def _record(step: Step, path: Path, *, deep: bool) -> None:
    """Record a few steps, with stacks, shapes and memory or with operators alone."""
    active = ACTIVE_DEEP if deep else ACTIVE_LIGHT
    raw = path.with_suffix("")
    with profile(
        activities=[ProfilerActivity.CPU, *([ProfilerActivity.CUDA] if _on_gpu() else [])],
        schedule=schedule(wait=WAIT, warmup=WARMUP, active=active, repeat=1),
        on_trace_ready=lambda done: done.export_chrome_trace(str(raw)),
        record_shapes=deep,
        profile_memory=deep,
        with_stack=deep,
    ) as profiler:
        for _ in range(WAIT + WARMUP + active):
            step()
            profiler.step()
        if _on_gpu():
            torch.cuda.synchronize()
    with raw.open("rb") as source, gzip.open(path, "wb", 6) as target:
        shutil.copyfileobj(source, target)
    raw.unlink()


def _about() -> dict[str, object]:
    """When and with what it is recorded; nothing that names the machine."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    python = ".".join(str(part) for part in sys.version_info[:3])
    today = datetime.now(timezone.utc).date().isoformat()
    gpu_used = {"device": torch.cuda.get_device_name(), "cuda": torch.version.cuda} if _on_gpu() else {}
    return {"recorded": today, "torch": torch.__version__, "python": python, "cpus": cores, **gpu_used}


if __name__ == "__main__":
    main()
