"""One run, many recordings: spans of a process, other recorders beside a rank, and what is not read yet."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import stepscope
from building import kernel, launched, operator, step, write
from readers.csv_kernels import EXAMPLE, KernelCsv
from readers.nsys_building import PROCESS, everything_beside, training
from stepscope.api import OpenProfile
from stepscope.errors import BadRequest
from stepscope.readers import registry


@pytest.fixture
def csv_reader() -> Iterator[None]:
    with registry.added(KernelCsv()):
        yield


def a_trace(path: Path, begin: int = 0, number: int = 1, process: int = 1, **head: Any) -> Path:
    """A trace of one step that begins at a moment; ``process`` is the host's."""
    path.parent.mkdir(parents=True, exist_ok=True)
    events = [step(number, begin, begin + 100), operator("aten::mm", begin, begin + 30)]
    for event in events:
        event["pid"] = process
    return write(path, *events, launched(kernel("gemm", begin + 20, begin + 60, number), begin + 10), **head)


def shown(profile: OpenProfile) -> list[tuple[Any, ...]]:
    """Rank, file, span and whether it is used, of each recording."""
    table = profile.show("recordings")
    names = [Path(path).name for path in table["path"]]
    return list(zip(table["rank"], names, table["span"], table["spans"], table["used"], strict=True))


def health(profile: OpenProfile, check: str) -> tuple[str, str]:
    """Value and detail of a check, empty where it does not apply."""
    table = profile.show("health")
    found = [(row["value"], row["detail"]) for row in table.to_dicts() if row["check"] == check]
    return found[0] if found else ("", "")


def test_cycles_of_a_worker_in_a_logdir_are_spans_and_no_ranks(tmp_path: Path) -> None:
    """Three files of one process, as `tensorboard_trace_handler` names them, were "3 ranks" with a verdict on each."""
    names = [f"worker0.170000000000{cycle}.pt.trace.json" for cycle in range(3)]
    for cycle, name in enumerate(names):
        a_trace(tmp_path / name, 1_000 * cycle, cycle + 1)
    profile = stepscope.open(tmp_path)
    assert [rank.number for rank in profile.profile.ranks] == [0]
    assert profile.show("steps")["step"].to_list() == [3]
    assert shown(profile) == [
        (0, names[2], 3, 3, True),
        (0, names[0], 1, 3, False),
        (0, names[1], 2, 3, False),
    ]
    assert profile.show("recordings")["start_ns"].to_list() == [2000, 0, 1000]
    said = "one process recorded several spans"
    assert health(profile, "spans") == ("3 of 3", f"{said}; shown: {names[2]} (Kineto); choose others with --span N")
    assert profile.profile.skipped == ()


def test_a_span_can_be_chosen(tmp_path: Path) -> None:
    for cycle in range(2):
        for worker in (40, 41):
            head = {"distributedInfo": {"rank": worker - 40, "world_size": 2}}
            name = f"node1_{worker}.17000000000{cycle}00000000.pt.trace.json"
            a_trace(tmp_path / name, 1_000 * cycle, cycle + 1, worker, **head)
    assert stepscope.open(tmp_path).show("steps")["step"].to_list() == [2, 2]
    first = stepscope.open(tmp_path, span=1)
    assert first.show("steps")["step"].to_list() == [1, 1]
    assert health(first, "spans")[0] == "1 of 2"
    with pytest.raises(BadRequest, match="cannot show span 3: node1_40 has spans 1-2"):
        stepscope.open(tmp_path, span=3)


def test_of_one_recording_there_is_one_span(tmp_path: Path) -> None:
    path = a_trace(tmp_path / "a.json")
    assert len(stepscope.open(path, span=1).profile.ranks) == 1
    with pytest.raises(BadRequest, match="cannot show span 2: there is one recording of each process"):
        stepscope.open(path, span=2)


def test_files_of_one_process_and_rank_one_after_the_other_are_spans(tmp_path: Path) -> None:
    """The names that torch's tutorial gives to cycles: ``trace_10.json``, ``trace_20.json``."""
    for cycle in (10, 20):
        a_trace(tmp_path / "named" / f"trace_{cycle}.json", 1_000 * cycle, cycle, process=77)
        a_trace(tmp_path / "said" / f"{'ab'[cycle // 20]}.json", 1_000 * cycle, cycle, 77, distributedInfo={"rank": 3})
    assert shown(stepscope.open(tmp_path / "named")) == [
        (0, "trace_20.json", 2, 2, True),
        (0, "trace_10.json", 1, 2, False),
    ]
    assert shown(stepscope.open(tmp_path / "said")) == [(3, "b.json", 2, 2, True), (3, "a.json", 1, 2, False)]


def test_files_of_one_trace_id_are_parts_of_a_recording_even_at_one_time(tmp_path: Path) -> None:
    """SGLang's prefill and decode: one of the two was skipped as another run of the same rank."""
    for name, start in (("a-EXTEND.json", 1_000), ("b-DECODE.json", 1_050)):
        a_trace(tmp_path / "job" / name, start, start, 77, distributedInfo={"rank": 0}, trace_id="C3AB")
    assert shown(stepscope.open(tmp_path / "job")) == [
        (0, "b-DECODE.json", 2, 2, True),
        (0, "a-EXTEND.json", 1, 2, False),
    ]


@pytest.mark.parametrize(("second_begin", "second_process"), [(50, 77), (1_000, 78)])
def test_recordings_at_one_time_or_of_two_processes_are_ranks(
    tmp_path: Path, second_begin: int, second_process: int
) -> None:
    a_trace(tmp_path / "trace_0.json", 0, process=77)
    a_trace(tmp_path / "trace_1.json", second_begin, process=second_process)
    assert [rank.number for rank in stepscope.open(tmp_path).profile.ranks] == [0, 1]


def test_another_run_of_the_same_rank_is_skipped_as_before_and_listed(tmp_path: Path) -> None:
    for name in ("a.json", "b.json"):
        a_trace(tmp_path / name, distributedInfo={"rank": 1})
    profile = stepscope.open(tmp_path)
    assert shown(profile) == [(1, "a.json", None, None, True), (None, "b.json", None, None, False)]
    assert profile.show("recordings")["note"][1] == "rank 1 is also in a.json, which comes first by name"
    assert health(profile, "recordings") == ("", "")


@pytest.mark.usefixtures("csv_reader")
def test_a_second_reader_opens_its_files(tmp_path: Path) -> None:
    (tmp_path / "kernels.csv").write_text(EXAMPLE)
    profile = stepscope.open(tmp_path)
    (row,) = profile.show("recordings").to_dicts()
    assert row == {
        "id": 0,
        "kind": "trace",
        "recorder": "KernelCsv",
        "recorder_version": "1.2",
        "rank": 0,
        "path": str(tmp_path / "kernels.csv"),
        "start_ns": 1000,
        "duration_ns": 3450,
        "clock": "own",
        "joined": None,
        "uncertainty_ns": 0,
        "events": 4,
        "size_bytes": len(EXAMPLE),
        "recorded": "GPU work",
        "span": None,
        "spans": None,
        "used": True,
        "note": None,
    }
    kernels = profile.show("kernels").sort("name")
    assert kernels.select("name", "calls", "total_ns").rows() == [
        ("gemm", 2, 500),
        ("relu", 1, 250),
        ("softmax", 1, 450),
    ]
    assert health(profile, "events") == ("4", "recorded by KernelCsv")
    assert health(profile, "damaged_events") == ("0", "every event can be read")
    assert health(profile, "profiler_overhead") == ("", "")
    assert "this recording is by KernelCsv; torch.profiler records it with" in health(profile, "shapes")[1]
    assert "it is by KernelCsv, and torch.profiler records this with" in str(profile.notes("memory"))


@pytest.mark.usefixtures("csv_reader")
def test_two_recorders_of_one_rank_are_joined_and_named(tmp_path: Path) -> None:
    """A file of another recorder was ignored without a word, or was a rank of its own when it was named."""
    for rank in range(2):
        a_trace(tmp_path / f"rank{rank}.json", process=rank)
    (tmp_path / "kernels.rank1.csv").write_text(EXAMPLE)
    (tmp_path / "kernels.csv").write_text(EXAMPLE)
    beside = "beside the recording that the tables show, rank 1 has kernels.rank1.csv (KernelCsv)"
    for profile in (stepscope.open(tmp_path), stepscope.open(sorted(tmp_path.iterdir()))):
        assert shown(profile) == [
            (0, "rank0.json", None, None, True),
            (1, "rank1.json", None, None, True),
            (1, "kernels.rank1.csv", None, None, False),
            (None, "kernels.csv", None, None, False),
        ]
        assert profile.show("kernels")["name"].to_list() == ["gemm"]
        assert health(profile, "recordings") == (
            "2 not shown",
            f"{beside}; of no rank: kernels.csv (KernelCsv)",
        )


@pytest.mark.usefixtures("csv_reader")
def test_a_recording_without_a_rank_stands_beside_the_only_one(tmp_path: Path) -> None:
    a_trace(tmp_path / "trace.json")
    (tmp_path / "kernels.csv").write_text(EXAMPLE)
    assert shown(stepscope.open(tmp_path)) == [
        (0, "trace.json", None, None, True),
        (0, "kernels.csv", None, None, False),
    ]


@pytest.mark.usefixtures("csv_reader")
def test_another_recorder_has_no_overhead_of_kineto(tmp_path: Path) -> None:
    """Kineto's slowdown was taken off the steps of whatever had been recorded, by whatever recorder."""
    (tmp_path / "kernels.csv").write_text(EXAMPLE)
    table = stepscope.open(tmp_path).show("step_time")
    assert all(value is None for value in table["unprofiled_ns"])


def test_recordings_that_are_not_read_yet_are_named(tmp_path: Path) -> None:
    """What lay beside a trace was left out without a word."""
    a_trace(tmp_path / "rank0.json")
    (tmp_path / "rank0_kernels.ncu-rep").write_bytes(b"NVR\0")
    (tmp_path / "report.nsys-rep").write_bytes(b"anything")
    (tmp_path / "weights.pkl").write_bytes(b"\x80\x04\x95}\x94\x8c\x06weight\x94]\x94.")
    (tmp_path / "vm_1_ascend_ms").mkdir()
    profile = stepscope.open(tmp_path)
    table = profile.show("recordings")
    assert table.select("kind", "recorder", "rank", "used", "events").rows() == [
        ("trace", "Kineto", 0, True, 4),
        ("trace", "Nsight Systems", None, False, None),
        ("input_pipeline", "MindSpore", None, False, None),
        ("kernel_report", "Nsight Compute", 0, False, None),
    ]
    value, detail = health(profile, "skipped_files")
    assert value == "3"
    assert "rank0_kernels.ncu-rep (the report ends within a block)" in detail
    assert profile.notes("recordings") == ["3 of 4 recordings are not in the other tables; the note says why"]


def test_a_damaged_trace_of_a_folder_is_among_its_recordings(tmp_path: Path) -> None:
    a_trace(tmp_path / "rank0.json")
    (tmp_path / "rank1.json").write_bytes(b'{"schemaVersion": 1, "traceEvents": []}')
    (tmp_path / "settings.json").write_text("{}")
    assert shown(stepscope.open(tmp_path)) == [
        (0, "rank0.json", None, None, True),
        (1, "rank1.json", None, None, False),
    ]


def test_of_spans_that_begin_at_one_moment_the_last_by_name_is_shown(tmp_path: Path) -> None:
    """A trace without a base for its times may count each cycle from zero."""
    for cycle in range(2):
        a_trace(tmp_path / f"worker0.170000000000{cycle}.pt.trace.json", 0, cycle)
    assert shown(stepscope.open(tmp_path))[0] == (0, "worker0.1700000000001.pt.trace.json", 2, 2, True)


def test_each_recording_says_its_size_and_what_it_holds(tmp_path: Path) -> None:
    """Of what was recorded, the table names what has rows, and the options that the recorder says."""
    plain = a_trace(tmp_path / "rank0.json")
    a_trace(tmp_path / "rank1.json", record_shapes=1, with_flops=1, with_stack=0, with_modules=1)
    table = stepscope.open(str(tmp_path)).show("recordings")
    assert table["recorded"].to_list() == [
        "GPU work, CUDA calls, operators, and ranges",
        "GPU work, CUDA calls, operators, shapes, modules, FLOPs, and ranges",
    ]
    assert table["size_bytes"].to_list() == [plain.stat().st_size, (tmp_path / "rank1.json").stat().st_size]


def test_an_export_of_nsight_systems_says_what_else_it_holds(tmp_path: Path) -> None:
    path = everything_beside(training(1), PROCESS).write(tmp_path / "export.sqlite")
    (row,) = stepscope.open(str(path)).show("recordings").to_dicts()
    assert row["size_bytes"] == path.stat().st_size
    assert row["recorded"] == (
        "GPU work, CUDA calls, ranges, calls of the operating system, CPU samples, context switches, page faults, "
        "CUDA allocations, and counters"
    )
