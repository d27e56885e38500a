"""What runs on one side only."""

from __future__ import annotations

from pathlib import Path

from building import Events, kernel, launched, operator
from comparing.compared import Each, compared
from stepscope.comparison.compare import Comparison
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


def test_shapes_that_one_side_did_not_record_are_no_difference(tmp_path: Path) -> None:
    assert only(compared(tmp_path, program("a", shape=8), program("a", shape=16))) == {"operator_shapes": (1, 1)}
    assert only(compared(tmp_path, program("a", shape=8), program("a", shape=None))) == {}


def test_a_graph_break_makes_other_regions(tmp_path: Path) -> None:
    found = compared(tmp_path, program("a", region="0/0"), program("a", region="1/0"))
    assert only(found) == {"compiled_regions": (1, 1)}
