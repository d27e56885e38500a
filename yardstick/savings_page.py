"""Write docs/savings-cpu.md, or docs/savings-gpu.md, from recordings that record.py made:
python -m yardstick.savings_page OUT
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

from savings_left_out import DEEP, LIGHT  # noqa: E402
from savings_page import Pair, Set, pairs, tables  # noqa: E402
from yardstick.truth import STEADY, read  # noqa: E402


def _sets(light: str) -> tuple[Set, ...]:
    return (
        Set(".", "With stacks, shapes and memory", DEEP, refit=False),
        Set(".", light, LIGHT, refit=False),
    )


LITTLE_PCT = 3
"""A smaller saving is within run-to-run variation."""

CPU_OPENING = """\
# Savings on a CPU: estimated and measured

Pairs of small training programs: one with a planted mistake, one without. These recordings were made after all that
is judged here but loops without stacks (below). But earlier recordings of the same programs were in view when rules and
widths of ranges were written, and are among those that the profiler overhead was fitted to: read the figures as those
of known programs on a new day.

The 17 programs of [habits.py](../yardstick/programs/habits.py) were written when the rules stood. Their first scores,
before anything was changed with them in view (one was unsteady): cause found in 15 of 16, without stacks 11 of 16;
median error of the saving 5.5 and 2.0 points, inside the range 10 of 15 and 10 of 11, step without the profiler
7.4 and 5.4 %. Then the profiler overhead was fitted anew, loops over what is read, and over time steps of recurrent
layers, were corrected, and they are programs in view as well.

The 12 programs of [chores.py](../yardstick/programs/chores.py) were written later, and nothing was changed with them in
view. Their first scores: cause found in 11 of 12, with stacks and without; median error of the saving 4.4 and 2.2
points, at nine of ten 9 and 6, inside the range 10 of 11 and 11 of 11, step without the profiler 7.2 and 4.1 %.

Five causes were missed without stacks, and the rules for loops were corrected with these programs in view:
windows_by_slices, pairwise_distances, gradient_histograms, weights_hashed and crop_each_image (of which next to nothing
was seen with stacks, too). Before, 54 of 68 causes were found without stacks. The estimates of all other programs
stayed as they were.

The 24 programs of [research.py](../yardstick/programs/research.py) and
[projects.py](../yardstick/programs/projects.py) came after all that. Their first scores: cause found in 20 of 24, with
stacks and without; median error of the saving 9.5 and 2.3 points, inside the range 14 of 20 and 16 of 20, step without
the profiler 7.7 and 4.7 %. Then loops took their own backward pass with them in place of one of as many turns,
gradients of pieces went whole, trees, heads beside one another and values computed and read one by one were seen, and
the time between dense events of Python functions got a bound of its own: they are programs in view as well.

The 20 programs of [everyday.py](../yardstick/programs/everyday.py) and [passes.py](../yardstick/programs/passes.py)
came after them. Their first scores (one was unsteady): cause found in 16 of 19, with stacks and without; median error
of the saving 9.8 and 7.1 points, inside the range 12 of 16 and 14 of 16, step without the profiler 7.2 and 6.5 %. Then
small micro-batches, gradients of single samples and hooks of the backward pass became findings, the bound of Python
events was fitted anew, and convolutions were known to take long to call: programs in view.

The 19 programs of [fields.py](../yardstick/programs/fields.py) came last. Their first scores: cause found in 16 of 19,
without stacks in 12; median error of the saving 1.8 and 1.4 points, at nine of ten 5 and 3, inside the range 16 of 16
and 12 of 12, step without the profiler 3.4 and 3.2 %. Then validation in every step, second derivatives row by row,
tensors converted whole for few rows, and without stacks loops of few turns that hold no weights were found: programs in
view, too. Of the estimates of other programs that of a Jacobian row by row changed.

The figures depend on the machine. These two commands record the pairs and write this page:

    python -m yardstick.record OUT
    python -m yardstick.savings_page OUT
"""

GPU_OPENING = """\
# Savings on a GPU: estimated and measured

Pairs of training and inference steps: one with a planted mistake, one without, recorded after everything that is fitted
here had been. Their first scores, before anything was changed with them in view, 46 programs in 60 recordings:

| recordings | step, median error | nine of ten | cause named | saving, median error | inside the range | mean width |
|---|---:|---:|---:|---:|---:|---:|
| with stacks, shapes and memory | 9.7 % | 25 % | 36 of 53 | 10.5 points | 18 of 37 | 22 points |
| only operators and GPU activity | 9.8 % | 33 % | 30 of 53 | 9.1 points | 17 of 31 | 28 points |

A cause counts where its fix saves 3 % and more. Then loops of small operators, attention in single operators, checks
for NaN and tensors that the CPU computes became findings of GPU steps, the time of aligned GEMMs and fused kernels was
estimated anew, and every saving on a GPU got two points more of range on either side. What follows is after that: read
it as figures of programs in view. A later change is not in it: the best estimate of pageable copies, 12 to 17 points
too low here, has them copied a batch ahead now. And by this page, ranges of savings on a GPU have two points more on
either side now: as wide, those below would hold the measured saving 20 of 24 and 16 of 21 times, at 33 and 34 points.

These two commands record the pairs and write this page:

    python -m yardstick.record OUT --device cuda
    python -m yardstick.savings_page OUT
"""


def main() -> None:
    """Parse the command line and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path, help="folder with truth.json and the recordings")
    out = parser.parse_args().out
    if not (out / "truth.json").exists():
        sys.exit(f"cannot write a page of savings: {out} has no truth.json; run python -m yardstick.record {out}")
    path = ROOT / "docs" / ("savings-gpu.md" if _device(read(out)) else "savings-cpu.md")
    with tempfile.TemporaryDirectory() as cache:
        os.environ["STEPSCOPE_CACHE"] = cache
        path.write_text(page(out), encoding="utf-8")
    print(f"{path.relative_to(ROOT)}: {len(path.read_text(encoding='utf-8').splitlines())} lines")


def page(out: Path) -> str:
    """The page, from a folder of recordings."""
    truth = read(out)
    opening, light = (
        (GPU_OPENING, "Only operators and GPU activity") if _device(truth) else (CPU_OPENING, "Only operators")
    )
    every = [(of, pairs(out, of)) for of in _sets(light)]
    lines = [opening, *_recorded(truth), *_missed(every), *tables(every)]
    return "\n".join(lines) + "\n"


def _device(truth: dict[str, Any]) -> str:
    """The GPU that the programs ran on, "" where they ran on the CPU."""
    return str(truth.get("device", ""))


def _recorded(truth: dict[str, Any]) -> Iterator[str]:
    versions = f"PyTorch {truth['torch']} and Python {truth['python']}"
    yield from _paragraph(
        f"Recorded on {truth['recorded']} with {versions}, on {_machine(truth)}. "
        "Slow and fixed steps took turns in one process. A pair may be steady and yet have been timed while the "
        "machine was slower, or faster, than during the recording: errors of step times include that."
    )
    unsteady = [name for name, pair in truth["scenarios"].items() if pair["unsteady"]]
    if unsteady:
        yield from _paragraph(
            "Left out, since rounds without the profiler, or those before and after the recordings, differed by more "
            f"than {100 * (STEADY - 1):.0f} %: {', '.join(unsteady)}."
        )


def _machine(truth: dict[str, Any]) -> str:
    device = _device(truth)
    cores = f"a machine with {truth['cpus']} CPU cores"
    return f"an {device} with CUDA {truth['cuda']} in {cores}" if device else f"one thread of {cores}"


def _paragraph(text: str) -> Iterator[str]:
    yield from _wrapped(text)
    yield ""


def _wrapped(text: str, indent: str = "") -> Iterator[str]:
    """Lines, of which none begins with a sign of per cent."""
    for line in textwrap.wrap(text.replace(" %", "~%"), 120, subsequent_indent=indent):
        yield line.replace("~%", " %")


def _missed(every: list[tuple[Set, list[Pair]]]) -> Iterator[str]:
    """Pairs whose planted mistake no finding names, those apart that save next to nothing."""
    yield "Not found, with what the fix saved:"
    yield ""
    for of, found in every:
        missed = [pair for pair in found if pair.finding(pair.slow.said) is None]
        much = [pair for pair in missed if pair.causes and pair.truth_pct >= LITTLE_PCT]
        little = [pair for pair in missed if pair not in much]
        yield from _wrapped(f"- {of.title}: {_names(much)}", "  ")
        start = f"  - where nothing was to be found, the fix saving less than {LITTLE_PCT} %"
        yield from _wrapped(f"{start}: {_names(little)}", "    ")
    yield ""


def _names(found: list[Pair]) -> str:
    return ", ".join(f"{pair.name} ({pair.truth_pct:.0f} %)" for pair in found) or "nothing"


if __name__ == "__main__":
    main()
