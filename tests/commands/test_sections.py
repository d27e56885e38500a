"""Sentences of the report: what they say, and what they keep to themselves."""

from __future__ import annotations

import shlex
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import polars as pl
import pytest

from building import kernel, launched, opened, operator, step
from command_line import Run
from stepscope.analyses.recording.check import NOT_RECORDED
from stepscope.findings.report import make_report
from stepscope.findings.verdict_facts import StepLength
from stepscope.findings.verdict_messages import step_time
from stepscope.messages.rendering import render
from stepscope.reporters.kernel_text import short_kernels
from stepscope.reporters.report_text import report_lines
from stepscope.reporters.sections.closing import closing
from stepscope.reporters.sections.counters import counters
from stepscope.reporters.sections.gpu import _gpu_facts
from stepscope.reporters.sections.roofline import _utilization
from stepscope.reporters.sections.text_lines import limited
from stepscope.reporters.table import TextColumn

ENGINE = "autograd::engine::evaluate_function: AddmmBackward0"
EXAMPLES = ["batch_size.slow.pt.trace.json.gz", "launch_bound_decode.fixed.pt.trace.json.gz", "ddp4_straggler"]


def utilization(**figures: Any) -> str:
    row = {"rank": 0, "step": 1, "achieved_flops": 1e14, "roof": "bf16", "peak_flops": 1e15, "hfu_pct": 10.0}
    row |= {"mfu_pct": 10.0, "recomputed_flops": 0, "modelled_pct": 97.0, **figures}
    return " ".join(line.strip() for line in _utilization(pl.DataFrame([row], infer_schema_length=None), 200))


def test_a_share_stands_beside_its_own_peak() -> None:
    assert utilization() == (
        "GEMM throughput of a step: 100 TFLOP/s, 10.0 % of the peak (bf16: 1.00 PFLOP/s);"
        " models cover 97.0 % of its GEMM kernel time."
    )
    assert "20.0 % of the peaks that apply (500 TFLOP/s together, mostly bf16)" in utilization(hfu_pct=20.0)


def test_no_rate_of_work_that_models_hardly_know() -> None:
    assert utilization(hfu_pct=None, mfu_pct=None, modelled_pct=0.2) == (
        "The GEMM throughput of a step is unknown: models cover 0.2 % of the time of its GEMM kernels."
    )
    assert "100 TFLOP/s; models cover 60.0 %" in utilization(hfu_pct=None, mfu_pct=None, modelled_pct=60.0)


def test_step_times_have_the_unit_that_fits() -> None:
    times = [
        step_time("step", StepLength(13_336_300_000, 1), None),
        step_time("trace", StepLength(31_000, 3), None),
        step_time("step", StepLength(92_900_000, 1234, "mean", 90_000_000), (73_000_000, 81_000_000, 89_000_000)),
        step_time("step", StepLength(92_900_000, 3, "mean"), (73_000_000, 81_000_000, 89_000_000), True),
        step_time("step", StepLength(92_900_000, 3, "mean"), (89_000_000, 93_200_000, 97_000_000)),
    ]
    assert [render(one) for one in times] == [
        "Step time: 13.3 s recorded.",
        "Duration of the trace: 31.0 us recorded (median of 3).",
        (
            "Step time: 92.9 ms recorded (mean of 1,234, median 90.0 ms), "
            "~81.0 ms excluding profiler overhead (73.0 ms to 89.0 ms)."
        ),
        "Step time: 92.9 ms recorded (mean of 3), 81.0 ms measured without the profiler (73.0 ms to 89.0 ms).",
        "Step time: 92.9 ms recorded (mean of 3), about the same excluding profiler overhead (89.0 ms to 97.0 ms).",
    ]
    assert [render(one, "zh") for one in times] == [
        "迭代时间：记录为 13.3 s。",
        "跟踪时长：记录为 31.0 us（3 次的中位数）。",
        (
            "迭代时间：记录为 92.9 ms（1,234 次的平均值，中位数 90.0 ms），"
            "扣除采集开销后约 81.0 ms（73.0 ms 至 89.0 ms）。"
        ),
        "迭代时间：记录为 92.9 ms（3 次的平均值），未开启 profiler 时实测 81.0 ms（73.0 ms 至 89.0 ms）。",
        "迭代时间：记录为 92.9 ms（3 次的平均值），扣除采集开销后基本不变（89.0 ms 至 97.0 ms）。",
    ]


def report(bound: str, cause: str = "host_late", missing: tuple[str, ...] = (), rows: int = 1) -> Any:
    tables = {
        "health": pl.DataFrame({"check": missing, "value": [NOT_RECORDED.encoded()] * len(missing), "detail": ""}),
        "idle": pl.DataFrame({"rank": [0, 0], "cause": ["unknown", cause], "duration_ns": [1, 2]}),
        "roofline": pl.DataFrame({"gap_ns": [5]}),
        "operators": pl.DataFrame({"name": ["a"] * rows}, schema={"name": pl.String}),
        "kernels": pl.DataFrame({"name": ["a"]}),
    }
    verdicts = (SimpleNamespace(bound="gpu", step_ns=1, rank=1), SimpleNamespace(bound=bound, step_ns=2, rank=0))
    return SimpleNamespace(tables=tables, verdicts=verdicts, profile=SimpleNamespace(paths=["t.json"]))


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        (report("data loading"), "data_loading t.json"),
        (report("communication"), "kernels t.json --where \"kind = 'communication'\""),
        (report("gpu"), "roofline t.json"),
        (report("gpu", missing=("shapes",)), "kernels t.json --by op"),
        (report("gpu", missing=("shapes", "operators")), "kernels t.json --by launch"),
        (report("host"), "idle t.json --source"),
        (report("host", missing=("stacks",)), "idle t.json --by gap"),
        (report("host", "sync"), "sync t.json --source"),
        (report("host", "data_loading"), "data_loading t.json"),
        (report("unknown"), "operators t.json --by stack --sort host_self_ns"),
        (report("unknown", rows=0), "kernels t.json --by launch"),
    ],
)
def test_next_follows_the_verdict(facts: Any, expected: str) -> None:
    assert [line.text for line in closing(facts, 100)] == ["", f"Next: stepscope show {expected}"]


@pytest.mark.long
@pytest.mark.parametrize("example", EXAMPLES)
def test_next_is_a_command_that_has_rows(run: Run, example: str) -> None:
    [line] = [line for line in run("report", f"examples/{example}").out.splitlines() if line.startswith("Next: ")]
    outcome = run(*shlex.split(line)[2:])
    assert outcome.code == 0
    assert not outcome.out.startswith("no rows")


def test_columns_left_out_of_a_section_name_its_table() -> None:
    names = ("calls", "of what it waited for")
    columns = [TextColumn("call", ["a" * 30], False, True), *(TextColumn(name, ["1"], True) for name in names)]
    assert [line.text for line in limited(columns, 40, 1, "sync")][-2:] == [
        "  no room for: of what it waited for",
        "  (stepscope show sync)",
    ]


def test_counters_are_one_line() -> None:
    table = pl.DataFrame({"rank": [0, 0, 0], "range": [1, 1, 2], "metric": ["a", "b", "a"]})
    lines = [line.text for line in counters(SimpleNamespace(tables={"counters": table}), 100)]  # type: ignore[arg-type]
    assert lines == ["", "2 profiled ranges with 2 counters: stepscope show counters"]


def test_a_device_without_a_name_has_no_sms() -> None:
    facts = {"sms": 304, "device": None, "device_memory_bytes": None}
    assert "304" not in _gpu_facts(facts)
    assert _gpu_facts({**facts, "device": "AMD Instinct MI300X"}).startswith("304 CUs")


def test_the_sides_of_a_copy_are_no_kernels() -> None:
    assert short_kernels("Memcpy HtoD (Pageable -> Device)") == "Memcpy HtoD"
    assert short_kernels("a<1>(int) -> 2 x b<2>(float)") == "a -> 2 x b"


@pytest.mark.long
def test_of_another_tools_trace_nothing_is_claimed(tmp_path: Path) -> None:
    """Its critical path was "launch not recorded" and its CPU "in Python", of calls of the driver."""
    profile = opened(tmp_path, {"ph": "X", "name": "cuMemAlloc_v2", "pid": 1, "tid": 1, "ts": 1, "dur": 2})
    lines = [line.text for line in report_lines(make_report(profile.profile))]
    assert "Health of the recording" in lines
    unknown = ("Critical path", "Step breakdown", "profiler.step")
    assert not [line for line in lines if any(text in line for text in unknown)]
    assert lines[-1].startswith("Next: stepscope serve ")


@pytest.mark.long
def test_passes_between_which_forward_runs_are_said_to_be_several(tmp_path: Path) -> None:
    work = [
        launched(kernel("forward", at, at + 40, at), at - 5)
        if part % 2 == 0
        else [operator(ENGINE, at - 8, at, thread=2), launched(kernel("backward", at, at + 40, at), at - 5, thread=2)]
        for part, at in enumerate(range(100, 500, 50))
    ]
    profile = opened(tmp_path, step(1, 0, 600), operator("aten::mm", 0, 590), *work)
    lines = [line.text for line in report_lines(make_report(profile.profile))]
    line = next(line for line in lines if line.startswith("  backward"))
    assert line.endswith("4 passes, forward between them")
