"""Modules that are imported while something is read."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

import pytest

from stepscope.commands import preloading as module
from stepscope.commands.preloading import preloading


class AtOnce:
    """A thread that has done its work once it is started."""

    def __init__(self, target: Callable[[], None], daemon: bool) -> None:
        self.target, self.daemon = target, daemon

    def start(self) -> None:
        self.target()

    def join(self, timeout: float) -> None:
        pass


def test_modules_are_imported_once_and_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    imported: list[str] = []
    monkeypatch.setattr(module.threading, "Thread", AtOnce)
    monkeypatch.setattr(module, "import_module", imported.append)
    begin = preloading("scipy.special", "fluent.runtime")
    assert imported == []
    begin()
    begin()
    assert imported == ["scipy.special", "fluent.runtime"]


def test_what_cannot_be_imported_fails_where_it_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module.threading, "Thread", AtOnce)
    begin = preloading("stepscope.no_such_module")
    begin()
    with pytest.raises(ModuleNotFoundError):
        import_module("stepscope.no_such_module")
