"""What the recordings of both sides were made with."""

from __future__ import annotations

from pathlib import Path

from building import Events, opened, operator, step
from stepscope.comparison.setups import Difference, differences
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
