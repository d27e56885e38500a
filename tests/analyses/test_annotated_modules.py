"""Modules of kernels that CUDA graphs replay, by the annotations that torch writes into their arguments."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from building import Event, call, check, kernel, launched, opened, rows, step
from building.autograd import frame
from oracles.timeline import opened_timeline
from stepscope.schema import UNATTRIBUTED
from timeline_checks import ask

COLUMNS = ("name", "path", "device_total_ns", "device_self_ns", "backward_device_ns")


def replayed(name: str, start: int, end: int, node: int, correlation: int = 5, **annotation: Any) -> Event:
    """A kernel of a replay as torch 2.15 writes it: values of annotations are strings."""
    return kernel(name, start, end, correlation, **{"graph id": 1, "graph node id": node}, **annotation)


def replay() -> list[Event]:
    return [
        call(0, 8, 5, name="cudaGraphLaunch"),
        replayed("norm", 110, 115, 1, module_fqn="layers.0.norm"),
        replayed("gemm", 116, 136, 2, module_fqn="layers.0.attention.wq"),
        replayed("gemm", 136, 166, 3, module_fqn="layers.1.attention.wq"),
        replayed("gemm bwd", 170, 210, 4, module_fqn="layers.1.attention.wq", autograd_phase="backward"),
        replayed("adam", 210, 217, 5),
    ]


def test_a_replay_without_stacks_has_the_modules_of_its_annotations(tmp_path: Path) -> None:
    """Seen with traces of torchtitan: `show modules` had no rows and asked for stacks, which replays do not have."""
    profile = opened(tmp_path, replay())
    assert rows(profile.show("modules"), *COLUMNS) == [
        ("layers", "layers", 95, 0, 40),
        ("layers.1", "layers/1", 70, 0, 40),
        ("layers.1.attention", "layers/1/attention", 70, 0, 40),
        ("layers.1.attention.wq", "layers/1/attention/wq", 70, 70, 40),
        ("layers.0", "layers/0", 25, 0, 0),
        ("layers.0.attention", "layers/0/attention", 20, 0, 0),
        ("layers.0.attention.wq", "layers/0/attention/wq", 20, 20, 0),
        (UNATTRIBUTED, "", 7, 7, 0),
        ("layers.0.norm", "layers/0/norm", 5, 5, 0),
    ]
    assert profile.show("modules")["host_total_ns"].drop_nulls().to_list() == [0]
    assert profile.notes("modules") == [
        "93.1 % of GPU time has its module from annotations of CUDA graphs (module_fqn)",
        "6.9 % of GPU time belongs to no module: other code outside modules 6.9 %",
    ]
    assert check(profile, "stacks") is not None


def test_members_of_a_list_are_one_class(tmp_path: Path) -> None:
    table = opened(tmp_path, replay()).show("modules", by="class")
    assert rows(table.head(3), "path", "instances", "device_total_ns") == [
        ("layers", 1, 95),
        ("layers/*", 2, 95),
        ("layers/*/attention", 2, 90),
    ]


def test_a_list_of_annotations_is_read(tmp_path: Path) -> None:
    made = replayed("gemm", 10, 30, 1, annotation='[{"name": "relu"}, {"module_fqn": "head"}]')
    profile = opened(tmp_path, call(0, 8, 5, name="cudaGraphLaunch"), made)
    assert rows(profile.show("modules"), "name", "device_self_ns") == [("head", 20)]


def test_beside_recorded_calls_the_annotation_of_a_kernel_goes_first(tmp_path: Path) -> None:
    eager = [frame("nn.Module: Net_0", 0, 60), launched(kernel("eager", 300, 310, 9), 20)]
    table = opened(tmp_path, eager, replay()).show("modules")
    assert table["device_self_ns"].sum() == 112
    assert rows(table.filter(name="Net_0"), "device_total_ns", "host_total_ns") == [(17, 60)]
    assert rows(table.filter(name="layers"), "device_total_ns") == [95]


NAMES = st.lists(st.sampled_from([None, "a", "a.0", "a.0.b", "a.1.b", "c"]), min_size=1, max_size=8)


@pytest.mark.long
@settings(max_examples=30, deadline=None)
@given(NAMES, st.randoms())
def test_self_times_are_all_activity_and_totals_those_of_prefixes(
    tmp_path_factory: Any, names: list[str | None], chance: random.Random
) -> None:
    events = [
        replayed("k", 100 * i, 100 * i + i + 1, i + 1, **({"module_fqn": name} if name else {}))
        for i, name in enumerate(names)
    ]
    expected: dict[str, int] = {}
    for i, name in enumerate(names):
        parts = (name or "").split(".")
        for depth in range(1, len(parts) + 1):
            key = ".".join(parts[:depth])
            expected[key] = expected.get(key, 0) + i + 1
    lost = expected.pop("", 0)
    chance.shuffle(events)
    launch = call(0, 8, 5, name="cudaGraphLaunch")
    table = opened(tmp_path_factory.mktemp("modules"), step(1, 0, 9), launch, events).show("modules")
    if expected:
        found = dict(rows(table, "name", "device_total_ns"))
        assert found == expected | ({UNATTRIBUTED: lost} if lost else {})
        assert table["device_self_ns"].sum() == sum(range(1, len(names) + 1))
    else:
        assert len(table) == 0


@pytest.mark.long
def test_the_module_of_a_kernel_is_shown_and_found_on_the_timeline(tmp_path: Path) -> None:
    line = opened_timeline(opened(tmp_path, replay()))
    found = ask(line, "places", kind="module", name="layers.0")
    assert [place["name"] for place in found["places"]] == ["gemm", "norm"]
    place = found["places"][0]
    assert ask(line, "event", lane=place["lane"], row=place["row"])["module"] == "layers/0/attention/wq"
