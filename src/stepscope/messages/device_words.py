"""What GPUs are called: NPUs, where all that was recorded ran on such.

Catalogues and headings say GPU. Texts of a recording are never changed: only the words around them are looked at.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_are_npus: ContextVar[bool] = ContextVar("are_npus", default=False)
_GPU = re.compile(r"\bGPU(s?)\b")
_MODULE = re.compile(r"\btorch\.cuda\.(?=synchronize|empty_cache|Event)")
_EVENTS = re.compile(r"\bCUDA (?=events\b)")
_CALLS = re.compile(r"\bCUDA (?=calls\b|调用)")


def are_npus() -> bool:
    """Whether NPUs are spoken of."""
    return _are_npus.get()


def speak_of_npus(chosen: bool) -> None:
    """From here on GPUs are called NPUs, or not."""
    _are_npus.set(chosen)


@contextmanager
def speaking_of_npus(chosen: bool) -> Iterator[None]:
    """Everything inside calls GPUs NPUs, or not."""
    token = _are_npus.set(chosen)
    try:
        yield
    finally:
        _are_npus.reset(token)


def in_device_words(text: str, npus: bool | None = None) -> str:
    """A text as it is said of the devices that are spoken of.

    Args:
        npus: whether these are NPUs; None for those that are spoken of.

    >>> in_device_words("GPU busy; remove torch.cuda.synchronize()", npus=True)
    'NPU busy; remove torch.npu.synchronize()'
    """
    if not (are_npus() if npus is None else npus):
        return text
    text = _CALLS.sub("CANN ", text)
    return _EVENTS.sub("NPU ", _MODULE.sub("torch.npu.", _GPU.sub(r"NPU\1", text)))
