"""Logs of torch.compile: records, their clock, and what each of them says."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest

from building.compiling import EPOCH_US, MadeLog, training
from readers.contract import check_sound, read
from stepscope.errors import UnreadableInput
from stepscope.readers.compile_log.format import CompileLog
from stepscope.readers.formats import COMPILE_LOG, OTHER
from stepscope.readers.registry import recognised
from stepscope.readers.sources import Source


def rows(found: Any, table: str) -> list[dict[str, Any]]:
    """Rows of a table with their texts, without what is null."""
    texts = found.frames["texts"]["text"].to_list()
    coded = [name for name, dtype in found.frames[table].schema.items() if str(dtype) == "UInt32" and name != "event"]
    return [
        {name: texts[value] if name in coded else value for name, value in row.items() if value is not None}
        for row in found.frames[table].to_dicts()
    ]


def reading(path: Path) -> Any:
    found = read(CompileLog(), Source(str(path)))
    check_sound(found)
    return found


def test_every_value_of_a_compilation(tmp_path: Path) -> None:
    log = MadeLog(rank=3)
    log.artifact("fx_graph_cache_miss", "{}", "0/0", "json")
    log.compiled("0/0", "forward", 15, 9_000, parts_us=(8_000, 6_000, 5_000, 1_000), guard_count=7, graph_op_count=4)
    found = reading(log.write(tmp_path))
    assert found.facts.head == {"distributedInfo": {"rank": 3}}
    assert rows(found, "compilation") == [
        {
            "event": 0,
            "process": "4242",
            "compile_id": "0/0",
            "again": 0,
            "attempt": 0,
            "backward": False,
            "ended": True,
            "function": "forward",
            "file": "/w/train.py",
            "line": 15,
            "start_ns": EPOCH_US * 1000,
            "duration_ns": 9_000_000,
            "aot_ns": 8_000_000,
            "inductor_ns": 6_000_000,
            "codegen_ns": 5_000_000,
            "kernels_ns": 1_000_000,
            "cache": "miss",
            "guarded": True,
            "operators": 4,
            "guards": 7,
            "restarts": 0,
        }
    ]


def test_phases_are_ranges(tmp_path: Path) -> None:
    log = MadeLog()
    log.compiled("2/1", "f", 3, 500)
    log.event("gc", "B")  # never ends
    found = reading(log.write(tmp_path))
    shown = ("name", "process", "thread", "start_ns", "duration_ns")
    assert [tuple(row[name] for name in shown) for row in rows(found, "annotation")] == [
        ("inductor_compile", "4242", "0", EPOCH_US * 1000, 500_000),
        ("dynamo 2/1", "4242", "0", EPOCH_US * 1000, 500_000),
    ]


def test_an_oracle_of_ten_lines_finds_the_same_compilations(tmp_path: Path) -> None:
    path = training().write(tmp_path)
    expected = []
    for line in path.read_text().splitlines():
        found = re.search(r"\] (\{.*)", line)
        said = json.loads(found[1]) if found and not line.startswith("\t") else {}
        for kind in ("compilation_metrics", "bwd_compilation_metrics"):
            if kind in said:
                one = said[kind]
                expected.append((one["compile_id"], kind.startswith("bwd"), one["start_time_us"], one["duration_us"]))
    kept = [
        (row["compile_id"], row["backward"], row["start_ns"] // 1000, row["duration_ns"] // 1000)
        for row in rows(reading(path), "compilation")
    ]
    assert kept == expected
    assert len(expected) == 6


@pytest.mark.parametrize(
    ("payload", "expected"),
    [
        (
            "0/0: n == 0      # return x * n  # w/a.py:13 in f\nUser stack trace:",
            ("0/0", "n == 0", "return x * n", "w/a.py", 13),
        ),
        (
            "[\"1/2: tensor 'x' dtype mismatch. expected Float, actual Double\"]",
            ("1/2", "tensor 'x' dtype mismatch. expected Float, actual Double", None, None, None),
        ),
        ("0/0: ___check_obj_id(fn, 139870)        ", ("0/0", "___check_obj_id(fn, 139870)", None, None, None)),
    ],
)
def test_reasons_of_recompiles(tmp_path: Path, payload: str, expected: tuple[Any, ...]) -> None:
    """Seen in a log of torch 2.13: the only reason of a recompile stands as it is, not in a list, and was missing."""
    log = MadeLog()
    log.artifact("recompile_reasons", payload, "1/1", "json")
    (row,) = rows(reading(log.write(tmp_path)), "recompile_reason")
    assert tuple(row.get(name) for name in ("against", "guard", "code", "file", "line")) == expected
    assert row["compile_id"] == "1/1"


def test_graph_breaks_with_their_lines(tmp_path: Path) -> None:
    log = MadeLog()
    log.event("dynamo", "B", "0/0")
    log.us += 5_000
    log.broken("0/0", 17, "print")
    log.broken("0/1", 1757, "a logger", file="/p/site-packages/torch/nn/parallel/distributed.py")
    log.artifact(
        "dynamo_graph_break_reason", "Graph break in user code at /w/b.py:3\nReason: Unsupported: call\n", "2/0"
    )
    found = rows(reading(log.write(tmp_path)), "graph_break")
    shown = ("compile_id", "file", "line", "function", "own_file", "own_line", "reason", "explanation", "hint")
    assert [tuple(row.get(name) for name in shown) for row in found] == [
        *[
            (
                "0/0",
                "/w/train.py",
                17,
                "forward",
                "/w/train.py",
                17,
                "print",
                "Dynamo cannot trace print.",
                "Avoid print.",
            )
        ],
        (
            *("0/1", "/p/site-packages/torch/nn/parallel/distributed.py", 1757, "forward", "/w/train.py", 39),
            *("a logger", "Dynamo cannot trace a logger.", "Avoid a logger."),
        ),
        ("2/0", "/w/b.py", 3, "", "/w/b.py", 3, "Unsupported: call", None, None),
    ]
    assert found[0]["start_ns"] == (EPOCH_US + 5_000) * 1000
    assert found[0]["stack"] == "/w/train.py:39 <module>\n/w/train.py:17 forward"


def test_lines_of_kernels_are_those_that_inductor_says(tmp_path: Path) -> None:
    log = MadeLog()
    inner = '  File "/p/site-packages/torch/nn/modules/linear.py", line 134, in forward\n    ...'
    stack = '  File "/w/a.py", line {}, in f\n    y = x\n' + inner
    stacks = {
        "triton_poi_0:1": [stack.format(5), stack.format(6), stack.format(5)],
        "extern_kernels.mm:2": [stack.format(7)],
    }
    mapping = {
        "postToPre": {"relu": ["x_1"], "mm": ["x"]},
        "cppCodeToPost": {"triton_poi_0:1": ["relu"], "extern_kernels.mm:2": ["mm"]},
    }
    log.artifact("inductor_provenance_tracking_node_mappings", json.dumps(mapping), "0/0", "json")
    log.artifact("inductor_provenance_tracking_kernel_stack_traces", json.dumps(stacks), "0/0", "json")
    found = reading(log.write(tmp_path))
    assert found.facts.provenance
    assert rows(found, "compiled_kernel") == [
        *[{"compile_id": "0/0", "name": "triton_poi_0", "origin": "provenance", "lines": "/w/a.py:5\n/w/a.py:6"}
          | {"nodes": "relu", "before": "x_1"}],
        *[{"compile_id": "0/0", "name": "extern_kernels.mm", "origin": "provenance", "lines": "/w/a.py:7"}
          | {"nodes": "mm", "before": "x"}],
    ]  # fmt: skip


def test_without_provenance_lines_of_kernels_follow_from_their_graph(tmp_path: Path) -> None:
    log = MadeLog()
    graph = """class GraphModule(torch.nn.Module):
    def forward(self, L_x_: "f32[3]"):
        l_x_ = L_x_
        # File: /w/a.py:5 in f, code: y = torch.relu(x)
        y: "f32[3]" = torch.relu(l_x_);  l_x_ = None

        # File: /w/a.py:6 in f, code: return y * 2
        mul: "f32[3]" = y * 2"""
    code = """# Topologically Sorted Source Nodes: [y, mul], Original ATen: [aten.relu, aten.mul]
# Graph fragment:
#   %relu : [num_users=1] = call_function[target=torch.ops.aten.relu.default](args = (%arg0_1,), kwargs = {})
triton_poi_fused_mul_relu_0 = async_compile.triton('triton_poi_fused_mul_relu_0', '''
import triton
''')"""
    log.record({"dynamo_output_graph": {"sizes": {}}}, graph, "0/0")
    log.record({"inductor_output_code": {"filename": "/tmp/x.py"}}, code, "0/0")
    (row,) = rows(reading(log.write(tmp_path)), "compiled_kernel")
    assert row == {
        "compile_id": "0/0",
        "name": "triton_poi_fused_mul_relu_0",
        "origin": "graph",
        "lines": "/w/a.py:5\n/w/a.py:6",
        "nodes": "aten.relu, aten.mul",
        "before": "y, mul",
    }


@pytest.mark.parametrize("ahead_h", [0, 8, -7, 5.75])
def test_times_of_lines_without_zone_and_year(tmp_path: Path, ahead_h: float) -> None:
    new_year = 1_798_761_599_000_000  # 2026-12-31 23:59:59 UTC
    log = MadeLog(ahead_h, new_year)
    log.event("dynamo", "B", "0/0")
    log.us += 2_000_000
    log.broken("0/0", 1, "print")
    log.event("dynamo", "E", "0/0")
    (row,) = rows(reading(log.write(tmp_path)), "graph_break")
    assert row["start_ns"] == (new_year + 2_000_000) * 1000


def test_without_any_time_since_1970_there_are_no_times(tmp_path: Path) -> None:
    log = MadeLog()
    log.record({"dynamo_start": {"stack": [{"line": 9, "name": "f", "filename": 0}]}}, None, "0/0")
    log.broken("0/0", 17, "print")
    found = reading(log.write(tmp_path))
    assert found.facts.clock == "own"
    assert "start_ns" not in rows(found, "graph_break")[0]


def test_what_began_and_did_not_end(tmp_path: Path) -> None:
    log = MadeLog()
    log.record({"str": ["/w/a.py", 4]})
    log.event("dynamo", "B", "0/0")
    log.record({"dynamo_start": {"stack": [{"line": 9, "name": "f", "filename": 4, "loc": "x"}]}}, None, "0/0")
    (row,) = rows(reading(log.write(tmp_path)), "compilation")
    assert (row["ended"], row["function"], row["file"], row["line"]) == (False, "f", "/w/a.py", 9)
    assert row["start_ns"] == EPOCH_US * 1000


def test_metrics_of_old_versions(tmp_path: Path) -> None:
    log = MadeLog()
    old = {"co_name": "fn", "co_filename": "/w/a.py", "co_firstlineno": 3, "start_time": EPOCH_US / 1e6}
    old |= {"entire_frame_compile_time_s": 0.5, "backend_compile_time_s": 0.25, "fail_type": None}
    log.record({"compilation_metrics": old}, None, "0/0")
    (row,) = rows(reading(log.write(tmp_path)), "compilation")
    assert (row["start_ns"], row["duration_ns"], row["aot_ns"]) == (EPOCH_US * 1000, 500_000_000, 250_000_000)


def test_metrics_of_torch_2_6_have_the_whole_as_dynamos_time(tmp_path: Path) -> None:
    log = MadeLog()
    log.record({"compilation_metrics": {"co_name": "fn", "dynamo_cumulative_compile_time_us": 157_247}}, None, "0/0")
    (row,) = rows(reading(log.write(tmp_path)), "compilation")
    assert (row["duration_ns"], row["dynamo_ns"]) == (157_247_000, 157_247_000)


def test_damaged_records_are_counted_and_edited_ones_read(tmp_path: Path) -> None:
    log = training()
    path = log.write(tmp_path)
    text = path.read_text()
    broken = text.replace("Avoid print.", "Avoid prints.") + "V1125 22:54:41.000000 1 a.py:3] {\nhello\nV9\n"
    path.write_text(broken)
    found = reading(path)
    assert (found.facts.damaged, found.facts.unchecked) == (1, 1)
    assert rows(found, "graph_break")[0]["hint"] == "Avoid prints."
    path.write_text("V1125 22:54:41.000000 1 a.py:3] {\n")
    with pytest.raises(UnreadableInput, match="no line of it is a record"):
        read(CompileLog(), Source(str(path)))


@pytest.mark.long
def test_random_damage_raises_nothing_else(tmp_path: Path) -> None:
    random.seed(21)
    good = training().text().encode()
    path = tmp_path / "torch_trace.log"
    for _ in range(300):
        data = bytearray(good)
        for _ in range(random.randint(1, 8)):
            at = random.randrange(len(data))
            kind = random.randrange(3)
            if kind == 0:
                data[at] = random.randrange(256)
            elif kind == 1:
                del data[at : at + random.randint(1, 400)]
            else:
                data[at:at] = random.choice([b'"', b"{", b"\t", b"\n", b"null", b"1e999", b"-9" * 30, b"\xff\xfe"])
        path.write_bytes(bytes(data))
        try:
            check_sound(read(CompileLog(), Source(str(path))))
        except UnreadableInput:
            continue


@pytest.mark.parametrize(
    "said",
    [
        {"compilation_metrics": 3},
        {"compilation_metrics": {"start_time_us": 1e400, "duration_us": -1, "co_name": 3, "restart_reasons": "x"}},
        {"dynamo_start": {"stack": [None]}},
        {"dynamo_start": {"stack": {}}},
        {"str": [3, "x"]},
        {"artifact": 3},
        {"artifact": {"name": ["x"]}},
        {"chromium_event": {}},
    ],
)
def test_values_of_other_kinds_are_no_values(tmp_path: Path, said: dict[str, Any]) -> None:
    log = training()
    for payload in (None, "3", "[[]]", '{"name": 3, "ts": "x", "ph": [], "args": 3}', "[" * 100_000):
        log.record(said, payload, "7/0")
    names = ("recompile_reasons", "inductor_provenance_tracking_kernel_stack_traces", "torch_version")
    for name in (*names, "inductor_provenance_tracking_node_mappings"):
        for payload in ("3", '{"a": {"b": 3}}', '{"postToPre": 3, "cppCodeToPost": {"k": [3, null]}}', ""):
            log.artifact(name, payload, "7/0", "json")
    check_sound(read(CompileLog(), Source(str(log.write(tmp_path)))))


def test_other_logs_are_none_of_torch_compile(tmp_path: Path) -> None:
    for text in ("I1125 22:54:41.000000 1 server.cc:3] hello\n", "V1125 22:54:41.000000 1 a.py:3] {}\n", "{}"):
        path = tmp_path / "a.log"
        path.write_text(text)
        assert recognised(Source(str(path))).kind == OTHER
    assert recognised(Source(str(training().write(tmp_path)))).kind == COMPILE_LOG
