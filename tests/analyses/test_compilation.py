"""Compilations, recompiles, graph breaks and kernels of logs of torch.compile, alone and beside a trace."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

import stepscope
from building import kernel, launched, step, write
from building.compiling import EPOCH_US, MadeLog, training
from stepscope.analyses.compilation.compilations import PARTS
from stepscope.analyses.compilation.guard_kinds import kind_of

S = 1_000_000_000
MISMATCH = "tensor 'x' size mismatch at index 0. expected 3, actual 4"
LONGEST = "for 3 reasons, the longest because"
GUARD = "this guard failed"
FAILED = "1 compilation failed: its function runs eagerly, or the program ended there."
LIMITED = "It reached the recompile limit and runs eagerly from then on"


def table(path: Path, name: str) -> pl.DataFrame:
    return stepscope.open(str(path)).show(name)


def test_every_compilation_with_its_parts(tmp_path: Path) -> None:
    found = table(training().write(tmp_path), "compilations")
    shown = ("compile_id", "direction", "function", "source", "duration_ns", *PARTS, "cache", "outcome", "recompile")
    nothing = (None,) * 5
    resumed = "torch_dynamo_resume_in_forward_at_17"
    assert found.select(shown).rows() == [
        *[("0/0", "forward", "forward", "/w/train.py:15", 9 * S, S, 2 * S, S, 4 * S, S, "miss", "compiled", False)],
        *[("0/0", "backward", "forward", "/w/train.py:15", 2 * S, *nothing, None, "compiled", False)],
        *[("1/0", "forward", resumed, "/w/train.py:17", 3 * S, *nothing, None, "compiled", False)],
        *[("0/1", "forward", "forward", "/w/train.py:15", 4 * S, *nothing, "hit", "compiled", True)],
        *[("0/2", "forward", "forward", "/w/train.py:15", S, *nothing, None, "compiled", True)],
        *[("0/3", "forward", "forward", "/w/train.py:15", S // 100, *nothing, None, "failed", True)],
    ]
    assert found["graph_breaks"].to_list() == [1, None, 0, 0, 0, 0]
    assert found["failure"].to_list()[-1] == "Dynamo recompile limit exceeded"
    parts = found.filter(pl.col("dynamo_ns").is_not_null())
    assert (parts.select(pl.sum_horizontal(PARTS)).to_series() == parts["duration_ns"]).all()


def test_recompiles_with_the_guard_that_failed_first(tmp_path: Path) -> None:
    log = training()
    log.compiled("0/2", "forward", 15, 500_000, backward=True)
    found = table(log.write(tmp_path), "recompiles")
    shown = ("compile_id", "function", "kind", "reason", "guard_source", "cached", "duration_ns", "outcome")
    assert found.select(shown).rows() == [
        ("0/1", "forward", "size", MISMATCH, None, 1, 4 * S, "compiled"),
        ("0/2", "forward", "value", "scale == 1.0", "w/train.py:16", 2, 3 * S // 2, "compiled"),
        ("0/3", "forward", "value", "n == 3", None, 1, S // 100, "limit"),
    ]  # fmt: skip
    assert found["advice"][2].startswith("The function was compiled too often and runs eagerly")


def test_graph_breaks_by_line_and_reason(tmp_path: Path) -> None:
    log = training()
    log.broken("0/1", 17, "print")
    log.broken("0/1", 1757, "a logger", file="/p/site-packages/torch/nn/parallel/distributed.py")
    found = table(log.write(tmp_path), "graph_breaks")
    assert found.select("source", "at", "function", "reason", "hint", "compilations", "first_ns").rows() == [
        ("/w/train.py:17", "/w/train.py:17", "forward", "print", "Avoid print.", 2, 3 * S),
        (
            *("/w/train.py:39", "/p/site-packages/torch/nn/parallel/distributed.py:1757", "forward", "a logger"),
            *("Avoid a logger.", 1, None),
        ),
    ]


@pytest.mark.long
def test_verdict_of_a_log_alone(tmp_path: Path) -> None:
    log = training()
    log.record({"dynamo_start": {"stack": []}}, None, "5/0")
    assert stepscope.open(str(log.write(tmp_path))).verdict.splitlines() == [
        f"Recompiled 2 times: forward (train.py:15), 5.01 s, {LONGEST} {GUARD}: {MISMATCH}. {LIMITED}.",
        "Graphs break at 1 line: train.py:17 (print).",
        "7 compilations took 19.0 s; the longest, 9.00 s, was of forward (train.py:15).",
        f"{FAILED} It was of forward (train.py:15): Dynamo recompile limit exceeded.",
        "1 compilation began and did not end in the log.",
    ]


@pytest.mark.long
def test_one_compilation_is_said_once(tmp_path: Path) -> None:
    log = MadeLog()
    log.compiled("0/0", "forward", 15, 9_000)
    assert stepscope.open(str(log.write(tmp_path))).verdict == "1 compilation took 9.00 ms: forward (train.py:15)."


@pytest.mark.long
def test_compilations_without_a_time_did_not_take_none(tmp_path: Path) -> None:
    """A log of torch 2.6 was said to hold compilations that took 0 ns; a failure's second line is its reason."""
    log = MadeLog()
    failed = {"co_name": "fn", "co_filename": "/w/a.py", "co_firstlineno": 3, "fail_type": "BackendCompilerFailed"}
    failed["fail_reason"] = "backend='mine' raised:\nRuntimeError: broken\n\nYou can suppress this"
    log.record({"compilation_metrics": failed}, None, "0/0")
    profile = stepscope.open(str(log.write(tmp_path)))
    assert profile.verdict.splitlines() == [
        "1 compilation: the log does not say how long it took.",
        f"{FAILED} It was of fn (a.py:3): backend='mine' raised: RuntimeError: broken.",
    ]
    log.compiled("1/0", "forward", 15, 9_000)
    said = stepscope.open(str(log.write(tmp_path))).verdict.splitlines()[0]
    assert (
        said == "2 compilations took 9.00 ms (of 1 the log does not say how long); the longest, 9.00 ms, was of "
        "forward (train.py:15)."
    )


def beside(folder: Path, gap_s: int = 0) -> Path:
    """A trace of three steps of 10 s, the first one of which begins with the log, or some time behind its end."""
    log = training()
    first = gap_s and (log.us - EPOCH_US) // 1_000_000 + gap_s
    steps = [step(number, (first + 10 * number) * S, (first + 10 * number + 10) * S - 1) for number in range(3)]
    kernels = [
        launched(kernel("triton_poi_0", at * S + 5, at * S + 1005, at), at * S) for at in (first + 1, first + 12)
    ]
    graphs = {"triton_poi_0:1": ['File "/w/a.py", line 5, in f\n'], "triton_unused_1": []}
    log.artifact("inductor_provenance_tracking_kernel_stack_traces", json.dumps(graphs), "0/0", "json")
    folder.mkdir(exist_ok=True)
    write(folder / "trace.json", *steps, *kernels, baseTimeNanoseconds=EPOCH_US * 1000)
    log.write(folder)
    return folder


def test_beside_a_trace_compilations_are_in_its_steps(tmp_path: Path) -> None:
    found = table(beside(tmp_path / "run"), "compilations")
    assert found.select("compile_id", "direction", "step", "start_ns").rows() == [
        ("0/0", "forward", 0, 0),
        ("0/0", "backward", 0, 9 * S),
        ("1/0", "forward", 1, 12 * S),
        ("0/1", "forward", 1, 15 * S),
        ("0/2", "forward", 1, 19 * S),
        ("0/3", "forward", 2, 20 * S),
    ]


def test_a_log_that_ends_before_the_trace_has_times_and_no_steps(tmp_path: Path) -> None:
    run = beside(tmp_path / "run", gap_s=30)
    found = table(run, "compilations")
    assert found["step"].null_count() == len(found)
    assert found["start_ns"].to_list()[:2] == [0, 9 * S]
    (note,) = table(run, "recordings").filter(kind="compile_log")["note"].to_list()
    assert note == "not joined: it ends 30.0 s before the recording by Kineto begins"


def test_kernels_have_the_time_of_the_trace(tmp_path: Path) -> None:
    found = table(beside(tmp_path / "run"), "compiled_kernels")
    assert found.select("kernel", "lines", "origin", "compilations", "compile_ids", "calls", "gpu_ns").rows() == [
        ("triton_poi_0", "/w/a.py:5", "provenance", 1, "0/0", 2, 2000),
        ("triton_unused_1", None, None, 1, "0/0", 0, 0),
    ]


def test_findings_say_the_step_and_what_it_took(tmp_path: Path) -> None:
    found = table(beside(tmp_path / "run"), "findings").filter(category="compilation")
    assert found.select("id", "severity", "saving_ns", "start_ns", "end_ns").rows() == [
        ("recompile-train.py:15", "note", None, 15 * S, 19 * S),
        ("graph-break-train.py:17", "note", None, None, None),
    ]
    assert found["title"].to_list() == [
        f"Recompiled 2 times in steps 1-2: forward (train.py:15), 5.01 s, {LONGEST} {GUARD}: {MISMATCH}. {LIMITED}",
        "Graph break at train.py:17: Dynamo cannot trace print",
    ]


def test_recompilations_are_marks_on_the_timeline(tmp_path: Path) -> None:
    found = table(beside(tmp_path / "run"), "occurrences").filter(pl.col("id").str.starts_with("recompile"))
    assert found.select("id", "occurrence", "step", "start_ns", "duration_ns", "of").rows() == [
        ("recompile-train.py:15", 1, 1, 15 * S, 4 * S, 3),
        ("recompile-train.py:15", 2, 1, 19 * S, S, 3),
        ("recompile-train.py:15", 3, 2, 20 * S, S // 100, 3),
    ]
    before = table(beside(tmp_path / "later", gap_s=30), "occurrences")
    assert len(before.filter(pl.col("id").str.starts_with("recompile"))) == 0, "nothing of them is on the timeline"


def test_logs_of_several_ranks_are_beside_their_traces(tmp_path: Path) -> None:
    for rank in range(2):
        write(tmp_path / f"trace_rank{rank}.json", step(0, 0, 30 * S), step(1, 30 * S, 40 * S), kernel("k", 5, 9))
        log = MadeLog(rank=rank)
        log.compiled("0/0", f"of_{rank}", 3, 1_000_000)
        log.write(tmp_path, f"dedicated_log_torch_trace_rank_{rank}_x{rank}y.log")
    found = table(tmp_path, "compilations")
    assert found.select("rank", "function").rows() == [(0, "of_0"), (1, "of_1")]


def test_kinds_of_guards() -> None:
    guards = {
        "tensor 'x' size mismatch at index 0. expected 3, actual 4": "size",
        "len(xs) == 3": "size",
        "tensor 'x' stride mismatch at index 0. expected 1, actual 2": "layout",
        "tensor 'x' dtype mismatch. expected Float, actual Double": "dtype",
        "tensor 'x' requires_grad mismatch. expected requires_grad=0": "requires_grad",
        "GLOBAL_STATE changed: grad_mode": "mode",
        "___check_obj_id(fn, 139870659812992)": "object",
        "s0 < 1024": "dynamic size",
        "scale == 1.0": "value",
        "n == 0": "value",
        "something else": "other",
    }
    frame = pl.DataFrame({"guard": list(guards)})
    assert frame.select(kind_of("guard")).to_series().to_list() == list(guards.values())


def test_no_compilation_without_a_log(tmp_path: Path) -> None:
    write(tmp_path / "trace.json", step(0, 0, 100), kernel("k", 5, 9))
    for name in ("compilations", "recompiles", "graph_breaks", "compiled_kernels"):
        assert len(table(tmp_path / "trace.json", name)) == 0


def test_a_log_of_aotinductor_says_what_that_took(tmp_path: Path) -> None:
    """Seen of TORCH_TRACE with AOTInductor: "The log holds no compilation." of one that took 21 s."""
    log = MadeLog()
    log.event("compile_fx_aot", "B")
    log.us += 21_000_000
    log.event("compile_fx_aot", "E")
    assert stepscope.open(str(log.write(tmp_path))).verdict == (
        "The log holds no compilation by Dynamo; AOTInductor compiled for 21.0 s."
    )
