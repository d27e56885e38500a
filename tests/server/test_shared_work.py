"""Work is done once for all who ask, and not at all when they have gone."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from building import operator, step, write
from stepscope.server import shared_work
from stepscope.server.app import make_app
from stepscope.server.shared_work import SharedWork
from stepscope.server.table_threads import Workers


@pytest.fixture
def work() -> SharedWork:
    return SharedWork(Workers(1, "test"))


def held_up(work: SharedWork) -> Callable[[], None]:
    """Keep the only worker busy until what is returned is called."""
    go_on, begun = threading.Event(), threading.Event()
    work.ask("first", lambda: begun.set() or go_on.wait(30))
    assert begun.wait(30)
    return go_on.set


def test_two_who_ask_share_one_piece_of_work(work: SharedWork) -> None:
    calls: list[int] = []
    go_on = held_up(work)
    asked = [work.ask("a", lambda: calls.append(1) or "done") for _ in range(2)]
    go_on()
    assert [waiting.future.result(30) for waiting in asked] == ["done", "done"]
    assert calls == [1]
    assert work.done("a") == "done"


def test_work_is_not_begun_when_everybody_has_gone(work: SharedWork) -> None:
    calls: list[str] = []
    go_on = held_up(work)
    left = [work.ask("left", lambda: calls.append("left")) for _ in range(2)]
    stays, goes = (work.ask("half", lambda: calls.append("half")) for _ in range(2))
    for waiting in (*left, goes):
        waiting.leave()
    go_on()
    stays.future.result(30)
    assert calls == ["half"]
    assert work.done("left") is None
    work.ask("left", lambda: calls.append("again")).future.result(30)
    assert calls == ["half", "again"]


def test_a_failure_is_not_kept(work: SharedWork) -> None:
    with pytest.raises(ZeroDivisionError):
        work.ask("a", lambda: 1 / 0).future.result(30)
    assert work.done("a") is None
    assert work.ask("a", lambda: 1).future.result(30) == 1


def test_the_oldest_results_go_when_there_is_no_room(work: SharedWork, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared_work, "KEEP_BYTES", 30_000)
    for key in "abcd":
        work.ask(key, lambda: 10_000, lambda size: size).future.result(30)
    work.ask("e", lambda: 10, lambda size: size).future.result(30)
    assert [work.done(key) for key in "abcde"] == [None, None, 10_000, 10_000, 10]


def test_a_page_that_went_away_leaves_no_work_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Dragging over the steps asks for many tables and drops the requests again."""
    write(tmp_path / "a.json", step(1, 0, 10), step(2, 10, 20), operator("aten::mm", 0, 5))
    made: list[bool] = []  # whether of some steps: of the whole run, its summary asks for tables meanwhile
    monkeypatch.setattr(
        "stepscope.findings.kept_tables.make_table",
        lambda profile, *_: made.append(any(rank.is_limited for rank in profile.ranks)),
    )
    monkeypatch.setattr("stepscope.server.opening._FIRST_TABLES", ())  # made once the run is open, whoever asked
    app = make_app(str(tmp_path), web=tmp_path)
    go_on = threading.Event()
    work: SharedWork = app._app.state.tables._work  # type: ignore[attr-defined]
    for number in range(2):
        work.ask(number, lambda: go_on.wait(30))
    messages = [{"type": "http.request", "body": b"", "more_body": False}, {"type": "http.disconnect"}]
    sent: list[Any] = []

    async def receive() -> Any:
        return messages.pop(0)

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "method": "GET",
        "path": "/api/table",
        "raw_path": b"/api/table",
        "query_string": b"run=a.json&table=steps&step=2",
        "headers": [(b"host", b"localhost")],
    }
    asyncio.run(app(scope, receive, send))
    go_on.set()
    work.ask("last", lambda: None).future.result(30)
    assert sent[0]["status"] == 409
    assert not any(made)
