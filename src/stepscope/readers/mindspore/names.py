"""Which files of MindSpore's profiler are read, by their names: ``WHAT_DEVICE.ENDING``."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator

from stepscope.readers.sources import is_below

RAW = (
    *("gpu_op_execute_timestamp", "cpu_op_execute_timestamp", "activity_execute_timestamp", "start_time"),
    *("gpu_op_detail_info", "cpu_op_detail_info", "gpu_activity_data", "step_trace_profiling", "step_trace_raw"),
)
"""What the GPU's and the CPU's profiler write; the last one is derived, and read where nothing else has the steps."""

PIPELINE = (
    *("pipeline_profiling", "minddata_cpu_utilization", "device_queue_profiling", "dataset_iterator_profiling"),
    *("minddata_getnext_profiling", "minddata_aicpu"),
)
"""What MindData writes."""

INFO = "profiler_info"
"""What says which version and mode of MindSpore ran."""

_BELOW = ("FRAMEWORK", "ASCEND_PROFILER_OUTPUT")
"""Folders of a run's folder that hold its files, since MindSpore 2.5."""

VIEW = "trace_view.json"
_FILE = re.compile(r"([a-z_]+?)_(\d{1,6})(?:_detail_time)?\.(?:json|txt|csv)")


def parts_of(name: str) -> tuple[str, int] | None:
    """What a file holds and the number of its device; None of a name of another kind.

    >>> parts_of("gpu_op_detail_info_3.csv"), parts_of("step_trace_raw_0_detail_time.csv"), parts_of("notes_1.doc")
    (('gpu_op_detail_info', 3), ('step_trace_raw', 0), None)
    """
    found = _FILE.fullmatch(name)
    return (found[1], int(found[2])) if found else None


def devices(names: Iterable[str], wanted: Iterable[str]) -> set[int]:
    """The devices of which there is a file of some kinds."""
    known = set(wanted)
    parts = (parts_of(name) for name in names)
    return {part[1] for part in parts if part is not None and part[0] in known}


def files_of(folder: str) -> dict[int, dict[str, str]]:
    """Paths of the files that are read, by device and by what they hold; links that lead elsewhere are none."""
    found: dict[int, dict[str, str]] = {}
    for path in _files(folder):
        part = parts_of(os.path.basename(path))
        if part is not None and part[0] in (*RAW, *PIPELINE, INFO):
            found.setdefault(part[1], {}).setdefault(part[0], path)
    return found


def view_of(folder: str) -> str | None:
    """The timeline of a run's folder; None where it has none."""
    return next((path for path in _files(folder) if os.path.basename(path) == VIEW), None)


def _files(folder: str) -> Iterator[str]:
    """Files of a folder, then of those below it that belong to the run."""
    real = os.path.realpath(folder)
    for place in (folder, *(os.path.join(folder, name) for name in _BELOW)):
        if os.path.isdir(place) and is_below(place, real):
            paths = (os.path.join(place, name) for name in sorted(os.listdir(place)))
            yield from (path for path in paths if os.path.isfile(path) and is_below(path, real))
