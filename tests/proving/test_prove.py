"""``stepscope prove`` and ``stepscope ledger``: promised, came, and what is kept of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from command_line import Run
from stepscope.messages import Message
from stepscope.proving.ledger import Entry, coverage, read_ledger
from stepscope.proving.proof import INSIDE, LESS, MORE, UNCLEAR, Proof, Span, StepTime

SLOW, FIXED = (f"examples/launch_bound_decode.{side}.pt.trace.json.gz" for side in ("slow", "fixed"))
BATCHES = tuple(f"examples/batch_size.{side}.pt.trace.json.gz" for side in ("slow", "fixed"))


def proof(promised: tuple[float, float, float], came: tuple[float, float, float]) -> Proof:
    step = StepTime(Span(1, 1, 1), "measured")
    spans = Span(*promised), Span(*came)
    return Proof("x", Message("proof-all"), "high", 0, *spans, step, step, 1.0, False, (), ("a", "b"))


@pytest.mark.parametrize(
    ("promised", "came", "outcome"),
    [
        ((10, 20, 30), (15, 25, 35), INSIDE),
        ((10, 20, 30), (0, 5, 9), LESS),
        ((10, 20, 30), (31, 40, 50), MORE),
        ((10, 20, 30), (5, 9, 12), UNCLEAR),
        ((10, 20, 30), (-60, 20, 60), UNCLEAR),
    ],
)
def test_what_came_lies_inside_or_surely_outside(promised, came, outcome: str) -> None:  # type: ignore[no-untyped-def]
    assert proof(promised, came).outcome == outcome


@pytest.mark.long
def test_figures_are_those_of_the_tables(run: Run, tmp_path: Path) -> None:
    ledger = tmp_path / "new" / "ledger.jsonl"
    asked = ("prove", SLOW, FIXED, "--finding", "launch-bound", "--ledger", str(ledger), "--format", "json")
    document = json.loads(run(*asked).out)
    times = [json.loads(run("show", "step_time", path, "--format", "json").out)["rows"][0] for path in (SLOW, FIXED)]
    steps = [one["unprofiled_ns"] if one["measured_ns"] is None else one["measured_ns"] for one in times]
    assert document["came_pct"]["best"] == pytest.approx(100 * (1 - steps[1] / steps[0]))
    rows = json.loads(run("show", "findings", SLOW, "--format", "json").out)["rows"]
    (row,) = [row for row in rows if row["id"] == "launch-bound"]
    assert document["promised_pct"]["best"] == row["saving_pct"]
    assert document["promised_pct"]["low"] <= row["saving_pct"] <= document["promised_pct"]["high"]
    (entry,), broken = read_ledger(str(ledger))
    assert (entry.finding, entry.outcome, broken) == ("launch-bound", document["outcome"], 0)
    text = " ".join(run("prove", SLOW, FIXED, "--finding", "launch-bound", "--no-ledger").out.split())
    for sentence in document["sentences"]:
        assert sentence["text"] in text


@pytest.mark.long
def test_a_saving_per_sample_needs_the_work_of_a_step(run: Run) -> None:
    asked = ("prove", *BATCHES, "--finding", "small-batch", "--no-ledger")
    assert run(*asked).err == (
        "stepscope: cannot prove small-batch: its saving is per sample. "
        "Say how many times as many samples a step has after the fix, as --work 8\n"
    )
    once, eight = (json.loads(run(*asked, "--work", work, "--format", "json").out) for work in ("1", "8"))
    for end in ("low", "best", "high"):
        assert once["after"][f"step_{end}_ns"] == pytest.approx(8 * eight["after"][f"step_{end}_ns"], abs=8)


@pytest.mark.long
def test_what_cannot_be_proved_is_an_error(run: Run) -> None:
    outcome = run("prove", SLOW, FIXED, "--finding", "nothing", "--no-ledger")
    assert outcome.code == 2
    assert outcome.err.startswith(
        f"stepscope: cannot find nothing: {SLOW} has no such finding. Name one with --finding: "
    )
    assert run("prove", SLOW, SLOW, "--no-ledger").err.startswith(
        "stepscope: cannot choose a finding: no finding with a saving is gone."
    )


def entry(finding: str, promised: float, came: float, outcome: str) -> Entry:
    spans = Span(promised, promised, promised), Span(came, came, came)
    return Entry(0.0, finding, "high", *spans, outcome, "", "a", "b")


def test_coverage_counts_by_finding_and_in_all() -> None:
    some = [entry("a", 10, 12, INSIDE), entry("a", 10, 30, MORE), entry("b", 5, 5, INSIDE)]
    found = [(one.finding, one.count, one.inside, one.error_pct) for one in coverage(some)]
    assert found == [("a", 2, 1, 11.0), ("b", 1, 1, 0.0), (None, 3, 2, 2.0)]


def test_a_ledger_may_hold_anything(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "ledger.jsonl"
    run("prove", SLOW, FIXED, "--finding", "launch-bound", "--ledger", str(file))
    known = json.loads(file.read_text())
    bad = [
        "",
        "nothing",
        "[]",
        "{}",
        json.dumps(known | {"outcome": "best"}),
        json.dumps(known | {"came_pct": [1, 2]}),
        json.dumps(known | {"came_pct": [1, 2, float("inf")]}),
        json.dumps(known | {"setup": 3}),
        "[" * 100_000,
    ]
    file.write_text("\n".join([json.dumps(known), *bad]) + "\n")
    out = " ".join(run("ledger", str(file)).out.split())
    said = "1 prediction tested: 1 inside the promised range, 0 outside, 0 inconclusive."
    assert out.startswith(f"8 lines of {file} could not be read. {said}")
    document = json.loads(run("ledger", str(file), "--format", "json").out)
    assert (len(document["predictions"]), document["unreadable_lines"]) == (1, 8)


def test_no_ledger_is_an_error(run: Run, tmp_path: Path) -> None:
    outcome = run("ledger", str(tmp_path / "none.jsonl"))
    assert (outcome.code, "stepscope prove BEFORE AFTER makes one" in outcome.err) == (2, True)
