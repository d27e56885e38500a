"""Traces of few events that each lack something, for what must hold for any trace."""

from __future__ import annotations

from building import Events, annotation, call, kernel, launched, memcpy, memset, operator, step

_WORK = [launched(kernel("gemm", 20, 60, 1), 4), launched(memcpy(60, 70, 2), 12), launched(memset(70, 75, 3), 16)]
KINDS: dict[str, list[Events]] = {
    "a label": [{"ph": "M", "name": "process_name", "pid": 1, "ts": 0, "args": {"name": "python"}}],
    "host only": [step(1, 0, 100), operator("aten::mm", 0, 30)],
    "GPU only": [kernel("gemm", 20, 60), kernel("ncclDevKernel_AllReduce", 50, 90, stream=9)],
    "graphs only": [call(0, 9, 1, name="cudaGraphLaunch"), kernel("a", 20, 30, 1), kernel("b", 40, 50, 1)],
    "annotations only": [annotation("load", 0, 10), annotation("train", 10, 90)],
    "no steps": [operator("aten::mm", 0, 30), *_WORK],
    "no names": [event | {"name": None} for event in (operator("x", 0, 30), call(4, 6, 1), kernel("k", 20, 60, 1))],
    "no lengths": [step(1, 0, 0), operator("aten::mm", 0, 0), launched(kernel("k", 5, 5, 1), 0)],
    "memory only": [{"ph": "i", "cat": "cpu_instant_event", "name": "[memory]", "ts": 5, "args": {"Bytes": 8}}],
    "counters only": [
        {"ph": "C", "name": "Power (W)", "pid": "GPU 0 Counters", "ts": ts, "args": {"": value}}
        for ts, value in ((5, 312.5), (6, None), (7, "nan"), (5, 300))
    ],
    "a loader": [step(1, 0, 100), annotation("enumerate(DataLoader)#Other.__next__", 0, 30), *_WORK],
    "a step": [step(7, 0, 100), operator("aten::mm", 2, 30), *_WORK],
}
