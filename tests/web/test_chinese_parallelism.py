"""What the tables about messages, links, stages and experts say beside their rows is said in Chinese, too."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from made_ranks import MS, Call, Compute, Layout, MadeRanks, Network, Parallel, data_parallel
from ranks_working import Item

_TRANSLATE = """
import {{ noteInChinese }} from './src/i18n/told.zh.ts'
console.log(JSON.stringify({texts}.map(noteInChinese)))
"""
TABLES = ("message_sizes", "links", "pipeline", "experts")


def odd(rank: int, step: int) -> list[Item]:
    """Small and large calls, an even all-to-all, and messages around a circle."""
    whole = (0, 1, 2)
    calls = [Call("allreduce", whole, 256), Call("allreduce", whole, 1 << 20), Call("all_to_allv", whole, 300)]
    ahead, back = (rank + 1) % 3, (rank - 1) % 3
    send = Call("send", whole, 8, peer=ahead, waited=False)
    return [Compute(MS), *calls, send, Call("recv", whole, 8, peer=back)]


def test_every_note_is_said_in_chinese(evaluated: Callable[[str], Any], tmp_path: Path) -> None:
    jobs = [
        MadeRanks(odd, world=3, steps=2, unlaunched={0: 3}),
        MadeRanks(data_parallel(Layout(dp=4)), world=4, steps=1),
        MadeRanks(Parallel(Layout(pp=4), microbatches=6), world=4, steps=1, network=Network(slow={(1, 2): 10.0})),
    ]
    opened = [job.open(tmp_path / str(number)) for number, job in enumerate(jobs)]
    english = sorted({note for one in opened for table in TABLES for note in one.notes(table)})
    assert len(english) > 8
    chinese = evaluated(_TRANSLATE.format(texts=json.dumps(english)))
    assert [text for text in chinese if re.search(r"(?:\b[a-z]{2,}\b ){3}", text)] == []
