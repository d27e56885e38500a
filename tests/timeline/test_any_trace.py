"""The timeline of every kind of trace, and of every recording."""

from __future__ import annotations

from pathlib import Path

import pytest

import stepscope
from building import Events, kernel, opened, operator, timed
from meagre_traces import KINDS
from oracles.timeline import shown_rows, timed_rows
from stepscope.timeline import open_timeline
from timeline_checks import check_timeline

_EPOCH = 1_790_000_000_123_456_789
_KINDS: dict[str, list[Events]] = {
    **KINDS,
    "one event": [operator("a", 5, 5)],
    "times of the epoch": [operator("a", _EPOCH, _EPOCH + 3), kernel("k", _EPOCH + 1, _EPOCH + 9)],
    "times before zero": [operator("a", -5000, 3000), operator("b", -4000, -1000), kernel("k", -10, 20)],
    "a long life": [operator("a", 0, 1), operator("b", 1 << 61, (1 << 61) + 5)],
    "no threads": [operator("a", 0, 10) | {"pid": None, "tid": None}, kernel("k", 2, 5) | {"pid": None, "tid": None}],
    "no device": [timed("kernel", "k", 0, 10, process="GPU", thread="stream seven")],
    "strange numbers": [timed("kernel", "k", 0, 10, process=0, thread=7, device=-1, stream=1 << 61)],
    "frames that outlast their callers": [
        timed("python_function", "a.py(1): f", 0, 50, process=1, thread=1),
        timed("python_function", "<built-in len>", 10, 90, process=1, thread=1),
        timed("python_function", "a.py(9): g", 60, 70, process=1, thread=1),
        operator("aten::mm", 62, 65),
    ],
    "deep": [operator(f"level {i}", i, 1000 - i) for i in range(400)],
    "a name that is markup": [operator("<img src=x onerror=alert(1)>", 0, 10)],
    "a long name": [kernel("k" * 4000, 0, 10)],
    "arguments of all kinds": [
        operator("a", 0, 10, big=1 << 60, none=None, yes=True, part=1.5, text='"', several=[1, {"x": 2}]),
        operator("b", 20, 30, nan=float("nan"), deep={"a": {"b": [None]}}),
    ],
    "times at the end of 64 bits": [operator("a", 0, 5), kernel("k", (1 << 63) - 100, (1 << 63) - 90)],
}


@pytest.mark.parametrize("kind", _KINDS)
def test_made_traces(tmp_path: Path, kind: str) -> None:
    timeline = open_timeline(opened(tmp_path, *_KINDS[kind]).profile)
    check_timeline(timeline)
    if timeline.end < 1 << 53:  # offsets are floats
        assert shown_rows(timeline) == timed_rows(timeline.profile)


@pytest.mark.long
@pytest.mark.parametrize("name", ["ddp4_straggler", "batch_size.slow.pt.trace.json.gz"])
def test_examples(examples: Path, name: str) -> None:
    check_timeline(open_timeline(stepscope.open(str(examples / name)).profile))


_RECORDINGS = ("cpu", "h200/train", "h200/pairs", "h200/ranks/ddp4", "h200/diverse", "public/hta", "public/tracelens")


@pytest.mark.slow
@pytest.mark.real_trace
@pytest.mark.parametrize("folder", _RECORDINGS)
def test_recordings(shared_data: Path, folder: str) -> None:
    paths = sorted(path for path in (shared_data / folder).rglob("*") if path.name.endswith((".json", ".json.gz")))
    for path in paths:
        try:
            profile = stepscope.open(str(path)).profile
        except stepscope.errors.UnreadableInput:
            continue  # not every file there is a trace
        check_timeline(open_timeline(profile))
