"""What ``stepscope diff`` finds in pairs of recordings whose difference is known, and what it must not find.

    python benchmarks/compared_pairs.py FOLDER

Prints two tables in Markdown: for each pair of FOLDER (``pairs/NAME.slow...`` and ``pairs/NAME.mended...``, with
``truth.json`` beside them) the step, its outcome and the first cause; then for each pair of recordings of one program,
and for the halves of a long recording, how many rows were called changed.
"""

from __future__ import annotations

import argparse
import json
import sys
from itertools import combinations
from pathlib import Path

from stepscope.comparison.compare import Comparison, compare
from stepscope.comparison.sentences import cause_message
from stepscope.messages.quantities import time_text
from stepscope.messages.rendering import render
from stepscope.store.opening import open_profile
from stepscope.store.profile import Rank

ONE_PROGRAM = (
    "pairs/sync_item",
    "pairs/optimizer_for_loop",
    "pairs_more/python_overhead",
    "pairs_more/gc_collect",
    "pairs_more/checkpoint_every_step",
)
"""Pairs whose fixed twins are recordings of one program."""

HALVED = "train/dit_30steps.pt.trace.json.gz"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    say = sys.stdout.write
    say("| pair | without the profiler | recorded | outcome | first cause | effect |\n|---|---:|---:|---|---|---:|\n")
    for group in ("pairs", "pairs_more"):
        truth = json.loads((folder / group / "truth.json").read_text())
        for name in sorted(path.name.partition(".")[0] for path in (folder / group).glob("*.slow.pt.trace.json.gz")):
            say(_pair(folder, f"{group}/{name}", truth.get("scenarios", truth)[name]) + "\n")
    say("\n| recordings of one program | rows | called changed | step |\n|---|---:|---:|---|\n")
    fixed = {name: _opened(folder, name, "mended") for name in ONE_PROGRAM}
    for (one, base), (other, new) in combinations(fixed.items(), 2):
        say(_same(f"{one} and {other}", compare([base], [new])))
    whole = open_profile(str(folder / HALVED))
    numbers = sorted(whole.ranks[0].all_steps.ranges["step"].unique().to_list())
    middle = numbers[len(numbers) // 2]
    halves = [whole.select(None, steps).ranks[0] for steps in ((numbers[1], middle - 1), (middle, numbers[-2]))]
    say(_same(f"halves of {HALVED}", compare(halves[:1], halves[1:])))


def _opened(folder: Path, name: str, side: str) -> Rank:
    return open_profile(str(folder / f"{name}.{side}.pt.trace.json.gz")).ranks[0]


def _pair(folder: Path, name: str, truth: dict[str, dict[str, float]]) -> str:
    found = compare([_opened(folder, name, "slow")], [_opened(folder, name, "mended")])
    step, hidden = found.step, not found.attribution.causes
    causes = found.gpu_work.causes if hidden else found.attribution.causes
    first = render(cause_message(causes[0])) if causes else "none"
    effect = f"{'GPU work ' if hidden else ''}{causes[0].effect_ns / 1e6:+.1f} ms" if causes else ""
    unprofiled = " -> ".join(f"{truth[side]['step_ms']:.1f}" for side in ("slow", "mended"))
    recorded = f"{time_text(step['base_ns'])} -> {time_text(step['new_ns'])}"
    return f"| {name} | {unprofiled} ms | {recorded} | {step['status']} | {first} | {effect} |"


def _same(name: str, found: Comparison) -> str:
    changed = found.rows.filter(status="changed")
    return f"| {name} | {len(found.rows)} | {len(changed)} | {found.step['status']} |\n"


if __name__ == "__main__":
    main()
