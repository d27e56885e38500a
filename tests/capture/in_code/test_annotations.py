"""One name in every tool: a range of the profiler, one of NVTX, and the label of what is allocated."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import pytest

from stepscope.capture.in_code.annotations import annotate


class FakeTorch:
    """Notes what it is told.

    Attributes:
        told: in order.
    """

    def __init__(self, uses_cuda: bool = True, compiling: bool = False) -> None:
        self.told: list[str] = []
        self.compiler = SimpleNamespace(is_compiling=lambda: compiling)
        self.autograd = SimpleNamespace(profiler=SimpleNamespace(record_function=self._range))
        self.label = "outer"
        nvtx = SimpleNamespace(
            range_push=lambda name: self.told.append(f"push {name}"), range_pop=lambda: self.told.append("pop")
        )
        memory = SimpleNamespace(_get_memory_metadata=lambda: self.label, _set_memory_metadata=self._labelled)
        self.cuda = SimpleNamespace(is_initialized=lambda: uses_cuda, nvtx=nvtx, memory=memory)

    def _labelled(self, name: str) -> None:
        self.label = name

    @contextmanager
    def _range(self, name: str) -> Any:
        self.told.append(f"begin {name}")
        yield
        self.told.append(f"end {name}")


def told(monkeypatch: pytest.MonkeyPatch, torch: FakeTorch) -> list[str]:
    monkeypatch.setitem(sys.modules, "torch", torch)
    with annotate("forward"):
        torch.told.append(f"inside, label {torch.label}")
    torch.told.append(f"behind, label {torch.label}")
    return torch.told


def test_all_three_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    assert told(monkeypatch, FakeTorch()) == [
        "begin forward",
        "push forward",
        "inside, label forward",
        "pop",
        "end forward",
        "behind, label outer",
    ]


def test_only_the_profiler_where_cuda_is_not_in_use(monkeypatch: pytest.MonkeyPatch) -> None:
    """CUDA is not started for it."""
    torch = FakeTorch(uses_cuda=False)
    assert told(monkeypatch, torch) == ["begin forward", "inside, label outer", "end forward", "behind, label outer"]


def test_nothing_where_torch_compile_traces(monkeypatch: pytest.MonkeyPatch) -> None:
    """A range would break the graph."""
    assert told(monkeypatch, FakeTorch(compiling=True)) == ["inside, label outer", "behind, label outer"]


def test_nothing_without_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "torch", raising=False)
    with annotate("forward"):
        assert "torch" not in sys.modules


def test_an_nvtx_that_torch_was_built_without(monkeypatch: pytest.MonkeyPatch) -> None:
    torch = FakeTorch()

    def missing(_: str) -> None:
        raise RuntimeError("NVTX functions not installed")

    torch.cuda.nvtx.range_push = missing
    assert told(monkeypatch, torch)[:2] == ["begin forward", "inside, label forward"]


def test_a_decorated_function_that_calls_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    torch = FakeTorch(uses_cuda=False)
    monkeypatch.setitem(sys.modules, "torch", torch)

    @annotate("fall")
    def fall(depth: int) -> int:
        return fall(depth - 1) + 1 if depth else 0

    assert fall(1) == 1
    assert torch.told == ["begin fall", "begin fall", "end fall", "end fall"]


def test_one_object_used_inside_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    torch = FakeTorch(uses_cuda=False)
    monkeypatch.setitem(sys.modules, "torch", torch)
    one = annotate("a")
    with one, one:
        torch.told.append("inside")
    assert torch.told == ["begin a", "begin a", "inside", "end a", "end a"]
