"""Recorded pairs with a planted cause, and recordings of one program: what `compare` finds and what it must not."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest

from stepscope.comparison.compare import Comparison, compare
from stepscope.comparison.sampled import STEP
from stepscope.comparison.sentences import sentences
from stepscope.store.opening import open_profile
from stepscope.store.profile import Rank

pytestmark = [pytest.mark.real_trace, pytest.mark.long]

CAUSES = {
    "pairs/sync_item": "log_items",
    "pairs/dataloader_workers": "_SingleProcessDataLoaderIter",
    "pairs/optimizer_for_loop": "_single_tensor_adam",
    "pairs/fp32_no_tensor_core": "aten::mm",
    "pairs/launch_bound_decode": "decorate_context",
    "pairs/empty_cache": "empty_cache",
    "pairs/naive_attention": "aten::matmul",
    "pairs_more/pageable_h2d": "aten::copy_",
    "pairs_more/cpu_offload": "method cpu of Tensor",
    "pairs_more/python_overhead": "python_work",
    "pairs_more/gc_collect": "gc_now",
    "pairs_more/checkpoint_every_step": "save_ckpt",
}
"""Pairs whose cause is the first one, and what is gone or changed there."""

HIDDEN = {
    "pairs/batch_size": "aten::convolution_backward",
    "pairs_more/unfused_elementwise": "GPT",
    "pairs_more/channels_first_conv": "aten::native_batch_norm_backward",
    "pairs_more/vocab_misaligned": "aten::mm",
}
"""Pairs whose cause is work of the GPU that the recorded step does not depend on."""

ONE_PROGRAM = (
    "pairs/sync_item",
    "pairs/optimizer_for_loop",
    "pairs_more/python_overhead",
    "pairs_more/gc_collect",
    "pairs_more/checkpoint_every_step",
)
"""Pairs whose fixed twins are recordings of one program."""


def opened(shared_data: Path, name: str, side: str) -> Rank:
    return open_profile(str(shared_data / "h200" / f"{name}.{side}.pt.trace.json.gz")).ranks[0]


def pair(shared_data: Path, name: str) -> Comparison:
    return compare([opened(shared_data, name, "slow")], [opened(shared_data, name, "mended")])


@pytest.mark.parametrize("name", CAUSES)
def test_the_planted_cause_is_the_first(shared_data: Path, name: str) -> None:
    first = pair(shared_data, name).attribution.causes[0]
    assert CAUSES[name] in "|".join(first.gone or first.path[-1:])
    assert first.effect_ns < 0


@pytest.mark.parametrize("name", HIDDEN)
def test_planted_work_of_the_gpu_is_found_where_the_host_hides_it(shared_data: Path, name: str) -> None:
    first = pair(shared_data, name).gpu_work.causes[0]
    assert HIDDEN[name] in "|".join(first.gone or first.path[-1:])


def test_nothing_is_called_changed_between_the_halves_of_a_recording(shared_data: Path) -> None:
    whole = open_profile(str(shared_data / "h200" / "train" / "dit_30steps.pt.trace.json.gz"))
    numbers = sorted(whole.ranks[0].all_steps.ranges["step"].unique().to_list())
    middle = numbers[len(numbers) // 2]
    halves = [whole.select(None, steps).ranks for steps in ((numbers[1], middle - 1), (middle, numbers[-2]))]
    found = compare(*halves)
    assert found.rows.filter(status="changed")["key"].to_list() == []


@pytest.mark.parametrize("name", [*CAUSES, *HIDDEN])
def test_parts_of_recorded_pairs_sum_to_the_step_exactly(shared_data: Path, name: str) -> None:
    found = pair(shared_data, name)
    for level in ("side", "phase"):
        rows = found.rows.filter(level=level)
        assert len(rows) == 0 or rows["delta_ns"].sum() == found.step["delta_ns"]


def test_nothing_is_called_changed_between_recordings_of_one_program(shared_data: Path) -> None:
    ranks = [opened(shared_data, name, "mended") for name in ONE_PROGRAM]
    for base, new in combinations(ranks, 2):
        found = compare([base], [new])
        assert found.rows.filter(status="changed")["key"].to_list() == []
        assert found.rows.filter(level=STEP)["status"].to_list() == ["unknown"]


def test_the_interval_of_unlike_programs_holds_their_difference(shared_data: Path) -> None:
    """The speed of the host was taken off functions that one program alone has: 28.6 to 30.776 of 30.817 ms."""
    folder = shared_data / "public" / "tracelens"
    names = ("h100__gaunernst_bert-small-uncased__1016001", "h100__Qwen_Qwen1.5-0.5B-Chat__1016005")
    base, new = (open_profile(str(folder / f"{name}.json.gz")).ranks for name in names)
    found = compare(base, new)
    assert found.step["low_ns"] < found.step["delta_ns"] < found.step["high_ns"]
    assert "diff-unlike" in [sentence.id for sentence in sentences(found)]


def test_a_pair_of_one_program_is_not_called_two(shared_data: Path) -> None:
    """Eager steps and a CUDA graph share no frame, but kernels."""
    assert "diff-unlike" not in [one.id for one in sentences(pair(shared_data, "pairs/launch_bound_decode"))]


def test_a_stragglers_extra_work_explains_the_difference(shared_data: Path) -> None:
    base, new = (open_profile(str(shared_data / "h200" / "ranks" / name)) for name in ("ddp4", "ddp4_straggler"))
    found = compare([base.ranks[2]], [new.ranks[2]])
    first = found.attribution.causes[0]
    assert "extra_work" in first.new[0]
    assert first.effect_ns == pytest.approx(found.step["delta_ns"], rel=0.05)
