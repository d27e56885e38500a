"""How far a trace can be trusted: the whole table, and the checks of a profile of many ranks."""

from __future__ import annotations

from pathlib import Path

import stepscope
from building import check, kernel, launched, opened, operator, rows, step, timed, write

NCCL = "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevComm*)"


def test_a_sound_trace_has_nothing_to_warn_of(tmp_path: Path) -> None:
    """Everything that can be recorded was recorded, and everything fits."""
    profile = opened(
        tmp_path,
        step(1, 0, 100),
        operator("aten::mm", 10, 30, **{"Input Dims": [[2, 2], [2, 2]]}),
        timed("python_function", "train.py(3): step", 5, 90, process=1, thread=1),
        {
            "ph": "i",
            "cat": "cpu_instant_event",
            "name": "[memory]",
            "pid": 1,
            "tid": 1,
            "ts": 1,
            "args": {"Bytes": 512, "Total Allocated": 512},
        },
        launched(kernel(NCCL, 40, 90, 1, **{"Collective name": "allreduce"}), at=20),
    )
    table = profile.show("health")
    json_bytes = next(iter(tmp_path.glob("*.json"))).stat().st_size
    assert rows(table, "rank", "check", "status", "value", "detail") == [
        (0, "events", "ok", "6", f"{json_bytes} B of JSON"),
        (0, "complete", "ok", "yes", "the file ends as it should"),
        (0, "damaged_events", "ok", "0", "every event is valid JSON"),
        (0, "broken_events", "ok", "0", "every timed event has a start and a duration"),
        (0, "clock", "ok", "whole ns", "no activity starts before its launch"),
        (0, "gpu_activity", "ok", "1", "kernels, memcpys and memsets"),
        (0, "linked_launches", "ok", "100 %", "every activity has its launch"),
        (0, "launches_with_activity", "ok", "100 %", "every launch call has its activity"),
        (0, "attributed_to_operators", "ok", "100 %", "all GPU time was launched inside operators"),
        (0, "steps", "ok", "1", "ProfilerStep ranges"),
        (0, "steps_cut", "ok", "0", "no step is cut by the recorded window"),
        (0, "inside_steps", "ok", "100 %", "all GPU time was launched inside steps"),
        (0, "host_ahead", "ok", "no", "the GPU finishes each step's work within that step"),
        (0, "overlapping_events", "ok", "0", "CPU events nest"),
        (
            0,
            "communication_metadata",
            "ok",
            "100 %",
            "all 1 communication kernels carry their collective's name and sizes",
        ),
        (0, "unknown_categories", "ok", "0", "every timed event is of a known category"),
        (
            0,
            "profiler_overhead",
            "ok",
            "0",
            "no event of the profiler's own work; its cost per call is still part of CPU times",
        ),
        (0, "operators", "ok", "recorded", None),
        (0, "shapes", "ok", "recorded", None),
        (0, "stacks", "ok", "recorded", None),
        (0, "memory", "ok", "recorded", None),
    ]


def test_files_that_are_no_traces_are_named_and_only_a_doubtful_one_is_a_warning(tmp_path: Path) -> None:
    """The settings of a run beside its trace had the mark of a recording that cannot be trusted."""
    write(tmp_path / "rank0.json", kernel("a", 0, 10))
    (tmp_path / "config.json").write_text('{"lr": 0.1}')
    found = check(stepscope.open(str(tmp_path)), "skipped_files")
    assert found == ("ok", "1", "not read: config.json (it is JSON without traceEvents (its keys are lr))")
    (tmp_path / "rank1.json").write_text('{"schemaVersion": 1, "distri')
    status, value, _ = check(stepscope.open(str(tmp_path)), "skipped_files") or ("", "", "")
    assert (status, value) == ("warning", "2")


def test_ranks_numbered_by_the_order_of_files_are_told(tmp_path: Path) -> None:
    for name in ("a.json", "b.json", "rank7.json"):
        write(tmp_path / name, kernel("a", 0, 10))
    profile = stepscope.open(str(tmp_path))
    found = check(profile, "rank_numbers")
    assert found is not None
    assert found[:2] == ("warning", "2 of 3 numbered by order")
    assert profile.show("summary")["rank"].to_list() == [0, 1, 7]


def test_ranks_that_were_not_opened_are_told(tmp_path: Path) -> None:
    for number in (0, 3):
        info = {"rank": number, "world_size": 8}
        write(tmp_path / f"{number}.json", kernel("a", 0, 10), distributedInfo=info)
    profile = stepscope.open(str(tmp_path))
    found = check(profile, "ranks")
    assert found is not None
    assert found[:2] == ("warning", "2 of 8")
    assert check(profile, "rank_numbers") == ("ok", "2 ranks", "as recorded or as in the file names")
