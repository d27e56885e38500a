"""Changes that a user asks for, on steps small enough to time by hand."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from building import Events, annotation, call, kernel, opened, operator, step
from simulated_steps import STEP, gpu_bound_steps
from stepscope.analyses.simulation.changes import KINDS, parse_change, usage
from stepscope.analyses.simulation.model import step_model
from stepscope.analyses.simulation.path import step_path
from stepscope.api import OpenProfile
from stepscope.errors import BadRequest
from stepscope.findings.examination import examine
from stepscope.findings.what_if import WhatIf, what_if
from stepscope.messages import Message
from stepscope.messages.frames import in_words
from stepscope.messages.rendering import render


def asked(profile: OpenProfile, *changes: str) -> WhatIf:
    (found,) = what_if(profile.profile, [parse_change(text) for text in changes])
    return found


def after(profile: OpenProfile, *changes: str) -> int:
    return round(asked(profile, *changes).together.after.best)


@pytest.fixture(scope="module")
def gpu_bound(tmp_path_factory: pytest.TempPathFactory) -> OpenProfile:
    return opened(tmp_path_factory.mktemp("gpu"), *gpu_bound_steps())


@pytest.fixture(scope="module")
def host_bound(tmp_path_factory: pytest.TempPathFactory) -> OpenProfile:
    """Each step loads for 0.4 ms, launches 0.1 ms of work and waits for it until 0.7 ms."""
    loading = "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__"
    events = []
    for n in range(4):
        at, number = n * STEP, 2 * n + 1
        events += [
            step(n, at, at + STEP),
            annotation(loading, at + 1_000, at + 401_000),
            operator("aten::item", at + 500_000, at + 710_000),
            call(at + 590_000, at + 595_000, number),
            kernel("k", at + 600_000, at + 700_000, number),
            call(at + 600_000, at + 705_000, number + 1, name="cudaStreamSynchronize"),
        ]
    return opened(tmp_path_factory.mktemp("host"), *events)


def test_a_kernel_that_takes_half_saves_half_of_its_time(gpu_bound: OpenProfile) -> None:
    assert after(gpu_bound, "kernel:a x0.5") == 1_400_000
    assert after(gpu_bound, "kernel:/^[ab]$/ x0.5") == 1_000_000


def test_a_kernel_that_nobody_launches_takes_nothing(gpu_bound: OpenProfile) -> None:
    assert after(gpu_bound, "kernel:b x0") == 1_200_000


def test_changes_apply_one_after_another(gpu_bound: OpenProfile) -> None:
    found = asked(gpu_bound, "kernel:a x0.5", "kernel:b x0.5")
    assert [round(one.after.best) for one in found.alone] == [1_400_000, 1_600_000]
    assert round(found.together.after.best) == 1_000_000
    assert found.together.saving_pct.best == pytest.approx(50)


def test_an_operator_takes_its_kernels_with_it(gpu_bound: OpenProfile) -> None:
    """The call of b lies behind the operator."""
    assert after(gpu_bound, "op:aten::mm x0.5") == 1_400_000


def test_host_work_saves_nothing_where_the_gpu_fills_the_step(gpu_bound: OpenProfile) -> None:
    found = asked(gpu_bound, "host:aten::mm x0")
    assert found.together.saving_pct.best == 0
    assert found.together.bound_after[0] == "compute"


def test_batches_that_are_ready_save_the_fetches(host_bound: OpenProfile) -> None:
    found = asked(host_bound, "no-data-wait")
    saved = found.together.before.best - found.together.after.best
    # 250 of 400 us; the range of the loader is one long stretch, of which the profiler's part is 2.5 us.
    assert saved == pytest.approx(250_000 * 397.5 / 400, abs=1_000)
    assert [render(one) for one in found.together.affected] == ["250 us a step, waiting for 1 batch"]


def test_waits_that_are_gone_save_what_the_host_did_not_do_meanwhile(host_bound: OpenProfile) -> None:
    found = asked(host_bound, "no-sync")
    assert found.together.affected == (Message("change-affects-waits", waits=1),)
    assert 95_000 < found.together.before.best - found.together.after.best < 115_000


def test_a_graph_leaves_the_loader_and_long_work(host_bound: OpenProfile) -> None:
    """And other long stretches, which are no launching: 99, 90 and 290 us; each without the profiler's 2.5 us."""
    assert after(host_bound, "cuda-graph") == 397_500 + 96_500 + 87_500 + 287_500


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("kernel:nothing x0.5", "no kernel, memcpy or memset of the steps has this name"),
        ("op:nothing x0.5", "no operator of the steps has this name"),
        ("host:nothing x0.5", "no operator, Python frame or range of the steps has this name"),
        ("kernel:// x0.5", "its pattern is empty"),
        ("kernel:/(/ x0.5", "its pattern is not a valid regular expression"),
        ("overlap-communication", "these steps have none"),
        ("no-python:train.py", "no recorded Python frame of the steps has this name"),
        ("tensor-cores", "the Tensor Core peaks of this device are unknown"),
        ("gpu:H100", "the peaks of the recorded device are unknown"),
    ],
)
def test_what_does_not_occur_is_refused(gpu_bound: OpenProfile, text: str, found: str) -> None:
    with pytest.raises(BadRequest) as error:
        asked(gpu_bound, text)
    assert render(error.value.found) == found


@pytest.mark.parametrize(
    "text", ["", "faster", "kernel:a", "no-sync x0.5", "no-sync:a", "op: x2", "kernel:a x-1", "kernel:a x1001"]
)
def test_what_is_no_change_is_refused_with_how_it_is_written(text: str) -> None:
    with pytest.raises(BadRequest):
        parse_change(text)


def test_names_may_hold_colons_spaces_and_factors() -> None:
    change = parse_change("kernel:void at::native<x 2> x0.25")
    assert (change.name, change.factor) == ("void at::native<x 2>", 0.25)


def test_a_graph_needs_launches(tmp_path: Path) -> None:
    """Without a launch, and for work that graphs launch already, host time was said to go."""
    for name in ("host", "graph"):
        (tmp_path / name).mkdir()
    host_only = opened(tmp_path / "host", *[step(n, n * STEP, (n + 1) * STEP) for n in range(3)], operator("a", 1, 9))
    events: list[Events] = []
    for n in range(3):
        at = n * STEP
        events += [step(n, at, at + STEP), call(at + 1_000, at + 9_000, n + 1, name="cudaGraphLaunch")]
        events += [kernel("k", at + 10_000 + 2_000 * i, at + 11_000 + 2_000 * i, n + 1) for i in range(3)]
    for profile, found in (
        (host_only, "these steps launch nothing"),
        (opened(tmp_path / "graph", *events), "all GPU work of these steps is in CUDA graphs already"),
    ):
        with pytest.raises(BadRequest) as error:
            asked(profile, "cuda-graph")
        assert render(error.value.found) == found


def test_no_saving_is_more_than_all(host_bound: OpenProfile) -> None:
    found = asked(host_bound, "host:/./ x0", "no-sync", "kernel:k x0")
    assert found.together.saving_pct.best > 95
    assert found.together.saving_pct.high == 100


def test_collectives_share_their_link(tmp_path: Path) -> None:
    """Two of 300 us, recorded one after the other on two streams, are not run at once by letting others overlap."""
    events: list[Events] = []
    for n in range(4):
        at, number = n * STEP, 10 * n
        events += [
            step(n, at, at + STEP),
            call(at + 1_000, at + 2_000, number + 1),
            call(at + 3_000, at + 4_000, number + 2),
        ]
        events.append(kernel("ncclDevKernel_AllReduce", at + 10_000, at + 310_000, number + 1, stream=20))
        events.append(kernel("ncclDevKernel_AllGather", at + 310_000, at + 610_000, number + 2, stream=21))
        events += [call(at + 5_000, at + 6_000, number + 3), kernel("mm", at + 610_000, at + 990_000, number + 3)]
    assert after(opened(tmp_path, *events), "overlap-communication") >= 600_000


def test_every_change_has_its_usage() -> None:
    assert [text.split(":")[0].split(" ")[0] for text in usage()] == list(KINDS)


def test_without_a_host_nothing_can_be_timed(tmp_path: Path) -> None:
    with pytest.raises(BadRequest):
        asked(opened(tmp_path, kernel("k", 0, 10)), "kernel:k x0.5")


def path(frame: pl.DataFrame) -> list[tuple[str, str, int]]:
    """Rows of a path without their shares, by the trace's names, or by what they are."""
    assert ((frame["name"].is_null()) == (frame["label"].is_not_null())).all()
    said = in_words(frame, ["label"])
    return said.select("side", pl.coalesce("name", "label"), "ns").rows()


def test_the_path_of_a_full_gpu_is_its_kernels(gpu_bound: OpenProfile) -> None:
    found = asked(gpu_bound, "kernel:a x0.5")
    assert path(found.path_before) == [("compute", "a", 1_200_000), ("compute", "b", 800_000)]
    assert path(found.path_after) == [("compute", "b", 800_000), ("compute", "a", 600_000)]
    assert found.path_after["share_pct"].to_list() == pytest.approx([400 / 7, 300 / 7])


def test_the_path_goes_over_to_the_gpu_where_the_host_waits_for_it(host_bound: OpenProfile) -> None:
    """Without the profiler a stretch is 2.5 us shorter, one of 5 us takes 5/1.45 us; waits are as long as they were.

    Outside of events are the stretches of 1, 99 and 290 us, in the operator those of 90 us up to the launch and 5 us
    after the wait; what it does while the GPU works is not on the path.
    """
    found = asked(host_bound, "no-data-wait")
    loader = "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__"
    same = [
        ("compute", "k", 100_000),
        ("host", "aten::item", 87_500 + 3_448),
        ("launch_latency", "cudaLaunchKernel", 10_000),
        ("waiting", "cudaStreamSynchronize", 5_000),
    ]
    rest = 96_500 + 287_500
    before, then = (("host", "nothing recorded", rest + rounded) for rounded in (690, 689))
    assert path(found.path_before) == [("data_loading", loader, 397_500), before, *same]
    assert path(found.path_after) == [then, ("data_loading", loader, 149_063), *same]
    assert found.path_before["ns"].sum() == round(found.together.before.best)
    assert found.path_after["ns"].sum() == round(found.together.after.best)


def test_names_beyond_the_longest_are_others(gpu_bound: OpenProfile) -> None:
    rank = gpu_bound.profile.ranks[0]
    model = step_model(rank)
    assert model is not None
    parts = step_path(rank, model, model.unchanged(), most=1)
    assert path(parts) == [("compute", "a", 1_200_000), ("compute", "others", 800_000)]


def test_peaks_that_a_user_names_are_not_forgotten(tmp_path: Path) -> None:
    """The examination was remembered with the rank alone: asked again with --peak it gave the old saving."""
    profile = opened(tmp_path, step(0, 0, 1000), operator("aten::mm", 10, 20)).profile
    one, other = (examine(replace(profile, peaks=peaks), profile.ranks[0]) for peaks in ({}, {"tf32": 1e12}))
    assert one is not other
    assert examine(profile, profile.ranks[0]) is one
