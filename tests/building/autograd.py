"""Operators, Python frames and backward functions as the profiler writes them, for tests of the backward pass."""

from __future__ import annotations

from typing import Any

from building import Event, operator, timed

ENGINE = 2
"""Thread of the autograd engine."""


def forward(name: str, start: int, end: int, sequence: int, *, thread: Any = 1, **args: Any) -> Event:
    """An operator that runs with gradients on."""
    return operator(name, start, end, thread=thread, **{"Sequence number": sequence, "Fwd thread id": 0}, **args)


def backward(
    name: str, start: int, end: int, sequence: int | None, *, thread: Any = ENGINE, made_on: int = 1, **args: Any
) -> list[Event]:
    """A backward function: the engine's event and, 1 ns further in on both sides, the function's own."""
    numbered = {} if sequence is None else {"Sequence number": sequence, "Fwd thread id": made_on}
    return [
        operator(f"autograd::engine::evaluate_function: {name}", start, end, thread=thread, **numbered, **args),
        operator(name, start + 1, end - 1, thread=thread, **numbered, **args),
    ]


def accumulate(start: int, end: int, *, thread: Any = ENGINE) -> list[Event]:
    """The function that adds a gradient to a parameter's; it has no number."""
    return backward("torch::autograd::AccumulateGrad", start, end, None, thread=thread)


def frame(name: str, start: int, end: int, *, thread: Any = 1, **args: Any) -> Event:
    """A Python call, as ``train.py(3): step``."""
    return timed("python_function", name, start, end, process=1, thread=thread, **args)
