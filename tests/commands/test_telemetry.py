"""``stepscope show telemetry`` of a trace as torch's CUPTI monitor writes it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from command_line import Run


def written(path: Path) -> str:
    """A trace of two steps in that form: one line, floats, a process for the counters of each GPU."""
    process = "GPU 0 Counters"
    place: dict[str, Any] = {"pid": 900, "tid": 900}
    on_gpu: dict[str, Any] = {"pid": 0, "tid": 7}
    events: list[dict[str, Any]] = [
        {"ph": "M", "name": "process_name", "pid": 0, "tid": 0, "ts": 0.0, "args": {"name": "python"}},
        {"ph": "M", "name": "process_labels", "pid": 0, "tid": 0, "ts": 0.0, "args": {"labels": "GPU 0"}},
        {"ph": "M", "name": "process_sort_index", "pid": process, "tid": 0, "ts": 0.0, "args": {"sort_index": 100}},
    ]
    for i in range(2):
        at = 1000.0 * i
        step = {"ph": "X", "cat": "user_annotation", "name": f"ProfilerStep#{i}", "ts": at, "dur": 1000.0}
        launch = {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "ts": at + 10.0, "dur": 8.0}
        kernel = {"ph": "X", "cat": "kernel", "name": "gemm", "ts": at + 20.0, "dur": 900.0}
        linked = {"correlation": i + 1}
        events += [step | place, launch | place | {"args": linked}]
        events.append(kernel | on_gpu | {"args": {"device": 0, "stream": 7, **linked}})
        cycles = {"ph": "C", "name": "Cycles (Current Kernel)", "pid": process, "ts": at + 20.0}
        events.append(cycles | {"args": {"": 1782000 + i}})
    for i in range(20):
        busy = {"ph": "C", "name": "SM Active (%)", "pid": process, "ts": 100.0 * i, "args": {"": 40.0 + 2.125 * i}}
        events.append(busy)
    for i in range(4):
        watts = {"ph": "C", "name": "Power (W)", "pid": process, "ts": 500.0 * i + 7.5, "args": {"": 312.5 + i}}
        events.append(watts)
    path.write_text(json.dumps({"schemaVersion": 1, "displayTimeUnit": "ms", "traceEvents": events}))
    return str(path)


@pytest.mark.long
def test_each_counter_is_a_row(run: Run, tmp_path: Path) -> None:
    outcome = run("show", "telemetry", written(tmp_path / "trace.json"))
    assert outcome.out == (
        "rank  GPU  counter                  unit    samples       mean        min        p95        max\n"
        "----  ---  -----------------------  ------  -------  ---------  ---------  ---------  ---------\n"
        "   0    0  Cycles (Current Kernel)  cycles        2  1,782,000  1,782,000  1,782,001  1,782,001\n"
        "   0    0  Power                    W             4     314.00     312.50     315.50     315.50\n"
        "   0    0  SM Active                %            20      60.19      40.00      78.25      80.38\n"
        "no room for: interval_ns, coverage_pct, process, metric, p50, missing (--columns NAME,... or\n"
        "--format csv)\n"
    )
    assert outcome.code == 0


def test_each_step_has_its_means(run: Run, tmp_path: Path) -> None:
    columns = "counter,unit,step,samples,mean,max"
    outcome = run("show", "telemetry", written(tmp_path / "trace.json"), "--by", "step", "--columns", columns)
    assert outcome.out == (
        "counter                  unit    step  samples       mean        max\n"
        "-----------------------  ------  ----  -------  ---------  ---------\n"
        "Cycles (Current Kernel)  cycles     0        1  1,782,000  1,782,000\n"
        "Cycles (Current Kernel)  cycles     1        1  1,782,001  1,782,001\n"
        "Power                    W          0        2     313.00     313.50\n"
        "Power                    W          1        2     315.00     315.50\n"
        "SM Active                %          0       10      49.56      59.12\n"
        "SM Active                %          1       10      70.81      80.38\n"
    )


def test_a_recording_without_counters_says_why_there_are_none(run: Run) -> None:
    outcome = run("show", "telemetry", "examples/launch_bound_decode.fixed.pt.trace.json.gz")
    assert outcome.out == (
        "no rows: the recording has no counters over time; record with torch >= 2.13 and\n"
        'experimental_config=torch.profiler._ExperimentalConfig(custom_profiler_config=\'{"backend":\n'
        '"cupti_monitor", "enable_environment_counters": true}\')\n'
    )


def test_telemetry_is_sampled_into_a_file_and_read(run: Run, tmp_path: Path) -> None:
    """By the command itself, of the machine that runs the tests; whatever that refuses is missing."""
    path = tmp_path / "one.telemetry.jsonl"
    said = run("telemetry", "--hz", "100", "--duration", "0.3", "-o", str(path))
    assert (said.code, said.out) == (0, "")
    assert said.err.splitlines() == [
        f"sampling 100 times a second into {path}; Ctrl-C ends it",
        f"the time is over; stepscope show telemetry {path}",
    ]
    shown = run("show", "recordings", str(path), "--format", "json")
    (row,) = json.loads(shown.out)["rows"]
    assert (row["kind"], row["recorder"], row["used"]) == ("telemetry", "stepscope", True)


def test_a_process_that_is_not_there_is_not_watched(run: Run, tmp_path: Path) -> None:
    said = run("telemetry", "--pid", "4194999", "-o", str(tmp_path / "one.telemetry.jsonl"))
    assert (said.code, said.err) == (
        2,
        (
            "stepscope: cannot watch process 4194999: there is no such process. "
            "Name one that runs on this machine: pgrep -f train.py\n"
        ),
    )
