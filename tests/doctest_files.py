"""Doctests are looked for in the files that have any: one in twenty. Looking through the others' objects takes seconds.

A plugin instead of a hook of ``conftest.py``, whose hooks are asked for the files of its own folder alone.
"""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import pytest
from _pytest.doctest import DoctestModule

_Collectors = list[pytest.Collector]


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path) -> Generator[None, _Collectors, _Collectors]:
    collectors = yield
    if file_path.suffix != ".py" or b">>>" in file_path.read_bytes():
        return collectors
    return [one for one in collectors if not isinstance(one, DoctestModule)]
