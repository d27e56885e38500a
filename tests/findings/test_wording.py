"""Titles and code of findings as they are read, and pasted."""

from __future__ import annotations

import pytest

from stepscope.findings.wording import spoken
from stepscope.reporters.sections.findings import _changed


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1 times a step", "once a step"),
        ("train.py:1, 1 times a step", "train.py:1, once a step"),
        ("1,001 times a step", "1,001 times a step"),
        ("13334.8 ms a step", "13.3 s a step"),
        ("9999.9 ms a step", "9999.9 ms a step"),
    ],
)
def test_counts_and_times_are_said_as_people_do(text: str, said: str) -> None:
    assert spoken(text) == said


def test_code_is_not_wrapped_into_what_cannot_be_pasted() -> None:
    """`# was: both as they are by default,` was followed by a line of the comment's rest: a syntax error."""
    change = "loader = DataLoader(data, collate_fn=prepare)  # was: batch = prepare(batch), in the loop\n# was: more"
    assert list(_changed(change, 200, "  ")) == [f"  {change.splitlines()[0]}"]
    assert list(_changed(change, 60, "  ")) == [
        "  # was: batch = prepare(batch), in the loop",
        "  loader = DataLoader(data, collate_fn=prepare)",
    ]
    narrow = list(_changed(change, 32, "  "))
    assert narrow[:2] == ["  # was: batch = prepare(batch),", "  # in the loop"]
    assert narrow[-1] == "  loader = DataLoader(data, collate_fn=prepare)"
