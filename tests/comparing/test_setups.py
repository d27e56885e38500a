"""What the recordings of both sides were made with."""

from __future__ import annotations

from pathlib import Path

from building import Events, opened, operator, step
from stepscope.comparison.compare import compare
from stepscope.comparison.sentences import sentences
from stepscope.comparison.setups import Difference, differences
from stepscope.messages.rendering import render
from stepscope.store.profile import Rank


def recorded(folder: Path, *events: Events, **head: object) -> Rank:
    return opened(folder, step(0, 0, 100), *events, **head).profile.ranks[0]


def test_options_and_versions_that_differ_are_listed(tmp_path: Path) -> None:
    base = recorded(tmp_path, operator("aten::mm", 0, 9), with_stack=1, torch_version="2.11")
    new = recorded(tmp_path, operator("aten::mm", 0, 9), with_stack=0, torch_version="2.12")
    assert differences([base], [new]) == (
        Difference("torch", "2.11", "2.12"),
        Difference("stacks", "on", "off"),
    )


def test_a_program_without_operators_was_recorded_with_the_same_options(tmp_path: Path) -> None:
    """`launch_bound_decode` replays its operators as a CUDA graph: it was said to be recorded without shapes."""
    base = recorded(tmp_path, operator("aten::mm", 0, 9, **{"Input Dims": [[2, 3]]}), record_shapes=1)
    assert differences([base], [recorded(tmp_path, record_shapes=1)]) == ()


def test_steps_measured_without_the_profiler_are_said_where_every_recording_has_them(tmp_path: Path) -> None:
    def measured(*times: int, length: int = 100_000) -> Rank:
        begins = range(0, 4 * length, length)
        events = [[step(n, at, at + length), operator("aten::mm", at, at + 9_000)] for n, at in enumerate(begins)]
        return opened(tmp_path, *events, stepscopeStepTimes={"unprofiled_ns": list(times)}).profile.ranks[0]

    def said(base: list[Rank], new: list[Rank]) -> list[str]:
        return [render(one) for one in sentences(compare(base, new)) if one.id == "diff-unprofiled"]

    base = [measured(80_000, 80_000, 80_000, length=200_000)]
    new = [measured(ns, ns, ns) for ns in (60_000, 62_000, 66_000)]
    times = "80.0 us (80.0 us) -> 62.0 us (60.0 us to 66.0 us)"
    assert said(base, new) == [f"Without the profiler, as measured in the same runs: {times}."]
    assert said(base, [*new, measured()]) == []
