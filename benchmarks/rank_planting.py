"""Where time is put into a recording so that one rank is late, and all others wait for it.

Times of one rank are moved by a map that never turns order around, so nothing ends before it began, nothing runs
before its launch, and no stream does two things at once. Put in is, for every step:

- on the late rank: kernels at the beginning of the step. What is launched after them runs later by the extra time.
- on the others: the same time inside the first collective that was launched in the step.
- on all hosts: the same time at the end of the next call that waits for the GPU, or else where the next step begins.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from rank_recording import ACTIVITY, LAUNCHING, Recording, Times

_LAUNCH_NS = 12_000
_KERNEL = "sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64_warpgroupsize1x1x1_execute_segment_k_off"


@dataclass(frozen=True)
class Late:
    """Where one step of the late rank is drawn out; times of the recording, in ns.

    Attributes:
        begin: when its host launches more.
        gpu: when the first thing runs on the GPU that was launched after that.
        inside: in the collective in which the other ranks wait; the end of all times where there is none.
        late_host, other_host: when the host of the late rank, and that of others, waits for the GPU.
    """

    begin: int
    gpu: int
    inside: int
    late_host: int
    other_host: int


@dataclass(frozen=True)
class Jitter:
    """By how much a rank is later at some moments; in between it changes evenly, so that order stays order."""

    knots: Times
    moves: npt.NDArray[np.number[Any]]

    def __call__(self, times: Times) -> Times:
        """Times of the recording as the rank has them."""
        return times + np.rint(np.interp(times - self.knots[0], self.knots - self.knots[0], self.moves)).astype(
            np.int64
        )


@dataclass(frozen=True)
class Planted:
    """A recording and where time is put into it."""

    recording: Recording
    extra_ns: int
    late_at: list[Late]
    launching_ns: int
    kernels: int

    @property
    def origin(self) -> int:
        """Where the recording begins: here clocks are only off, and have not drifted yet."""
        return int(self.recording.start.min())

    def times(self, late: bool, jitter: Jitter) -> tuple[Times, Times]:
        """Start and end of each event on the true clock, of the late rank or of another one."""
        first, last = self.shifts(late)
        return jitter(self.recording.start) + first, jitter(self.recording.end) + last

    def shifts(self, late: bool) -> tuple[Times, Times]:
        """By how much the start and the end of each event move."""
        one, extra = self.recording, self.extra_ns
        host = [at.late_host if late else at.other_host for at in self.late_at]
        waiting = extra - self.launching_ns if late else extra
        first, last = waiting * _before(host, one.start), waiting * _before(host, one.end - 1)
        if not late:
            inside = [at.inside for at in self.late_at]
            on_gpu = extra * _before(inside, one.start), extra * _before(inside, one.end - 1)
        else:
            begin = [at.begin for at in self.late_at]
            first += self.launching_ns * _before(begin, one.start)
            last += self.launching_ns * _before(begin, one.end - 1)
            launched = extra * _before(begin, one.launched)
            gpu = [at.gpu for at in self.late_at]
            on_gpu = (
                np.where(one.linked, launched, extra * _before(gpu, one.start)),
                np.where(one.linked, launched, extra * _before(gpu, one.end - 1)),
            )
        return np.where(one.on_gpu, on_gpu[0], first), np.where(one.on_gpu, on_gpu[1], last)

    def jitter(self, draw: np.random.Generator, most_ns: int) -> Jitter:
        """A rank that reaches each collective later, by up to ``most_ns``; ends stay where they are."""
        one = self.recording
        calls = np.flatnonzero(one.communication())
        if most_ns == 0 or len(calls) == 0:
            return Jitter(np.array([self.origin], np.int64), np.zeros(1))
        fixed = np.unique(one.end[calls])
        starts = np.setdiff1d(one.start[calls], fixed)
        knots = np.sort(np.concatenate([fixed, starts]))
        room = np.diff(knots, append=knots[-1] + most_ns) // 4
        drawn = np.minimum(draw.integers(0, most_ns + 1, len(knots)), room)
        return Jitter(knots, np.where(np.isin(knots, starts), drawn, 0))


def _before(moments: list[int], times: Times) -> Times:
    """How many of the moments are at or before each time."""
    return np.searchsorted(np.array(moments, np.int64), times, side="right").astype(np.int64)


def plant(recording: Recording, extra_ns: int) -> Planted:
    """Find where time can be put into each step; without any, the recording stays as it is."""
    if extra_ns == 0:
        return Planted(recording, 0, [], 0, 0)
    late_at = [late for begin, _ in recording.steps().tolist() if (late := _late(recording, begin + 1)) is not None]
    kernels = max(1, min(20, extra_ns // 100_000))
    launching = min(kernels * _LAUNCH_NS, extra_ns // 2)
    return Planted(recording, extra_ns, late_at, launching, kernels)


def _late(recording: Recording, begin: int) -> Late | None:
    activity = recording.where(*ACTIVITY)
    after = recording.linked & (recording.launched >= begin)
    if not (activity & after).any():
        return None
    gpu = int(recording.start[activity & after].min())
    calls = recording.communication()
    never = int(recording.end.max()) + 1
    inside = never
    if (calls & after).any():
        first = np.flatnonzero(calls & after)[np.argmin(recording.start[calls & after])]
        inside = _inside(recording, int(recording.start[first]), int(recording.end[first]), activity & ~calls)
        if ((recording.end[calls] > inside) != after[calls]).any():
            return None  # calls of two steps run beside each other: what waits for what is unknown
    late_host = _host_waits(recording, max(gpu, begin))
    return Late(begin, gpu, inside, late_host, never if inside == never else _host_waits(recording, inside))


def _inside(recording: Recording, start: int, end: int, others: npt.NDArray[np.bool_]) -> int:
    """A moment within a collective at which as little else as possible runs: what runs there takes longer."""
    starts, ends = np.sort(recording.start[others]), np.sort(recording.end[others])
    moments = np.concatenate([[start + 1], ends[(ends > start) & (ends < end)]])
    running = np.searchsorted(starts, moments, side="left") - np.searchsorted(ends, moments, side="right")
    return int(moments[np.argmin(running)])


def _host_waits(recording: Recording, after: int) -> int:
    """The end of the next call that waits for the GPU, or where the next step begins."""
    named = np.array(["Synchronize" in str(event.get("name")) for event in recording.events], bool)
    ends = recording.end[recording.where(*LAUNCHING) & named]
    steps = recording.steps()[:, 0]
    later = [*(ends[ends > after + 1] - 1).tolist(), *steps[steps > after].tolist()]
    return min(later, default=int(recording.end.max()) + 1)


def extra_events(planted: Planted, jitter: Jitter) -> Iterator[dict[str, Any]]:
    """What only the late rank has, with ``start`` and ``end`` on the true clock.

    In each step the range ``extra_work``, its launches, and its kernels one after the other.
    """
    if not planted.late_at:
        return
    one = planted.recording
    kernel = one.where("kernel") & ~one.communication()
    model = one.events[int(np.flatnonzero(kernel)[0])]
    stream = kernel & np.array([event.get("tid") == model["tid"] for event in one.events], bool)
    main = next(event for event in one.events if str(event.get("name")).startswith("ProfilerStep#"))
    thread = {"ph": "X", "pid": main["pid"], "tid": main["tid"]}
    numbers = itertools.count(1 + max(event.get("args", {}).get("correlation", 0) for event in one.events))
    _, ends = planted.times(True, jitter)
    for done, late in enumerate(planted.late_at):
        waited = int(_before([at.late_host for at in planted.late_at], np.array([late.begin]))[0])
        at = (
            int(jitter(np.array([late.begin]))[0])
            + done * planted.launching_ns
            + waited * (planted.extra_ns - planted.launching_ns)
        )
        before = stream & (one.launched < late.begin) & (one.linked | (one.start < late.gpu))
        free = int(ends[before].max(initial=0)) + 1_000
        yield {"cat": "user_annotation", "name": "extra_work", "start": at, "end": at + planted.launching_ns, **thread}
        for number in range(planted.kernels):
            linked = {"External id": next(numbers)}
            linked["correlation"] = linked["External id"]
            start = at + number * (planted.launching_ns // planted.kernels)
            yield from _launch(start, linked, thread)
            begin = max(free, start + 10_000)
            free = begin + (planted.extra_ns - 100_000) // planted.kernels
            yield {**model, "name": _KERNEL, "start": begin, "end": free - 1_000, "args": model["args"] | linked}


def _launch(start: int, linked: dict[str, int], thread: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """An operator and its launch."""
    operator = {"cat": "cpu_op", "name": "aten::mm", "start": start + 1_000, "end": start + 9_000, **thread}
    yield operator | {"args": {"External id": linked["External id"]}}
    launch = {"cat": "cuda_runtime", "name": "cudaLaunchKernel", "start": start + 3_000, "end": start + 7_000}
    yield launch | thread | {"args": linked}
