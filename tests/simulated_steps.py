"""Made steps that tests of simulated changes share."""

from __future__ import annotations

from building import Event, call, kernel, operator, step

STEP = 1_000_000


def gpu_bound_steps() -> list[Event | list[Event]]:
    """Each of four runs a and b, one behind the other, for 1.2 and 0.8 ms; the host is ahead."""
    events: list[Event | list[Event]] = []
    start = 100_000
    for n in range(4):
        at = n * STEP
        events += [step(n, at, at + STEP), operator("aten::mm", at + 10_000, at + 50_000)]
        for name, length, place in (("a", 1_200_000, 20_000), ("b", 800_000, 60_000)):
            number = 2 * n + (name == "b") + 1
            events += [call(at + place, at + place + 5_000, number), kernel(name, start, start + length, number)]
            start += length
    return events
