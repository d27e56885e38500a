"""Of several files of one rank, which is taken."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.messages.rendering import render
from stepscope.store.duplicates import Claim, reason, superseded


def claim(path: str, rank: int | None, start: int = 0, *, recorded: bool = True, events: int = 10) -> Claim:
    return Claim(path, rank, recorded, start, start + 100, events)


def reasons(claims: list[Claim]) -> dict[int, str]:
    return {at: render(reason(claims, at, lost)) for at, lost in superseded(claims).items()}


def test_files_of_different_ranks_are_all_taken() -> None:
    assert superseded([claim("a", 0), claim("b", 1), claim("c", None), claim("d", None)]) == {}


def test_of_two_runs_the_one_with_more_ranks_is_taken_whole() -> None:
    old = [claim(f"old/rank{rank}.json", rank, 0) for rank in range(3)]
    new = [claim(f"new/rank{rank}.json", rank, 5_000) for rank in range(2)]
    assert reasons([*old, *new]) == {
        at: f"rank {at - 3} is also in old/rank{at - 3}.json, which was recorded together with more of the other ranks"
        for at in (3, 4)
    }


def test_of_two_cycles_of_a_schedule_the_later_one_is_taken() -> None:
    files = [claim(f"rank{rank}.step{step}.json", rank, 1_000 * step) for rank in range(2) for step in (7, 12)]
    assert reasons(files) == {
        0: "rank 0 is also in rank0.step12.json, which was recorded later",
        2: "rank 1 is also in rank1.step12.json, which was recorded later",
    }


def test_of_two_copies_the_longer_one_is_taken_and_then_the_first() -> None:
    files = [claim("a.json", 0, events=3), claim("b.json", 0), claim("c.json", 0)]
    assert reasons(files) == {
        0: "rank 0 is also in b.json, which holds more events",
        2: "rank 0 is also in b.json, which comes first by name",
    }


def test_a_name_does_not_stand_against_what_a_trace_says() -> None:
    assert superseded([claim("rank1.json", 1, recorded=False), claim("x.json", 1)]) == {}


CLAIMS = st.builds(
    Claim,
    st.text("ab/", min_size=1, max_size=4),
    st.none() | st.integers(0, 3) | st.just(10**18),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.integers(-(2**70), 2**70),
    st.integers(0, 9),
)


@pytest.mark.long
@given(st.lists(CLAIMS, max_size=12))
def test_each_rank_keeps_exactly_one_file(claims: list[Claim]) -> None:
    lost = superseded(claims)
    kept = [(one.recorded, one.rank) for at, one in enumerate(claims) if at not in lost and one.rank is not None]
    assert sorted(set(kept)) == sorted(kept)
    assert set(kept) == {(one.recorded, one.rank) for one in claims if one.rank is not None}
    assert not any(one.rank is None for at, one in enumerate(claims) if at in lost)
