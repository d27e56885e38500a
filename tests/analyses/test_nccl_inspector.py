"""Logs of NCCL Inspector: bandwidth without waiting, slow communicators and links, who arrives last."""

from __future__ import annotations

import random
from pathlib import Path
from statistics import median

import pytest

import stepscope
from building.inspector import MadeLogs
from readers.contract import check_sound, read
from stepscope.errors import UnreadableInput
from stepscope.readers.nccl_inspector.format import NcclInspector
from stepscope.readers.sources import Source


def test_every_value_of_a_line(tmp_path: Path) -> None:
    logs = MadeLogs()
    logs.call(7, {0: 120, 1: 100})
    logs.send(3, 0, 5, 10)
    (path,) = [one for one in logs.write(tmp_path).iterdir() if one.name == "node-pid100.log"]
    found = read(NcclInspector(), Source(str(path)))
    check_sound(found)
    frame, texts = found.frames["collective_time"], found.frames["texts"]["text"]
    columns = ("p2p", "sequence", "place", "ranks", "nodes", "peer", "bytes", "duration_ns")
    assert frame.select(columns).rows() == [
        (False, 7, 0, 2, 1, None, 1 << 26, 120_000),
        (True, 3, 0, 8, 1, 5, 1 << 20, 10_000),
    ]
    assert texts.gather(frame["operation"]).to_list() == ["AllReduce", "Send"]
    assert frame["busbw"].to_list() == pytest.approx([(1 << 26) / 120e3, (1 << 20) / 10e3], rel=1e-6)
    assert (found.facts.recorder_version, found.facts.events, found.facts.damaged) == ("v4.0", 2, 0)


def test_lines_that_are_none_are_counted(tmp_path: Path) -> None:
    logs = MadeLogs()
    logs.call(1, {0: 100, 1: 100})
    logs.call(2, {0: 100, 1: 100})
    odd = ("hello", "{}", logs.text(0)[:200], logs.text(0).splitlines()[0].replace('"rank":0', '"rank":9'))
    path = tmp_path / "a.log"
    path.write_text(logs.text(0) + "\n".join(odd))
    found = read(NcclInspector(), Source(str(path)))
    check_sound(found)
    assert (found.facts.events, found.facts.damaged) == (6, 4)
    path.write_text("\n".join(odd))
    with pytest.raises(UnreadableInput, match="no line of it says how long a collective took"):
        read(NcclInspector(), Source(str(path)))


def test_a_bandwidth_that_is_no_number_is_missing(tmp_path: Path) -> None:
    logs = MadeLogs()
    logs.call(1, {0: 0, 1: 0})
    text = logs.text(0).replace('"coll_busbw_gbs":67108.864', '"coll_busbw_gbs":"nan"')
    (tmp_path / "a.log").write_text(text)
    assert read(NcclInspector(), Source(str(tmp_path / "a.log"))).frames["collective_time"]["busbw"].to_list() == [None]


@pytest.mark.parametrize("seed", range(6))
def test_bandwidth_and_lateness_agree_with_an_oracle(seed: int, tmp_path: Path) -> None:
    dice, logs = random.Random(seed), MadeLogs()
    calls = [{rank: dice.randrange(50, 300) for rank in range(4)} for _ in range(15)]
    for number, times in enumerate(calls):
        logs.call(number, times)
    profile = stepscope.open(logs.write(tmp_path / "logs"))
    row = profile.show("collective_bandwidth").row(0, named=True)
    assert (row["calls"], row["complete_calls"], row["from_bytes"]) == (15, 15, 1 << 26)
    assert row["transfer_ns"] == sum(min(times.values()) for times in calls) * 1000
    assert row["wait_ns"] == sum(time - min(times.values()) for times in calls for time in times.values()) * 1000
    assert row["busbw"] == pytest.approx(median((1 << 26) * 1.5 / min(times.values()) / 1e3 for times in calls))
    late = dict.fromkeys(range(4), 0)
    for times in calls:
        first, second = sorted(times.values())[:2]
        for rank, time in times.items():
            late[rank] += second - first if time == first < second else 0
    table = profile.show("collective_lateness")
    assert dict(table.select("rank", "late_ns").rows()) == {rank: us * 1000 for rank, us in late.items()}


def test_a_slow_communicator_and_a_slow_link(tmp_path: Path) -> None:
    logs = MadeLogs()
    for number in range(10):
        for pair in range(4):
            logs.call(
                number, {2 * pair: 500 if pair != 2 else 900, 2 * pair + 1: 500 if pair != 2 else 900}, f"0x{pair}"
            )
        for sender in range(5):
            logs.send(number, sender, sender + 1, 100 if sender != 3 else 300)
    table = stepscope.open(logs.write(tmp_path / "logs")).show("collective_bandwidth")
    slow = table.filter("slow").select("op", "communicator", "link", "of_others_pct").rows()
    assert [row[:3] for row in slow] == [("AllReduce", "0x2", None), ("Send", "0xp", "3->4")]
    assert [row[3] for row in slow] == pytest.approx([100 * 5 / 9, 100 / 3], rel=1e-6)


@pytest.mark.long
def test_the_verdict_names_the_rank_that_arrives_last(tmp_path: Path) -> None:
    logs = MadeLogs()
    for number in range(10):
        logs.call(number, {0: 300, 1: 300, 2: 100})
    said = stepscope.open(logs.write(tmp_path / "logs")).verdict
    assert said.startswith(
        "Rank 2 (node-pid102.log) arrives last in 100 % of its 10 matched collectives, "
        "2.00 ms in total after the next one."
    )


def test_the_verdict_names_all_that_are_late_or_slow_alike(tmp_path: Path) -> None:
    """Before, ranks that arrive last together were not named, and links beyond the third were left out unsaid."""
    logs = MadeLogs()
    for number in range(20):
        logs.call(number, {0: 500, 1: 502, 2: 300, 3: 300})
    said = stepscope.open(logs.write(tmp_path / "late")).verdict
    assert said.split("\n")[0] == (
        "Ranks 2, 3 arrive last together in 100 % of their 20 matched collectives, 4.00 ms in total after the next one."
    )
    logs = MadeLogs()
    for number in range(12):
        for rank in range(16):
            logs.send(number, rank, rank ^ 1, 300 if rank < 4 else 100)
    assert "1 more communicator or link is slow, too" in stepscope.open(logs.write(tmp_path / "slow")).verdict


def test_a_call_that_a_rank_has_no_line_of_says_nothing_of_who_was_last(tmp_path: Path) -> None:
    logs = MadeLogs()
    logs.call(1, {0: 300, 1: 100})
    logs.lines[1] = []
    logs.send(1, 1, 2, 10)
    profile = stepscope.open(logs.write(tmp_path / "logs"))
    assert len(profile.show("collective_lateness")) == 0
    assert profile.show("collective_bandwidth").filter(op="AllReduce")["complete_calls"].to_list() == [0]


def test_bandwidth_over_time(tmp_path: Path) -> None:
    """A link that is slow now and then is seen only over time: calls by when their lines were written."""
    logs = MadeLogs()
    for number in range(1, 5):
        logs.call(number, {0: 100 * number, 1: 100 * number + 50})
    for lines in logs.lines.values():
        for at, line in enumerate(lines):
            line["metadata"]["dump_timestamp_us"] = 1_790_856_001_000_000 + (0, 2, 120, 120)[at] * 1000
    table = stepscope.open(logs.write(tmp_path / "logs")).show("collective_bandwidth", by="slice")
    assert table.select("op", "slice", "calls", "transfer_ns", "wait_ns").rows() == [
        ("AllReduce", 0, 1, 100_000, 50_000),
        ("AllReduce", 1, 1, 200_000, 50_000),
        ("AllReduce", 119, 2, 700_000, 100_000),
    ]
    assert table["busbw"].to_list() == pytest.approx([671.1, 335.5, (223.7 + 167.8) / 2], rel=1e-3)
    assert table["busbw_least"].to_list() == pytest.approx([671.1, 335.5, 167.8], rel=1e-3)


def test_lines_without_a_time_are_in_no_part_of_it(tmp_path: Path) -> None:
    logs = MadeLogs()
    logs.call(1, {0: 100, 1: 100})
    for lines in logs.lines.values():
        lines[0]["metadata"].pop("dump_timestamp_us")
    profile = stepscope.open(logs.write(tmp_path / "logs"))
    assert len(profile.show("collective_bandwidth", by="slice")) == 0
    assert len(profile.show("collective_bandwidth")) == 1
