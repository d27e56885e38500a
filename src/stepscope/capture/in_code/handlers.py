"""For programs that record with ``torch.profiler`` or accelerate: files named and written as stepscope does it."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import Any

from stepscope.capture.agent.export import SUFFIX, Export
from stepscope.capture.agent.identity import process_name
from stepscope.capture.in_code.said import sentence
from stepscope.capture.plan import PRESETS

_WARMUP = 2


class _Given:
    """A profiler of the program, as `Export` takes one."""

    def __init__(self, profiler: Any) -> None:
        self._profiler = profiler

    def save(self, path: str) -> None:
        self._profiler.export_chrome_trace(path)

    def added(self) -> dict[str, Any]:
        return {}


def trace_handler(out: str | os.PathLike[str]) -> Callable[[Any], None]:
    """For ``on_trace_ready`` of ``torch.profiler.profile``: a file for each rank and cycle, quickly compressed.

    It is renamed when it is whole.

    Args:
        out: folder of the files.
    """
    folder = os.path.abspath(os.fspath(out))

    def ready(profiler: Any) -> None:
        os.makedirs(folder, exist_ok=True)
        export = Export(_Given(profiler), os.path.join(folder, f"{process_name()}.{time.time_ns()}{SUFFIX}"))
        export.run_here()
        export.finish({})
        if export.problem:
            raise OSError(export.problem)

    return ready


def accelerate_handler(out: str | os.PathLike[str], preset: str = "steady", **more: Any) -> Any:
    """``ProfileKwargs`` of accelerate, for ``Accelerator(kwargs_handlers=[...])``; ``accelerator.profile()`` records.

    Args:
        out: folder of the files.
        preset: as of `stepscope.profile`.
        more: what else ``ProfileKwargs`` takes, as ``record_shapes``.

    Raises:
        ImportError: accelerate is not installed.
        ValueError: there is no such preset.
    """
    try:
        from accelerate.utils import ProfileKwargs  # type: ignore[import-not-found, unused-ignore]
    except ImportError as error:
        raise ImportError(sentence("no-module", name="accelerate_handler", module="accelerate")) from error
    if preset not in PRESETS:
        raise ValueError(sentence("no-preset", name=repr(preset), known=", ".join(PRESETS)))
    chosen = PRESETS[preset]
    active = chosen.last - chosen.first + 1
    schedule = {
        "skip_first": chosen.first - _WARMUP,
        "wait": chosen.every - active - _WARMUP if chosen.every else 0,
        "warmup": _WARMUP,
        "active": active,
        "repeat": 0 if chosen.every else 1,
    }
    if chosen.every:
        # The first cycle would wait, too.
        schedule["skip_first"] = 0
    options = {"record_shapes": True, "with_stack": True, **more}
    return ProfileKwargs(schedule_option=schedule, on_trace_ready=trace_handler(out), **options)
