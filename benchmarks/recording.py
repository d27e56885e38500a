"""Measure what recording costs the job that is recorded, against the same job in the same run.

    make bench-record
    python benchmarks/recording.py --torch .venv-torch/bin/python --repeats 5

Needs a Python with PyTorch beside that of stepscope. What else runs on the machine adds to times. So they are those
that the thread, or the process, had its core, and of many steps the lower quartile counts; only what waits for another
thread is measured by the clock, and compared with steps of the same job before.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
_JOB = HERE / "recorded_steps.py"
_WARM, _SETTLED = 20, 30
"""Steps that are left out: at the beginning, and behind a window until its file is written."""
_FIRST, _LAST, _STEPS = 150, 155, 400
_TURN = 20
"""Steps of `recorded_steps.py` until what is wrapped changes."""
_DUTY = 1000
_SAMPLED_S = 20.0


@dataclass(frozen=True)
class Measured:
    """One line.

    Attributes:
        name: how ``--only`` calls it.
        what: the two that are compared, or what is measured.
        values: one for each repetition; the median counts.
        goal: that must not be exceeded; None where there is none.
        unit: behind the figures.
    """

    name: str
    what: str
    values: Sequence[float]
    goal: float | None
    unit: str = ""

    def cells(self) -> list[str]:
        middle = statistics.median(self.values)
        spread = f"{_figure(min(self.values))} to {_figure(max(self.values))}" if len(self.values) > 1 else "-"
        goal = "-" if self.goal is None else f"<= {self.goal:g}{self.unit}"
        met = "" if self.goal is None else "ok" if middle <= self.goal else "miss"
        return [f"{self.name}: {self.what}", _figure(middle) + self.unit, spread, goal, met]


class Bench:
    """Runs the job, bare or recorded.

    Args:
        python: of the job.
    """

    def __init__(self, python: str, repeats: int, scratch: Path) -> None:
        self._python, self.repeats, self._scratch = python, repeats, scratch
        self.torch = ""
        self._count = 0

    def bare(self, steps: int, *how: str) -> dict[str, Any]:
        """What the job wrote of itself, without stepscope."""
        return self._run([], steps, how)[0]

    def recorded(self, options: Sequence[str], steps: int, *how: str) -> tuple[dict[str, Any], dict[str, Any]]:
        """The same under ``stepscope record``, and the facts of its last window; empty where there is none."""
        return self._run(options, steps, how)

    def _run(self, options: Sequence[str], steps: int, how: Sequence[str]) -> tuple[dict[str, Any], dict[str, Any]]:
        self._count += 1
        file, out = self._scratch / f"{self._count}.json", self._scratch / f"{self._count}"
        command = [self._python, str(_JOB), str(file), str(steps), *how]
        if options:
            recording = [sys.executable, "-m", "stepscope", "record", "--no-report", "--out", str(out), *options, "--"]
            command = [*recording, *command]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise SystemExit(f"{' '.join(command)} failed:\n{done.stderr[-2000:]}")
        found = json.loads(file.read_text(encoding="utf-8"))
        self.torch = found["torch"]
        notes = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(out.glob("processes/*.json"))]
        windows = [window for note in notes for window in note["windows"]]
        return found, windows[-1] if windows else {}


def armed(bench: Bench) -> Iterator[Measured]:
    """Recording is to begin later: what is wrapped costs the same whatever a step does."""
    added, ratios = [], []
    for _ in range(bench.repeats):
        found, _window = bench.recorded(["--steps", "1000000:1000001"], 200 * _TURN, "small", "armed")
        own = found["own"]
        turns = ([], [])
        for number, time_ns in enumerate(own):
            if number % _TURN > 1:
                turns[number // _TURN % 2].append(time_ns)
        bare, wrapped = (_lower(one) for one in turns)
        usual = _lower(bench.bare(_STEPS // 2)["own"][_WARM:])
        added.append((wrapped - bare) / 1e3)
        ratios.append(1 + (wrapped - bare) / usual)
    yield Measured("armed_us", "time added to a step, us", added, None)
    yield Measured("armed", "step with recording armed / bare, 10 ms a step", ratios, 1.01)


def behind(bench: Bench) -> Iterator[Measured]:
    """Steps behind a window and before it; as much of a bare job for comparison."""
    found, bare = [], []
    for _ in range(bench.repeats):
        recorded, _window = bench.recorded(["--steps", f"{_FIRST}:{_LAST}", "--with", "none"], _STEPS)
        found.append(_second_to_first(recorded["own"]))
        bare.append(_second_to_first(bench.bare(_STEPS)["own"]))
    yield Measured("after", "step after the window / before it", found, 1.01)
    yield Measured("after_bare", "the same steps of a bare job, for the noise", bare, None)


def _second_to_first(own: Sequence[int]) -> float:
    return _lower(own[_LAST + _SETTLED :]) / _lower(own[_WARM : _FIRST - 2])


def within(bench: Bench) -> Iterator[Measured]:
    """What a window costs: its steps, its end, its file."""
    for name, options, most in (("light", "none", 1.4), ("default", "shapes,stack", 1.7)):
        how = ["--steps", f"{_FIRST}:{_LAST}", "--with", options]
        windows = [_Window(*bench.recorded(how, _STEPS)) for _ in range(bench.repeats)]
        events = windows[0].events
        yield Measured(
            f"{name}_window", f"recorded step / bare, --with {options}", [one.factor() for one in windows], most
        )
        yield Measured(
            f"{name}_stop", f"end of six steps of {events:,} events, in steps", [one.stop() for one in windows], 3
        )
        yield Measured(f"{name}_stop_us", "the same, us an event", [one.stop_us() for one in windows], None)
        yield Measured(
            f"{name}_file", "longest step while the file is written, in steps more", [one.file() for one in windows], 3
        )
        what = f"six recorded steps in {_DUTY:,}, time added to"
        yield Measured(f"{name}_duty", f"{what} the job's thread", [one.duty("own") for one in windows], 0.5, " %")
        yield Measured(
            f"{name}_duty_cpu", f"{what} all of its threads", [one.duty("all") for one in windows], None, " %"
        )


class _Window:
    """Times of the steps of a job that recorded six of them.

    Attributes:
        events: of one step.
    """

    def __init__(self, times: dict[str, Any], window: dict[str, Any]) -> None:
        self._times, self.events = times, int(window["events_per_step"])
        self._usual = _lower(times["own"][_WARM : _FIRST - 2])

    def factor(self) -> float:
        """How much longer a recorded step takes."""
        return _lower(self._times["own"][_FIRST:_LAST]) / self._usual

    def stop(self) -> float:
        """The step that follows the last one holds the end; in steps."""
        return self._times["own"][_LAST] / self._usual - self.factor()

    def stop_us(self) -> float:
        """For each event, of which stopping takes the time."""
        return self.stop() * self._usual / 1e3 / (self.events * (_LAST - _FIRST + 1))

    def file(self) -> float:
        """The file is written within the steps behind; the longest of them by the clock, against as many before."""
        wall = self._times["wall"]
        usual = _lower(wall[_WARM : _FIRST - 2])
        return (max(wall[_LAST + 1 : _LAST + _SETTLED]) - max(wall[_FIRST - _SETTLED : _FIRST - 3])) / usual

    def duty(self, kind: str) -> float:
        """All that the window adds, in percent of the steps that there is one window in."""
        affected = self._times[kind][_FIRST - 3 : _LAST + _SETTLED]
        return 100 * (sum(affected) - self._usual * len(affected)) / (self._usual * _DUTY)


def sampling(bench: Bench) -> Iterator[Measured]:
    """CPU time of the process that samples, of this machine and this process."""
    from stepscope.capture.telemetry.process import start

    for hz, most in ((10, 1.0), (1, None)):
        shares = []
        for number in range(min(bench.repeats, 3)):
            with tempfile.TemporaryDirectory() as folder:
                sampler = start(os.path.join(folder, f"{number}.telemetry.jsonl"), hz)
                time.sleep(3)
                before, begin = _cpu_s(sampler.pid), time.monotonic()
                time.sleep(_SAMPLED_S)
                shares.append(100 * (_cpu_s(sampler.pid) - before) / (time.monotonic() - begin))
                sampler.stop()
        yield Measured(f"telemetry_{hz}", f"telemetry at {hz} Hz, share of a core", shares, most, " %")


def memory(bench: Bench) -> Iterator[Measured]:
    """Most memory of the recorded process, less that of the bare one."""
    bare = bench.bare(_STEPS)["peak_bytes"]
    recorded, _window = bench.recorded(["--steps", f"{_FIRST}:{_LAST}"], _STEPS)
    yield Measured("memory", "host memory of the default window", [(recorded["peak_bytes"] - bare) / 2**30], 2, " GiB")
    for name, options in (("light", "none"), ("default", "shapes,stack")):
        most, window = bench.recorded(["--steps", f"{_WARM}:100000", "--with", options], 2 * _STEPS)
        if (
            window["closed"] != "budget"
        ):  # what the profiler holds when it stops comes behind what the job says of itself
            raise SystemExit(f"the longest window with {options} ended by {window['closed']}, not by its budget")
        events = window["events_per_step"] * len(window["recorded_ns"])
        what = f"the same of the longest window, {events:,} events, --with {options}"
        yield Measured(f"{name}_memory", what, [(most["peak_bytes"] - bare) / 2**30], 2, " GiB")


PARTS: dict[str, Callable[[Bench], Iterator[Measured]]] = {
    "armed": armed,
    "after": behind,
    "window": within,
    "telemetry": sampling,
    "memory": memory,
}


def main() -> None:
    """Parse the command line, measure, print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--torch", default=str(HERE.parent / ".venv-torch/bin/python"), metavar="PYTHON")
    parser.add_argument("--repeats", type=int, default=5, metavar="N")
    parser.add_argument("--only", nargs="+", choices=list(PARTS), default=list(PARTS), metavar="NAME")
    options = parser.parse_args()
    lines = [["what", "median", "from, to", "goal", ""]]
    with tempfile.TemporaryDirectory(prefix="stepscope-bench-") as scratch:
        bench = Bench(options.torch, options.repeats, Path(scratch))
        for name in options.only:
            print(f"measuring {name}", file=sys.stderr)
            lines += [one.cells() for one in PARTS[name](bench)]
    load = os.getloadavg()[0]
    today = f"{datetime.now(timezone.utc):%Y-%m-%d}"
    cores = len(os.sched_getaffinity(0))
    print(f"{today}, {cores} cores (load {load:.1f} at the end), torch {bench.torch}, {options.repeats} repetitions")
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())


def _lower(times: Sequence[int]) -> float:
    return statistics.quantiles(times, n=4, method="inclusive")[0]


def _figure(value: float) -> str:
    return f"{value:.3f}" if abs(value) < 10 else f"{value:.1f}"


def _cpu_s(pid: int) -> float:
    """Time that a process had a core, in s."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()
