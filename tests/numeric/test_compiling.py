"""Where compiled code is kept."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numba
import pytest

from stepscope.numeric import compiling


def test_modules_imported_by_two_threads_keep_their_code_in_the_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    """numba has one setting for the folder. The thread that was done first once reset it under the other one, whose
    compiled code then went into a folder ``numeric_...`` wherever the user stood."""
    before = numba.config.CACHE_DIR
    second_begun, first_done = threading.Event(), threading.Event()
    folders: dict[str, str] = {}

    def decorated(function: Callable[[], None]) -> None:
        if function is first:
            other.start()
            second_begun.wait(0.2)  # it is kept waiting until the first is done
        else:
            second_begun.set()
            first_done.wait(10)
        folders[function.__name__] = numba.config.CACHE_DIR

    def njit(**_: Any) -> Callable[[Callable[[], None]], None]:
        return decorated

    def first() -> None: ...

    def second() -> None: ...

    decorate = compiling._jit(cache=True)
    monkeypatch.setattr(numba, "njit", njit)
    other = threading.Thread(target=decorate, args=(second,))
    decorate(first)
    first_done.set()
    other.join(10)
    assert folders == {"first": compiling._FOLDER, "second": compiling._FOLDER}
    assert before == numba.config.CACHE_DIR
