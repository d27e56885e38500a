"""The factor by which the host as a whole differs."""

from __future__ import annotations

from pathlib import Path

import pytest

from building import Events, operator
from comparing.compared import compared
from stepscope.comparison.sentences import sentences
from stepscope.messages.rendering import render


def host(factor: float, slow: str = "", operators: int = 10):
    """Operators whose length a host of another speed multiplies; one takes five times as long."""

    def each(start: int, number: int) -> list[Events]:
        at, events = start, []
        for n in range(operators):
            length = round((10_000 + 1_000 * n) * factor * (5 if slow == f"aten::op{n}" else 1))
            events.append(operator(f"aten::op{n}", at, at + length))
            at += length
        return events

    return each


@pytest.mark.long
def test_a_slower_host_is_no_change_of_any_operator(tmp_path: Path) -> None:
    found = compared(tmp_path, host(1.0), host(1.4))
    assert found.host_pct == pytest.approx(40, abs=0.1)
    assert set(found.rows.filter(level="operator")["status"]) == {"same"}
    assert found.attribution.causes == ()


@pytest.mark.long
def test_an_operator_that_is_slower_than_the_host_is_changed(tmp_path: Path) -> None:
    found = compared(tmp_path, host(1.0), host(1.4, slow="aten::op3"))
    assert found.host_pct == pytest.approx(40, abs=0.1)
    changed = found.rows.filter(level="operator", status="changed")
    assert changed["key"].to_list() == ["aten::op3"]


@pytest.mark.long
def test_of_few_operators_no_factor_is_known(tmp_path: Path) -> None:
    found = compared(tmp_path, host(1.0, operators=4), host(1.4, operators=4))
    assert found.host_pct is None
    # What is not known is said to be taken out nowhere.
    said = [render(one) for one in sentences(found)]
    assert any(one.startswith("Without the speed of the host factored out, it is") for one in said)
    assert any(one.startswith("Cannot tell whether the host as a whole was faster or slower") for one in said)
