"""Memory snapshots as other writers make them: C++, and Python with the lines of compiled models."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest

import stepscope
from building.snapshots import MadeSnapshot, random_history, small_training
from cpp_pickling import cpp_pickle

MIB = 1 << 20
TABLES = (
    *("memory_timeline", "memory_peak", "memory_events", "memory_segments", "memory_blocks", "memory_categories"),
    *("memory_fragmentation", "memory_leaks", "steps"),
)


def cpp_document(made: MadeSnapshot) -> dict[str, Any]:
    """As the writer in C++ has it: stacks that are alike are one list, and an entry without one has no key for it."""
    document = pickle.loads(pickle.dumps(made.document()))
    shared: dict[str, list[Any]] = {}
    segments = [block for segment in document["segments"] for block in (segment, *segment["blocks"])]
    for one in (*document["device_traces"][0], *segments):
        one["frames"] = shared.setdefault(repr(one["frames"]), one["frames"])
    for entry in document["device_traces"][0]:
        if not entry["frames"]:
            del entry["frames"]
    return document


@pytest.mark.parametrize("made", [small_training(6), random_history(1, 700)], ids=["training", "random"])
def test_a_snapshot_written_in_cpp_says_the_same(tmp_path: Path, made: MadeSnapshot) -> None:
    path = tmp_path / "cpp.pickle"
    path.write_bytes(cpp_pickle(cpp_document(made)))
    assert repr(pickle.loads(path.read_bytes())) == repr(cpp_document(made))
    profile, other = stepscope.open(path), made.opened(tmp_path)
    for table in TABLES:
        assert profile.show(table).equals(other.show(table)), table
    assert set(profile.show("health")["status"]) <= {"ok", "warning"}
    detail = profile.show("health").filter(profile.show("health")["check"] == "memory_snapshot")["detail"]
    assert detail.to_list() == ["everything in the file is read"]


def test_a_snapshot_of_cpp_without_stacks(tmp_path: Path) -> None:
    made = MadeSnapshot()
    large = made.segment(20 * MIB)
    made.history[-1]["frames"] = []
    made.free(made.alloc(large, 3 * MIB))
    made.alloc(large, 2 * MIB)
    path = tmp_path / "cpp.pickle"
    path.write_bytes(cpp_pickle(cpp_document(made)))
    profile = stepscope.open(path)
    assert profile.show("memory_peak").select("source", "alive_bytes").rows() == [(None, 3 * MIB)]
    assert len(profile.show("memory_blocks")) == 3


FX_TRACE = """  File "/home/me/model.py", line 40, in forward
    x = self.block(x)
  File "/home/me/model.py", line 12, in forward
    return self.net(x)
  File "/opt/lib/python3.12/site-packages/torch/nn/modules/linear.py", line 125, in forward
    return F.linear(input, self.weight, self.bias)
"""


def compiled(**facts: str) -> MadeSnapshot:
    """One allocation below generated code of torch.compile."""
    made = MadeSnapshot()
    large = made.segment(20 * MIB)
    made.alloc(
        large, 3 * MIB, "fx_generated_abc.py:7 forward", "torch/nn/modules/module.py:5 _call_impl", "train.py:9 main"
    )
    made.history[-1]["frames"][0] |= facts
    made.blocks[next(iter(made.blocks))]["frames"][0] |= facts
    return made


def test_the_line_of_a_compiled_model_is_that_of_the_model(tmp_path: Path) -> None:
    """`_snapshot(augment_with_fx_traces=True)` writes down where generated code comes from."""
    profile = compiled(
        fx_node_op="call_function", fx_node_name="addmm", fx_node_target="aten.addmm", fx_original_trace=FX_TRACE
    ).opened(tmp_path)
    row = profile.show("memory_peak", by="stack").row(0, named=True)
    assert row["source"] == "/home/me/model.py:12"
    assert row["lines"] == ("/home/me/model.py:12 forward() < /home/me/model.py:40 forward() < train.py:9 main()")
    assert row["category"] == "activations"
    detail = profile.show("health").filter(profile.show("health")["check"] == "memory_snapshot")["detail"]
    assert detail.to_list() == ["not read: frame.fx_node_op, frame.fx_node_name, frame.fx_node_target"]


def test_generated_code_is_not_the_users(tmp_path: Path) -> None:
    assert compiled().opened(tmp_path).show("memory_peak")["source"].to_list() == ["train.py:9"]


@pytest.mark.parametrize("trace", ["", "no line at all", 'File "", line 99999999999999999999, in x'])
def test_original_traces_that_say_nothing_change_nothing(tmp_path: Path, trace: str) -> None:
    profile = compiled(fx_original_trace=trace).opened(tmp_path)
    assert profile.show("memory_peak")["source"].to_list() == ["train.py:9"]
