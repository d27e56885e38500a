"""A trace with very many streams, threads or steps: python benchmarks/crowded.py WHAT COUNT TARGET.json.gz

Made up, since nobody records such on purpose: an event on each stream or thread, four in each step.
"""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Callable, Iterator
from typing import Any

Event = dict[str, Any]

_APART_US = 100


def streams(count: int) -> Iterator[Event]:
    """A kernel on each stream."""
    for i in range(count):
        name = f"void gemm<{i % 50}>"
        yield _timed("kernel", name, 2.5 * i, 2 + i % 7 / 10, 0, 7 + i, device=0, stream=7 + i, correlation=i + 1)


def threads(count: int) -> Iterator[Event]:
    """An operator on each thread."""
    for i in range(count):
        yield _timed("cpu_op", "aten::mm", 2.5 * i, 2, 1, 7 + i, **{"External id": i + 1})


def steps(count: int) -> Iterator[Event]:
    """In each step an operator that launches a kernel."""
    for i in range(count):
        at, linked = _APART_US * i, {"External id": i + 1}
        yield _timed("user_annotation", f"ProfilerStep#{i}", at, _APART_US - 2, 1, 1)
        yield _timed("cpu_op", "aten::mm", at + 5, 20, 1, 1, **linked)
        yield _timed("cuda_runtime", "cudaLaunchKernel", at + 10, 8, 1, 1, correlation=i + 1, **linked)
        length = 40 + i % 20
        yield _timed("kernel", "gemm", at + 22, length, 0, 7, device=0, stream=7, correlation=i + 1, **linked)


KINDS: dict[str, Callable[[int], Iterator[Event]]] = {"streams": streams, "threads": threads, "steps": steps}


def _timed(category: str, name: str, at: float, length: float, process: int, thread: int, **args: Any) -> Event:
    place = {"pid": process, "tid": thread, "ts": 1000 + at, "dur": length}
    return {"ph": "X", "cat": category, "name": name, **place, "args": args}


def main() -> None:
    """Write the trace."""
    what, count, target = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    head = {"deviceProperties": [{"id": 0, "name": "NVIDIA H100 80GB HBM3", "numSms": 132}]}
    with gzip.open(target, "wt", compresslevel=1) as file:
        file.write(json.dumps(head)[:-1] + ', "traceEvents": [\n')
        for i, event in enumerate(KINDS[what](count)):
            file.write((",\n" if i else "") + json.dumps(event))
        file.write("\n]}\n")


if __name__ == "__main__":
    main()
