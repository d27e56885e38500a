"""Launches and the queues that they fill."""

from __future__ import annotations

import statistics
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl

from peer_page import recomputed_hta
from peer_page.question import Figure, Question, Reading, Value, text_of
from peer_page.recordings import Recording

US = 1000
SHORT_CALL_US = 50


def launches(column: str) -> Reading:
    """Sum over the APIs, of calls whose work was recorded."""

    def read(recording: Recording) -> Value:
        value: int = recording.table("launches").filter(pl.col("calls") > 0)[column].sum()
        return value

    return read


def launched(recording: Recording) -> Value:
    table = recording.table("launches")
    value: int = table["calls"].sum() - table["without_activity"].sum()
    return value


def hta_launches(key: str, scale: int = 1) -> Reading:
    def read(recording: Recording) -> Value:
        [stats] = recording.of_hta("get_cuda_kernel_launch_stats").values()
        return scale * int(stats[key])

    return read


def again(calculate: Callable[[list[tuple[Any, Any, float]]], float]) -> Callable[[Path], Value]:
    return lambda path: calculate(recomputed_hta.launches(recomputed_hta.load(path)))


def waits_of_most_used_api(recording: Recording) -> Value:
    """Median latency on an idle stream, and median queueing behind earlier work."""
    row = recording.table("launches").sort("calls", descending=True).row(0, named=True)
    return f"{text_of(row['launch_latency_p50_ns'], 'ns')}; {text_of(row['queueing_p50_ns'], 'ns')}"


def hta_delay(recording: Recording) -> Value:
    [stats] = recording.of_hta("get_cuda_kernel_launch_stats").values()
    return text_of(US * stats["summary"]["head"][MEDIAN]["launch_delay"], "ns")


def delay_again(path: Path) -> Value:
    delays = [delay for *_, delay in recomputed_hta.launches(recomputed_hta.load(path))]
    return text_of(US * statistics.median(delays), "ns")


MEDIAN = 5
"""Row of the median in the output of `describe`."""
WITHOUT_LAST = {
    "H100": "HTA: does not know `cuLaunchKernel` [apis]",
    "B200": "HTA: does not know `cuLaunchKernel`, `cuLaunchKernelEx` [apis]",
    "*": "HTA: without the last step [last step]",
}
ROUNDED = {
    "A100-2": "HTA: without the last step, whole us [last step] [whole us]",
    "H100": "HTA: whole us, one API missing [whole us] [apis]",
    "B200": "HTA: whole us, two APIs missing [whole us] [apis]",
    "*": "HTA: without the last step [last step]",
}

LAUNCHES = Question(
    "What does launching cost?",
    "stepscope: `launches`. HTA: `get_cuda_kernel_launch_stats`. The plugin has no launches.",
    (
        Figure(
            "Calls that launched work",
            "count",
            launched,
            hta=hta_launches("n"),
            why=WITHOUT_LAST,
            hta_again=again(len),
        ),
        Figure(
            "Their time on the host",
            "ns",
            launches("host_ns"),
            hta=hta_launches("sum_cpu_duration", US),
            why=ROUNDED,
            hta_again=again(lambda found: US * sum(call.duration for call, *_ in found)),
        ),
        Figure(
            "Calls that take longer than the work they launch",
            "count",
            launches("short_kernels"),
            hta=hta_launches("short_kernels(cpu<=50us & gpu<cpu)"),
            why=ROUNDED,
            hta_again=again(
                lambda found: sum(
                    call.duration <= SHORT_CALL_US and row.duration < call.duration for call, row, _ in found
                )
            ),
        ),
        Figure(
            "Median wait from call to work (stepscope: launch latency; queueing)",
            "text",
            waits_of_most_used_api,
            hta=hta_delay,
            why={"*": "HTA: one delay for both, from the end of the call [delay]"},
            hta_again=delay_again,
        ),
        Figure(
            "Launches that wait (stepscope: queued; HTA: outliers over 100 us)",
            "count",
            launches("queued"),
            hta=hta_launches("launch_delay_outliers(>100us)"),
            why={"*": "HTA: any delay above 100 us, healthy queueing, too [delay]"},
            hta_again=again(lambda found: sum(delay > recomputed_hta.LATE_LAUNCH_US for *_, delay in found)),
        ),
    ),
)


def deepest(column: str) -> Reading:
    """Of the stream with most launches."""

    def read(recording: Recording) -> Value:
        value: float = recording.table("queue_depth").sort("launches", descending=True)[column][0]
        return value

    return read


def hta_queue(key: str) -> Reading:
    def read(recording: Recording) -> Value:
        row = max(recording.of_hta("get_queue_length_summary"), key=lambda row: row["queue_length_count"])
        value = float(row[key])
        return int(value) if value.is_integer() else value

    return read


def queue_again(calculate: Callable[[list[int]], float]) -> Callable[[Path], Value]:
    return lambda path: calculate(max(recomputed_hta.queue_lengths(recomputed_hta.load(path)).values(), key=len))


QUEUE = Question(
    "How far ahead is the CPU?",
    "Launches that wait, in the queue of the stream with most of them. stepscope: `queue_depth`. HTA: "
    "`get_queue_length_summary`. The plugin has no queues.",
    (
        Figure(
            "Most",
            "count",
            deepest("depth_max"),
            hta=hta_queue("queue_length_max"),
            why={"*": "HTA: without the last step [last step]"},
            hta_again=queue_again(max),
        ),
        Figure(
            "Mean",
            "number",
            deepest("depth_mean"),
            hta=hta_queue("queue_length_mean"),
            why={"*": "HTA: mean over changes, not over time [changes]"},
            hta_again=queue_again(statistics.fmean),
            unproved=("A100-2",),
        ),
    ),
)
