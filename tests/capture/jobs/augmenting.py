"""A small training program on the CPU that records itself; run in a process of its own for each recording.

    python augmenting.py OUT LOOPS

``LOOPS`` are the turns of a loop in which a batch is augmented, in Python and in one call: more of them make the step
longer, and nothing new or gone.
"""

from __future__ import annotations

import sys

import torch
from torch import nn
from torch.profiler import ProfilerActivity, profile, schedule

_WARM_UP, _ACTIVE = 10, 12


def main(out: str, loops: int) -> None:
    torch.set_num_threads(1)
    torch.manual_seed(0)
    layers = [layer for _ in range(4) for layer in (nn.Linear(128, 128), nn.ReLU())]
    net = nn.Sequential(*layers, nn.Linear(128, 32))
    optimizer = torch.optim.AdamW(net.parameters(), foreach=True)

    def step() -> None:
        batch = augmented(torch.randn(32, 128), loops)
        net(batch).square().mean().backward()
        optimizer.step()
        optimizer.zero_grad()

    options = {"record_shapes": True, "with_stack": True, "profile_memory": True}
    plan = schedule(wait=1, warmup=_WARM_UP, active=_ACTIVE, repeat=1)
    write = lambda done: done.export_chrome_trace(out)  # noqa: E731 - a keyword below
    with profile(activities=[ProfilerActivity.CPU], schedule=plan, on_trace_ready=write, **options) as recorder:
        for _ in range(1 + _WARM_UP + _ACTIVE):
            step()
            recorder.step()


def augmented(batch: torch.Tensor, loops: int) -> torch.Tensor:
    """A batch, after some turns of a loop in Python."""
    for _ in range(loops):
        pass
    return batch


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
