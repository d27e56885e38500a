"""What tables and checks say is said in Chinese, with the same numbers and no English left over."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import stepscope
from building import kernel, write
from made_ranks import MS, Call, Compute, Layout, MadeRanks, Network, Parallel, data_parallel
from ranks_working import Item
from stepscope.analyses import make_table, table_notes
from stepscope.api import OpenProfile
from stepscope.findings.job_messages import job_sentences
from stepscope.findings.verdict import verdict
from stepscope.messages import Message
from stepscope.messages.rendering import render
from stepscope.schema import TABLES

_ENGLISH = re.compile(r"(?:\b[a-z]{2,}\b[ ,]+){2,}[a-z]{2,}")
"""Three English words in a row, which no name is."""
_NUMBER = re.compile(r"(?<![A-Za-z=_])\d+(?:[.,]\d+)*")


def said(opened: OpenProfile, tables: tuple[str, ...] = tuple(TABLES)) -> set[Message]:
    """Every note of some tables, and the checks and verdicts."""
    profile = opened.profile
    found = {note for name in tables for note in table_notes(profile, name, make_table(profile, name))}
    found |= {sentence for rank in profile.ranks for sentence in verdict(rank).sentences}
    return found | set(job_sentences(profile)) | checks(opened)


def checks(opened: OpenProfile, of_ranks: bool = True) -> set[Message]:
    """Values and details of health, without plain numbers."""
    health = make_table(opened.profile, "health")
    health = health if of_ranks else health.filter(health["rank"].is_null())
    cells = {Message.decoded(cell) for name in ("value", "detail") for cell in health[name].drop_nulls()}
    return {cell for cell in cells if re.search("[a-z]{3}", render(cell, "en"))}


def assert_chinese(messages: set[Message]) -> None:
    both = [(render(one, "en"), render(one, "zh")) for one in sorted(messages, key=Message.encoded)]
    assert [pair for pair in both if not re.search("[\u4e00-\u9fff]", pair[1])] == []
    wrong = [pair for pair in both if not set(_NUMBER.findall(pair[1])) <= set(_NUMBER.findall(pair[0])) | {"1"}]
    assert wrong == []
    assert [chinese for _, chinese in both if _ENGLISH.search(chinese)] == []


@pytest.mark.long
@pytest.mark.parametrize(
    "name", ["batch_size.slow.pt.trace.json.gz", "launch_bound_decode.slow.pt.trace.json.gz", "ddp4_straggler"]
)
def test_what_is_said_about_a_recording_is_said_in_chinese(examples: Path, name: str) -> None:
    assert_chinese(said(stepscope.open(examples / name)))


def test_every_fault_of_ranks_is_said_in_chinese(tmp_path: Path) -> None:
    layout = Layout(dp=2)
    MadeRanks(data_parallel(layout), world=2, windows={1: (1, 2)}).write(tmp_path / "a")
    MadeRanks(data_parallel(Layout(dp=6)), world=6, begins_ns=10**14).write(tmp_path / "a", [4])
    write(tmp_path / "a" / "named.json", kernel("a", 0, 10), distributedInfo={"rank": 1, "nccl_version": "2.1"})
    write(tmp_path / "a" / "other.json", kernel("a", 0, 10))
    MadeRanks(data_parallel(layout), world=2).write(tmp_path / "b")
    found = set()
    for opened in (stepscope.open([str(tmp_path / "a"), str(tmp_path / "b")]), stepscope.open(str(tmp_path / "b"))):
        found |= checks(opened, of_ranks=False)
    assert {"check-run-doubtful", "check-yes"} < {one.id for one in found}
    assert_chinese({one for one in found if one.id != "check-skipped"})


def odd(rank: int, step: int) -> list[Item]:
    """Small and large calls, an even all-to-all, and messages around a circle."""
    whole = (0, 1, 2)
    calls = [Call("allreduce", whole, 256), Call("allreduce", whole, 1 << 20), Call("all_to_allv", whole, 300)]
    ahead, back = (rank + 1) % 3, (rank - 1) % 3
    send = Call("send", whole, 8, peer=ahead, waited=False)
    return [Compute(MS), *calls, send, Call("recv", whole, 8, peer=back)]


def test_every_note_on_communication_is_said_in_chinese(tmp_path: Path) -> None:
    jobs = [
        MadeRanks(odd, world=3, steps=2, unlaunched={0: 3}),
        MadeRanks(data_parallel(Layout(dp=4)), world=4, steps=1),
        MadeRanks(Parallel(Layout(pp=4), microbatches=6), world=4, steps=1, network=Network(slow={(1, 2): 10.0})),
    ]
    found: set[Message] = set()
    for number, job in enumerate(jobs):
        profile = job.open(tmp_path / str(number)).profile
        for table in ("message_sizes", "links", "pipeline", "experts"):
            found |= set(table_notes(profile, table, make_table(profile, table)))
    assert len(found) > 8
    assert_chinese(found)
