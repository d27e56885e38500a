"""Memory snapshots as columns: what each writer wrote, what is missing, what is odd."""

from __future__ import annotations

import gzip
import pickle
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from building.snapshots import MadeSnapshot, frames, small_training
from readers.contract import Read, read
from stepscope.errors import UnreadableInput
from stepscope.readers.snapshot_format import MemorySnapshots
from stepscope.readers.sources import Source


def read_document(folder: Path, document: Any, protocol: int = 4) -> Read:
    path = folder / "made.pickle"
    path.write_bytes(pickle.dumps(document, protocol))
    return read(MemorySnapshots(), Source(str(path)))


def in_words(found: Read, table: str, *columns: str) -> list[dict[str, Any]]:
    """Rows of a table, codes as texts."""
    texts = found.frames["texts"]["text"]
    frame = found.frames[table]
    chosen = frame.select(columns or frame.columns)
    codes = [name for name in chosen.columns if name != "event" and chosen.schema[name] == pl.UInt32]
    return chosen.with_columns(texts.gather(chosen[name]).alias(name) for name in codes).to_dicts()


@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
def test_every_protocol_gives_the_same(tmp_path: Path, protocol: int) -> None:
    document = small_training().document()
    found, usual = (read_document(tmp_path, document, which) for which in (protocol, 4))
    for table in ("memory_trace", "memory_segment", "memory_block", "memory_frame", "memory_stack", "annotation"):
        codes = in_words(found, table), in_words(usual, table)
        assert codes[0] == codes[1], table


def test_every_entry_segment_and_block_is_kept(tmp_path: Path) -> None:
    made = small_training()
    document = made.document()
    found = read_document(tmp_path, document)
    entries = in_words(found, "memory_trace", "action", "address", "bytes", "stream", "time_ns")
    assert entries == [
        {
            "action": one["action"],
            "address": one["addr"],
            "bytes": one["size"],
            "stream": one["stream"],
            "time_ns": 1000 * one["time_us"],
        }
        for one in made.history
    ]
    segment = document["segments"][0]
    assert in_words(found, "memory_segment", "address", "bytes", "allocated_bytes", "pool", "size_class") == [
        {
            "address": segment["address"],
            "bytes": segment["total_size"],
            "allocated_bytes": segment["allocated_size"],
            "pool": "(0, 0)",
            "size_class": "large",
        }
    ]
    blocks = in_words(found, "memory_block", "segment", "address", "bytes", "requested_bytes", "state")
    keys = {"address": "address", "bytes": "size", "requested_bytes": "requested_size", "state": "state"}
    assert blocks == [{"segment": 0} | {ours: one[key] for ours, key in keys.items()} for one in segment["blocks"]]
    assert (found.facts.events, found.facts.recorded_history) == (len(entries) + 3, True)


def test_stacks_are_kept_once(tmp_path: Path) -> None:
    """The writer makes a list of frames for each event; equal ones are one stack, whatever lists hold them."""
    document = small_training(steps=4).document()
    found = read_document(tmp_path, document)
    texts = found.frames["texts"]["text"].to_list()
    names = [(texts[file], line, texts[name]) for _, file, line, name, _ in found.frames["memory_frame"].rows()]
    stacks: dict[int, list[Any]] = {}
    for stack, frame in found.frames["memory_stack"].rows():
        stacks.setdefault(stack, []).append(names[frame])
    expected = [[(f["filename"], f["line"], f["name"]) for f in one["frames"]] for one in document["device_traces"][0]]
    assert [stacks.get(number, []) for number in found.frames["memory_trace"]["stack"]] == expected
    assert len(stacks) == len({str(one) for one in expected if one})


def test_files_before_2_0_have_a_history_of_each_block(tmp_path: Path) -> None:
    history = [{"addr": 5, "real_size": 900, "frames": frames("train.py:3 build")}, {"addr": 5, "real_size": 1}]
    blocks = [{"size": 1024, "state": "active_allocated", "history": history}, {"size": 512, "state": "inactive"}]
    segment = {"device": 0, "address": 4096, "total_size": 1536, "stream": 0, "segment_type": "small", "blocks": blocks}
    found = read_document(tmp_path, {"segments": [segment], "device_traces": []}, 2)
    rows = in_words(found, "memory_block", "address", "requested_bytes", "stack")
    assert rows == [
        {"address": 4096, "requested_bytes": 900, "stack": 0},
        {"address": 5120, "requested_bytes": None, "stack": None},
    ]
    assert not found.facts.recorded_history
    alone = read_document(tmp_path, [segment])
    assert in_words(alone, "memory_block", "address", "requested_bytes", "stack") == rows


def test_a_snapshot_without_history_opens(tmp_path: Path) -> None:
    document = small_training().document() | {"device_traces": [[]], "external_annotations": []}
    found = read_document(tmp_path, document)
    assert (found.facts.events, found.facts.recorded_history, "memory_trace" in found.frames) == (0, False, False)
    assert len(found.frames["memory_block"]) == 4


def test_a_snapshot_without_times(tmp_path: Path) -> None:
    made = MadeSnapshot(timed=False)
    made.alloc(made.segment(2 << 20), 1000, "train.py:3 build")
    found = read_document(tmp_path, made.document())
    assert (found.frames["memory_trace"]["time_ns"].null_count(), found.facts.clock) == (2, "own")


def test_unknown_keys_and_actions_are_kept_or_counted(tmp_path: Path) -> None:
    document = small_training().document()
    document["device_traces"][0][0] |= {"action": "annotate", "internal_metadata": "x", "nested": {"a": [1, (2, 3)]}}
    document["segments"][0]["colour"] = "blue"
    document["device_traces"][0][1]["frames"][0]["fx_node_name"] = "linear_3"
    found = read_document(tmp_path, document)
    assert in_words(found, "memory_trace", "action")[0] == {"action": "annotate"}
    unknown = {"entry.internal_metadata": 1, "entry.nested": 1, "segment.colour": 1, "frame.fx_node_name": 1}
    assert found.facts.unknown_keys == unknown


def test_values_of_other_kinds_are_missing_and_counted(tmp_path: Path) -> None:
    document = small_training().document()
    odd = {"size": "large", "addr": 1 << 70, "stream": 1.5, "time_us": None, "action": 7, "frames": "none"}
    document["device_traces"][0][0] |= odd
    document["device_traces"][0].append("no entry")
    found = read_document(tmp_path, document)
    first = in_words(found, "memory_trace", "bytes", "address", "stream", "time_ns", "action", "stack")[0]
    assert first == dict.fromkeys(first)
    assert found.facts.odd_values == {"action": 1, "addr": 1, "size": 1, "stream": 1, "frames": 1}
    assert found.facts.damaged == 1


def test_ranges_without_their_other_end_are_kept(tmp_path: Path) -> None:
    made = small_training()
    made.range("never begun", end=True)
    made.range("outer")
    made.range("outer")
    made.range("outer", end=True)
    found = read_document(tmp_path, made.document())
    assert [row["name"] for row in in_words(found, "annotation")] == [*["Optimizer.step#SGD.step"] * 3, "outer"]
    other = in_words(found, "other", "phase", "name")
    assert other == [{"phase": "E", "name": "never begun"}, {"phase": "B", "name": "outer"}]


@pytest.mark.parametrize(
    ("document", "found"),
    [
        ({"weights": []}, "no memory snapshot"),
        ([], "without segments and without history"),
        ({"segments": [], "device_traces": [[]]}, "without segments and without history"),
        ({"segments": {}, "device_traces": 5}, "no memory snapshot"),
        ("segments", "no memory snapshot"),
    ],
)
def test_other_pickles_are_refused_in_a_sentence(tmp_path: Path, document: Any, found: str) -> None:
    with pytest.raises(UnreadableInput, match=found):
        read_document(tmp_path, document)


def test_a_gzipped_snapshot_says_how_long_its_pickle_is(tmp_path: Path) -> None:
    content = pickle.dumps(small_training().document())
    path = tmp_path / "snapshot.pickle.gz"
    path.write_bytes(gzip.compress(content))
    assert read(MemorySnapshots(), Source(str(path))).facts.pickle_bytes == len(content)


@pytest.mark.real_trace
@pytest.mark.parametrize("name", ["dit_train", "leak", "oom"])
def test_recorded_snapshots_hold_what_pickle_says(shared_data: Path, name: str) -> None:
    """Column by column against Python's own unpickler, which is safe for these files alone."""
    path = shared_data / "h200" / "memory" / f"{name}.pickle.gz"
    document = pickle.loads(gzip.decompress(path.read_bytes()))
    found = read(MemorySnapshots(), Source(str(path)))
    entries = [one for history in document["device_traces"] for one in history]
    ours = in_words(found, "memory_trace", "action", "address", "bytes", "time_ns", "free_bytes", "compile_context")
    assert ours == [
        {
            "action": one["action"],
            "address": one.get("addr"),
            "bytes": one["size"],
            "time_ns": 1000 * one["time_us"],
            "free_bytes": one.get("device_free"),
            "compile_context": one["compile_context"],
        }
        for one in entries
    ]
    texts = found.frames["texts"]["text"].to_list()
    names = [(texts[file], line, texts[name]) for _, file, line, name, _ in found.frames["memory_frame"].rows()]
    stacks: dict[int | None, list[Any]] = {None: []}
    for stack, frame in found.frames["memory_stack"].rows():
        stacks.setdefault(stack, []).append(names[frame])
    expected = [[(f["filename"], f["line"], f["name"]) for f in one.get("frames", [])] for one in entries]
    assert [stacks[number] for number in found.frames["memory_trace"]["stack"]] == expected
    assert found.facts.unknown_keys == {}
