"""The doctor's checks as the app gets them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from fake_machine import FakeMachine
from served import Client, get
from stepscope.capture.doctor.examination import CHECKS
from stepscope.capture.doctor.state import FAILED, NOT_APPLICABLE, OK
from stepscope.messages.language import LANGUAGES

Serve = Callable[..., Client]


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> FakeMachine:
    made = FakeMachine({}, {}, {"/": 80 << 30})
    monkeypatch.setattr("stepscope.server.machine.ThisMachine", lambda: made)
    return made


def test_every_check_has_its_sentence_and_what_is_wrong_its_fix(serve: Serve, machine: FakeMachine) -> None:
    checks: list[dict[str, Any]] = get(serve(), "doctor")["checks"]
    assert [one["check"] for one in checks] == [one.name for one in CHECKS]
    assert all(one["text"]["text"][language] for one in checks for language in LANGUAGES)
    assert {one["status"] in (OK, NOT_APPLICABLE) for one in checks if one["fix"] is None} == {True}
    assert next(one["status"] for one in checks if one["check"] == "torch") == FAILED


def test_programs_are_not_started_for_every_request(
    serve: Serve, machine: FakeMachine, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []
    monkeypatch.setattr(type(machine), "which", lambda self, name: asked.append(name))
    client = serve()
    get(client, "doctor")
    count = len(asked)
    get(client, "doctor")
    assert len(asked) == count > 0
