"""The yardstick: reading pairs, what bounds a step by measurement, and scores of made answers."""

from __future__ import annotations

import gzip
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from yardstick.__main__ import EXAMPLES
from yardstick.answers import Answer, Named, Range, Rows, answer, exactly
from yardstick.bound import COPIES, GPU, HOST, bound, union
from yardstick.page import Scored, page
from yardstick.pairs import Pair, Side, pairs
from yardstick.scoring import Answered, Counted, alarms, changes, score
from yardstick.sets import Set
from yardstick.tools import TOOLS

ROOT = Path(__file__).resolve().parent.parent


def pair(slow: float, fixed: float, *causes: str, name: str = "a", samples: int = 1, program: str = "") -> Pair:
    sides = (Side(Path(f"{name}.{side}"), (ms,)) for side, ms in (("slow", slow), ("fixed", fixed)))
    return Pair(name, "planted", causes, samples, *sides, program)


def said(*causes: str, saving: Range | None = None, step: Range | None = None, side: str = "") -> Answer:
    return Answer("1", step, side, tuple(Named(cause, saving, cause) for cause in causes))


def event(category: str, start: float, length: float, name: str = "x") -> dict[str, Any]:
    return {"ph": "X", "cat": category, "name": name, "ts": start, "dur": length}


def recorded(path: Path, *events: dict[str, Any]) -> Path:
    with gzip.open(path, "wt") as file:
        json.dump({"traceEvents": list(events)}, file)
    return path


def test_union_counts_what_overlaps_once() -> None:
    assert union([(5, 7), (0, 2), (1, 4), (1, 2)]) == 6


STEPS = [event("user_annotation", 10_000 * each, 9_000, f"ProfilerStep#{each}") for each in (0, 1)]


@pytest.mark.parametrize(
    ("kernels", "copies", "wanted"),
    [(2_000, 1_000, HOST), (14_000, 1_000, GPU), (2_000, 16_000, COPIES)],
)
def test_the_largest_part_of_the_step_without_the_profiler_bounds_it(
    tmp_path: Path, kernels: float, copies: float, wanted: str
) -> None:
    """Two steps of 9 ms; copies beside kernels count as kernels."""
    path = recorded(
        tmp_path / "a.json.gz",
        *STEPS,
        event("kernel", 0, kernels),
        event("gpu_memcpy", 0, kernels),
        event("gpu_memcpy", kernels, copies),
    )
    assert bound(path, 9.0) == wanted


def test_a_step_that_no_part_takes_two_thirds_of_has_no_bound(tmp_path: Path) -> None:
    path = recorded(tmp_path / "a.json.gz", *STEPS, event("kernel", 0, 11_000))
    assert (bound(path, 9.0), bound(path, 8.2)) == ("", GPU)


def test_a_recording_without_a_gpu_has_no_bound(tmp_path: Path) -> None:
    assert bound(recorded(tmp_path / "a.json.gz", *STEPS, event("cpu_op", 0, 5)), 9.0) == ""


def test_pairs_are_read_with_what_their_truth_leaves_out(tmp_path: Path) -> None:
    times = {"slow": {"step_ms": 4.0}, "fixed": {"step_ms": 9.0, "step_ms_runs": [7.0, 8.0, 3.0]}}
    entries = {
        "batch_size": times,
        "lost": {**times, "unsteady": True},
        "mine": {**times, "planted": "a sleep", "findings": ["sleep"]},
    }
    (tmp_path / "truth.json").write_text(json.dumps({"scenarios": entries}))
    known, mine = pairs(tmp_path, light=True)
    assert (known.causes, known.samples, known.fixed.step_ms) == (("small-batch",), 8, 7.0)
    assert known.saving_pct == pytest.approx(100 * (1 - 7 / 8 / 4))
    assert mine.causes == ("sleep", "untraced-host-time")
    assert mine.slow.path == tmp_path / "mine.slow.light.pt.trace.json.gz"


def test_a_name_that_comes_again_is_another_recording_of_the_same_programs(tmp_path: Path) -> None:
    entry = {"planted": "", "findings": [], "slow": {"step_ms": 2.0}, "fixed": {"step_ms": 1.0}}
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        shared = {name: {**entry, "fixed_program": "p"} for name in ("b", "c")}
        every = {"a": entry, **shared} if folder == "one" else {"a": entry}
        (tmp_path / folder / "truth.json").write_text(json.dumps({"scenarios": every}))
    found = Set("", (tmp_path / "one", tmp_path / "two"))
    assert [each.name for each in found.pairs] == ["a", "b", "c"]
    again = [tuple(f"{path.parent.name}/{path.name.partition('.pt')[0]}" for path in two) for two in found.again]
    assert again == [("one/a.slow", "two/a.slow"), ("one/a.fixed", "two/a.fixed"), ("one/b.fixed", "one/c.fixed")]


def test_the_examples_are_there() -> None:
    assert [each.name for each in EXAMPLES.pairs] == ["launch_bound_decode", "batch_size"]
    for each in EXAMPLES.pairs:
        assert each.slow.path.exists()
        assert each.fixed.path.exists()


def test_an_answer_is_read_as_it_was_printed() -> None:
    given = Answer("1", Range(1, 2, 3), "gpu", (Named("sleep", None, "w"),))
    assert answer(json.dumps(asdict(given))) == given


EVERY = [
    Answered(  # found, first, in its range; still named once it is fixed
        pair(10, 5, "sleep"),
        said("sleep", "logging", saving=Range(40, 46, 55), step=Range(8, 11, 12), side=HOST),
        said("sleep", step=exactly(6), side=GPU),
        (HOST, GPU),
    ),
    Answered(  # found second, out of its range, the step of one side wrong
        pair(10, 8, "sleep", "logging"),
        said("file-io", "logging", saving=Range(30, 40, 50), side=GPU),
        said(),
        (HOST, HOST),
    ),
    Answered(pair(10, 9.9, "sleep"), said(), Answer(failed="x"), ("", "")),  # nothing to find; one has no answer
    Answered(pair(10, 10, "sleep"), said(), said("sleep", saving=Range(-1, 2, 5)), ("", "")),  # and promises nothing
]


def test_score() -> None:
    found = score(EVERY)
    assert (found.answered, found.bound) == (Counted(7, 8), Counted(2, 4))
    assert (found.named, found.first, found.false) == (Counted(2, 2), Counted(1, 2), Counted(1, 4))
    assert found.step.errors == pytest.approx((10, 20))
    assert (found.step.inside, found.step.widths) == (Counted(1, 1), pytest.approx((40,)))
    assert found.saving.errors == pytest.approx((-4, 20))
    assert (found.saving.inside, found.saving.widths) == (Counted(1, 2), pytest.approx((15, 20)))


def test_alarms_leave_out_what_was_not_compared() -> None:
    found = alarms([Rows(100, 3, "changed"), Rows(50, 0, "same"), Rows(failed="x")])
    assert (found.compared, found.rows, found.changed, found.steps) == (Counted(2, 3), 150, 3, 1)


def test_changes_of_next_to_nothing_need_not_be_found() -> None:
    steps = [(pair(10, 5), "changed"), (pair(10, 8), "unknown"), (pair(10, 13), "changed"), (pair(10, 9.9), "same")]
    found = changes([(one, Rows(9, 1, step)) for one, step in steps])
    assert (found.found, found.smallest_pct, found.largest_missed_pct) == (
        Counted(2, 3),
        pytest.approx(30),
        pytest.approx(20),
    )


def test_page_marks_what_is_right_and_what_a_tool_does_not_say() -> None:
    unsaid = [Answered(each.pair, Answer("2", side=GPU), Answer(failed="x"), each.bounds) for each in EVERY]
    rows = [Rows(10, 1, "changed")] * 4
    one = Scored(
        "Mine", {"stepscope": EVERY, "hta": unsaid}, {"stepscope": rows, "hta": [Rows(9, 9)] * 4}, {"hta": rows}
    )
    text = page([one])
    assert "| stepscope | 7 of 8 | 2 of 4 | 2 of 2 | 1 of 2 | 15.0, 19 | 1 of 1, 40 % | 12.0, 18 | 1 of 2" in text
    assert "| HolisticTraceAnalysis | 4 of 8 | 0 of 4 | - | - | - | - | - | - | - |" in text
    assert "| planted | 50 % | **sleep** 46 % | (gpu) |" in text
    assert "| planted | 20 % | file-io 40 % | (gpu) |" in text
    assert "| Mine | HolisticTraceAnalysis | 4 of 4 | 40 | 4 (10 %) | 4 |" in text
    assert "| Mine | stepscope | 2 of 2 | 20 % | - |" in text


def test_every_tool_has_a_module() -> None:
    for name in TOOLS:
        assert (ROOT / "yardstick" / "tools" / f"{name}.py").exists()
