"""Operators of CUDA graphs, carried over from an eager recording."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import stepscope
from building import Event, call, check, kernel, launched, memset, opened, operator, rows, write
from stepscope.api import OpenProfile
from stepscope.errors import BadRequest
from stepscope.schema import UNATTRIBUTED

OPERATORS = {
    "a": "aten::addmm",
    "b": "aten::gelu",
    "c": "aten::mm",
    "d": "aten::add",
    "-": "aten::zero_",
    "z": "aten::sum",
}


def eager_events(sequence: str, around: str = "") -> list[Any]:
    """Each kernel under an operator of its own that lies in another one."""
    events: list[Any] = []
    for number, letter in enumerate(sequence, 1):
        at = 100 * number
        inner = operator(OPERATORS[letter], at + 10, at + 50, **{"Input Dims": [[number, 4]]})
        outer = operator("aten::linear", at, at + 60) if letter in "ac" else []
        name = f"eager fill {number}" if letter == "-" else letter
        activity = memset(at + 200, at + 210, number) if letter == "-" else kernel(name, at + 200, at + 210, number)
        events += [inner, outer, launched(activity, at=at + 20)]
    return events


def graph_events(*sequences: str) -> list[Any]:
    events: list[Any] = []
    for number, sequence in enumerate(sequences, 1):
        start = 1000 * number
        events.append(call(start, start + 5, number, name="cudaGraphLaunch"))
        for letter in sequence:
            start += 100
            activity = memset(start, start + 10, number) if letter == "-" else kernel(letter, start, start + 10, number)
            events.append(activity)
    return events


def carried_over(folder: Path, graph: list[Any], eager: list[Any]) -> OpenProfile:
    return opened(folder, *graph).with_eager(opened(folder, *eager))


def test_kernels_get_the_operators_that_launched_them_eagerly(tmp_path: Path) -> None:
    profile = carried_over(tmp_path, graph_events("abcd", "abcd"), eager_events("zabcdz"))
    assert rows(profile.show("kernels", by="op"), "name", "op", "calls") == [
        ("a", "aten::addmm", 2),
        ("b", "aten::gelu", 2),
        ("c", "aten::mm", 2),
        ("d", "aten::add", 2),
    ]
    [note] = [note for note in profile.notes("kernels") if "eager" in note]
    assert note == (
        "100 % of the time of CUDA graphs and of work without a recorded launch is mapped to the operators that "
        "launched the same kernels in the eager trace"
    )


def test_a_capture_runs_nothing_but_names_what_it_captured(tmp_path: Path) -> None:
    """ROCm's launches name their kernels. Of servers' traces 0 % of the graphs' time had operators."""
    capture: list[Any] = []
    for number, letter in enumerate("abcd", 1):
        at = 100 * number
        capture += [operator(OPERATORS[letter], at + 10, at + 50), hip_launch(at + 20, number, letter)]
    profile = carried_over(tmp_path, graph_events("abcd", "abcd"), capture)
    assert rows(profile.show("kernels", by="op"), "name", "op", "calls") == [
        ("a", "aten::addmm", 2),
        ("b", "aten::gelu", 2),
        ("c", "aten::mm", 2),
        ("d", "aten::add", 2),
    ]


def test_nothing_is_guessed_where_names_do_not_match(tmp_path: Path) -> None:
    """The graph fuses b into one kernel of another name; two of the last three agree, too few for a run."""
    profile = carried_over(tmp_path, graph_events("abcdXaXb"), eager_events("abcdzabz"))
    assert rows(profile.show("kernels", by="op").sort("name", "op"), "name", "op", "calls") == [
        ("X", "cudaGraphLaunch", 2),
        ("a", "aten::addmm", 1),
        ("a", "cudaGraphLaunch", 1),
        ("b", "aten::gelu", 1),
        ("b", "cudaGraphLaunch", 1),
        ("c", "aten::mm", 1),
        ("d", "aten::add", 1),
    ]
    assert "50.0 % of the time of CUDA graphs" in profile.notes("kernels")[0]


def test_another_model_carries_nothing_over(tmp_path: Path) -> None:
    profile = carried_over(tmp_path, graph_events("abcXXXXX"), eager_events("zzabczz"))
    assert set(profile.show("kernels", by="op")["op"]) == {"cudaGraphLaunch"}


def test_fills_agree_whatever_their_name(tmp_path: Path) -> None:
    profile = carried_over(tmp_path, graph_events("a-bc"), eager_events("a-bc"))
    table = profile.show("operators")
    assert dict(rows(table.filter(pl.col("device_self_ns") > 0), "name", "device_self_ns")) == {
        "aten::addmm": 10,
        "aten::zero_": 10,
        "aten::gelu": 10,
        "aten::mm": 10,
    }


def test_operators_get_what_graphs_replay(tmp_path: Path) -> None:
    """Self and total add up as if launched here; an operator around the launch keeps its total."""
    graph = [
        operator("CompiledFunction", 1000, 1200),
        *graph_events("abcd"),
        launched(kernel("e", 9000, 9005, 9), at=5),
    ]
    profile = carried_over(tmp_path, graph, eager_events("abcd"))
    table = profile.show("operators")
    assert sorted(rows(table, "name", "calls", "device_total_ns", "device_self_ns")) == [
        (UNATTRIBUTED, 0, 5, 5),
        ("CompiledFunction", 1, 40, 0),
        ("aten::add", 0, 10, 10),
        ("aten::addmm", 0, 10, 10),
        ("aten::gelu", 0, 10, 10),
        ("aten::linear", 0, 20, 0),
        ("aten::mm", 0, 10, 10),
    ]
    assert table["device_self_ns"].sum() == 45
    by_shape = profile.show("operators", by="shape")
    assert ("aten::gelu", "[[2,4]]") in [
        (name, (shape or "").replace(" ", "")) for name, shape in rows(by_shape, "name", "shape")
    ]


def test_work_queued_before_the_recording_is_led_back_too(tmp_path: Path) -> None:
    graph = [kernel(letter, 10 * n, 10 * n + 5) for n, letter in enumerate("abcd")]
    profile = carried_over(tmp_path, graph, eager_events("abcd"))
    assert UNATTRIBUTED not in profile.show("operators")["name"]


def test_one_recording_may_hold_both(tmp_path: Path) -> None:
    """Warm-up without graphs, then replays."""
    both = opened(tmp_path, *eager_events("abcd"), *[event | {"ts": event["ts"] + 10} for event in graph_events()])
    assert both.with_eager(both).notes("kernels")[0].startswith("no CUDA graph ran")
    events = eager_events("abcd")
    start = [call(2000, 2005, 77, name="cudaGraphLaunch")]
    replayed = [kernel(letter, 3000 + 10 * n, 3005 + 10 * n, 77) for n, letter in enumerate("abcd")]
    profile = opened(tmp_path, *events, *start, *replayed)
    assert "cudaGraphLaunch" in profile.show("kernels", by="op")["op"]
    assert "cudaGraphLaunch" not in profile.with_eager(profile).show("kernels", by="op")["op"]


@pytest.mark.long
def test_an_eager_recording_without_operators_or_kernels(tmp_path: Path) -> None:
    graph = graph_events("abcd")
    for eager in ([kernel("a", 0, 5)], [operator("aten::mm", 0, 5)], [launched(kernel("a", 9, 10, 1), at=0)]):
        profile = carried_over(tmp_path, graph, eager)
        assert set(profile.show("kernels", by="op")["op"]) == {"cudaGraphLaunch"}
        assert profile.show("operators")["device_self_ns"].sum() == 40
        assert profile.notes("kernels")[0].startswith("0 % of the time of CUDA graphs")


def test_ranks_are_compared_with_the_rank_of_their_number(tmp_path: Path) -> None:
    import stepscope

    for kind, events in (("graph", graph_events("abcd")), ("eager", eager_events("abcd"))):
        (tmp_path / kind).mkdir()
        for number in range(2):
            write(tmp_path / kind / f"rank{number}.json", *events)
    graph, eager = (stepscope.open(str(tmp_path / kind)) for kind in ("graph", "eager"))
    assert rows(graph.with_eager(eager).show("kernels", by="op"), "op", "calls")[0] == ("aten::addmm", 2)
    one = stepscope.open(str(tmp_path / "eager" / "rank1.json"))
    assert rows(graph.with_eager(one).show("kernels", by="op"), "op", "calls")[0] == ("aten::addmm", 2)


def test_tables_without_operators_refuse(tmp_path: Path) -> None:
    profile = carried_over(tmp_path, graph_events("abcd"), eager_events("abcd"))
    with pytest.raises(BadRequest, match="memcpy with an eager trace"):
        profile.show("memcpy")


@pytest.mark.real_trace
def test_a_graph_of_a_recording_gets_all_its_operators(shared_data: Path) -> None:
    """The same decoding with graphs and without; the graph's kernel times by operator sum to the graph's."""
    import stepscope

    folder = shared_data / "h200" / "pairs"
    graph = stepscope.open(str(folder / "launch_bound_decode.mended.pt.trace.json.gz"))
    eager = stepscope.open(str(folder / "launch_bound_decode.slow.pt.trace.json.gz"))
    profile = graph.with_eager(eager)
    operators = profile.show("operators")
    assert UNATTRIBUTED not in operators["name"]
    assert operators["device_self_ns"].sum() == graph.show("operators")["device_self_ns"].sum()
    ours, theirs = (one.show("kernels", by="op") for one in (profile, eager))
    pairs = {(name, op) for name, op in rows(theirs, "name", "op") if op is not None}
    assert set(rows(ours, "name", "op")) <= pairs


@pytest.mark.real_trace
def test_another_work_explains_nothing(shared_data: Path) -> None:
    import stepscope

    graph = stepscope.open(str(shared_data / "h200/pairs/launch_bound_decode.mended.pt.trace.json.gz"))
    other = stepscope.open(str(shared_data / "h200/train/cnn.step7.pt.trace.json.gz"))
    assert graph.with_eager(other).notes("kernels")[0].startswith("0 % of the time")


def served(folder: Path) -> Path:
    """A trace of graphs, and the recording of their capture in the folder where servers write it."""
    capture = [
        [operator(OPERATORS[letter], 100 * n + 10, 100 * n + 50), hip_launch(100 * n + 20, n, letter)]
        for n, letter in enumerate("abcd", 1)
    ]
    (folder / "capture_traces").mkdir(parents=True)
    write(folder / "capture_traces" / "bs_32.json", *capture)
    return write(folder / "trace.json", *graph_events("abcd", "abcd"))


def hip_launch(at: int, number: int, letter: str) -> Event:
    launch = call(at, at + 5, number, name="hipLaunchKernel")
    return {**launch, "args": {**launch["args"], "kernel": letter}}


def test_a_capture_beside_the_trace_is_used_by_itself(tmp_path: Path) -> None:
    path = served(tmp_path)
    for named in (path, tmp_path):
        profile = stepscope.open(str(named))
        assert profile.show("kernels", by="op")["op"].to_list() == [
            "aten::addmm",
            "aten::gelu",
            "aten::mm",
            "aten::add",
        ]
        assert check(profile, "graph_captures") == (
            "ok",
            "100 %",
            f"of what CUDA graphs replay has operators, by the recording of their capture in {tmp_path}/capture_traces",
        )
        assert len(profile.show("steps")) == 1, "no table refuses it"


def test_a_capture_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    path = served(tmp_path)
    (tmp_path / "capture_traces" / "bs_32.json").write_text("{}")
    status, _, detail = check(stepscope.open(str(path)), "skipped_files") or ("", "", "")
    assert status == "warning"
    assert "capture_traces" in detail


def test_captures_are_not_looked_for_through_links(tmp_path: Path) -> None:
    """A served folder may hold a link to somewhere else."""
    served(tmp_path / "elsewhere")
    shown = tmp_path / "shown"
    shown.mkdir()
    path = write(shown / "trace.json", *graph_events("abcd", "abcd"))
    (shown / "capture_traces").symlink_to(tmp_path / "elsewhere" / "capture_traces")
    assert check(stepscope.open(str(path)), "graph_captures") is None
    (shown / "capture_traces").unlink()
    (shown / "capture_traces").mkdir()
    (shown / "capture_traces" / "a.json").symlink_to(tmp_path / "elsewhere" / "capture_traces" / "bs_32.json")
    assert check(stepscope.open(str(path)), "graph_captures") is None
