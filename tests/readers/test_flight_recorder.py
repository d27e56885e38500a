"""Dumps of PyTorch's flight recorder: made ones, one that gloo's recorder wrote, old ones and hostile ones."""

from __future__ import annotations

import json
import os
import pickle
import random
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import stepscope
from building.hangs import START_NS, MadeJob
from readers.contract import Read, check_sound, read
from stepscope.errors import UnreadableInput
from stepscope.readers.finding import find_sources
from stepscope.readers.flight_recorder.format import FlightRecorderJson, FlightRecorderPickle
from stepscope.readers.registry import reader_of, recognised
from stepscope.readers.sources import Source

RECORDED = Path(__file__).resolve().parent / "recorded_dumps"


def read_bytes(folder: Path, content: bytes, name: str = "nccl_trace_rank_1") -> Read:
    path = folder / name
    path.write_bytes(content)
    source = Source(str(path))
    with source.open() as stream:
        reader = reader_of(source, stream)
    assert isinstance(reader, FlightRecorderPickle | FlightRecorderJson)
    return read(reader, source)


def worded(found: Read, table: str) -> pl.DataFrame:
    """A table with texts instead of codes."""
    frame, texts = found.frames[table], found.frames["texts"]["text"]
    coded = [name for name, dtype in frame.schema.items() if dtype == pl.UInt32 and name != "event"]
    return frame.with_columns([texts.gather(frame[name]).alias(name) for name in coded])


def refused(folder: Path, content: bytes) -> str:
    with pytest.raises(UnreadableInput) as error:
        read_bytes(folder, content)
    assert "\n" not in str(error.value)
    return str(error.value)


def small() -> MadeJob:
    job = MadeJob(2)
    job.call(duration_ms=1.5)
    job.call("send 0->1", ranks=[0], state="started", size=(3,))
    return job


@pytest.mark.parametrize("as_json", [False, True])
def test_every_value_of_a_record(tmp_path: Path, as_json: bool) -> None:
    job = small()
    found = read_bytes(tmp_path, job.json(0) if as_json else job.pickled(0))
    check_sound(found)
    first, second = worded(found, "collective_record").rows(named=True)
    stack = "/opt/site-packages/torch/distributed/distributed_c10d.py(9): all_reduce\n/home/me/train.py(10): step"
    assert first == {
        "event": 0,
        "name": "nccl:all_reduce",
        "group": "0",
        "group_description": "default_pg",
        "group_id": 0,
        "record": 0,
        "sequence": 1,
        "p2p_sequence": 0,
        "op": 0,
        "p2p": False,
        "state": "completed",
        "retired": True,
        "created_ns": START_NS,
        "started_seen_ns": START_NS + 5 * 10**8,
        "completed_seen_ns": START_NS + 5 * 10**8,
        "duration_ns": 1_500_000,
        "timeout_ns": 600 * 10**9,
        "in_sizes": "[[4, 2]]",
        "out_sizes": "[[4, 2]]",
        "in_dtypes": "Float",
        "out_dtypes": "Float",
        "thread": "python",
        "stack": None if as_json else stack,
    }
    assert (second["name"], second["p2p"], second["completed_seen_ns"]) == ("nccl:send 0->1", True, None)
    assert worded(found, "process_group").rows() == [("0", "default_pg", "0,1")]
    assert found.frames["group_status"].rows() == [(0, 1, None, 1)]
    assert (found.facts.recorder_version, found.facts.events) == ("2.10", 2)


def test_what_gloo_recorded(tmp_path: Path) -> None:
    """Four processes on CPUs, of which the last one left without the all_reduce that the others were in."""
    sources = find_sources(str(RECORDED / "left"))
    assert [source.name for source in sources] == [f"gloo_trace_rank_{rank}" for rank in range(4)]
    for source in sources:
        check_sound(read(FlightRecorderPickle(), source))
    table = stepscope.open(RECORDED / "left").show("hangs")
    assert table.select("cause", "sequence", "suspects", "waiting_ranks").rows() == [("not_entered", 4, "3", "0-2")]
    assert table["source"].item().endswith("train.py:29")


def test_what_nccl_recorded_of_a_job_that_a_rank_left() -> None:
    """torch 2.11, NCCL 2.28.9: rank 2 sleeps before its sixth step; two groups wait for it until the watchdog dumps."""
    sources = find_sources(str(RECORDED / "nccl_left"))
    for source in sources:
        check_sound(read(FlightRecorderPickle(), source))
    table = stepscope.open(RECORDED / "nccl_left").show("hangs")
    columns = table.select("cause", "collective", "sequence", "suspects", "waiting_ranks", "source")
    assert columns.rows() == [
        ("not_entered", "all_gather", 11, "2", "0-1, 3", "/home/user/job/train.py:25"),
        ("not_entered", "all_reduce", 6, "2", "3", "/home/user/job/train.py:23"),
    ]


def test_what_nccl_recorded_of_a_job_one_rank_of_which_was_killed() -> None:
    """Rank 3 called another collective and ended without a dump: it is not said to be missing."""
    table = stepscope.open(RECORDED / "nccl_killed").show("hangs")
    columns = table.select("cause", "collective", "sequence", "suspects", "waiting_ranks", "missing_ranks")
    assert columns.rows() == [("no_dump", "all_reduce", 12, "3", "0-2", None)]


def test_what_gloo_recorded_of_two_ranks_that_wait_in_two_groups() -> None:
    """It does not record which ranks a group has, so that it is not said that the other one is missing.

    Before, a rank that alone had recorded a group was all of it: "all 1 ranks entered".
    """
    table = stepscope.open(RECORDED / "order").show("hangs")
    assert table.select("cause", "description", "waiting_ranks", "suspects", "members_known").rows() == [
        ("unknown_members", "tp", "0", None, False),
        ("unknown_members", "dp", "1", None, False),
    ]


@pytest.mark.long
def test_every_rank_of_a_folder_is_found_by_its_name(tmp_path: Path) -> None:
    job = MadeJob(12)
    job.call()
    profile = stepscope.open(job.write(tmp_path / "dumps"))
    assert profile.show("summary")["rank"].to_list() == list(range(12))


def test_a_rank_is_known_by_the_groups_that_it_is_in(tmp_path: Path) -> None:
    job = MadeJob(4)
    job.group("1", "tp", [2, 3])
    job.group("2", "dp", [0, 2])
    found = read_bytes(tmp_path, job.pickled(2), "a_dump_of_7")
    assert found.facts.head["distributedInfo"] == {"rank": 2, "world_size": 4}


def test_a_rank_is_known_by_its_messages(tmp_path: Path) -> None:
    job = small()
    assert read_bytes(tmp_path, job.pickled(0), "dump").facts.head["distributedInfo"] == {"rank": 0, "world_size": 2}


@pytest.mark.parametrize(("name", "rank"), [("fr_dump_3", 3), ("dump_9", None), ("dump", None), ("trace_rank_3", None)])
def test_a_rank_is_else_the_number_that_the_name_ends_with(tmp_path: Path, name: str, rank: int | None) -> None:
    """Not one that the job does not have; names with the word are looked at by what numbers all recordings."""
    job = MadeJob(4)
    job.call()
    assert read_bytes(tmp_path, job.pickled(3), name).facts.head["distributedInfo"].get("rank") == rank


def test_old_dumps_have_one_counter_and_groups_as_texts(tmp_path: Path) -> None:
    job = small()
    document = job.document(0)
    document["version"] = "2.1"
    document["pg_config"] = {"0": "[0, 1]"}
    for entry in document["entries"]:
        entry["seq_id"] = entry.pop("collective_seq_id")
        del entry["p2p_seq_id"], entry["process_group"]
    found = read_bytes(tmp_path, pickle.dumps(document, 2))
    assert worded(found, "collective_record").select("group", "sequence").row(0) == ("0", 1)
    assert worded(found, "process_group").rows() == [("0", "", "0,1")]


def test_odd_entries_are_counted(tmp_path: Path) -> None:
    document = small().document(0)
    document["entries"] += [3, {"profiling_name": "nccl:barrier"}, {"process_group": ("0", "")}, None]
    found = read_bytes(tmp_path, pickle.dumps(document, 2))
    check_sound(found)
    assert (found.facts.damaged, found.facts.events) == (4, 6)


def test_odd_values_are_missing(tmp_path: Path) -> None:
    document = small().document(0)
    odd: dict[str, Any] = {"time_created_ns": "x", "input_sizes": 3, "frames": [None, {"line": 1 << 90}], "state": 7}
    document["entries"][0] |= odd
    document["pg_config"] = [1]
    document["pg_status"] = {"x": 1, "0": {"last_enqueued_collective": "5"}}
    found = read_bytes(tmp_path, pickle.dumps(document, 2))
    check_sound(found)
    row = worded(found, "collective_record").row(0, named=True)
    assert (row["created_ns"], row["in_sizes"], row["state"], row["stack"]) == (None, None, None, "?(0): ?")
    assert found.frames["group_status"].rows() == [(0, 5, None, None)]


class Harm:
    """Unpickling it would run a command."""

    def __init__(self, command: str) -> None:
        self.command = command

    def __reduce__(self) -> Any:
        return os.system, (self.command,)


@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
def test_nothing_is_called(tmp_path: Path, protocol: int) -> None:
    document = small().document(0) | {"harm": Harm(f"touch {tmp_path / 'harm'}")}
    assert "nothing of it was executed" in refused(tmp_path, pickle.dumps(document, protocol))
    assert not (tmp_path / "harm").exists()


def test_health_says_whose_dumps_are_missing(tmp_path: Path) -> None:
    """Before: "the job had more ranks than files are open: waiting is indistinguishable from transfer"."""
    (tmp_path / "dump_rank_0").write_bytes(small().pickled(0))
    (detail,) = stepscope.open(tmp_path).show("health").filter(pl.col("check") == "ranks")["detail"]
    assert detail == "the dump of rank 1 is missing: what it was doing is not known"


def test_a_dump_that_was_cut_off_early_is_no_pickle_of_another_kind(tmp_path: Path) -> None:
    """Seen with a dump cut before its second key: "of pickles, memory snapshots and dumps are read"."""
    (tmp_path / "dump_rank_0").write_bytes(small().pickled(0)[:30])
    with pytest.raises(UnreadableInput, match=r"it is a Python pickle whose end is missing\. Copy or record it again"):
        stepscope.open(tmp_path / "dump_rank_0")


def test_dumps_that_were_cut_off(tmp_path: Path) -> None:
    for content in (small().pickled(0), small().json(0)):
        for cut in (len(content) - 1, len(content) * 3 // 4):
            assert "its end is missing" in refused(tmp_path, content[:cut])


WORDS = ["pg_config", "pg_status"]


def test_containers_that_hold_themselves_and_one_entry_many_times(tmp_path: Path) -> None:
    inner: list[Any] = []
    inner.append(inner)
    assert "no flight recorder dump" in refused(tmp_path, pickle.dumps({"pg_config": {}, "pg_status": inner}, 2))
    entries = small().entries[0][:1] * 100_000
    document = {"pg_config": {}, "pg_status": {}, "entries": entries}
    assert "no flight recorder dump" in refused(tmp_path, pickle.dumps(document, 2))


def test_one_stack_many_times_takes_its_memory_once(tmp_path: Path) -> None:
    document = small().document(0)
    stack = document["entries"][0]["frames"] * 40
    document["entries"] = [document["entries"][0] | {"frames": stack} for _ in range(2000)]
    found = read_bytes(tmp_path, pickle.dumps(document, 2))
    assert len(found.frames["texts"]) < 20
    assert found.frames["collective_record"]["stack"].n_unique() == 1


@pytest.mark.parametrize("as_json", [False, True])
def test_random_damage_is_a_sentence_or_a_sound_result(tmp_path: Path, as_json: bool) -> None:
    dice, whole = random.Random(5), small().json(0) if as_json else small().pickled(0)
    reader = FlightRecorderJson() if as_json else FlightRecorderPickle()
    path, outcomes = tmp_path / "dump", [0, 0]
    for _ in range(300):
        changed = bytearray(whole)
        for _ in range(dice.choice((1, 2, 9))):
            at, length = dice.randrange(len(changed)), dice.choice((1, 1, 4, 40))
            part = changed[dice.randrange(len(changed)) :][:length]
            changed[at : at + dice.choice((0, 1, length))] = dice.choice((part, bytes([dice.randrange(256)])))
        path.write_bytes(changed)
        try:
            check_sound(read(reader, Source(str(path))))
            outcomes[1] += 1
        except UnreadableInput as error:
            outcomes[0] += "\n" not in str(error)
    assert sum(outcomes) == 300
    assert min(outcomes) > 10


def test_deep_json_is_refused(tmp_path: Path) -> None:
    words = b'{"pg_config": {}, "pg_status": {}, "entries": '
    assert "JSON is damaged" in refused(tmp_path, words + b"[" * 200_000 + b"]" * 200_000 + b"}")


def test_a_dump_of_nothing_says_so(tmp_path: Path) -> None:
    assert "had not communicated yet" in refused(tmp_path, json.dumps(dict.fromkeys(WORDS)).encode())


def test_traces_that_speak_of_groups_stay_traces(tmp_path: Path) -> None:
    path = tmp_path / "trace.json"
    path.write_text(json.dumps({"distributedInfo": {"pg_config": [], "pg_status": 0}, "traceEvents": []}))
    assert recognised(Source(str(path))).kind == "trace"


def test_files_without_an_ending_that_are_no_dumps_are_not_taken(tmp_path: Path) -> None:
    (tmp_path / "trace_1").write_bytes(b"hello")
    small().write(tmp_path)
    assert [source.name for source in find_sources(str(tmp_path))] == ["nccl_trace_rank_0", "nccl_trace_rank_1"]
