"""One name for a part of the program, in every tool that shows it."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


class annotate:  # noqa: N801 - used like a function
    """Name what runs inside it: a context manager, and a decorator.

    The name stands in traces of ``torch.profiler``, in memory snapshots (as their annotation and, from torch 2.10 on,
    as the metadata of what is allocated meanwhile), and as an NVTX range in recordings of Nsight Systems. Without
    torch, and inside what ``torch.compile`` traces, it does nothing.
    """

    def __init__(self, name: str) -> None:
        self._name = str(name)
        self._open: list[list[Callable[[], Any]]] = []

    def __enter__(self) -> annotate:
        torch = sys.modules.get("torch")
        ends: list[Callable[[], Any]] = []
        if torch is not None and not _is_compiling(torch):
            for sink in (_range, _nvtx, _metadata):
                end = sink(torch, self._name)
                if end is not None:
                    ends.append(end)
        self._open.append(ends)
        return self

    def __exit__(self, *_: object) -> None:
        for end in reversed(self._open.pop()):
            end()

    def __call__(self, function: F) -> F:
        name = self._name

        @functools.wraps(function)
        def annotated(*given: Any, **named: Any) -> Any:
            with annotate(name):
                return function(*given, **named)

        return annotated  # type: ignore[return-value]


def _is_compiling(torch: Any) -> bool:
    compiler = getattr(torch, "compiler", None)
    return bool(compiler is not None and getattr(compiler, "is_compiling", lambda: False)())


def _range(torch: Any, name: str) -> Callable[[], Any]:
    """A range of torch's profiler, which the allocator's history notes as well."""
    entered = torch.autograd.profiler.record_function(name)
    entered.__enter__()
    return lambda: entered.__exit__(None, None, None)


def _nvtx(torch: Any, name: str) -> Callable[[], Any] | None:
    """A range of NVTX, where CUDA is in use: it costs 1 us without a tool that listens."""
    nvtx = getattr(getattr(torch, "cuda", None), "nvtx", None)
    if nvtx is None or not _uses_cuda(torch):
        return None
    try:
        nvtx.range_push(name)
    except RuntimeError:
        return None  # torch was built without
    return nvtx.range_pop  # type: ignore[no-any-return]


def _metadata(torch: Any, name: str) -> Callable[[], Any] | None:
    """What allocations of this thread are labelled with in snapshots."""
    memory = getattr(getattr(torch, "cuda", None), "memory", None)
    change = getattr(memory, "_set_memory_metadata", None)
    if change is None or not _uses_cuda(torch):
        return None
    before = ""
    with suppress(RuntimeError, AttributeError):
        before = memory._get_memory_metadata()  # type: ignore[union-attr]
    try:
        change(name)
    except (RuntimeError, AttributeError):
        return None
    return lambda: change(before)


def _uses_cuda(torch: Any) -> bool:
    try:
        return bool(torch.cuda.is_initialized())
    except (AttributeError, RuntimeError):
        return False
