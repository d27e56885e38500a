"""Names of the kernels of a kind or a collective, as the tables have them."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

import stepscope
from stepscope.errors import BadRequest
from stepscope.timeline import open_timeline
from timeline_checks import ask


def test_kinds_are_those_of_the_table(examples: Path) -> None:
    opened = stepscope.open(examples / "batch_size.slow.pt.trace.json.gz")
    timeline = open_timeline(opened.profile)
    named = defaultdict(set)
    for row in opened.show("kernels").to_dicts():
        named[row["kind"]].add(row["name"])
    for kind, names in named.items():
        told = ask(timeline, "named", role="kind", value=kind)
        assert {timeline.names[code] for code in told["codes"]} == names
        assert told["shared"] == 0
    assert len(named) > 2
    assert ask(timeline, "named", role="kind", value="no such kind")["codes"] == []


def test_operations_are_those_of_the_table(examples: Path) -> None:
    opened = stepscope.open(examples / "ddp4_straggler")
    timeline = open_timeline(opened.profile)
    told = {op: ask(timeline, "named", role="collective", value=op) for op in opened.show("communication")["op"]}
    assert told
    for answer in told.values():
        assert answer["codes"]
        assert all("nccl" in timeline.names[code] for code in answer["codes"])


def test_other_roles_are_refused(examples: Path) -> None:
    timeline = open_timeline(stepscope.open(examples / "batch_size.slow.pt.trace.json.gz").profile)
    with pytest.raises(BadRequest):
        ask(timeline, "named", role="source", value="train.py:1")
