"""Why CUDA ran out of memory, and what is written then; by a stand-in for the allocator."""

from __future__ import annotations

import json
import pickle
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from stepscope import steps
from stepscope.capture.in_code.memory import memory_history, reason
from stepscope.store.opening import open_profile

MIB = 1 << 20


def segment(*blocks: tuple[int, bool], device: int = 0) -> dict[str, Any]:
    """A segment of blocks of so many MiB, each in use or free."""
    states = {True: "active_allocated", False: "inactive"}
    return {
        "device": device,
        "address": 4096,
        "total_size": sum(size for size, _ in blocks) * MIB,
        "allocated_size": sum(size for size, is_used in blocks if is_used) * MIB,
        "blocks": [{"size": size * MIB, "state": states[is_used]} for size, is_used in blocks],
    }


def why(segments: list[dict[str, Any]], asked: int, total: int, free: int, limit: int | None = None) -> str:
    found = reason(segments, 0, asked * MIB, total * MIB, free * MIB, None if limit is None else limit * MIB)
    return str(found["reason"])


def test_enough_is_reserved_but_in_pieces() -> None:
    """60 MiB are free in blocks of 30; another device's block does not count."""
    pieces = [segment((30, False), (10, True), (30, False)), segment((90, False), device=1)]
    assert why(pieces, 40, 100, 5) == "fragmented"
    assert reason(pieces, 0, 40 * MIB, 100 * MIB, 5 * MIB, None) == {
        "reason": "fragmented",
        "device": 0,
        "requested_bytes": 40 * MIB,
        "free_bytes": 5 * MIB,
        "total_bytes": 100 * MIB,
        "limit_bytes": None,
        "reserved_bytes": 70 * MIB,
        "allocated_bytes": 10 * MIB,
        "hole_bytes": 60 * MIB,
        "largest_free_bytes": 30 * MIB,
        "other_bytes": 25 * MIB,
    }


def test_a_limit_of_the_process_is_reached_while_the_device_has_room() -> None:
    assert why([segment((50, True))], 20, 1000, 900, limit=60) == "limit"


def test_others_have_the_device() -> None:
    assert why([segment((10, True))], 20, 100, 5) == "others"


def test_the_program_fills_the_device() -> None:
    assert why([segment((80, True), (4, False))], 20, 100, 10) == "full"


class FakeTorch:
    """A CUDA whose allocator has one segment.

    Attributes:
        observer: what is called where memory runs out.
        calls: to turn the history on and off.
    """

    def __init__(self, available: bool = True) -> None:
        self.observer: Any = None
        self.autograd: Any = None
        self.calls: list[dict[str, Any]] = []
        self.snapshot: Any = {"segments": [segment((80, True))], "device_traces": [[]]}
        memory = SimpleNamespace(
            _snapshot=lambda: self.snapshot, _record_memory_history=lambda **given: self.calls.append(given)
        )
        self.cuda = SimpleNamespace(
            is_available=lambda: available, init=lambda: None, memory=memory, mem_get_info=lambda _: (0, 100 * MIB)
        )
        self._C = SimpleNamespace(_cuda_attach_out_of_memory_observer=lambda one: setattr(self, "observer", one))


def test_a_snapshot_and_the_reason_where_memory_runs_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Written before the program sees its error, in a form that PyTorch's own viewer reads."""
    torch = FakeTorch()
    monkeypatch.setitem(sys.modules, "torch", torch)
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    with memory_history(tmp_path / "runs", entries=10, snapshot_at_end=False):
        torch.observer(0, 20 * MIB, 100 * MIB, 10 * MIB)
        names = sorted(path.name for path in (tmp_path / "runs").iterdir())
    assert [name.partition(".oom.")[2] for name in names] == ["json", "memory.pickle"]
    found = json.loads((tmp_path / "runs" / names[0]).read_text())
    assert (found["reason"], found["snapshot"]) == ("full", names[1])
    content = (tmp_path / "runs" / names[1]).read_bytes()
    assert (content[:2], pickle.loads(content)) == (b"\x80\x04", torch.snapshot)
    assert capsys.readouterr().err == (
        "stepscope: out of memory on GPU 0: 20.00 MiB were asked for; the tensors of the program take 80.00 MiB of "
        f"100.00 MiB; snapshot: {tmp_path}/runs/{names[1]}\n"
    )
    assert torch.calls == [{"max_entries": 10, "stacks": "python"}, {"enabled": None}]


def test_steps_stand_in_the_history(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An allocator notes ranges of the profiler, which tells no steps while it does not record."""
    torch, told = FakeTorch(), list[str]()
    torch.autograd = SimpleNamespace(profiler=SimpleNamespace(record_function=lambda name: noted(told, name)))
    monkeypatch.setitem(sys.modules, "torch", torch)
    with memory_history(tmp_path, snapshot_at_end=False):
        for batch in steps("ab"):
            told.append(batch)
    assert [*told, *steps("c")] == [
        *("ProfilerStep#0", "a", "end", "ProfilerStep#1", "b", "end"),
        *("ProfilerStep#2", "end", "c"),
    ]


@contextmanager
def noted(told: list[str], name: str) -> Iterator[None]:
    told.append(name)
    yield
    told.append("end")


def test_running_out_later_writes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """torch keeps observers for good."""
    torch = FakeTorch()
    monkeypatch.setitem(sys.modules, "torch", torch)
    with memory_history(tmp_path, snapshot_at_end=False):
        pass
    torch.observer(0, 1, 2, 3)
    assert list(tmp_path.iterdir()) == []


def test_an_allocator_that_fails_meanwhile_does_not_hide_the_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    torch = FakeTorch()
    monkeypatch.setitem(sys.modules, "torch", torch)
    torch.snapshot = {"segments": [{"device": 0}]}
    with memory_history(tmp_path, snapshot_at_end=False):
        torch.observer(0, 1, 2, 3)


def test_the_snapshot_at_the_end_is_one_that_stepscope_reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from building.snapshots import small_training

    torch = FakeTorch()
    monkeypatch.setitem(sys.modules, "torch", torch)
    torch.snapshot = pickle.loads(small_training().write(tmp_path / "made.pickle").read_bytes())
    with memory_history(tmp_path / "runs"):
        pass
    (path,) = (tmp_path / "runs").iterdir()
    assert open_profile(str(path)).ranks[0].trace.kind == "memory_snapshot"


def test_without_cuda_it_does_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", FakeTorch(available=False))
    with memory_history(tmp_path / "runs"):
        pass
    assert not (tmp_path / "runs").exists()
