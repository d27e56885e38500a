"""``stepscope what-if``: what it prints, what it refuses, and that its JSON holds the same."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from building import Event, kernel, launched, operator, step, write
from command_line import Run

SLOW = "examples/batch_size.slow.pt.trace.json.gz"
METHOD = (
    "Simulated from the recorded steps, without profiler overhead, before and after the change. The range\n"
    "  contains about four of five such changes where they were measured.\n"
)

PATH = """
Critical path of the step  (by resource, end to end)
  resource           before            after
  --------  ---------------  ---------------
  host      17.5 ms   100 %  16.9 ms   100 %

Longest on the critical path afterwards
  name                        resource             time
  --------------------------  --------  ---------------
  cudaLaunchKernel            host      2.38 ms  14.1 %
  aten::convolution_backward  host      1.84 ms  10.9 %
  aten::cudnn_convolution     host      1.20 ms   7.1 %
  nothing recorded            host      1.10 ms   6.5 %
  aten::cudnn_batch_norm      host       924 us   5.5 %

"""


@pytest.mark.long
def test_several_changes_alone_and_together(run: Run) -> None:
    assert run("what-if", SLOW, "--change", "host:/Optimizer.step/ x0.5", "--change", "kernel:/gemm/ x0.5").out == (
        "Step time: 32.6 ms recorded, ~17.5 ms excluding profiler overhead (12.1 ms to 23.3 ms).\n"
        "host:/Optimizer.step/ x0.5: 16.9 ms a step, 4 % shorter (-7 % to 14 %). It affects 1.28 ms of CPU\n"
        "  time a step, in 1 range.\n"
        "kernel:/gemm/ x0.5: 17.5 ms a step, 0 % shorter (-10 % to 10 %). It affects 1.79 ms of GPU time a\n"
        "  step, in 152 activities.\n"
        "All together: 16.9 ms a step, 4 % shorter (-7 % to 14 %).\n"
        "Bottleneck before: host (100 % of the step); after: host (100 %).\n"
        f"{PATH}"
        f"{METHOD}"
    )


def test_the_answer_is_chinese_where_that_is_asked(run: Run) -> None:
    out = run("what-if", SLOW, "--change", "no-sync", "--lang", "zh").out
    assert out.startswith("迭代时间：记录为 32.6 ms，扣除采集开销后约 17.5 ms（12.1 ms 至 23.3 ms）。\n")
    assert "更改前的瓶颈：主机（占迭代的 100 %）" in out


def test_names_in_a_trace_do_not_steer_the_terminal(run: Run, tmp_path: Path) -> None:
    hostile = "k\x1b[31m\nx"
    events = [[step(n, 1_000_000 * n, 1_000_000 * (n + 1)), *launched_by(n, hostile)] for n in range(3)]
    write(tmp_path / "t.json", *events)
    shown = run("what-if", str(tmp_path / "t.json"), "--change", f"kernel:{hostile} x3").out
    assert "\x1b" not in shown
    assert "\nx" not in shown


def launched_by(n: int, name: str) -> list[Event]:
    at = 1_000_000 * n
    return [
        operator("a", at + 1_000, at + 9_000),
        *launched(kernel(name, at + 10_000, at + 900_000, n + 1), at + 2_000),
    ]


def test_json_holds_the_same(run: Run) -> None:
    found = json.loads(run("what-if", SLOW, "--change", "kernel:/gemm/ x0.5", "--format", "json").out)
    assert list(found) == ["schema_version", "profile", "method", "job", "ranks"]
    (rank,) = found["ranks"]
    assert rank["changes"][0]["change"] == "kernel:/gemm/ x0.5"
    assert {key: value for key, value in rank["changes"][0].items() if key != "change"} == rank["together"]
    assert rank["together"]["before_low_ns"] <= rank["together"]["before_ns"] <= rank["together"]["before_high_ns"]
    for when in ("before", "after"):
        parts = rank[f"path_{when}"]
        assert list(parts[0]) == ["side", "name", "label", "ns", "share_pct"]
        assert [part for part in parts if (part["name"] is None) != (part["label"] is not None)] == []
        assert sum(part["ns"] for part in parts) == rank["together"][f"{when}_ns"]
        assert sum(part["share_pct"] for part in parts) == pytest.approx(100)
    assert (rank["together"]["bound_before"], rank["together"]["bound_after"]) == ("host", "host")


@pytest.mark.long
def test_ranks_have_paragraphs_of_their_own(run: Run) -> None:
    out = run(
        "what-if", "examples/ddp4_straggler", "--rank", "0", "--rank", "2", "--change", "overlap-communication"
    ).out
    assert [line for line in out.splitlines() if line.startswith("Rank")] == ["Rank 0", "Rank 2"]


def test_a_change_that_is_none_is_explained(run: Run) -> None:
    found = run("what-if", SLOW, "--change", "faster")
    assert (found.code, found.out) == (2, "")
    assert found.err.startswith("stepscope: cannot change 'faster': there is no such change. Changes: op:NAME xFACTOR,")
    assert "Traceback" not in found.err


def test_changes_are_listed(run: Run) -> None:
    lines = run("what-if", "--list").out.splitlines()
    assert lines[0] == "op:NAME xFACTOR        CPU and GPU time of an operator, including all that it calls"
    assert len(lines) == 13
