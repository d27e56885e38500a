"""A job to be recorded: operators on one core, whose steps it times itself. Needs torch, not stepscope.

    python recorded_steps.py FILE STEPS [small] [armed]

writes the length of each step to a file, in ns: by the clock (wall), of this thread on its core (own) and of all
threads (all); and the most memory that the process had, in bytes. With ``small`` a step is forward, backward and
optimizer of one number. With ``armed``, under ``stepscope record``, what that wraps is taken out and put back every few
steps, so that steps with it and without it take turns in one process.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable

import torch
from torch import nn

_TURN = 20
"""Steps until what is wrapped changes."""


def made_step(is_small: bool) -> Callable[[], None]:
    """A step of some 10 ms on one core, or of 0.1 ms.

    The long one has 2,700 events, 4,400 with stacks: per ms as many as the densest training steps on a GPU have. What a
    window costs goes by its events, so a step of nothing but small operators would say what no training step pays.
    """
    torch.manual_seed(0)
    if is_small:
        model, x = nn.Linear(1, 1), torch.zeros(1, 1)
        return _stepping(model, torch.optim.AdamW(model.parameters(), foreach=False), x)
    layer = nn.TransformerEncoderLayer(128, 4, 256, batch_first=True, dropout=0.0)
    model = nn.TransformerEncoder(layer, 3)
    return _stepping(model, torch.optim.AdamW(model.parameters(), foreach=False), torch.randn(4, 64, 128))


def _stepping(model: nn.Module, optimizer: torch.optim.Optimizer, x: torch.Tensor) -> Callable[[], None]:
    def step() -> None:
        model(x).pow(2).mean().backward()
        optimizer.step()
        optimizer.zero_grad()

    return step


def switches() -> list[Callable[[], object]]:
    """Two functions: one takes out what the recorder has wrapped, one puts it back."""
    wrapped = torch.autograd.backward, torch.optim.AdamW.step
    bare = tuple(one.__wrapped__ for one in wrapped)  # type: ignore[attr-defined]

    def put(backward: object, step: object) -> None:
        torch.autograd.backward = backward  # type: ignore[assignment]
        torch.optim.AdamW.step = step  # type: ignore[assignment,method-assign]

    return [lambda: put(*bare), lambda: put(*wrapped)]


def peak_bytes() -> int:
    """Most memory that this process had at a time."""
    with open("/proc/self/status", encoding="utf-8") as status:
        return next(int(line.split()[1]) << 10 for line in status if line.startswith("VmHWM"))


def main(path: str, steps: int, how: list[str]) -> None:
    torch.set_num_threads(1)
    step = made_step("small" in how)
    turns = switches() if "armed" in how else []
    times: dict[str, list[int]] = {"wall": [], "own": [], "all": []}
    for number in range(steps):
        if turns and number % _TURN == 0:
            turns[number // _TURN % 2]()
        begin = time.perf_counter_ns(), time.thread_time_ns(), time.process_time_ns()
        step()
        end = time.perf_counter_ns(), time.thread_time_ns(), time.process_time_ns()
        for kind, first, last in zip(times, begin, end, strict=True):
            times[kind].append(last - first)
    with open(path, "w", encoding="utf-8") as file:
        json.dump({**times, "peak_bytes": peak_bytes(), "torch": torch.__version__}, file)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3:])
