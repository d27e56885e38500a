"""stepscope: a stethoscope for training steps.

``stepscope.open("trace.json.gz")`` gives an `OpenProfile`: its ``verdict``, ``findings``, ``report()``,
``what_if("...")``, and every table by ``show("kernels")``, as Polars frames with times in ns. ``stepscope.diff(a, b)``
says what changed between two recordings. What goes wrong is a `StepscopeError` that says what was tried, what was
found, and what to do.

Inside a job: ``with stepscope.profile("runs/a") as p: ... p.step()`` records some steps; `steps`, `annotate`, `timed`,
`sweep`, `memory_history` and what fits Lightning, transformers and accelerate stand beside it (see docs/in-code.md).
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from stepscope.api import OpenComparison, OpenProfile, diff, open
    from stepscope.capture.in_code.annotations import annotate
    from stepscope.capture.in_code.handlers import accelerate_handler, trace_handler
    from stepscope.capture.in_code.memory import memory_history
    from stepscope.capture.in_code.profiles import StopAtStep, profile, steps
    from stepscope.capture.in_code.timing import sweep, timed
    from stepscope.errors import BadRequest, NotFound, StepscopeError, UnreadableInput
    from stepscope.reporters.svg.batch_sizes import draw

__version__ = "0.1.0"

_IN_CODE = {
    "profile": "profiles",
    "steps": "profiles",
    "StopAtStep": "profiles",
    "annotate": "annotations",
    "timed": "timing",
    "sweep": "timing",
    "memory_history": "memory",
    "trace_handler": "handlers",
    "accelerate_handler": "handlers",
}
"""What jobs use, and the module of `stepscope.capture.in_code` that has it."""

_MADE = {"LightningProfiler": "lightning_profiler", "TrainerCallback": "trainer_callback"}
"""Classes that are made when they are asked for, and what makes them."""

__all__ = [
    "BadRequest",
    "NotFound",
    "OpenComparison",
    "OpenProfile",
    "StepscopeError",
    "StopAtStep",
    "UnreadableInput",
    "__version__",
    "accelerate_handler",
    "annotate",
    "diff",
    "draw",
    "memory_history",
    "open",
    "profile",
    "steps",
    "sweep",
    "timed",
    "trace_handler",
]


def __getattr__(name: str) -> Any:
    """Load the analysis stack, or what runs in jobs, only when it is used: the import is quick and without torch."""
    if name in ("open", "OpenProfile", "diff", "OpenComparison"):
        from stepscope import api

        return getattr(api, name)
    if name in _IN_CODE:
        return getattr(import_module(f"stepscope.capture.in_code.{_IN_CODE[name]}"), name)
    if name == "draw":
        return import_module("stepscope.reporters.svg.batch_sizes").draw
    if name in _MADE:
        return getattr(import_module("stepscope.capture.in_code.trainers"), _MADE[name])()
    if name in __all__:
        from stepscope import errors

        return getattr(errors, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_MADE})
