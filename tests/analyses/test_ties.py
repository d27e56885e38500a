"""Events of equal times: which comes first follows from what was recorded of them, not from where the file has them.

Each trace is the smallest one found that had several answers, depending on the order of its events.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from building import (
    Event,
    Events,
    annotation,
    arrow,
    call,
    flat,
    kernel,
    memcpy,
    memory,
    opened,
    operator,
    step,
    sync,
    timed,
)
from building.autograd import backward, forward, frame
from stepscope.analyses.simulation.changes import parse_change
from stepscope.api import OpenProfile
from stepscope.findings.what_if import what_if

View = Callable[[OpenProfile], Any]


def table(name: str, by: str = "") -> View:
    return lambda profile: profile.show(name, by=by).rows()


def saving(change: str) -> View:
    """What a change saves, and what a step is made of before and after it."""

    def answer(profile: OpenProfile) -> Any:
        [found] = what_if(profile.profile, [parse_change(change)])
        return found.together, found.path_before.rows(), found.path_after.rows()

    return answer


def carried_over(profile: OpenProfile) -> Any:
    """Operators of the kernels of a graph, where the same recording has them launched one by one, too."""
    return profile.with_eager(profile).show("kernels", by="op").rows()


def in_several_orders(folder: Path, events: list[Events], view: View) -> list[Any]:
    """What a view says of the events as they are, backwards and sorted by name."""
    written = flat(events)
    orders = (written, written[::-1], sorted(written, key=lambda event: event["name"]))
    return [view(opened(folder, *order)) for order in orders]


def told_to_wait(start: int, correlation: int, recorded: int) -> Event:
    """Stream 7 is told to wait for stream 20, for an event that a call of some correlation recorded."""
    recorded_by = {"wait_on_cuda_event_record_corr_id": recorded}
    return sync("Stream Wait Event", start, start + 1, correlation, wait_on_stream=20, **recorded_by)


def profiled(name: str, start: int, end: int, value: int) -> Event:
    """A range for which a hardware counter was read."""
    return timed("cuda_profiler_range", name, start, end, process=0, thread=0, inst=value)


TWO_CALLS = call(0, 5, 0), call(10, 15, 0, name="cudaLaunchKernelExC")
ENDED = kernel("a", 20, 30)
WAITING = [
    step(1, 0, 30),
    call(0, 2, 1),
    kernel("a", 2, 20, 1),
    call(4, 21, 2, name="cudaDeviceSynchronize"),
    call(4, 21, 3, name="cudaStreamSynchronize"),
]

CASES: dict[str, tuple[list[Events], View]] = {
    "launches": ([call(0, 6, 4), call(0, 18, 1), kernel("a", 0, 6, 4), memcpy(6, 12, 1)], table("step_time")),
    "launches of a graph that might be": (
        [call(2, 5, 4), call(2, 4, 3), kernel("a", 0, 3, 3), kernel("a", 0, 2, 4)],
        saving("cuda-graph"),
    ),
    "calls that wait, simulated": (WAITING, saving("no-sync")),
    "calls that wait, walked back": (WAITING, table("critical_path")),
    "calls that hold the host up": (
        [
            *(call(0, 1, 1), kernel("a", 1, 5, 1), call(60, 61, 2), kernel("b", 62, 70, 2)),
            *(call(2, 60, 8, name="cudaDeviceSynchronize"), call(2, 60, 9, name="cudaStreamSynchronize")),
        ],
        table("idle", "gap"),
    ),
    "streams that one waits for": (
        [
            step(1, 0, 8),
            *(call(0, 1, 1), kernel("a", 10, 30, 1, stream=20), call(1, 2, 4, name="cudaEventRecord")),
            *(call(2, 3, 2), kernel("b", 20, 30, 2, stream=20), call(3, 4, 5, name="cudaEventRecord")),
            *(call(4, 5, 8, name="cudaStreamWaitEvent"), told_to_wait(4, 8, 4)),
            *(call(4, 5, 9, name="cudaStreamWaitEvent"), told_to_wait(4, 9, 5)),
            *(call(6, 7, 3), kernel("c", 30, 50, 3)),
        ],
        table("critical_path", "event"),
    ),
    "sync events of one call": (
        [
            call(0, 9, 1, name="cudaStreamSynchronize"),
            *(sync("Stream Sync", 0, 9, 1), sync("Stream Sync", 0, 9, 1, stream=20)),
        ],
        table("sync"),
    ),
    "arrows to one activity": (
        [*TWO_CALLS, ENDED, arrow(1, TWO_CALLS[0], ENDED), arrow(2, TWO_CALLS[1], ENDED)],
        table("launches"),
    ),
    "operators without a number": ([operator("aten::mm", 60, 90), operator("aten::add", 60, 90)], table("operators")),
    "frames without a number": (
        [frame("nn.Module: A_0", 0, 9), frame("nn.Module: B_0", 0, 9), call(2, 3, 1), kernel("a", 12, 15, 1)],
        table("modules"),
    ),
    "activities of one launch": (
        [
            *(call(2, 3, 4), kernel("a", 2, 4), arrow(1, call(2, 3, 4), kernel("a", 2, 4))),
            *(call(4, 4, 1), kernel("b", 1, 2, 1), kernel("c", 1, 2, 1, stream=20)),
        ],
        table("queue_depth"),
    ),
    "activities of one name": (
        [call(3, 4, 1, thread=2), kernel("a", 2, 4, 0), kernel("a", 2, 4, 1, grid=[2, 1, 1])],
        table("launches"),
    ),
    "activities of a graph": (
        [
            *(call(0, 1, 1, name="cudaGraphLaunch"), kernel("a", 5, 9, 1), kernel("b", 5, 9, 1)),
            *(call(20, 21, 2, name="cudaGraphLaunch"), kernel("b", 25, 29, 2), kernel("a", 25, 29, 2)),
        ],
        table("graphs"),
    ),
    "graphs": (
        [
            *(call(0, 1, 1, name="cudaGraphLaunch"), kernel("a", 5, 9, 1)),
            *(call(0, 1, 2, name="cudaGraphLaunch", thread=2), kernel("b", 5, 9, 2, stream=8)),
        ],
        table("graphs"),
    ),
    "activities carried over": (
        [
            *(operator("aten::mm", 0, 9), call(2, 3, 1), kernel("a", 12, 15, 1)),
            *(operator("aten::add", 0, 9, thread=2), call(2, 3, 2, thread=2), kernel("b", 12, 15, 2, stream=8)),
            *(call(20, 21, 3, name="cudaGraphLaunch"), kernel("b", 25, 29, 3, stream=8), kernel("a", 25, 29, 3)),
        ],
        carried_over,
    ),
    "launches of forward and backward": (
        [
            step(1, 0, 90),
            operator("autograd::engine::evaluate_function: MmBackward0", 0, 50, thread=2),
            *(call(2, 3, 1, thread=2), kernel("b", 12, 15, 1)),
            *(operator("aten::mm", 9, 14), call(10, 11, 2), kernel("f", 20, 25, 2)),
            *(call(10, 11, 3, thread=2), kernel("b", 20, 25, 3, stream=8)),
        ],
        table("step_trace"),
    ),
    "operators of forward and backward": (
        [
            step(1, 0, 90),
            *backward("MmBackward0", 0, 8, 1),
            *(operator("aten::mm", 20, 25), *backward("MmBackward0", 20, 25, 1)),
        ],
        table("step_trace"),
    ),
    "threads of a forward operator": (
        [
            *(frame("nn.Module: A_0", 0, 9, thread=3), forward("aten::mm", 2, 9, 1, thread=3)),
            *(frame("nn.Module: B_0", 0, 9, thread=4), forward("aten::mm", 2, 9, 1, thread=4)),
            *(*backward("MmBackward0", 20, 40, 1), call(22, 23, 1, thread=2), kernel("a", 30, 40, 1)),
        ],
        table("modules"),
    ),
    "calls of a module that is run again": (
        [
            *(frame("nn.Module: M_0", 0, 9, thread=3), frame("nn.Module: A_0", 1, 8, thread=3)),
            *(frame("nn.Module: N_0", 0, 9, thread=4), frame("nn.Module: A_0", 1, 8, thread=4)),
            *(*backward("CheckpointFunctionBackward", 20, 40, None), frame("nn.Module: A_0", 24, 36, thread=2)),
            *(operator("aten::mm", 25, 35, thread=2), call(26, 27, 1, thread=2), kernel("a", 30, 40, 1)),
        ],
        table("modules"),
    ),
    "runs of kernels": (
        [
            *(operator("aten::mm", 0, 9), call(2, 3, 1), call(2, 3, 2, thread=2)),
            *(kernel("a", 12, 15, number, stream=stream) for stream in (7, 20) for number in (1, 2)),
        ],
        table("sequences", "run"),
    ),
    "launches of profiled ranges": (
        [
            *(operator("aten::mm", 0, 9), call(2, 3, 1), profiled("k1", 500, 600, 5)),
            *(operator("aten::add", 0, 9, thread=2), call(2, 3, 2, thread=2), profiled("k2", 600, 700, 7)),
        ],
        table("counters"),
    ),
    "profiled ranges": (
        [
            *(operator("aten::mm", 0, 9), call(2, 3, 1), profiled("k1", 500, 600, 5)),
            *(operator("aten::add", 10, 19), call(12, 13, 2), profiled("k2", 500, 600, 7)),
        ],
        table("counters"),
    ),
    "operators with the same time on the GPU": (
        [
            *(operator("aten::mm", 0, 9), call(2, 3, 1), kernel("a", 20, 30, 1)),
            *(operator("aten::to", 0, 9, thread=2), call(2, 3, 2, thread=2), kernel("b", 20, 30, 2, stream=8)),
        ],
        table("roofline", "kind"),
    ),
    "annotations that may be steps": (
        [annotation(f"{name}#{n}", 10 * n, 10 * n + 10) for n, name in ((0, "a"), (0, "b"), (1, "b"), (1, "a"))]
        + [annotation(f"{name}#{n}", 10 * n, 10 * n + 10) for n, name in ((2, "a"), (2, "b"))],
        table("steps"),
    ),
    "threads whose annotations may be steps": (
        [annotation(f"a#{n}", 10 * n + at, 10 * n + at + 9, thread=at) for n in range(3) for at in (1, 2)],
        table("steps"),
    ),
    "changes of memory": ([memory(0, -64, 128, 0), memory(0, -64, 64, 1)], table("memory_timeline")),
    "where a finding begins": (
        [call(0, 150_000, 1, name="cudaStreamSynchronize"), call(0, 90_000, 0, name="cudaDeviceSynchronize")],
        table("findings"),
    ),
    "functions that take the same time": (
        [
            [
                step(n, at, at + 10_000_000),
                *(call(at, at + 3_000, n + 1), kernel("k", at + 10_000, at + 20_000, n + 1)),
                *(frame(name, at + 4_000_000, at + 6_000_000) for name in ("a.py(1): f", "a.py(2): g")),
            ]
            for n, at in enumerate(range(0, 60_000_000, 10_000_000))
        ],
        table("findings"),
    ),
}


@pytest.mark.long
@pytest.mark.parametrize("case", CASES)
def test_the_order_in_the_file_decides_nothing(case: str, tmp_path: Path) -> None:
    first, *others = in_several_orders(tmp_path, *CASES[case])
    assert others == [first, first]
