"""Sentences of several ranks that say the same are said once."""

from __future__ import annotations

from stepscope.findings.alike import grouped
from stepscope.findings.verdict import Verdict
from stepscope.messages import Message


def of(rank: int, *sentences: Message) -> Verdict:
    return Verdict(rank, "gpu", None, 0, None, sentences)


def busy(pct: float, **more: object) -> Message:
    return Message("verdict-gpu-bound", unit="step", busy_pct=pct, **more)  # type: ignore[arg-type]


def ranks(*verdicts: Verdict, sentences: int = 2) -> list[list[int]]:
    return [[one.rank for one in group] for group in grouped(verdicts, sentences)]


def test_shares_within_five_points_are_one_sentence_and_others_are_not() -> None:
    """Four ranks that differed by one percent took eight lines of a report."""
    assert ranks(of(0, busy(97.0)), of(1, busy(60.0)), of(2, busy(92.0)), of(3, busy(91.9))) == [[0, 2], [1], [3]]


def test_times_within_five_percent_are_alike_and_counts_have_to_be_equal() -> None:
    def step(ns: int, steps: int = 3) -> Message:
        return Message("verdict-step-time", step_ns=ns, steps=steps)

    alike = (of(0, step(100)), of(1, step(95)))
    assert ranks(*alike, of(2, step(94)), of(3, step(100, steps=2))) == [[0, 1], [2], [3]]


def test_names_ranks_and_clauses_have_to_be_the_same() -> None:
    def part(name: str, pct: float = 50.0) -> Message:
        return Message("verdict-cpu-time", parts=[Message(name, share_pct=pct)])

    assert ranks(of(0, part("a")), of(1, part("b")), of(2, part("a", 52.0)), of(3, part("a", 70.0))) == [
        [0, 2],
        [1],
        [3],
    ]
    assert ranks(of(0, Message("x", rank=2)), of(1, Message("x", rank=3)), of(2, Message("y", rank=2))) == [
        [0],
        [1],
        [2],
    ]


def test_only_the_sentences_that_are_shown_decide() -> None:
    first = busy(97.0)
    verdicts = of(0, first, Message("a")), of(1, first, Message("b"))
    assert ranks(*verdicts, sentences=1) == [[0, 1]]
    assert ranks(*verdicts) == [[0], [1]]
