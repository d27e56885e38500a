"""Time in which nothing is recorded: a cause, named by what it follows; and waits that functions show."""

from __future__ import annotations

from pathlib import Path

import pytest

from building import Events, call, kernel, operator
from building.autograd import ENGINE, backward, forward
from comparing.compared import STEP, Each, compared, function, recorded, words
from stepscope.analyses.host.host_stacks import host_stacks
from stepscope.analyses.simulation.bottleneck_sides import HOST
from stepscope.comparison.compare import compare
from stepscope.comparison.recorded import compared_steps
from stepscope.comparison.sentences import cause_message
from stepscope.comparison.untraced import untraced_tree
from stepscope.messages.rendering import render


def silent(*behind: tuple[str, int]) -> Each:
    """Operators of 20 us, each with some ns of silence behind it; the rest of a step is one more operator."""

    def each(start: int, number: int) -> list[Events]:
        at, events = start, []
        for name, length in behind:
            events.append(operator(name, at, at + 20_000))
            at += 20_000 + length
        return [*events, operator("aten::mm", at, start + STEP)]

    return each


def of_length(length: int, each: Each) -> Each:
    """Without what a step of that length has no room for."""
    return lambda start, number: (
        [one for one in each(start, number) if "aten::mm" not in str(one)]
        + [operator("aten::mm", start + length - 300_000, start + length)]
    )


def test_python_without_stacks_is_the_first_cause(tmp_path: Path) -> None:
    """`json.dumps` in the step, recorded without stacks: "no function, range or operator accounts for 0.5 %"."""
    base = recorded(tmp_path, of_length(STEP, silent(("aten::a", 500_000), ("aten::b", 30_000))))
    new = recorded(tmp_path, of_length(STEP // 2, silent(("aten::a", 1_000), ("aten::b", 30_000))), length=STEP // 2)
    first = compare([base], [new]).attribution.causes[0]
    assert render(cause_message(first)) == "less untraced CPU time after aten::a"
    assert round(first.effect_ns) == -499_000
    back = compare([new], [base]).attribution.causes[0]
    assert render(cause_message(back)) == "more untraced CPU time after aten::a"
    assert back.effect_ns == -first.effect_ns


def test_silence_adds_up_to_the_step_and_not_beyond(tmp_path: Path) -> None:
    """It is what no event of the thread covers: an oracle that marks each ns."""

    def each(start: int, number: int) -> list[Events]:
        return [
            operator("aten::a", start + 10_000, start + 30_000),
            operator("aten::inner", start + 12_000, start + 20_000),
            call(start + 40_000, start + 50_000, number),
            kernel("k", start + 60_000, start + 70_000, number),
            operator("aten::b", start + 100_000, start + 900_000),
        ]

    rank = recorded(tmp_path, each)
    tree = untraced_tree(rank, host_stacks(rank), compared_steps(rank))[0]
    steps = len(compared_steps(rank))
    covered = set()
    for first, last in ((10, 30), (40, 50), (100, 900)):
        covered |= set(range(first, last))
    assert tree[HOST].sum() == steps * 1_000 * (1_000 - len(covered))
    by_name = dict(tree.select("name", HOST).iter_rows())
    assert by_name == {"(untraced)": 0, "aten::a": steps * 60_000, "aten::b": steps * 110_000}


@pytest.mark.long
def test_a_backward_pass_on_its_own_thread_is_no_silence(tmp_path: Path) -> None:
    """The thread of the steps waits for it; its time is that of the engine's thread."""

    def each(start: int, number: int) -> list[Events]:
        return [
            forward("aten::mm", start + 10_000, start + 100_000, number),
            backward("MmBackward0", start + 110_000, start + 800_000, number, thread=ENGINE),
            operator("aten::add_", start + 820_000, start + 1_000_000),
        ]

    rank = recorded(tmp_path, each)
    tree = untraced_tree(rank, host_stacks(rank), compared_steps(rank))[0]
    assert dict(tree.select("name", HOST).iter_rows())["aten::mm"] == len(compared_steps(rank)) * 30_000


@pytest.mark.long
@pytest.mark.parametrize("name", ["<built-in function sleep>", "<built-in method poll of select.poll>"])
def test_a_function_that_waits_is_a_cause(tmp_path: Path, name: str) -> None:
    """With stacks, a step halved by a `time.sleep` less had no cause."""

    def each(length: int) -> Each:
        def of_step(start: int, number: int) -> list[Events]:
            end = start + 400_000 + length
            where = name.replace("poll>", "poll object at 0x7f4c>")
            waits = [function(where, start + 100_000, start + 100_000 + length)] if length else []
            return [
                function("train.py(3): step", start, end),
                operator("aten::a", start + 10_000, start + 90_000),
                *waits,
                operator("aten::mm", end - 250_000, end),
            ]

        return of_step

    base, new = recorded(tmp_path, each(600_000)), recorded(tmp_path, each(0), length=400_000)
    first = compare([base], [new]).attribution.causes[0]
    assert words(first) == ("train.py: step", (name,), ())
    assert round(first.effect_ns) == -600_000


@pytest.mark.long
def test_a_slower_host_makes_no_wait_longer(tmp_path: Path) -> None:
    """All operators take 1.4 times as long, what is silent takes as long as before: that is no change of it."""

    def host(factor: float) -> Each:
        def each(start: int, number: int) -> list[Events]:
            at, events = start, []
            for n in range(10):
                length = round((10_000 + 1_000 * n) * factor)
                events.append(operator(f"aten::op{n}", at, at + length))
                at += length
            return events

        return each

    assert compared(tmp_path, host(1.0), host(1.4)).attribution.causes == ()


@pytest.mark.long
def test_other_types_are_other_work_and_no_faster_host(tmp_path: Path) -> None:
    """float64 to float32 halved every operator: "the host as a whole is 43 % faster, that is the machine"."""

    def typed(kind: str, factor: float) -> Each:
        def each(start: int, number: int) -> list[Events]:
            at, events = start, []
            for n in range(10):
                events.append(function(f"train.py({n}): f{n}", at, at + 20_000))
                at += 20_000
            for n in range(10):
                length = round(20_000 * factor)
                inputs = {"Input Dims": [[8, 8]], "Input type": [kind]}
                events.append(operator(f"aten::op{n}", at, at + length, **inputs))
                at += length
            return [*events, function("train.py(90): rest", at, start + STEP)]

        return each

    found = compared(tmp_path, typed("double", 1.0), typed("float", 0.5))
    assert found.host_pct == pytest.approx(0, abs=0.1)
    assert {words(cause)[0] for cause in found.attribution.causes} <= {f"aten::op{n}" for n in range(10)} | {
        "train.py: rest"
    }
    assert found.attribution.causes
