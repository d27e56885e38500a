"""Commands whose whole output is kept in ``expected/``; ``scripts/update_expected`` rewrites the files."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parent / "commands" / "expected"

COMMANDS: dict[str, list[str]] = {
    "report_small_batch": ["report", "examples/batch_size.slow.pt.trace.json.gz"],
    "report_cuda_graph": ["report", "examples/launch_bound_decode.fixed.pt.trace.json.gz"],
    "report_four_ranks": ["report", "examples/ddp4_straggler"],
    "report_markdown": ["report", "examples/launch_bound_decode.fixed.pt.trace.json.gz", "--format", "markdown"],
    "diff_small_batch": [
        "diff",
        "examples/batch_size.slow.pt.trace.json.gz",
        "examples/batch_size.fixed.pt.trace.json.gz",
    ],
    "diff_cuda_graph": [
        "diff",
        "examples/launch_bound_decode.slow.pt.trace.json.gz",
        "examples/launch_bound_decode.fixed.pt.trace.json.gz",
    ],
    "show_list": ["show", "--list"],
    "show_health": ["show", "health", "examples/launch_bound_decode.fixed.pt.trace.json.gz"],
}
