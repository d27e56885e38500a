"""stepscope: a stethoscope for training steps.

``stepscope.open("trace.json.gz")`` gives an `OpenProfile`: its ``verdict``, ``findings``, ``report()``,
``what_if("...")``, and every table by ``show("kernels")``, as Polars frames with times in ns. What goes wrong is a
`StepscopeError` that says what was tried, what was found, and what to do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from stepscope.api import OpenProfile, open
    from stepscope.errors import BadRequest, NotFound, StepscopeError, UnreadableInput

__version__ = "0.1.0"

__all__ = ["BadRequest", "NotFound", "OpenProfile", "StepscopeError", "UnreadableInput", "__version__", "open"]


def __getattr__(name: str) -> Any:
    """Load the analysis stack only when it is used, so that the import is quick."""
    if name in ("open", "OpenProfile"):
        from stepscope import api

        return getattr(api, name)
    if name in __all__:
        from stepscope import errors

        return getattr(errors, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
