"""Sizes of messages, links, pipeline stages and experts, on jobs whose truth is known."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from building import rows
from made_ranks import MS, Call, Clock, Compute, Layout, MadeRanks, Network, Parallel, Wait, data_parallel
from ranks_working import Item
from stepscope.analyses.communication.stages import stages_of
from stepscope.api import OpenProfile
from stepscope.messages.quantities import percent_text, time_text

KIB, MIB = 1 << 10, 1 << 20
PIPELINE = Layout(dp=2, pp=4)


def sizes(rank: int, step: int) -> list[Item]:
    """Ten calls of 4 KiB and one of 4 MiB, in elements of two bytes."""
    small = Call("allreduce", (0, 1), 2 * KIB, description="dp")
    return [Compute(MS), *[small] * 10, Call("allreduce", (0, 1), 2 * MIB, description="dp")]


def test_calls_are_counted_by_powers_of_two(tmp_path: Path) -> None:
    """A transfer is 10 us and the bytes at 100 GB/s, all-reduced by two ranks: factor 1."""
    made = MadeRanks(sizes, world=2, steps=1)
    profile = made.open(tmp_path)
    table = profile.show("message_sizes")
    small, large = 10_000 + round(4 * KIB / 100), 10_000 + round(4 * MIB / 100)
    columns = ("op", "group", "from_bytes", "below_bytes", "calls", "bytes", "transfer_ns", "matched_calls")
    assert rows(table, *columns) == [
        ("all_reduce", "dp", 4 * KIB, 8 * KIB, 20, 80 * KIB, 20 * small, 20),
        ("all_reduce", "dp", 4 * MIB, 8 * MIB, 2, 8 * MIB, 2 * large, 2),
    ]
    assert table["busbw"].to_list() == pytest.approx([4 * KIB / small, 4 * MIB / large])
    assert table["calls_pct"].sum() == pytest.approx(100) == table["transfer_pct"].sum()
    merged = 20 * small - 80 * KIB / (4 * MIB / large)
    share = 2000 * small / (20 * small + 2 * large)
    (told,) = profile.notes("message_sizes")
    assert told == (
        f"90.9 % of the calls with a size are below 1 MiB; they take {percent_text(share)} of the transfer time; "
        "at the bandwidth of larger calls of their kind they would transfer "
        f"{time_text(merged)} less, over all ranks: the most that merging them could save"
    )


def test_calls_without_a_size_have_a_row_of_their_own(tmp_path: Path) -> None:
    made = MadeRanks(data_parallel(Layout(dp=2)), world=2, steps=2, unlaunched={0: 9, 1: 9})
    profile = made.open(tmp_path)
    table = profile.show("message_sizes")
    assert rows(table, "from_bytes", "calls") == [(8 * MIB, 6), (None, 6)]
    assert table["calls"].sum() == sum(len(call.ends) for call in made.calls)
    assert profile.notes("message_sizes")[0] == "6 of 12 calls have no recorded size"


@pytest.fixture(scope="module")
def piped(tmp_path_factory: pytest.TempPathFactory) -> OpenProfile:
    """Two pipelines of four stages; messages between ranks 4 and 6 travel at a fifth of the others' speed."""
    network = Network(slow={(4, 6): 20.0})
    clocks = {rank: Clock(offset_ns=rank % 2 * 3 * MS) for rank in range(8)}
    made = MadeRanks(Parallel(PIPELINE, microbatches=6), world=8, network=network, clocks=clocks)
    return made.open(tmp_path_factory.mktemp("piped"))


def test_a_slow_link_is_told_in_both_directions(piped: OpenProfile) -> None:
    table = piped.show("links")
    assert rows(table.filter(pl.col("verdict") == "slow"), "src", "dst", "kind") == [
        (4, 6, "send_recv"),
        (6, 4, "send_recv"),
    ]
    assert piped.notes("links")[0] == "2 of 16 links are slow: 4-6, 6-4"
    bandwidth = {(src, dst): value for src, dst, value in rows(table, "src", "dst", "bandwidth")}
    bytes_, latency = 2 * MIB, 10_000
    assert bandwidth[0, 2] == pytest.approx(bytes_ / (latency + bytes_ / 100), rel=1e-3)
    assert bandwidth[4, 6] == pytest.approx(bytes_ / (latency + bytes_ / 20), rel=1e-3)


def test_links_that_are_alike_are_not_accused(tmp_path: Path) -> None:
    made = MadeRanks(Parallel(PIPELINE), world=8, network=Network(end_jitter_ns=3_000))
    assert set(made.open(tmp_path).show("links")["verdict"]) == {""}


@pytest.mark.long
def test_small_messages_make_no_slow_link(tmp_path: Path) -> None:
    """Bandwidth of small messages is less on any link: sizes are compared with each other."""

    def exchange(rank: int, step: int) -> list[Item]:
        elements = 64 if rank == 0 or rank == 1 else MIB
        peer = rank ^ 1
        sides = ("send", "recv") if rank < peer else ("recv", "send")
        return [Compute(MS), *(Call(side, tuple(range(8)), elements, peer=peer) for side in sides * 6)]

    table = MadeRanks(exchange, world=8, steps=1).open(tmp_path).show("links")
    assert len(table) == 8
    assert set(table["verdict"]) == {""}
    assert table.filter(pl.col("src") < 2)["of_median_pct"].to_list() == [None, None]


def test_stages_and_microbatches_are_found(piped: OpenProfile) -> None:
    table = piped.show("pipeline")
    assert rows(table.filter(pl.col("step") == 1), "rank", "stage", "stages", "microbatches") == [
        (rank, PIPELINE.place(rank)[2], 4, 6) for rank in range(8)
    ]


def test_the_parts_of_a_step_add_up_and_the_bubble_is_that_of_the_schedule(piped: OpenProfile) -> None:
    """Stages alike and messages short against the work: the bubble is (p - 1) / (m + p - 1), here 3 / 9."""
    table = piped.show("pipeline")
    parts = ("compute", "message_wait", "message_transfer", "communication", "memory", "idle", "other_idle")
    assert table.select(pl.sum_horizontal(f"{part}_ns" for part in parts)).to_series().to_list() == (
        table["duration_ns"].to_list()
    )
    assert (table["bubble_ns"] == table["message_wait_ns"] + table["idle_ns"]).all()
    assert table["ideal_pct"].to_list() == pytest.approx([100 / 3] * len(table))
    whole = table.filter(pl.col("step") > 0)
    assert whole["bubble_pct"].to_list() == pytest.approx([100 / 3] * len(whole), rel=0.1)


@pytest.mark.long
@given(st.integers(1, 4), st.integers(2, 4), st.integers(1, 4), st.integers(0, 3 * MS))
@settings(max_examples=8)
def test_any_pipeline_adds_up(
    tmp_path_factory: pytest.TempPathFactory, microbatches: int, stages: int, load: int, offset: int
) -> None:
    made = MadeRanks(
        Parallel(Layout(pp=stages), microbatches=microbatches, layers=load),
        world=stages,
        steps=2,
        clocks={stages - 1: Clock(offset)},
    )
    table = made.open(tmp_path_factory.mktemp("any")).show("pipeline")
    parts = ("compute", "message_wait", "message_transfer", "communication", "memory", "idle", "other_idle")
    assert (table.select(pl.sum_horizontal(f"{part}_ns" for part in parts)).to_series() == table["duration_ns"]).all()
    assert (table.select(pl.min_horizontal(f"{part}_ns" for part in parts)).to_series() >= 0).all()
    assert rows(table, "rank", "stage") == [(rank, rank) for rank in range(stages) for _ in range(2)]


def test_messages_in_a_circle_tell_no_stage(tmp_path: Path) -> None:
    def around(rank: int, step: int) -> list[Item]:
        ahead, back = (rank + 1) % 3, (rank - 1) % 3
        send = Call("send", (0, 1, 2), MIB, peer=ahead, waited=False)
        return [Compute(MS), send, Call("recv", (0, 1, 2), MIB, peer=back), Wait()]

    profile = MadeRanks(around, world=3, steps=2).open(tmp_path)
    table = profile.show("pipeline")
    assert rows(table, "rank", "stage", "ideal_pct") == [(rank, None, None) for rank in range(3) for _ in range(2)]
    assert "the stage of 3 of 3 ranks is unknown: messages form a cycle, as in interleaved schedules" in (
        profile.notes("pipeline")
    )


def test_a_stage_is_one_behind_the_furthest_that_sends_to_it() -> None:
    assert stages_of({(0, 1), (1, 2), (0, 2)}) == {0: (0, 3), 1: (1, 3), 2: (2, 3)}


def test_the_load_of_experts_is_that_of_the_uneven_side(tmp_path: Path) -> None:
    """Tokens go to the experts, 3 : 1 : 1 : 1, and come back: what is sent and received in all is far more even."""
    made = MadeRanks(Parallel(Layout(dp=4, ep=4), expert_load=(3000, 1000, 1000, 1000)), world=4, steps=1)
    profile = made.open(tmp_path)
    table = profile.show("experts")
    there_and_back = 2 * 2 * 2  # in two microbatches, forward and backward
    assert rows(table, "rank", "calls", "load_elements", "load_pct", "imbalance", "call_imbalance") == [
        (0, 8, there_and_back * 12_000, pytest.approx(200), 2.0, 2.0),
        *((rank, 8, there_and_back * 4_000, pytest.approx(100 * 2 / 3), 2.0, 2.0) for rank in (1, 2, 3)),
    ]
    assert rows(table.sort("rank"), "sent_elements", "received_elements")[0] == (4 * 18_000, 4 * 18_000)


def test_uneven_calls_do_not_cancel_out(tmp_path: Path) -> None:
    def turns(rank: int, step: int) -> list[Item]:
        busy = Call("all_to_allv", (0, 1), 0, sent=(500, 500), received=(750, 750))
        idle = Call("all_to_allv", (0, 1), 0, sent=(500, 500), received=(250, 250))
        return [Compute(MS), *((busy, idle) if rank == step % 2 else (idle, busy))]

    table = MadeRanks(turns, world=2, steps=2).open(tmp_path).show("experts")
    assert rows(table, "imbalance", "call_imbalance") == [(1.0, 1.5), (1.0, 1.5)]


def test_tables_without_rows_say_why(tmp_path: Path) -> None:
    profile = MadeRanks(data_parallel(Layout(dp=4)), world=4).open(tmp_path)
    assert {name: profile.notes(name) for name in ("links", "pipeline", "experts")} == {
        "links": [
            (
                "no rows: no two ranks communicate alone, by messages or in a group of two; larger groups cannot "
                "distinguish links"
            )
        ],
        "pipeline": ["no rows: no message between two ranks was found whose sender and receiver were recorded"],
        "experts": ["no rows: no all-to-all ran in the selection, so no experts exchanged tokens"],
    }


def test_recorded_messages_of_known_sizes(shared_data: Path) -> None:
    """Sent from rank 0 to rank 1 three times a step: 4 Ki, 256 Ki and 4 Mi elements of four bytes."""
    import stepscope

    profile = stepscope.open(shared_data / "h200" / "ranks" / "collectives4")
    (link,) = rows(profile.show("links"), "src", "dst", "kind", "calls", "bytes")
    assert link == (0, 1, "send_recv", 9, 3 * 4 * (4 * KIB + 256 * KIB + 4 * MIB))
    assert set(profile.show("experts")["imbalance"]) == {1.0}
    sized = profile.show("message_sizes").filter(pl.col("op") == "all_reduce")
    assert sized["from_bytes"].to_list()[:3] == [16 * KIB, MIB, 16 * MIB]
