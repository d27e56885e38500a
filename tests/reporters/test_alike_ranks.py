"""Ranks that say the same share a line; those that differ keep theirs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from building import flat, kernel, launched, opened, step
from stepscope.findings.kept_tables import made_verdicts
from stepscope.findings.verdict import Verdict
from stepscope.messages import Message
from stepscope.reporters.sections.alike_ranks import alike_ranks


@pytest.fixture
def verdict(tmp_path: Path) -> Verdict:
    profile = opened(tmp_path, *flat([step(0, 0, 100), launched(kernel("gemm", 20, 60, 1), 10)])).profile
    from stepscope.analyses import make_table

    return made_verdicts(profile, lambda: make_table(profile, "utilization"))[0]


def saying(one: Verdict, rank: int, pct: float, step_ns: int, **more: object) -> Verdict:
    first = Message("verdict-communication", share_pct=pct, inside=Message("clause", ms=step_ns), **more)  # type: ignore[arg-type]
    return replace(one, rank=rank, step_ns=step_ns, sentences=(first, Message("verdict-step", step_ns=step_ns)))


def test_numbers_that_are_near_are_one_line_of_the_longest_step(verdict: Verdict) -> None:
    each = [saying(verdict, rank, 94 + rank, 1_000_000 + 9_000 * (rank == 2)) for rank in range(4)]
    (all_of_them,) = alike_ranks(each)
    assert all_of_them.ranks == (0, 1, 2, 3)
    assert all_of_them.label(of=4) == "every rank, as rank 2: "
    assert all_of_them.label(of=64) == "ranks 0-3, as rank 2: "


@pytest.mark.parametrize("other", [{"pct": 60.0}, {"step_ns": 2_000_000}, {"where": "rank 1"}])
def test_one_that_differs_keeps_its_line(verdict: Verdict, other: dict[str, object]) -> None:
    plain = {"pct": 94.0, "step_ns": 1_000_000}
    each = [saying(verdict, 0, **plain), saying(verdict, 1, **(plain | other)), saying(verdict, 2, **plain)]  # type: ignore[arg-type]
    found = alike_ranks(each)
    assert [one.ranks for one in found] == [(0, 2), (1,)]
    assert [one.label(of=3) for one in found] == ["ranks 0, 2, as rank 0: ", "rank 1: "]
