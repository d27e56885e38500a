"""Which collective hangs and which rank is waited for, on jobs made with one fault each."""

from __future__ import annotations

import pickle
import random
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import stepscope
from building import flat, kernel, launched, step, write
from building.hangs import SECOND, START_NS, MadeJob, one_left


def rows_of(job: MadeJob, folder: Path, without: tuple[int, ...] = ()) -> list[dict[str, Any]]:
    return stepscope.open(job.write(folder / "dumps", without)).show("hangs").to_dicts()


def the_row(job: MadeJob, folder: Path, without: tuple[int, ...] = ()) -> dict[str, Any]:
    (row,) = rows_of(job, folder, without)
    return row


def training(ranks: int = 4, calls: int = 3) -> MadeJob:
    job = MadeJob(ranks)
    for line in range(calls):
        job.call(line=10 + line)
    return job


def test_a_rank_that_never_entered(tmp_path: Path) -> None:
    job = training()
    job.call(ranks=[0, 1, 2], state="started", line=88)
    row = the_row(job, tmp_path)
    assert row["finding"] == (
        "Rank 3 never entered all_reduce 4 of the default group; 3 ranks (0-2) wait since 12:00:03 UTC at train.py:88. "
        "Rank 3 last called all_reduce 3 of the default group at train.py:12 and completed it."
    )
    assert (row["cause"], row["suspects"], row["missing_ranks"], row["waiting_ranks"]) == (
        "not_entered",
        "3",
        "3",
        "0-2",
    )
    assert (row["ranks"], row["entered"], row["completed"], row["members_known"]) == (4, 3, 0, True)
    assert (row["since"], row["source"], row["sizes"]) == (
        "2026-10-01 12:00:03.000",
        "/home/me/train.py:88",
        "[[4, 2]]",
    )
    assert (row["timeout_ns"], row["waited_ns"]) == (600 * SECOND, SECOND // 2 - 2)


def test_nothing_hangs(tmp_path: Path) -> None:
    profile = stepscope.open(training().write(tmp_path / "dumps"))
    table = profile.show("hangs")
    assert len(table) == 0
    said = profile.notes("hangs")
    assert said == [
        "No collective hangs: all 12 recorded ones, in one process group on 4 ranks, have completed.",
        "Dumps of 4 of 4 ranks are here.",
    ]


def test_a_missing_dump_is_not_a_missing_rank(tmp_path: Path) -> None:
    job = training()
    job.call(state="started")
    row = the_row(job, tmp_path, without=(3,))
    assert (row["cause"], row["missing_ranks"], row["absent_ranks"], row["suspects"]) == ("no_dump", None, "3", "3")
    assert "the dumps do not say whether rank 3 entered it" in row["finding"]
    (said, *_) = stepscope.open(tmp_path / "dumps").notes("hangs")
    assert said.startswith("Dumps of 3 of 4 ranks are here; none of rank 3")


def test_a_rank_that_is_missing_is_named_though_another_has_no_dump(tmp_path: Path) -> None:
    job = training()
    job.call(ranks=[0, 1, 3], state="started")
    row = the_row(job, tmp_path, without=(3,))
    assert (row["cause"], row["missing_ranks"], row["absent_ranks"]) == ("not_entered", "2", "3")


def test_a_rank_that_has_not_started_what_it_called(tmp_path: Path) -> None:
    job = training()
    job.call(ranks=[0, 1, 2], state="started")
    job.record(3, "all_reduce", "0", "scheduled", (4, 2), 10)
    row = the_row(job, tmp_path)
    assert (row["cause"], row["suspects"]) == ("not_started", "3")
    assert row["finding"].startswith(
        "Rank 3 has called all_reduce 4 of the default group but not started it on the GPU; "
    )


def test_a_rank_that_has_not_completed_what_the_others_have(tmp_path: Path) -> None:
    job = training()
    job.call(ranks=[0, 1, 2])
    job.record(3, "all_reduce", "0", "started", (4, 2), 10)
    job.call(ranks=[0, 1, 2], state="started")
    row = the_row(job, tmp_path)
    assert (row["cause"], row["suspects"], row["sequence"], row["completed"]) == ("not_completed", "3", 4, 3)
    assert row["queued"] == 1


def test_all_entered_and_none_completed(tmp_path: Path) -> None:
    job = training()
    job.call(state="started")
    job.call(state="scheduled")
    row = the_row(job, tmp_path)
    assert (row["cause"], row["suspects"], row["queued"]) == ("none_completed", None, 1)
    assert row["finding"] == (
        "All 4 ranks entered all_reduce 4 of the default group, the last one at 12:00:03 UTC, "
        "and none has completed it."
    )


def test_all_called_and_none_started(tmp_path: Path) -> None:
    job = training()
    job.call(state="scheduled")
    assert the_row(job, tmp_path)["cause"] == "none_started"


def test_a_backend_that_does_not_say_what_has_started(tmp_path: Path) -> None:
    """Gloo records nothing but "scheduled"; what nothing waits for any more is done."""
    job = MadeJob(2, "gloo")
    job.call(state="scheduled", retired=True)
    job.call(state="scheduled")
    assert the_row(job, tmp_path)["cause"] == "unfinished"


def different(name: str, size: tuple[int, ...], dtype: str) -> MadeJob:
    job = training()
    job.call(ranks=[0, 1, 2], state="started")
    job.record(3, name, "0", "started", size, 99, input_dtypes=[dtype])
    return job


@pytest.mark.parametrize(
    ("name", "size", "dtype", "cause", "said"),
    [
        ("broadcast", (4, 2), "Float", "different_collectives", "rank 3 has broadcast and ranks 0-2 have all_reduce"),
        ("all_reduce", (5, 2), "Float", "different_sizes", "rank 3 has [5, 2] and ranks 0-2 have [4, 2]"),
        ("all_reduce", (4, 2), "Half", "different_dtypes", "rank 3 has Half and ranks 0-2 have Float"),
    ],
)
def test_ranks_that_do_not_agree(
    tmp_path: Path, name: str, size: tuple[int, ...], dtype: str, cause: str, said: str
) -> None:
    row = the_row(different(name, size, dtype), tmp_path)
    assert (row["cause"], row["suspects"], row["source"]) == (cause, "3", "/home/me/train.py:99")
    assert said in row["finding"]


def test_a_shape_of_as_many_elements_agrees(tmp_path: Path) -> None:
    assert the_row(different("all_reduce", (8,), "Float"), tmp_path)["cause"] == "none_completed"


def test_sizes_that_may_differ_are_none_of_the_causes(tmp_path: Path) -> None:
    job = MadeJob(2)
    job.call("all_to_all", ranks=[0])
    job.record(1, "all_to_all", "0", "completed", (9,), 10)
    assert rows_of(job, tmp_path) == []


def test_a_difference_before_the_hang_is_the_cause(tmp_path: Path) -> None:
    job = MadeJob(2)
    job.record(0, "all_reduce", "0", "completed", (4,), 10)
    job.record(1, "broadcast", "0", "completed", (4,), 11)
    job.call(ranks=[0], state="started")
    row = the_row(job, tmp_path)
    assert (row["cause"], row["sequence"], row["suspects"]) == ("different_collectives", 1, None)


def two_groups() -> MadeJob:
    job = MadeJob(2)
    job.group("1", "tp", [0, 1])
    job.group("2", "dp", [0, 1])
    return job


def test_ranks_that_wait_for_each_other(tmp_path: Path) -> None:
    job = two_groups()
    job.call("all_reduce", "1", [0], "started")
    job.call("all_gather", "2", [1], "started")
    rows = rows_of(job, tmp_path)
    assert [row["cause"] for row in rows] == ["wait_cycle", "wait_cycle"]
    assert rows[0]["finding"] == (
        "Ranks wait for each other: rank 0 waits for rank 1 to enter all_reduce 1 of group tp and rank 1 waits for "
        "rank 0 to enter all_gather 1 of group dp."
    )


def test_collectives_called_in_different_orders(tmp_path: Path) -> None:
    job = two_groups()
    for rank, order in ((0, "12"), (1, "21")):
        for group in order:
            job.record(rank, "all_reduce", group, "started", (4,), 10)
    rows = rows_of(job, tmp_path)
    assert {row["cause"] for row in rows} == {"other_order"}
    assert rows[0]["finding"] == (
        "Ranks 0-1 called all_reduce 1 of group tp and all_reduce 1 of group dp in different orders, "
        "and neither completed."
    )


def test_what_follows_from_another_hang_comes_behind_it(tmp_path: Path) -> None:
    """Rank 1 waits for rank 2 in one group, so rank 0 waits for it in the other."""
    job = MadeJob(3)
    job.group("1", "tp", [0, 1])
    job.group("2", "dp", [1, 2])
    job.call("all_reduce", "1", [0], "started")
    job.call("all_reduce", "2", [1], "started")
    assert [(row["description"], row["suspects"]) for row in rows_of(job, tmp_path)] == [("dp", "2"), ("tp", "1")]


def test_a_message_that_nobody_receives(tmp_path: Path) -> None:
    job = MadeJob(4)
    job.group("1", "pp", [2, 3])
    job.call("send 0->1", "1", [2])
    job.call("recv 1<-0", "1", [3])
    job.call("send 0->1", "1", [2], "started")
    row = the_row(job, tmp_path)
    assert (row["cause"], row["collective"], row["suspects"], row["waiting_ranks"]) == (
        "not_entered",
        "send 2->3",
        "3",
        "2",
    )
    assert row["finding"].startswith("Rank 3 never entered send 2->3 of group pp; rank 2 waits since 12:00:02 UTC")


def test_a_message_that_one_side_has_completed_was_entered_there(tmp_path: Path) -> None:
    """Seen of a send whose recv is in the other dump, completed: that rank "never entered" it, and was suspected."""
    job = MadeJob(2)
    job.call("send 0->1", "0", [0], "started", line=5)
    job.call("recv 1<-0", "0", [1])
    row = the_row(job, tmp_path)
    assert (row["cause"], row["suspects"], row["missing_ranks"]) == ("not_completed", None, None)
    assert row["finding"] == (
        "Rank 0 has started send 0->1 of the default group and not completed it since 12:00:00 UTC; rank 1 has "
        "completed it."
    )


def test_two_sends_that_face_each_other_are_to_be_paired(tmp_path: Path) -> None:
    """Seen: the advice was about collectives of several groups. What a rank called last had not both of its ranks."""
    job = MadeJob(2)
    job.call("send 0->1", "0", [0], "started")
    job.call("send 1->0", "0", [1], "started")
    first, second = rows_of(job, tmp_path / "cycle")
    said = "Ranks wait for each other: rank 0 waits for rank 1 to enter send 0->1 of the default group and "
    assert first["finding"].startswith(said)
    assert "batch_isend_irecv" in first["advice"]
    assert second["cause"] == "wait_cycle"
    job = MadeJob(2)
    job.call("recv 1<-0", "0", [1])
    job.call("send 0->1", "0", [0])
    job.call("send 0->1", "0", [0], "started")
    assert "Rank 1 last called recv 0->1 1 of the default group" in the_row(job, tmp_path / "last")["finding"]


def test_a_message_that_both_wait_for(tmp_path: Path) -> None:
    job = MadeJob(2)
    job.call("send 0->1", "0", [0], "started")
    job.call("recv 1<-0", "0", [1], "started", size=(3,))
    assert the_row(job, tmp_path)["cause"] == "different_sizes"


def test_coalesced_messages_are_as_far_as_the_whole(tmp_path: Path) -> None:
    job = MadeJob(2)
    for rank, name in ((0, "send 0->1"), (1, "recv 1<-0")):
        job.record(rank, name, "0", "scheduled", (4,), 10)
        job.record(rank, "coalesced", "0", "completed", (), 10, p2p=True, again=True)
    assert rows_of(job, tmp_path) == []


def test_a_dump_that_begins_later_says_nothing(tmp_path: Path) -> None:
    job = MadeJob(2)
    job.group("1", "tp", [0, 1])
    job.call(group="1", ranks=[0], state="started")
    job.call()
    job.entries[1][0]["record_id"] = 3000
    row = the_row(job, tmp_path)
    assert (row["cause"], row["missing_ranks"], row["absent_ranks"]) == ("no_dump", None, "1")


def only_active(job: MadeJob, folder: Path) -> Path:
    """Dumps as with TORCH_INCLUDE_ONLY_ACTIVE=1."""
    for rank in job.entries:
        document = job.document(rank)
        document["entries"] = [one for one in document["entries"] if one["state"] != "completed"]
        folder.mkdir(exist_ok=True)
        (folder / f"nccl_trace_rank_{rank}").write_bytes(pickle.dumps(document, 2))
    return folder


def test_a_dump_without_completed_calls_does_not_make_a_rank_missing(tmp_path: Path) -> None:
    """Rank 1 has completed what rank 0 waits in; rank 2 has not entered it, as its status says."""
    job = training(3)
    job.call(ranks=[0], state="started")
    job.record(1, "all_reduce", "0", "completed", (4, 2), 10)
    table = stepscope.open(only_active(job, tmp_path / "dumps")).show("hangs")
    assert table.select("cause", "missing_ranks", "absent_ranks").rows() == [("not_entered", "2", "1")]
    health = stepscope.open(tmp_path / "dumps").show("health")
    assert health.filter(check="only_active")["status"].to_list() == ["warning"] * 3


def test_groups_of_one_name_and_other_members_are_two(tmp_path: Path) -> None:
    job = MadeJob(4)
    job.group("1", "tp", [0, 1])
    job.call(group="1", ranks=[0, 1])
    job.group("1", "tp", [2, 3])
    job.call(group="1", ranks=[2, 3])
    folder = job.write(tmp_path / "dumps", without=(0, 1))
    job.group("1", "tp", [0, 1])
    job.write(folder, without=(2, 3))
    assert len(stepscope.open(folder).show("hangs")) == 0
    assert len(stepscope.open(folder).show("hang_ranks")) == 4


def test_json_says_the_same(tmp_path: Path) -> None:
    job = training()
    job.call(ranks=[0, 1, 2], state="started")
    tables = [stepscope.open(job.write(tmp_path / str(kind), as_json=kind)).show("hangs") for kind in (True, False)]
    without = [table.drop("source", "stack", "finding") for table in tables]
    assert without[0].equals(without[1])
    assert [table["source"].item() for table in tables] == [None, "/home/me/train.py:10"]


def oracle(job: MadeJob) -> dict[str, tuple[int, list[int], list[int]]]:
    """Of each group the first collective that some rank has not completed, who lacks it and who waits."""
    found = {}
    for name, (_, members) in job.groups.items():
        own = {rank: [e for e in job.entries[rank] if e["process_group"][0] == name] for rank in members}
        pending = [e["collective_seq_id"] for es in own.values() for e in es if e["state"] != "completed"]
        if pending:
            at = min(pending)
            here = {rank: e for rank in members for e in own[rank] if e["collective_seq_id"] == at}
            waits = [rank for rank, e in here.items() if e["state"] != "completed"]
            found[name] = at, [rank for rank in members if rank not in here], waits
    return found


@pytest.mark.parametrize("seed", range(12))
def test_random_jobs_agree_with_an_oracle(seed: int, tmp_path: Path) -> None:
    dice = random.Random(seed)
    job = MadeJob(5)
    for name, members in (("1", [0, 1]), ("2", [2, 3, 4]), ("3", [0, 2, 4])):
        job.group(name, f"g{name}", members)
    stopped = {rank: dice.randrange(3, 12) for rank in range(5)}
    for _ in range(14):
        group = dice.choice(list(job.groups))
        able = [rank for rank in job.groups[group][1] if len(job.entries[rank]) < stopped[rank]]
        whole = len(able) == len(job.groups[group][1])
        job.call(group=group, ranks=able, state="completed" if whole else "started")
    rows = stepscope.open(job.write(tmp_path / "dumps")).show("hangs").to_dicts()
    found = {
        row["group"]: (row["sequence"], numbers(row["missing_ranks"]), numbers(row["waiting_ranks"])) for row in rows
    }
    assert found == oracle(job)


def numbers(text: str | None) -> list[int]:
    parts = [part.split("-") for part in (text or "").split(", ") if part]
    return [number for part in parts for number in range(int(part[0]), int(part[-1]) + 1)]


def test_how_far_each_rank_came(tmp_path: Path) -> None:
    job = training(2)
    job.call(ranks=[0], state="started", line=88)
    job.call(ranks=[0], state="scheduled", line=89)
    columns = ("rank", "state", "collective", "sequence", "last_entered", "last_completed", "pending", "source")
    table = stepscope.open(job.write(tmp_path / "dumps")).show("hang_ranks").select(columns)
    assert table.rows() == [
        (0, "waits", "all_reduce", 4, 5, 3, 2, "/home/me/train.py:88"),
        (1, "behind", "all_reduce", 3, 3, 3, 0, "/home/me/train.py:12"),
    ]


def test_every_record_is_in_a_table(tmp_path: Path) -> None:
    job = training(2)
    job.call("send 0->1", ranks=[0], duration_ms=1.25)
    table = stepscope.open(job.write(tmp_path / "dumps")).show("collective_records")
    assert len(table) == 7
    last = table.filter(rank=0).row(-1, named=True)
    assert (last["collective"], last["p2p"], last["sequence"], last["duration_ns"]) == ("send 0->1", True, 1, 1_250_000)
    assert (last["backend"], last["state"], last["created"]) == ("nccl", "completed", "2026-10-01 12:00:03.000")
    assert START_NS == 1_790_856_000 * SECOND


def test_a_dump_beside_a_trace_has_its_tables(tmp_path: Path) -> None:
    write(tmp_path / "rank0.json", *flat([step(0, 0, 100), launched(kernel("gemm", 20, 60, 1), 10)]))
    one_left().write(tmp_path, without=(1, 2))
    profile = stepscope.open(tmp_path)
    assert profile.show("hangs").select("cause", "suspects", "absent_ranks").rows() == [("not_entered", "3", "1-2")]
    notes = profile.show("recordings").filter(pl.col("kind") == "flight_recorder")["note"].to_list()
    assert notes[0] == "the tables of hangs are of it; it is not on the timeline of rank 0"
    assert len(profile.show("kernels")) == 1


def test_a_hang_is_a_finding(tmp_path: Path) -> None:
    table = stepscope.open(one_left().write(tmp_path / "dumps")).show("findings")
    row = table.select("rank", "id", "severity", "category", "saving_ns").row(0)
    assert row == (3, "hang-0", "note", "communication", None)
    assert table["title"][0].startswith("Rank 3 never entered all_reduce 4 of the default group")
    assert table["advice"][0].startswith("Look at what the missing rank does")


def test_dumps_alone_are_on_the_wall_clocks_of_their_hosts(tmp_path: Path) -> None:
    """They were said to be aligned to the first one's clock, and had no start."""
    profile = stepscope.open(one_left().write(tmp_path / "dumps"))
    shown = profile.show("recordings").select("rank", "start_ns", "duration_ns", "uncertainty_ns").rows()
    ends = [4 * SECOND + SECOND // 2] * 3 + [3 * SECOND + SECOND // 2]
    assert shown == [(rank, START_NS + rank, end - rank, None if rank else 0) for rank, end in enumerate(ends)]
    assert profile.show("clocks")["method"].to_list() == ["the job's clock", *["wall clock of its host"] * 3]
    (check,) = profile.show("health").filter(pl.col("check") == "common_clock").to_dicts()
    assert (check["status"], check["value"]) == ("ok", "wall clocks of the hosts")
    assert "ranks of one host share a clock, those of several only as well as these agree" in check["detail"]


def test_dumps_beside_a_trace_have_no_start(tmp_path: Path) -> None:
    folder = one_left().write(tmp_path / "dumps", without=[0])
    write(folder / "rank0.json", *flat([step(0, 0, 900), launched(kernel("gemm", 100, 200, 1), 50)]))
    shown = stepscope.open(folder).show("recordings")
    assert shown.filter(pl.col("kind") == "flight_recorder")["start_ns"].to_list() == [None] * 3
