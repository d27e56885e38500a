"""Modules that are imported while something is read."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from threading import Thread
from types import SimpleNamespace
from typing import Any

import pytest

from stepscope.commands import preloading as module
from stepscope.commands.preloading import opened_in_turn, preloading
from stepscope.findings.two_threads import TwoThreads
from stepscope.messages import rendering
from stepscope.messages.language import CHINESE, language, speaking


class AtOnce:
    """A thread that has done its work once it is started."""

    def __init__(self, target: Callable[[], None], daemon: bool) -> None:
        self.target, self.daemon = target, daemon

    def start(self) -> None:
        self.target()

    def join(self, timeout: float) -> None:
        pass


class Started:
    """Makes one thread, and knows it."""

    def __init__(self) -> None:
        self.only: Thread

    def thread(self, target: Callable[[], None], daemon: bool) -> Thread:
        self.only = Thread(target=target, daemon=daemon)
        return self.only


def test_modules_are_imported_once_and_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    imported: list[str] = []
    monkeypatch.setattr(module.threading, "Thread", AtOnce)
    monkeypatch.setattr(module, "import_module", imported.append)
    begin = preloading("scipy.special", "fluent.runtime")
    assert imported == []
    begin()
    begin()
    assert imported == ["scipy.special", "fluent.runtime"]


def test_words_are_loaded_in_the_language_of_who_waits_for_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a thread of its own that is done before the test goes on."""
    loaded: list[str] = []
    monkeypatch.setattr(rendering, "prepare", lambda: loaded.append(language()))
    started = Started()
    monkeypatch.setattr(module.threading, "Thread", started.thread)
    with speaking(CHINESE):
        preloading("json")()
    started.only.join()
    assert loaded == [CHINESE]


def test_what_cannot_be_imported_fails_where_it_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module.threading, "Thread", AtOnce)
    begin = preloading("stepscope.no_such_module")
    begin()
    with pytest.raises(ModuleNotFoundError):
        import_module("stepscope.no_such_module")


@pytest.mark.parametrize(("number", "examined"), [(None, [7]), (1, [1]), (7, [7, 7]), (2, [])])
def test_recordings_are_examined_while_the_next_one_is_read(
    monkeypatch: pytest.MonkeyPatch, number: int | None, examined: list[int]
) -> None:
    """Of a job without a chosen rank the comparison knows which one, and not before all are open. The last one was
    examined too, on one thread, and the comparison waited for it."""
    seen: list[int] = []
    monkeypatch.setattr(module, "_examine", lambda rank: seen.append(rank.number))
    monkeypatch.setattr(TwoThreads, "begin", lambda threads, task: task())
    job, single, last = (
        SimpleNamespace(ranks=[SimpleNamespace(number=one) for one in of]) for of in ((0, 1, 7), (7,), (1, 7))
    )
    openings: list[Callable[[], Any]] = [lambda: job, lambda: single, lambda: last]
    assert opened_in_turn(openings, number) == [job, single, last]
    assert seen == examined


def test_what_cannot_be_examined_is_refused_by_the_comparison() -> None:
    empty: Any = SimpleNamespace(ranks=[SimpleNamespace(number=0)])  # nothing that a rank has
    assert opened_in_turn([lambda: empty, lambda: empty]) == [empty, empty]
