"""Names in recordings of Ascend: processes of a timeline, files of a folder."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from stepscope.readers.sources import is_below

HARDWARE, CANN, OVERLAP = "Ascend Hardware", "CANN", "Overlap Analysis"
COMMUNICATION = ("Communication", "HCCL")
"""Processes of a timeline that are rows of it, and none of the machine."""

FRAMEWORK = ("MindSpore", "CPU OP")
"""Processes whose events are operators without a category."""

PLANE = r"^Plane\b"
"""Names of threads that hold the parts of collectives."""

OUTPUT = "ASCEND_PROFILER_OUTPUT"
ON_HOST, ON_DEVICE = "FRAMEWORK", "PROF_"
"""Beginnings of the names of folders that hold what was recorded on the host and on a device, not analysed yet."""

VIEW, KERNELS, STEPS = "trace_view.json", "kernel_details.csv", "step_trace_time.csv"
COLLECTIVES, MATRIX, METADATA = "communication.json", "communication_matrix.json", "profiler_metadata.json"
MEMORY, MODULES, ALLOCATIONS = "memory_record.csv", "npu_module_mem.csv", "operator_memory.csv"
ANALYSED = {KERNELS, STEPS, COLLECTIVES, "operator_details.csv", "op_statistic.csv"}
"""Files that lie beside the timeline of a run on an NPU."""

ANALYSIS = re.compile(r"(?:analysis|communication_analyzer)\.db")
DATABASE = re.compile(r"ascend_(?:pytorch|mindspore)_profiler(?:_(\d{1,6}))?\.db")
DATABASE_NAME = "ascend_pytorch_profiler.db"
INFO = re.compile(r"profiler_info(?:_(\d{1,6}))?\.json")
RUN = re.compile(r"_ascend_(pt|ms)$")
HANDLED_RUN = re.compile(r"^(?P<worker>.+)_(?P<time>\d{17})_ascend_(pt|ms)$")
"""How the profilers name the folder of a run: host and process, then a time from the year down to the ms."""


def files_of(folder: str) -> dict[str, str]:
    """Paths of the files of a run, by name; links that lead elsewhere are none.

    Args:
        folder: of the run, or the one in it that holds the analysed files.
    """
    real = os.path.realpath(folder)
    is_output = os.path.basename(real) == OUTPUT
    root = os.path.dirname(real) if is_output else real
    found: dict[str, str] = {}
    for place in (folder, os.path.dirname(os.path.abspath(folder)) if is_output else os.path.join(folder, OUTPUT)):
        if os.path.isdir(place) and is_below(place, root):
            found |= {name: path for name, path in _files(place, root) if name not in found}
    return found


def _files(place: str, root: str) -> Iterator[tuple[str, str]]:
    for name in sorted(os.listdir(place)):
        path = os.path.join(place, name)
        if os.path.isfile(path) and is_below(path, root):
            yield name, path
