"""What CUDA does once: loading kernels at their first launch, and setting up its libraries."""

from __future__ import annotations

from pathlib import Path

from building import call, kernel, launched, opened, operator, step
from stepscope.analyses.host.initialization import Initialization, initialization
from stepscope.api import OpenProfile
from stepscope.findings.verdict import verdict

MS = 1_000_000


def found(profile: OpenProfile) -> Initialization:
    return initialization(profile.profile.ranks[0])


def test_first_launches_and_set_up_count_while_the_gpu_idles(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        step(1, 0, 100 * MS),
        operator("aten::mm", 0, 100 * MS),
        call(MS, 41 * MS, 1),  # loads kernel a
        kernel("a", 40 * MS, 50 * MS, 1),
        call(42 * MS, 52 * MS, 2),  # loads kernel b, from 50 ms on with an idle GPU
        kernel("b", 53 * MS, 54 * MS, 2),
        call(60 * MS, 70 * MS, 3),  # kernel b is loaded
        kernel("b", 70 * MS, 71 * MS, 3),
        call(72 * MS, 82 * MS, 4, name="cudaFree"),
        call(73 * MS, 80 * MS, 5, name="cuModuleLoadData"),
        call(83 * MS, 93 * MS, 6, name="cudaMalloc"),
    )
    assert found(profile) == Initialization(time_ns=(39 + 2 + 10) * MS, share_pct=51.0, longest_ns=39 * MS)
    said = verdict(profile.profile.ranks[0])
    assert (said.bound, said.sentences[0].id) == ("host", "verdict-initialization-bound")


def test_short_calls_and_recordings_without_calls_have_none(tmp_path: Path) -> None:
    nothing = Initialization(0, 0.0, 0)
    profile = opened(tmp_path, step(1, 0, 10 * MS), launched(kernel("a", 2 * MS, 3 * MS, 1), MS))
    assert found(profile) == nothing
    assert found(opened(tmp_path, kernel("a", 2 * MS, 3 * MS))) == nothing


def test_of_a_selected_step_only_its_own_calls_count(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        *(step(number, number * 50 * MS, (number + 1) * 50 * MS) for number in range(3)),
        *(operator("aten::mm", number * 50 * MS, (number + 1) * 50 * MS) for number in range(3)),
        *(call(at, at + 20 * MS, at) for at in (MS, 51 * MS, 101 * MS)),
        *(kernel("a", at + 20 * MS, at + 22 * MS, at) for at in (MS, 51 * MS, 101 * MS)),
    )
    assert initialization(profile.profile.ranks[0]).time_ns == 20 * MS
    selected = profile.profile.select(steps=(1, 2)).ranks[0]
    assert initialization(selected).time_ns == 0
