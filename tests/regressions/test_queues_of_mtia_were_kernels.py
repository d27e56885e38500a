"""Seen in public traces of MTIA: copies, waits and marks of its queues counted as kernels, 43 % of "GPU computes"."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from building import Event, annotation, call, opened, operator, rows, timed
from stepscope.api import OpenProfile
from stepscope.findings.verdict import verdict


def on_queue(name: str, start: int, end: int, **args: Any) -> Event:
    return timed("mtia_ccp_events", name, start, end, process=17, thread=801, **args)


def queue(folder: Path, **head: Any) -> OpenProfile:
    return opened(
        folder,
        operator("aten::mm", 0, 1_000),
        on_queue("merge", 100, 200, correlation=1, stream=101),
        on_queue("dma_request", 200, 240, direction="HOST_TO_DEVICE", size=4096),
        on_queue("dma_request", 250, 260, direction="DEVICE_TO_HOST", size=16),
        on_queue("event_wait", 300, 900, wait_on_stream=104),
        on_queue("event_record", 900, 901),
        **head,
    )


def test_each_is_what_it_is(tmp_path: Path) -> None:
    profile = queue(tmp_path)
    assert rows(profile.show("summary"), "kernels", "memcpys", "compute_ns", "memory_ns") == [(1, 2, 100, 50)]
    assert rows(profile.show("memcpy"), "kind", "calls", "bytes") == [("HtoD", 1, 4096), ("DtoH", 1, 16)]


def test_the_only_model_that_is_listed_is_the_device(tmp_path: Path) -> None:
    profile = queue(tmp_path, deviceProperties=[{"id": 17, "name": "ARTEMIS"}])
    assert rows(profile.show("summary"), "device") == ["ARTEMIS"]


def test_requests_of_many_threads_are_no_steps(tmp_path: Path) -> None:
    """The requests of one of five threads were taken as steps: 25.7 ms each, where one came every 9.0 ms."""
    events = [
        [
            annotation("Stage::run", 1_000 * n, 1_000 * n + 4_500, thread=1 + n % 5),
            operator("aten::mm", 1_000 * n + 3_900, 1_000 * n + 4_200, thread=1 + n % 5),
            call(1_000 * n + 4_000, 1_000 * n + 4_100, n + 1, thread=1 + n % 5, name="runFunction"),
            on_queue("merge", 1_000 * n + 4_200, 1_000 * n + 5_200, correlation=n + 1),
        ]
        for n in range(40)
    ]
    profile = opened(tmp_path, *events)
    assert profile.profile.ranks[0].all_steps.source == "whole trace"
    found = verdict(profile.profile.ranks[0])
    assert (found.bound, found.unprofiled_ns) == ("gpu", None)
    assert len(profile.show("step_time")) == 0
    assert profile.notes("step_time")[0].startswith("no rows: several threads launch work at once")
