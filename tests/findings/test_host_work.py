"""Work of the host that no event tells of, where Python stacks were not recorded."""

from __future__ import annotations

from pathlib import Path

import pytest

from building import Events, annotation, call, kernel, opened, operator, step
from building.autograd import frame
from stepscope.findings.examination import Examination, examine
from stepscope.findings.findings import confidence
from stepscope.messages.rendering import render

STEP = 10_000_000
STEPS = 6


def busy(first: int, last: int, name: str) -> list[Events]:
    """Operators of 100 us without a pause."""
    return [operator(f"aten::{name}", at, at + 100_000) for at in range(first, last, 100_000)]


def examined(folder: Path, late: dict[int, int], *further: Events) -> Examination:
    """Steps of 10 ms; in some, by number, the host does something of its own for a time after 4 ms."""
    events = [
        [
            step(n, n * STEP, (n + 1) * STEP),
            *busy(n * STEP, n * STEP + 4_000_000, "mul"),
            *busy(n * STEP + 4_000_000 + late.get(n, 0), (n + 1) * STEP, "add"),
            call(n * STEP + 10_000, n * STEP + 13_000, n + 1),
            kernel("gemm", n * STEP + 20_000, n * STEP + 220_000, n + 1),
        ]
        for n in range(STEPS)
    ]
    profile = opened(folder, *events, *further).profile
    found = examine(profile, profile.ranks[0])
    assert found is not None
    return found


def test_work_that_no_event_tells_of(tmp_path: Path) -> None:
    found = examined(tmp_path, dict.fromkeys(range(STEPS), 3_000_000))
    (finding,) = [one for one in found.findings if one.worth]
    assert finding.cause.id == "untraced-host-time"
    assert render(finding.cause.title) == "Untraced CPU time outside PyTorch ops: 3.00 ms a step"
    assert render(finding.cause.unknown) == (
        "which code it is: Python, garbage collection, file I/O, or a wait that was not recorded"
    )
    assert finding.saving_pct.best == pytest.approx(30, abs=2)
    assert confidence(finding) == "low"


def test_an_old_trace_with_stacks_of_operators_is_not_asked_for_them(tmp_path: Path) -> None:
    stack = operator("aten::mul", 0, 1_000, **{"Call stack": "train.py(7): main"})
    found = examined(tmp_path, dict.fromkeys(range(STEPS), 3_000_000), stack)
    (finding,) = [one for one in found.findings if one.worth]
    assert finding.cause.id == "untraced-host-time"
    assert "with_stack" not in finding.cause.change + render(finding.cause.advice)


@pytest.mark.long
def test_the_main_thread_of_an_old_trace_waits_for_its_backward_pass(tmp_path: Path) -> None:
    """The wait was called untraced CPU time, up to 62 % of a step, in nine traces of 2021."""
    late = dict.fromkeys(range(STEPS), 3_000_000)
    backward = [
        [
            operator("MmBackward", n * STEP + at, n * STEP + at + 300_000, thread=2, **{"Fwd thread id": 1})
            for at in range(4_050_000, 6_900_000, 300_000)
        ]
        for n in range(STEPS)
    ]
    assert "untraced-host-time" not in [one.cause.id for one in examined(tmp_path, late, *backward).findings]


@pytest.mark.long
def test_what_the_program_calls_its_backward_pass_is_a_wait_for_autograd(tmp_path: Path) -> None:
    """Its thread was not recorded: 34 ms in ``## backward ##`` were "untraced" and to be moved to the background."""
    late = dict.fromkeys(range(STEPS), 3_000_000)
    ranges = [annotation("## backward ##", n * STEP + 3_990_000, n * STEP + 7_100_000) for n in range(STEPS)]
    assert "untraced-host-time" not in [one.cause.id for one in examined(tmp_path, late, *ranges).findings]


def test_a_thread_of_which_next_to_nothing_was_recorded(tmp_path: Path) -> None:
    """A rank that waits, starts up, or whose trace was thinned was told to save up to all of its step."""
    few = [
        [step(n, n * STEP, (n + 1) * STEP), *busy(n * STEP, n * STEP + operators * 100_000, "mul")]
        for n, operators in enumerate([9] * STEPS)
    ]
    short = [
        [
            step(n, n * STEP, (n + 1) * STEP),
            *(operator("aten::mul", at, at + 2_000) for at in range(n * STEP, n * STEP + 400_000, 10_000)),
        ]
        for n in range(STEPS)
    ]
    for name, events in (("few", few), ("short", short)):
        (tmp_path / name).mkdir()
        profile = opened(tmp_path / name, *events).profile
        found = examine(profile, profile.ranks[0])
        assert [one.cause.id for one in (found.findings if found else ())] == []


@pytest.mark.parametrize(
    "late", [{}, {3: 3_000_000}, {1: 2_000_000, 4: 3_000_000}, dict.fromkeys(range(STEPS), 400_000)]
)
def test_a_thread_that_is_late_now_and_then(tmp_path: Path, late: dict[int, int]) -> None:
    """The machine may have had other work for its core; and less than a twentieth of the step is how Python is."""
    assert "untraced-host-time" not in [one.cause.id for one in examined(tmp_path, late).findings]


def test_with_stacks_the_frames_tell(tmp_path: Path) -> None:
    late = dict.fromkeys(range(STEPS), 3_000_000)
    frames = [frame("train.py(7): count", n * STEP + 4_000_000, n * STEP + 7_000_000) for n in range(STEPS)]
    found = examined(tmp_path, late, frame("train.py(1): main", 0, STEPS * STEP), *frames)
    (finding,) = [one for one in found.findings if one.worth]
    assert finding.cause.id == "python-work"
    assert render(finding.cause.title) == (
        "Python code runs between PyTorch operators: 3.00 ms a step, 100 % of it in count (train.py:7)"
    )


def test_the_line_is_where_most_of_the_time_passes_not_where_it_begins(tmp_path: Path) -> None:
    """A second of decoding after a call of crop() was said to be in crop()."""
    late = dict.fromkeys(range(STEPS), 3_000_000)
    at = [n * STEP + 4_000_000 for n in range(STEPS)]
    frames = [frame("train.py(7): crop", start, start + 200_000) for start in at]
    frames += [frame("train.py(20): decode", start + 200_000, start + 3_000_000) for start in at]
    found = examined(tmp_path, late, frame("train.py(1): main", 0, STEPS * STEP), *frames)
    (finding,) = [one for one in found.findings if one.worth]
    assert (finding.cause.id, finding.cause.where) == ("python-work", "train.py:20")


def test_the_profiler_s_own_frames_are_no_python_work(tmp_path: Path) -> None:
    late = dict.fromkeys(range(STEPS), 3_000_000)
    name = "torch/profiler/profiler.py(695): __enter__"
    frames = [frame(name, n * STEP + 4_000_000, n * STEP + 7_000_000) for n in range(STEPS)]
    assert "python-work" not in [one.cause.id for one in examined(tmp_path, late, *frames).findings]


def test_a_frame_that_is_late_once_is_no_python_work(tmp_path: Path) -> None:
    """A frame that the machine kept waiting in one step was named as what the program should fix."""
    frames = [
        frame("train.py(7): count", n * STEP + 4_000_000, n * STEP + 4_000_000 + (3_000_000 if n == 2 else 50_000))
        for n in range(STEPS)
    ]
    late = {n: 3_000_000 if n == 2 else 50_000 for n in range(STEPS)}
    found = examined(tmp_path, late, frame("train.py(1): main", 0, STEPS * STEP), *frames)
    assert "python-work" not in [one.cause.id for one in found.findings]


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("json/__init__.py(120): dump", "file-io"),
        ("/usr/lib/python3.11/csv.py(154): writerow", "file-io"),
        ("pickle.py(1533): _dump", "file-io"),
        ("yaml/__init__.py(10): dump", "file-io"),
        ("json/__init__.py(183): dumps", "object-conversion"),
        ("<built-in function sleep>", "sleep"),
        ("my_json.py(3): build", "python-work"),
        ("train.py(7): json", "python-work"),
    ],
)
def test_modules_that_write_files(tmp_path: Path, name: str, kind: str) -> None:
    """One json.dump was file-io and python-work, and was to go into the data loader's workers."""
    late = dict.fromkeys(range(STEPS), 3_000_000)
    frames = [frame(name, n * STEP + 4_000_000, n * STEP + 7_000_000) for n in range(STEPS)]
    found = examined(tmp_path, late, frame("train.py(1): main", 0, STEPS * STEP), *frames)
    assert [one.cause.id for one in found.findings if one.worth] == [kind]
