"""What the ledger does to the ranges of the published pairs, each judged by the others: docs/prove.md says it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from stepscope.proving.experience import experience
from stepscope.proving.ledger import Entry
from stepscope.proving.proof import INSIDE, Span

DOCS = Path(__file__).resolve().parent.parent.parent / "docs"
ROW = re.compile(
    r"\| .* \| (-?\d+) \((-?\d+) to (-?\d+)\) \| (-?\d+) \| (-?\d+) to (-?\d+) \| .* \| ([a-z-]+) \|", re.ASCII
)
SECTIONS = ("With stacks, shapes and memory", "Only operators")


def proved(section: str) -> list[Entry]:
    """The rows of a section whose finding was made."""
    text = (DOCS / "savings-cpu.md").read_text(encoding="utf-8").split(f"\n## {section}\n", 1)[1].split("\n## ")[0]
    found = []
    for number, row in enumerate(filter(None, map(ROW.fullmatch, text.splitlines()))):
        best, low, high, said, said_low, said_high = map(float, row.groups()[:6])
        spans = Span(said_low, said, said_high), Span(low, best, high)
        found.append(Entry(0.0, row[7], "", *spans, INSIDE, "", str(number), ""))
    return [one for one in found if one.finding != "nothing"]


def judged(section: str) -> tuple[int, int, int, int, int]:
    """Pairs that enough others judge, how many lie inside before and after, and how wide the ranges are in the mean."""
    before, after, widths = [], [], []
    entries = proved(section)
    for entry in entries:
        others = [one for one in entries if one.finding == entry.finding and one is not entry]
        tested = experience(others)[0].tested if others else None
        if tested is None:
            continue
        said, came = entry.promised_pct, entry.came_pct.best
        low, high = (
            said.best - tested.factor * (said.best - said.low),
            said.best + tested.factor * (said.high - said.best),
        )
        before.append(said.contains(came))
        after.append(low <= came <= min(100, high))
        widths.append((said.width, min(100, high) - low))
    means = [round(sum(one) / len(widths)) for one in zip(*widths, strict=True)]
    return len(before), sum(before), sum(after), means[0], means[1]


@pytest.mark.parametrize("section", SECTIONS)
def test_the_document_says_what_the_pairs_say(section: str) -> None:
    count, before, after, width, later = judged(section)
    said = " ".join((DOCS / "prove.md").read_text(encoding="utf-8").split())
    row = f"| {section} | {count} | {before} | {width} | {after} | {later} |"
    assert row in said
    assert after >= 0.8 * count
