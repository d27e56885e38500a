"""What runs on one side only."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import stepscope
from building import Events, flat, kernel, launched, operator, step, write
from building.compiling import MadeLog
from comparing.compared import STEP, Each, compared, recorded
from stepscope.comparison.compare import Comparison, compare
from stepscope.comparison.sentences import is_identical


def program(*kernels: str, shape: int | None = 8, kind: str = "float", region: str | None = None) -> Each:
    """A step of some kernels, with an operator of one shape and type around each."""

    def each(start: int, number: int) -> list[Events]:
        events: list[Events] = []
        for place, name in enumerate(kernels):
            at = start + 50_000 * place + 10_000
            inputs = {} if shape is None else {"Input Dims": [[shape, 4]], "Input type": [kind]}
            events.append(operator("aten::mm", at, at + 20_000, **inputs))
            events.append(launched(kernel(name, at + 8_000, at + 28_000, number + place), at + 2_000))
        if region is not None:
            events.append(operator(f"Torch-Compiled Region: {region}", start + 1_000, start + 9_000))
        return events

    return each


def only(found: Comparison) -> dict[str, tuple[float, float]]:
    ours = ("kernel_names", "operator_shapes", "operator_types", "compiled_regions")
    return {key: (base, new) for key, base, new, *_ in found.counts.rows() if key in ours}


def test_as_many_kernels_may_all_be_others(tmp_path: Path) -> None:
    found = compared(tmp_path, program("sgemm", "add"), program("hgemm", "add"))
    assert only(found) == {"kernel_names": (1, 1)}
    assert found.counts.filter("differs")["key"].to_list() == ["kernel_names"], "though it is one on both sides"
    assert not is_identical(found)


def test_exchanging_the_sides_exchanges_the_numbers(tmp_path: Path) -> None:
    one, other = program("a", "b", "c"), program("c", kind="double")
    assert only(compared(tmp_path, one, other)) == {"kernel_names": (2, 0), "operator_types": (1, 1)}
    assert only(compared(tmp_path, other, one)) == {"kernel_names": (0, 2), "operator_types": (1, 1)}


def test_numbers_of_generated_kernels_say_nothing(tmp_path: Path) -> None:
    found = compared(tmp_path, program("triton_poi_fused_add_0"), program("triton_poi_fused_add_3"))
    assert only(found) == {}


@pytest.mark.long
def test_shapes_that_one_side_did_not_record_are_no_difference(tmp_path: Path) -> None:
    assert only(compared(tmp_path, program("a", shape=8), program("a", shape=16))) == {"operator_shapes": (1, 1)}
    assert only(compared(tmp_path, program("a", shape=8), program("a", shape=None))) == {}


def test_a_graph_break_makes_other_regions(tmp_path: Path) -> None:
    found = compared(tmp_path, program("a", region="0/0"), program("a", region="1/0"))
    assert only(found) == {"compiled_regions": (1, 1)}


@pytest.mark.long
def test_more_calls_of_compiled_regions_are_counted_where_both_sides_have_some(tmp_path: Path) -> None:
    def calls(found: Comparison) -> list[tuple[float, float]]:
        return found.counts.filter(key="compiled_calls").select("base", "new").rows()

    one, none = program("a", region="0/0"), program("a")

    def two(start: int, number: int) -> list[Events]:
        return [*one(start, number), operator("Torch-Compiled Region: 1/0", start + 100_000, start + 110_000)]

    assert calls(compared(tmp_path, one, two)) == [(1, 2)]
    assert calls(compared(tmp_path, none, two)) == []


def names(found: Comparison) -> list[tuple[str, str, str, float]]:
    return found.only_here.found.rows()


def test_what_only_one_side_has_is_named(tmp_path: Path) -> None:
    found = compared(tmp_path, program("a", "b", "b", "c"), program("c", "triton_poi_fused_add_0", shape=16))
    assert names(found) == [
        ("kernel_names", "base", "b", 2),
        ("kernel_names", "base", "a", 1),
        ("kernel_names", "new", "triton_poi_fused_add", 1),
        ("operator_shapes", "base", "aten::mm [[8, 4]]", 4),
        ("operator_shapes", "new", "aten::mm [[16, 4]]", 2),
    ]


def test_hashes_of_compiled_graphs_are_no_names(tmp_path: Path) -> None:
    def graph(code: str) -> Each:
        name = f"## Call CompiledFxGraph {code} ##"
        return lambda start, _: [operator(name, start, start + 9_000, **{"Input Dims": [[8, 4]]})]

    one, other = ("fzxicph2rvjr6pyeoz5ekxivuwsbapt6mzv6b5td2eeqa5bo5pbr", "foqvmi4yr7n2skjwjgu24dlonx2djlmg7nnp2krzo7c")
    found = compared(tmp_path, graph(one), graph(other))
    assert names(found) == []
    assert is_identical(found)


@pytest.mark.long
def test_operators_without_their_inputs_are_said_not_to_be_compared(tmp_path: Path) -> None:
    one, none = program("a"), program("a", shape=None)
    assert compared(tmp_path, one, none).only_here.unrecorded == ("operator_shapes", "operator_types")
    assert compared(tmp_path, one, one).only_here.unrecorded == ()


@pytest.mark.long
@pytest.mark.parametrize("seed", range(3))
def test_exchanging_the_sides_exchanges_them_and_the_order_of_events_says_nothing(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    sides = []
    for _ in range(2):
        kernels = chance.choices("abcdef", k=6)
        each = program(*kernels, shape=chance.choice([4, 8]), kind=chance.choice(["float", "c10::Half"]))
        events = flat([[step(n, n * STEP, (n + 1) * STEP), *each(n * STEP, 1_000 * n + 1)] for n in range(4)])
        chance.shuffle(events)
        file = write(tmp_path / f"{len(sides)}.json", *events)
        sides.append([recorded(tmp_path, each), stepscope.open(str(file)).profile.ranks[0]])
    there, back = compare([sides[0][0]], [sides[1][0]]), compare([sides[1][0]], [sides[0][0]])
    other = {"base": "new", "new": "base"}
    assert sorted(names(there)) == sorted((key, other[side], *rest) for key, side, *rest in names(back))
    assert names(there) == names(compare([sides[0][1]], [sides[1][1]]))
    for side in sides:
        assert names(compare([side[0]], [side[1]])) == []


def job(folder: Path, *reasons: str) -> str:
    """A trace with a log of torch.compile, in which graphs break."""
    each = program("a", region="0/0")
    folder.mkdir()
    events = [[step(n, n * STEP, (n + 1) * STEP), *each(n * STEP, 1_000 * n + 1)] for n in range(4)]
    write(folder / "trace.json", *events)
    log = MadeLog()
    log.compiled("0/0", "forward", 15, 9_000_000)
    for number, reason in enumerate(reasons):
        log.broken("0/0", 17 + number, reason)
    log.write(folder)
    return str(folder)


def test_graph_breaks_of_the_logs_are_counted_and_named(tmp_path: Path) -> None:
    base, new = job(tmp_path / "base", "print"), job(tmp_path / "new", "print", "item")
    found = stepscope.diff(base, new).comparison
    assert found.counts.filter(key="graph_breaks").select("base", "new", "differs").rows() == [(1, 2, True)]
    assert names(found) == [("breaking_functions", "new", "forward: item", 1)]
