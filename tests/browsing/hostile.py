"""A trace whose names would do harm if they were taken for anything but text."""

from __future__ import annotations

from pathlib import Path

from building import annotation, kernel, launched, memcpy, operator, step, timed, write

EVIL = "<img src=x onerror=window.harm=1><script>window.harm=1</script>"
LONG = EVIL + "k" * 4000
RIGHT_TO_LEFT = "\u202egnp.exe\u202c \u0645\u0631\u062d\u0628\u0627"
CONTROL = "bell\x07 escape\x1b[31m null\x00 line\nbreak\ttab"
NAMES = [
    EVIL,
    LONG,
    RIGHT_TO_LEFT,
    CONTROL,
    "__proto__",
    "=HYPERLINK(1)",
    "${window.harm=1}",
    "{{harm}}",
    "' OR 1=1 --",
]


def hostile(path: Path) -> Path:
    """Write a trace of two steps, all of whose names are hostile: operators, kernels, ranges, frames, arguments."""
    events = []
    for number in range(2):
        at = number * 1_000_000
        events.append(step(number + 1, at, at + 1_000_000))
        events.append(annotation(LONG, at + 1000, at + 900_000))
        for i, name in enumerate(NAMES):
            begin, id_ = at + 10_000 + i * 50_000, number * 100 + i + 1
            shapes = {"Input Dims": [[2, 2]], "Input type": [EVIL], "Concrete Inputs": [EVIL], EVIL: EVIL}
            events.append(operator(name, begin, begin + 40_000, **shapes))
            frame = timed("python_function", f"{EVIL}.py(3): {name}", begin - 10, begin + 40_010, process=1, thread=1)
            events.append(frame)
            events.append(launched(kernel(name, begin + 20_000, begin + 60_000, id_, grid=[1, 1, 1]), begin + 5000))
            events.append(
                timed("python_function", f"nn.Module: {EVIL}_{i}", begin, begin + 39_000, process=1, thread=1)
            )
        events.append(launched(memcpy(at + 800_000, at + 810_000, number * 100 + 90, name=EVIL), at + 790_000))
    named = {"ph": "M", "pid": 1, "tid": 1, "name": "thread_name", "args": {"name": EVIL}}
    process = {"ph": "M", "pid": 1, "tid": 0, "name": "process_name", "args": {"name": EVIL}}
    device = {"id": 0, "name": EVIL, "numSms": 100, "totalGlobalMem": 1000}
    return write(path, *events, named, process, deviceProperties=[device], distributedInfo={"backend": EVIL, "rank": 0})
