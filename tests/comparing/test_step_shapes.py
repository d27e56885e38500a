"""Steps of one shape: compared apart from steps that do other work, where both sides have them."""

from __future__ import annotations

from pathlib import Path

import pytest

from building import Events, kernel, launched, operator
from comparing.compared import STEP, Each, compared, recorded
from stepscope.comparison.compare import Comparison, compare
from stepscope.comparison.recorded import compared_steps
from stepscope.comparison.sentences import sentences
from stepscope.comparison.step_shapes import step_shapes
from stepscope.messages.rendering import render


def program(logs: tuple[int, ...] = (), shapes: dict[int, int] | None = None) -> Each:
    """Steps of one kernel whose operator may have another shape in some; some log, which needs a kernel more."""

    def each(start: int, number: int) -> list[Events]:
        step = start // STEP
        dims = {"Input Dims": [[(shapes or {}).get(step, 8), 4]]}
        events: list[Events] = [
            operator("aten::mm", start + 10_000, start + 30_000, **dims),
            launched(kernel("gemm", start + 600_000, start + 900_000, number), start + 20_000),
        ]
        if step in logs:
            events.append(operator("aten::sum", start + 40_000, start + 60_000, **dims))
            reduce = kernel("reduce", start + 200_000, start + 500_000, number + 1)
            events.append(launched(reduce, start + 50_000))
        return events

    return each


def left_out(found: Comparison) -> list[tuple[int, ...]]:
    return [compared_steps(rank).others for rank in (*found.base, *found.new)]


@pytest.mark.long
def test_where_both_sides_log_equally_often_every_step_is_compared(tmp_path: Path) -> None:
    found = compared(tmp_path, program(logs=(3,)), program(logs=(5,)), steps=8)
    assert left_out(found) == [(), ()]


@pytest.mark.long
def test_steps_that_log_are_left_out_where_one_side_has_more_of_them(tmp_path: Path) -> None:
    found = compared(tmp_path, program(logs=(3,)), program(logs=(2, 6)), steps=8)
    assert left_out(found) == [(3,), (2, 6)]
    assert found.counts["differs"].sum() == 0
    assert set(found.rows["status"]) == {"same"}
    assert [len(compared_steps(rank)) for rank in (*found.base, *found.new)] == [6, 5]
    assert render(sentences(found)[1]) == (
        "Compared are steps that do the same work on both sides. Left out for other launches or input shapes: 3 of the "
        "base and 2, 6 of the new side. With them, a step takes 1.00 ms -> 1.00 ms on average."
    )


@pytest.mark.long
def test_a_shorter_batch_on_one_side_is_left_out(tmp_path: Path) -> None:
    found = compared(tmp_path, program(), program(shapes={4: 2}), steps=6)
    assert left_out(found) == [(), (4,)]


def test_other_work_in_every_step_leaves_none_out(tmp_path: Path) -> None:
    found = compared(tmp_path, program(), program(shapes=dict.fromkeys(range(6), 2)), steps=6)
    assert left_out(found) == [(), ()]


@pytest.mark.long
def test_shapes_that_differ_from_step_to_step_leave_none_out(tmp_path: Path) -> None:
    one, other = ({step: first + step for step in range(8)} for first in (0, 5))
    found = compared(tmp_path, program(shapes=one), program(shapes=other), steps=8)
    assert left_out(found) == [(), ()]


@pytest.mark.long
def test_exchanging_the_sides_compares_the_same_steps(tmp_path: Path) -> None:
    one, other = recorded(tmp_path, program(logs=(1, 2, 3)), steps=8), recorded(tmp_path, program(logs=(2,)), steps=8)
    there, back = compare([one], [other]), compare([other], [one])
    assert left_out(there) == left_out(back)[::-1] != [(), ()]
    changed = there.rows.sort("level", "of", "key")["delta_ns"] + back.rows.sort("level", "of", "key")["delta_ns"]
    assert changed.to_list() == [0] * len(there.rows)


def test_names_without_places_and_the_background_make_no_shape(tmp_path: Path) -> None:
    def each(start: int, number: int) -> list[Events]:
        own = program()(start, number)
        behind = [operator("aten::pin", start + 50_000, start + 60_000, thread=9)] if start == 3 * STEP else []
        return [*own, *behind, operator(f"Graph object at 0x7f{number:04x}", start + 70_000, start + 80_000)]

    assert len(set(step_shapes(recorded(tmp_path, each, steps=6)).tolist())) == 1


@pytest.mark.long
def test_a_step_that_the_other_side_has_not_is_compared_nevertheless(tmp_path: Path) -> None:
    found = compared(tmp_path, program(logs=(0,)), program(shapes={0: 2}), steps=1)
    assert left_out(found) == [(), ()]
