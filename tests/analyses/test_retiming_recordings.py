"""Unchanged steps of real recordings come out as they were recorded when they are timed again."""

from __future__ import annotations

from pathlib import Path

import pytest

import stepscope
from stepscope.analyses.simulation.bottleneck_sides import binding_shares
from stepscope.analyses.simulation.model import StepModel, step_model
from stepscope.errors import UnreadableInput
from stepscope.store.profile import Rank

pytestmark = pytest.mark.real_trace

RECORDINGS = [
    "cpu/dataloader_2workers.pt.trace.json",
    "h200/diverse/llama_compile_cudagraphs.pt.trace.json.gz",
    "h200/diverse/streams_sync_events.pt.trace.json.gz",
    "h200/pairs/dataloader_workers.slow.pt.trace.json.gz",
    "h200/pairs/fp32_no_tensor_core.slow.pt.trace.json.gz",
    "h200/pairs/launch_bound_decode.mended.pt.trace.json.gz",
    "h200/pairs/sync_item.slow.pt.trace.json.gz",
    "h200/ranks/ddp4_straggler/rank2.json.gz",
    "h200/ranks/fsdp4/rank1.json.gz",
    "public/hta/a100-8rank-old_schema-rank3.json.gz",
    "public/hta/mi250-rocm6.2-minitoy.json.gz",
    "public/tracelens/h100__Qwen_Qwen1.5-0.5B-Chat__1016005.json.gz",
    "public/tracelens/inference__xdit_sd_3.5__profile_trace_rank_0.json.gz",
    "public/tracelens/mi300__resnet_act_checkpoint.json.gz",
]


@pytest.fixture(scope="module", params=RECORDINGS)
def timed_again(request: pytest.FixtureRequest, shared_data: Path) -> tuple[Rank, StepModel]:
    rank = stepscope.open(str(shared_data / request.param)).profile.ranks[0]
    model = step_model(rank)
    assert model is not None
    return rank, model


def test_unchanged_steps_take_what_was_recorded(timed_again: tuple[Rank, StepModel]) -> None:
    """With what was queued before them, the host ends within 2 % of when it did; in most to a millionth."""
    _, model = timed_again
    found = model.timed(model.unchanged())
    assert found.host[0] == pytest.approx(model.window[1] - model.window[0], rel=0.02)


@pytest.mark.slow
def test_repeated_steps_of_every_recording_take_what_was_recorded(shared_data: Path) -> None:
    """Within 2 % where anything of the host was recorded in whole steps; the table in the message names the others."""
    paths = [path for folder in ("cpu", "h200", "public") for path in sorted((shared_data / folder).rglob("*.json*"))]
    errors = {}
    for path in paths:
        try:
            model = step_model(stepscope.open(str(path)).profile.ranks[0])
        except UnreadableInput:
            continue  # what was measured, and tables that are no traces
        if model is not None:
            errors[path.name] = 100 * (model.step_ns(model.unchanged()) / model.recorded_ns - 1)
    assert len(errors) >= 80
    assert {name: error for name, error in errors.items() if abs(error) > 2} == {}


def test_shares_of_the_sides_are_shares(timed_again: tuple[Rank, StepModel]) -> None:
    rank, model = timed_again
    shares = binding_shares(rank, model, model.unchanged())
    assert all(share >= 0 for share in shares.values())
    assert 15 <= sum(shares.values()) <= 103


def test_less_work_never_takes_longer(timed_again: tuple[Rank, StepModel]) -> None:
    """Half of all the host's work, and half of every duration."""
    _, model = timed_again
    edit = model.unchanged()
    usual = model.step_ns(edit)
    faster = type(edit)(tuple(pace / 2 for pace in edit.pace), edit.own, edit.activities, edit.gone, edit.freed)
    shorter = edit.activities._replace(duration=edit.activities.duration // 2)
    assert model.step_ns(faster) <= usual * 1.0001
    assert model.step_ns(type(edit)(edit.pace, edit.own, shorter, edit.gone, edit.freed)) <= usual * 1.0001
