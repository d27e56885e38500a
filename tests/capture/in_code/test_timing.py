"""``timed`` and ``sweep``, by a clock that moves when it is told."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any

import pytest

from stepscope.capture.in_code import timing
from stepscope.capture.in_code.timing import BatchSize, Timing, sweep, timed

MS = 1_000_000


class OutOfMemory(RuntimeError):
    pass


class FakeTorch:
    """Work runs on a GPU that is waited for, and a clock that only work moves.

    Attributes:
        now: in ns.
        queued: time of the work that was launched and not waited for.
        calls: to what is not a clock.
    """

    def __init__(self, uses_cuda: bool = True, ranks: list[int] | None = None) -> None:
        self.now = self.queued = 0
        self.calls: list[str] = []
        self.OutOfMemoryError = OutOfMemory
        self.cuda = SimpleNamespace(
            is_initialized=lambda: uses_cuda,
            synchronize=self._wait,
            empty_cache=lambda: self.calls.append("empty_cache"),
            reset_peak_memory_stats=lambda: None,
            max_memory_allocated=lambda: 3 << 30,
        )
        self.distributed = SimpleNamespace(
            is_available=lambda: True,
            is_initialized=lambda: ranks is not None,
            get_rank=lambda: 0,
            get_world_size=lambda group: len(ranks or []),
            barrier=lambda group: self.calls.append("barrier"),
            all_gather_object=lambda found, own, group: self._gather(found, own, ranks or []),
        )

    def launch(self, ns: int) -> None:
        self.now += 1000
        self.queued += ns

    def _wait(self) -> None:
        self.now += self.queued
        self.queued = 0

    def _gather(self, found: list[Any], own: tuple[int, int], ranks: list[int]) -> None:
        found[:] = [own, *enumerate(ranks[1:], 1)]


@pytest.fixture
def torch(monkeypatch: pytest.MonkeyPatch) -> FakeTorch:
    return installed(monkeypatch, FakeTorch())


def installed(monkeypatch: pytest.MonkeyPatch, torch: FakeTorch) -> FakeTorch:
    monkeypatch.setitem(sys.modules, "torch", torch)
    monkeypatch.setattr(timing.time, "perf_counter_ns", lambda: torch.now)
    monkeypatch.setattr(timing, "_counted", lambda torch, step, size: None)
    return torch


def test_a_call_takes_until_the_gpu_is_done(torch: FakeTorch) -> None:
    lengths = iter([50, 50, 50, 4, 2, 3, 1, 5])
    found = timed(lambda: torch.launch(next(lengths) * MS), repeat=5)
    assert found.times_ns == tuple(ms * MS + 1000 for ms in (4, 2, 3, 1, 5))
    assert (found.low_ns, found.median_ns, found.high_ns) == (2 * MS + 1000, 3 * MS + 1000, 4 * MS + 1000)
    assert (found.max_ns, found.slowest_rank, found.rank_ns) == (found.median_ns, 0, {0: found.median_ns})


def test_without_waiting_only_launching_is_timed(torch: FakeTorch) -> None:
    assert timed(lambda: torch.launch(MS), sync=False, repeat=2).times_ns == (1000, 1000)


def test_the_slowest_rank_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    torch = installed(monkeypatch, FakeTorch(ranks=[0, 7 * MS, 9 * MS, 9 * MS]))
    found = timed(lambda: torch.launch(MS), barrier=True, repeat=2)
    assert found.rank_ns == {0: MS + 1000, 1: 7 * MS, 2: 9 * MS, 3: 9 * MS}
    assert (found.max_ns, found.slowest_rank) == (9 * MS, 2)
    assert torch.calls == ["barrier"] * 2


def test_ranks_that_were_not_told_to_meet_are_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    torch = installed(monkeypatch, FakeTorch(ranks=[0, 9 * MS]))
    assert timed(lambda: torch.launch(MS), repeat=1).rank_ns == {0: MS + 1000}
    assert torch.calls == []


def test_one_time_is_its_own_quartiles() -> None:
    assert (Timing((7,)).low_ns, Timing((7,)).high_ns, Timing((7,)).max_ns) == (7, 7, 7)


def test_throughput_memory_and_mfu_by_batch_size(torch: FakeTorch) -> None:
    """2 ms and 4 ms for 8 and 32 samples; a batch that does not fit is a row, and its memory is given back."""

    def step(size: int) -> None:
        if size > 32:
            raise OutOfMemory("CUDA out of memory. Tried to allocate 20.00 GiB")
        torch.launch({8: 2 * MS, 32: 4 * MS}[size] - 1000)

    found = sweep(step, [8, 32, 128], flops=lambda size: size * 1e9, peak_flops=20e12, repeat=3)
    assert found.rows == (
        BatchSize(8, "ok", 2 * MS, 2 * MS, 2 * MS, 4000.0, 3 << 30, 8e9, 4.0, 20.0),
        BatchSize(32, "ok", 4 * MS, 4 * MS, 4 * MS, 8000.0, 3 << 30, 32e9, 8.0, 40.0),
        BatchSize(128, "out of memory"),
    )
    assert found.best == found.rows[1]
    assert torch.calls == ["empty_cache"] * 3
    assert str(found).splitlines() == [
        "batch size           step  samples/s  peak memory  TFLOP/s     MFU",
        "         8       2.000 ms    4,000.0     3.00 GiB    4.000  20.0 %  ##########",
        "        32       4.000 ms    8,000.0     3.00 GiB    8.000  40.0 %  ####################",
        "       128  out of memory",
    ]


def test_what_is_not_known_is_not_given(monkeypatch: pytest.MonkeyPatch) -> None:
    torch = installed(monkeypatch, FakeTorch(uses_cuda=False))
    (row,) = sweep(lambda size: torch.launch(0), [1]).rows
    assert (row.peak_bytes, row.flops, row.tflops_per_s, row.mfu_pct) == (None, None, None, None)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (RuntimeError("[enforce fail] . DefaultCPUAllocator: can't allocate memory: you tried ..."), "out of memory"),
        (MemoryError(), "out of memory"),
    ],
)
def test_the_host_can_run_out_of_memory_too(torch: FakeTorch, error: Exception, said: str) -> None:
    def step(_: int) -> None:
        raise error

    assert sweep(step, [1]).rows == (BatchSize(1, said),)


def test_any_other_error_is_the_programs(torch: FakeTorch) -> None:
    def step(_: int) -> None:
        raise RuntimeError("mat1 and mat2 shapes cannot be multiplied")

    with pytest.raises(RuntimeError, match="mat1"):
        sweep(step, [1])


@pytest.mark.parametrize("sizes", [[], [4, 0]])
def test_batch_sizes_are_positive(torch: FakeTorch, sizes: list[int]) -> None:
    with pytest.raises(ValueError, match="batch sizes of 1 or more"):
        sweep(lambda _: None, sizes)
