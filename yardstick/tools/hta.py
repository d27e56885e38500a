"""HolisticTraceAnalysis: its temporal breakdown says where the time goes; it names no causes and no savings."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path

from hta.trace_analysis import TraceAnalysis
from hta.trace_diff import TraceDiff

from yardstick.answers import Answer, Rows, largest
from yardstick.bound import COPIES, GPU, HOST
from yardstick.tools.running import alone, run

NAME = "rank0.json.gz"

USUAL_RULE = 0.05
"""HTA gives differences and judges none: by the rule that its users go by, one of more than 5 % is a change."""


def examine(recording: Path) -> Answer:
    """Where most of the GPU's time goes. Communication counts as copies here: HTA keeps them in one figure."""
    with alone(recording, NAME) as folder:
        [row] = TraceAnalysis(trace_dir=str(folder)).get_temporal_breakdown(visualize=False).to_dict("records")
    shares = {HOST: row["idle_time_pctg"], GPU: row["compute_time_pctg"], COPIES: row["non_compute_time_pctg"]}
    return Answer(version("HolisticTraceAnalysis"), None, largest(shares))


def compare(base: Path, new: Path) -> Rows:
    """Operators and kernels of the first step of each, by name."""
    with alone(base, NAME) as old, alone(new, NAME) as other:
        rows = TraceDiff.compare_traces(str(old), str(other))
    usual = rows["Control_total_duration"].abs()
    changed = rows["diff_duration"].abs() > USUAL_RULE * usual
    return Rows(len(rows), int(changed.sum()))


if __name__ == "__main__":
    run(examine, compare)
