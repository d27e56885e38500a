"""What CUDA does once: loading kernels at their first launch, and setting up its libraries."""

from __future__ import annotations

from pathlib import Path

from building import Events, call, kernel, launched, opened, operator, step
from stepscope.analyses.host.initialization import Initialization, initialization
from stepscope.api import OpenProfile
from stepscope.findings.examination import examine
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


def test_a_kernel_that_begins_before_its_cold_launch_returns_is_no_delay_of_unknown_cause(tmp_path: Path) -> None:
    """The sentence below the verdict said that 74 % of the same time had no known cause."""
    profile = opened(
        tmp_path,
        step(1, 0, 100 * MS),
        operator("aten::mm", 0, 100 * MS),
        call(MS, 91 * MS, 1),
        kernel("a", 91 * MS - 6_000, 92 * MS, 1),
    )
    said = verdict(profile.profile.ranks[0])
    named = [one.id for one in said.sentences]
    assert (said.bound, named[0]) == ("host", "verdict-initialization-bound")
    assert "verdict-bound-by" not in named


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


def attention(at: int, number: int, slow: int) -> list[Events]:
    """Products around a softmax, whose launch takes so long; then other work."""
    found: list[Events] = []
    for i, name in enumerate(["aten::bmm", "aten::_softmax", "aten::bmm", "aten::mm"]):
        begin = at + i * MS + (slow if i > 1 else 0)
        end = begin + (slow if i == 1 else 0) + MS
        found += [operator(name, begin, end), call(begin + 100_000, end - 100_000, number + i)]
        found.append(kernel(f"k{i}", end, end + 500_000, number + i))
    return found


def test_what_is_set_up_once_is_no_saving(tmp_path: Path) -> None:
    """The first call of a kernel loads it: whatever goes, that stays, as another call will have to load something."""
    slow = opened(tmp_path, step(0, 0, 50 * MS), *attention(0, 1, 40 * MS), step(1, 50 * MS, 60 * MS)).profile
    [found] = [one for one in examine(slow, slow.ranks[0]).findings if one.cause.id == "unfused-attention"]
    assert found.saving_ns.best < 5 * MS


def test_beside_initialization_the_rest_of_the_cpu_is_no_second_bottleneck(tmp_path: Path) -> None:
    """GPU work and CPU work were alike; nearly all of the latter loaded one kernel."""
    profile = opened(
        tmp_path,
        step(1, 0, 100 * MS),
        operator("aten::mm", 0, 100 * MS),
        call(MS, 49 * MS, 1),
        kernel("a", 49 * MS, 99 * MS, 1),
        call(50 * MS, 51 * MS, 2),
        kernel("a", 99 * MS, 100 * MS, 2),
    )
    said = [one.id for one in verdict(profile.profile.ranks[0]).sentences]
    assert "verdict-two-bounds" not in said
    assert "verdict-initialization" in said or "verdict-initialization-bound" in said


def test_a_graph_saves_nothing_of_what_is_loaded_once(tmp_path: Path) -> None:
    """Launches of a unit test were slow because each loaded its kernel: "a CUDA graph saves 16 %"."""
    work = [
        [
            operator("aten::add", at, at + 4 * MS),
            call(at, at + 4 * MS, n),
            kernel(f"k{n}", at + 4 * MS, at + 4 * MS + 9, n),
        ]
        for n, at in enumerate(range(0, 100 * MS, 5 * MS), 1)
    ]
    profile = opened(tmp_path, step(1, 0, 100 * MS), *work).profile
    assert initialization(profile.ranks[0]).share_pct > 30
    found = examine(profile, profile.ranks[0])
    assert "launch-bound" not in [one.cause.id for one in found.findings] if found else []
