"""stepscope: a stethoscope for training steps.

>>> import stepscope
>>> profile = stepscope.open("trace.json.gz")  # doctest: +SKIP
>>> profile.show("kernels")  # doctest: +SKIP
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from stepscope.api import OpenProfile, open

__version__ = "0.1.0"

__all__ = ["OpenProfile", "__version__", "open"]


def __getattr__(name: str) -> Any:
    """Load the analysis stack only when it is used, so that the import is quick."""
    if name in ("open", "OpenProfile"):
        from stepscope import api

        return getattr(api, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
