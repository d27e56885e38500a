"""Measure the speed of reading against baselines that are measured in the same run."""

from __future__ import annotations

import argparse
import importlib.util
import os
import sys
import tempfile
from datetime import datetime, timezone
from pathlib import Path

from comparisons import COMPARISONS, Bench, Comparison
from measuring import Compared, RunFailed, Usage, compare, middle

_HEADER = ["ours / baseline", "ours", "baseline", "wall", "CPU", "memory", "goal", ""]


def main() -> None:
    """Parse the command line, measure, print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="+", metavar="NAME", choices=[one.name for one in COMPARISONS], default=[])
    parser.add_argument("--repeats", type=int, default=3, metavar="N", help="pairs of runs of each comparison")
    parser.add_argument("--hta", action="store_true", help="install HolisticTraceAnalysis and compare with it")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="keep the long traces here and use them again")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="stepscope-bench-") as scratch:
        folder = (options.keep or Path(scratch)).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        bench = Bench(folder, Path(scratch))
        bench.warm_up()
        rows = []
        for one in COMPARISONS:
            if options.only and one.name not in options.only:
                continue
            reason = _missing(one, options.hta)
            if reason:
                print(f"skipped {one.name}: {reason}", file=sys.stderr)
                continue
            print(f"measuring {one.name}", file=sys.stderr)
            try:
                rows.append(_row(one, compare(one.prepare(bench), options.repeats)))
            except RunFailed as error:
                print(f"failed {one.name}: {error}", file=sys.stderr)
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    today = f"{datetime.now(timezone.utc):%Y-%m-%d}"
    print(f"{today}, {cores} cores, {options.repeats} pairs of runs; medians, ratios with lowest and highest")
    _print_table([_HEADER, *rows])


def _missing(one: Comparison, hta: bool) -> str:
    """Why a comparison cannot be made, or nothing."""
    if one.needs == "hta":
        return "" if hta else "installs HolisticTraceAnalysis; ask for it with --hta"
    if one.needs and importlib.util.find_spec(one.needs) is None:
        return f"needs {one.needs}: {Path(sys.executable).name} -m pip install {one.needs}"
    return ""


def _row(one: Comparison, compared: Compared) -> list[str]:
    ratios = compared.ratios
    low, high = compared.wall_range
    goals, met = [], True
    for kind, ratio, most in (("wall", ratios.wall, one.most_wall), ("memory", ratios.memory, one.most_memory)):
        if most is not None and ratio is not None:
            goals.append(f"{kind} <= {most:g}")
            met = met and ratio <= most
    return [
        f"{one.name}: {one.what}",
        _usage(middle(compared.ours)),
        _usage(middle(compared.baseline)),
        f"{ratios.wall:.3f} ({low:.3f}-{high:.3f})",
        "-" if ratios.cpu is None else f"{ratios.cpu:.3f}",
        "-" if ratios.memory is None else f"{ratios.memory:.2f}",
        ", ".join(goals),
        "ok" if met else "miss",
    ]


def _usage(usage: Usage) -> str:
    memory = f", {usage.memory / 1e6:.0f} MB" if usage.memory else ""
    return f"{usage.wall:.2f} s, {usage.cpu:.2f} CPU s{memory}"


def _print_table(rows: list[list[str]]) -> None:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


if __name__ == "__main__":
    main()
