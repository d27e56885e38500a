"""``stepscope show``: formats, selections, conditions."""

from __future__ import annotations

import io
import json
import subprocess
import sys

import polars as pl
import pytest

import stepscope
from command_line import Run
from stepscope.analyses.ranks.job_clock import job_clock
from stepscope.messages.language import language
from stepscope.schema import TABLES

SLOW = "examples/batch_size.slow.pt.trace.json.gz"
RANKS = "examples/ddp4_straggler"


def test_table_is_sorted_limited_and_says_what_is_left_out(run: Run) -> None:
    outcome = run(
        "show", "kernels", RANKS, "--where", "kind = 'gemm' AND calls > 20", "--sort", "mean_ns", "--limit", "3"
    )
    assert outcome.out == (
        "kernel                          calls    total   share     mean      min      max  kind  operator\n"
        "------------------------------  -----  -------  ------  -------  -------  -------  ----  -----------\n"
        "nvjet_sm90_tst…_h_bz_coopB_NNT     78   466 ms   9.5 %  5.97 ms  1.38 ms  8.42 ms  gemm  aten::mm\n"
        "nvjet_sm90_tst…_h_bz_coopA_NNT     55  7.60 ms   0.2 %   138 us  9.50 us  7.04 ms  gemm  -\n"
        "nvjet_sm90_tst…_coopA_bias_TNT     48   463 us  <0.1 %  9.64 us  9.44 us  10.2 us  gemm  aten::addmm\n"
        "no room for: tensor_core, grid, block, registers, shared_bytes, blocks_per_sm,\n"
        "estimated_occupancy_pct, occupancy_limit, occupancy_pct; empty, left out: source (--columns NAME,...\n"
        "or --format csv)\n"
        "and 6 more rows (--limit 0 for all)\n"
    )


@pytest.mark.long
def test_steps_say_that_the_host_runs_ahead(run: Run) -> None:
    assert run("show", "steps", RANKS, "--rank", "2", "--step", "3:4").out == (
        "rank  step       start  CPU duration       GPU end  GPU lag  GPU period  cut  compute  communication\n"
        "----  ----  ----------  ------------  ------------  -------  ----------  ---  -------  -------------\n"
        "   2     3  341.330 ms        339 ms    999.653 ms   319 ms      336 ms  no    124 ms         211 ms\n"
        "   2     4  680.556 ms        337 ms  1,341.311 ms   324 ms      342 ms  no    123 ms         204 ms\n"
        "no room for: memcpy_ns, memset_ns, runtime_ns, data_loading_ns, cpu_ns, other_ns (--columns NAME,...\n"
        "or --format csv)\n"
        "note: CPU runs ahead of the GPU: use the GPU period as step time\n"
        "note: start, GPU end: time since the first event of the recording; --where and other formats hold\n"
        "  absolute ns\n"
    )


@pytest.mark.long
def test_a_moment_has_the_same_value_in_every_table(run: Run) -> None:
    """Each table counted from its own first row: `steps` and `idle --by gap` could not be compared."""
    shown = ["critical_path", RANKS, "--by", "event", "--rank", "2", "--step", "3", "--where", "kind = 'memcpy'"]
    absolute = pl.read_csv(io.StringIO(run("show", *shown, "--format", "csv").out))["start_ns"]
    profile = stepscope.open(RANKS).profile
    origin = job_clock(profile).origin(2)
    said = [line.split()[0] for line in run("show", *shown, "--columns", "start_ns").out.splitlines()[2:]]
    assert said[: len(absolute)] == [f"{(ns - origin) / 1e6:,.3f}" for ns in absolute]
    steps = stepscope.open(RANKS).show("steps", rank=2, step=3)
    assert f"{(steps['start_ns'][0] - origin) / 1e6:,.3f} ms" in run("show", "steps", RANKS, "--rank", "2").out
    assert "time since the first event of the recording" in run("show", "steps", RANKS).out


def test_json_has_the_contract_of_the_table(run: Run) -> None:
    outcome = run("show", "summary", SLOW, "--format", "json")
    assert outcome.err == ""
    assert json.loads(outcome.out) == {
        "schema_version": 1,
        "table": "summary",
        "profile": {
            "path": SLOW,
            "ranks": [{"rank": 0, "source": SLOW, "rank_from": "order of the files"}],
            "skipped": [],
        },
        "notes": [],
        "rows": [
            {
                "rank": 0,
                "device": "NVIDIA H200",
                "events": 39288,
                "steps": 3,
                "span_ns": 96627174,
                "busy_ns": 13399007,
                "idle_ns": 83228167,
                "compute_ns": 13361439,
                "communication_ns": 0,
                "exposed_communication_ns": 0,
                "memory_ns": 37568,
                "exposed_memory_ns": 37568,
                "overlap_pct": None,
                "kernels": 2043,
                "memcpys": 0,
                "memsets": 33,
            }
        ],
    }


@pytest.mark.long
def test_csv_holds_every_row_and_column(run: Run) -> None:
    frame = pl.read_csv(io.StringIO(run("show", "operators", SLOW, "--format", "csv").out))
    shown = stepscope.open(SLOW).show("operators")
    assert frame.columns == shown.columns
    assert frame["device_self_ns"].to_list() == shown["device_self_ns"].to_list()


@pytest.mark.long
def test_parquet_goes_to_a_pipe_as_bytes(run: Run) -> None:
    command = [sys.executable, "-m", "stepscope", "show", "steps", SLOW, "--format", "parquet"]
    data = subprocess.run(command, capture_output=True, check=True).stdout
    assert pl.read_parquet(io.BytesIO(data)).equals(stepscope.open(SLOW).show("steps"))


def test_grouping_by_shape_refines_the_rows(run: Run) -> None:
    rows = json.loads(run("show", "operators", SLOW, "--by", "shape", "--format", "json").out)["rows"]
    mm = [row for row in rows if row["name"] == "aten::mm"]
    assert [(row["shape"], row["calls"]) for row in mm] == [
        ("[[4, 1000], [1000, 2048]]", 3),
        ("[[1000, 4], [4, 2048]]", 3),
    ]


def test_python_gives_the_same_rows_as_the_command_line(run: Run) -> None:
    rows = json.loads(run("show", "kernels", SLOW, "--step", "4", "--format", "json").out)["rows"]
    assert rows == stepscope.open(SLOW).show("kernels", step=4).to_dicts()


@pytest.mark.long
def test_a_range_of_time_is_a_condition(run: Run) -> None:
    """As docs/tables/findings.md says it of a finding's start_ns and end_ns."""
    show = ("show", "critical_path", SLOW, "--by", "event", "--step", "3", "--format", "csv")
    rows = pl.read_csv(io.StringIO(run(*show).out))
    start, end = rows["start_ns"][100] + 1, rows["start_ns"][200]
    where = f"start_ns < {end} AND start_ns + duration_ns > {start}"
    assert pl.read_csv(io.StringIO(run(*show, "--where", where).out)).equals(rows[100:200])


def test_empty_result_says_why(run: Run) -> None:
    assert run("show", "memcpy", SLOW).out == ("no rows: nothing of this kind happened in the selection\n")


@pytest.mark.long
def test_savings_stand_first_where_not_all_columns_have_room(run: Run) -> None:
    """100 columns held the title, cut, and no saving in per cent."""
    heading = run("show", "findings", "examples/batch_size.slow.pt.trace.json.gz").out.splitlines()[0].split("  ")
    titles = [title.strip() for title in heading if title]
    assert titles == ["rank", "ID", "severity", "saving %", "saving low %", "saving high %", "confidence"]


def test_the_list_of_tables_speaks_the_language_of_the_locale(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    lines = run("show", "--list").out.splitlines()
    assert lines[0].split(maxsplit=1) == ["findings", "各瓶颈、修复可节省的时间及证据"]
    assert len(lines) == len(TABLES)
    monkeypatch.setenv("LC_ALL", "C")
    first = run("show", "--list").out.splitlines()[0]
    assert first.split(maxsplit=1) == ["findings", "bottlenecks, what fixing each would save, and the evidence"]
    assert run("show", "kernels", "x.json", "--by", "shape", "--lang", "zh").err.startswith(
        "stepscope: 无法按 shape 显示"
    )
    assert language() == "en", "a command keeps its language to itself"
