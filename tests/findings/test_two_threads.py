"""Detectors and simulations on two threads: the same findings in any order of time, and no failure is lost."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from building import Events, call, kernel, opened, operator, step
from stepscope.analyses import make_table
from stepscope.errors import BadRequest
from stepscope.findings import examination
from stepscope.findings.two_threads import TwoThreads, beside_others
from stepscope.messages import Message
from stepscope.messages.language import language, speaking
from stepscope.server.table_threads import Workers
from stepscope.store.profile import Profile

STEP = 1_000_000
SECONDS = 60
"""Longer than anything here takes on a busy machine; what waits so long waits for ever."""


@pytest.fixture
def open_anew(tmp_path: Path) -> Callable[[], Profile]:
    """Opens a recording with several findings and notes, of which nothing is computed yet."""

    def each(at: int, number: int) -> list[Events]:
        length = STEP * (5 if number < 10 else 1)
        return [
            step(number, at, at + length),
            operator("aten::mm", at + 10_000, at + 20_000),
            call(at + 11_000, at + 15_000, number),
            kernel("k", at + 20_000, at + 400_000, number),
            call(at + 100_000, at + 405_000, number + 1, name="cudaDeviceSynchronize"),
            operator("aten::item", at + 410_000, at + 500_000),
            call(at + 411_000, at + 415_000, number + 2, name="cudaMemcpyAsync"),
            operator("aten::mul", at + 510_000, at + length - 10_000),
        ]

    events = [each(STEP * (n + 4 * (n > 0)), 10 * n + 1) for n in range(6)]
    return lambda: opened(tmp_path, *events).profile


def backwards(_: TwoThreads, tasks: Iterable[Callable[[], Any]]) -> list[Any]:
    """`TwoThreads.results`, the last one first."""
    return [task() for task in reversed(list(tasks))][::-1]


def one_by_one(_: TwoThreads, tasks: Iterable[Callable[[], Any]]) -> list[Any]:
    return [task() for task in tasks]


def test_results_stand_in_the_order_of_their_tasks_whichever_ends_first() -> None:
    second_ended = threading.Event()

    def first() -> str:
        assert second_ended.wait(SECONDS)
        return "first"

    def second() -> str:
        second_ended.set()
        return "second"

    with TwoThreads() as threads:
        assert threads.results([first, second]) == ["first", "second"]


def test_what_a_task_raises_reaches_the_caller_and_no_thread_stays() -> None:
    def broken(number: int) -> int:
        raise BadRequest(*(Message("text-plain", text=str(number)) for _ in range(3)))

    with pytest.raises(BadRequest) as raised, TwoThreads() as threads:
        threads.results([lambda: 0, lambda: broken(1), lambda: broken(2)])
    assert raised.value.tried == Message("text-plain", text="1")
    assert not [one for one in threading.enumerate() if one.name.startswith("stepscope-findings")]


def test_what_fails_ahead_of_time_is_left_to_whoever_asks() -> None:
    seen: list[str] = []

    def broken() -> None:
        seen.append("broken")
        raise ZeroDivisionError

    with TwoThreads() as threads:
        threads.begin(broken, lambda: seen.append("later"))
        threads.results([])
    assert seen == ["broken", "later"]


def test_blocks_inside_one_another_do_not_wait_for_each_others_threads() -> None:
    def deep(levels: int) -> int:
        if levels == 0:
            return 1
        with TwoThreads() as threads:
            return sum(threads.results([lambda: deep(levels - 1)] * 3))

    assert deep(3) == 27


def test_beside_others_everything_runs_on_the_thread_that_asks() -> None:
    """Seen as 50 MB more of a report: its own two threads had two more each, with arrays at work in all of them."""
    with beside_others(), TwoThreads() as threads:
        threads.begin(lambda: pytest.fail("nobody waits for it"))
        ran_on = threads.results([threading.get_ident] * 2)
    assert ran_on == [threading.get_ident()] * 2
    with TwoThreads() as threads:
        assert threading.get_ident() not in threads.results([threading.get_ident])


def test_an_idle_thread_takes_over_what_has_not_begun() -> None:
    helped = threading.Event()

    def waits() -> int:
        assert helped.wait(SECONDS)
        return threading.get_ident()

    def helps() -> int:
        helped.set()
        return threading.get_ident()

    with ThreadPoolExecutor(2) as pool, beside_others(pool), TwoThreads() as threads:
        waited, helped_from = threads.results([waits, helps])
    assert waited != helped_from


def test_threads_that_help_one_another_never_stand_still() -> None:
    def deep(levels: int) -> int:
        with TwoThreads() as threads:
            return sum(threads.results([lambda: deep(levels - 1)] * 3)) if levels else 1

    with ThreadPoolExecutor(2) as pool, beside_others(pool):
        futures = [pool.submit(copy_context().run, deep, 4) for _ in range(2)]
        assert [future.result(SECONDS) for future in futures] == [81, 81]


def test_what_fails_beside_idle_threads_reaches_the_caller_and_nothing_more_begins() -> None:
    seen: list[int] = []

    def broken() -> None:
        raise ZeroDivisionError

    with ThreadPoolExecutor(1) as pool:
        blocked = threading.Event()
        pool.submit(blocked.wait, SECONDS)
        with beside_others(pool), TwoThreads() as threads, pytest.raises(ZeroDivisionError):
            threads.results([lambda: seen.append(1), broken, lambda: seen.append(3)])
        blocked.set()
    assert seen == [1]


def test_the_server_has_no_threads_but_its_own() -> None:
    """Those of an executor would hold up its end until what they compute is done."""

    def ran_on() -> tuple[list[int], int]:
        with TwoThreads() as threads:
            return threads.results([threading.get_ident]), threading.get_ident()

    ran, asked = Workers(1, "test").submit(ran_on).result(SECONDS)
    assert ran == [asked]


def test_tasks_speak_the_language_of_the_caller() -> None:
    with speaking("zh"), TwoThreads() as threads:
        assert threads.results([language, language]) == ["zh", "zh"]


@pytest.mark.long
@pytest.mark.parametrize("order", [one_by_one, backwards])
def test_findings_are_the_same_in_any_order(
    open_anew: Callable[[], Profile], monkeypatch: pytest.MonkeyPatch, order: Callable[..., list[Any]]
) -> None:
    found = make_table(open_anew(), "findings")
    assert found["id"].to_list() == ["synchronize", "first-step"]
    monkeypatch.setattr(TwoThreads, "results", order)
    monkeypatch.setattr(TwoThreads, "begin", lambda *_: None)
    assert_frame_equal(make_table(open_anew(), "findings"), found)


@pytest.mark.long
@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="no core can be chosen here")
def test_findings_are_the_same_on_one_core(open_anew: Callable[[], Profile]) -> None:
    found = make_table(open_anew(), "findings")
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    try:
        assert_frame_equal(make_table(open_anew(), "findings"), found)
    finally:
        os.sched_setaffinity(0, before)


@pytest.mark.long
def test_several_who_ask_at_once_get_the_same(open_anew: Callable[[], Profile]) -> None:
    """As in the server: threads of their own, of which each asks for findings, or for what they rest on."""
    profile = open_anew()
    tables = ["findings", "step_time", "findings", "operators", "findings", "steps"]
    with ThreadPoolExecutor(len(tables)) as pool:
        asked = [pool.submit(make_table, profile, table) for table in tables]
        made = [one.result(SECONDS) for one in asked]
    for table, frame in zip(tables, made, strict=True):
        assert_frame_equal(frame, make_table(open_anew(), table))


@pytest.mark.long
def test_failures_are_named_in_the_order_of_detectors(
    open_anew: Callable[[], Profile], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("STEPSCOPE_DEBUG", raising=False)
    last_failed = threading.Event()

    def detector(name: str, wait: bool) -> Callable[[object], list[Any]]:
        def detect(_: object) -> list[Any]:
            if wait:
                assert last_failed.wait(SECONDS)
            else:
                last_failed.set()
            raise ZeroDivisionError

        detect.__module__ = f"stepscope.findings.detectors.{name}"
        return detect

    monkeypatch.setattr(examination, "_DETECTORS", (detector("first", True), detector("last", False)))
    profile = open_anew()
    found = examination.examine(profile, profile.ranks[0])
    assert found is not None
    assert [one["what"] for one in found.failures] == ["first", "last"]


@pytest.mark.long
def test_what_a_user_can_change_ends_the_examination(
    open_anew: Callable[[], Profile], monkeypatch: pytest.MonkeyPatch
) -> None:
    def detect(_: object) -> list[Any]:
        raise MemoryError

    monkeypatch.setattr(examination, "_DETECTORS", (detect, *examination._DETECTORS))
    with pytest.raises(MemoryError):
        make_table(open_anew(), "findings")
    monkeypatch.undo()
    assert isinstance(make_table(open_anew(), "findings"), pl.DataFrame)
