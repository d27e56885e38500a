"""torch 1.8 wrote steps and other annotations with the category of operators.

Seen in a trace with ``Operator``, ``Kernel``, ``Runtime``: the step was a row of ``operators`` and the parent of all
others, so it held the host's idle time as its own and all GPU time as its total.
"""

from __future__ import annotations

from pathlib import Path

from building import opened


def event(category: str, name: str, start: int, duration: int, **args: int) -> dict[str, object]:
    return {"ph": "X", "cat": category, "name": name, "pid": 1, "tid": 1, "ts": start, "dur": duration, "args": args}


def test_a_step_is_no_operator(tmp_path: Path) -> None:
    trace = opened(
        tmp_path,
        event("Operator", "ProfilerStep#3", 0, 100),
        event("Operator", "aten::mm", 10, 20),
        event("Runtime", "cudaLaunchKernel", 12, 2, correlation=1),
        event("Kernel", "gemm", 20, 30, correlation=1, stream=7),
    )
    assert trace.show("operators").select("name", "host_self_ns", "device_total_ns").rows() == [
        ("aten::mm", 20_000, 30_000)
    ]
    assert trace.show("steps").select("step", "duration_ns", "device_end_ns").rows() == [(3, 100_000, 50_000)]
