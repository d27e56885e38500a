"""Which forward operator each piece of the backward pass belongs to."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from building import Events, arrow, flat, opened, operator
from building.autograd import ENGINE, accumulate, backward, forward
from stepscope.store.autograd import Backward, backward_pass


def found(folder: Path, *events: Events) -> tuple[list[str], Backward]:
    """Labels of the operators in file order, and what was found. A label is the argument ``id``, else the name."""
    rows = flat(events)
    labels = [str(row["args"].get("id", row["name"])) for row in rows if row.get("cat") == "cpu_op"]
    return labels, backward_pass(opened(folder, *events).profile.ranks[0])


def named(labels: list[str], rows: Sequence[int]) -> list[str | None]:
    return [labels[row] if row >= 0 else None for row in rows]


def forward_of(folder: Path, *events: Events) -> dict[str, str | None]:
    """Label of the forward operator of everything that has one."""
    labels, links = found(folder, *events)
    pairs = zip(labels, named(labels, links.forward.tolist()), strict=True)
    return {label: forward for label, forward in pairs if forward is not None}


def test_a_function_and_all_inside_it_belong_to_the_operator_with_its_number(tmp_path: Path) -> None:
    labels, links = found(
        tmp_path,
        forward("aten::mm", 0, 10, 7),
        backward("MmBackward0", 100, 200, 7),
        operator("aten::t", 110, 150, thread=ENGINE),
        operator("aten::transpose", 120, 130, thread=ENGINE),
        operator("aten::relu", 210, 220, thread=ENGINE),
    )
    engine = "autograd::engine::evaluate_function: MmBackward0"
    assert named(labels, links.forward.tolist()) == [None, *["aten::mm"] * 4, None]
    assert named(labels, links.function.tolist()) == [None, engine, *["MmBackward0"] * 3, None]
    assert not links.recomputed.any()


def test_of_operators_with_one_number_the_last_to_begin_made_the_node(tmp_path: Path) -> None:
    """`aten::linear` and `aten::t` begin with the same number in mind; the second one makes the node."""
    of = forward_of(
        tmp_path,
        forward("aten::add_", 0, 3, 5),
        forward("aten::linear", 10, 40, 5),
        forward("aten::t", 12, 20, 5),
        forward("aten::addmm", 22, 38, 6),
        backward("AddmmBackward0", 100, 110, 6),
        backward("TBackward0", 110, 120, 5),
    )
    assert of["TBackward0"] == "aten::t"
    assert of["AddmmBackward0"] == "aten::addmm"


def test_of_equal_starts_the_one_further_in_made_the_node(tmp_path: Path) -> None:
    """Times in whole microseconds make caller and callee begin at once; neither name fits the function's."""
    of = forward_of(
        tmp_path,
        forward("aten::inner", 0, 1000, 5),
        forward("aten::outer", 0, 2000, 5),
        backward("OddBackward0", 5000, 6000, 5),
    )
    assert of["OddBackward0"] == "aten::inner"


def test_a_name_that_fits_goes_before_a_later_start(tmp_path: Path) -> None:
    """`aten::zero_` runs under the same number inside the operator that makes the node only afterwards."""
    of = forward_of(
        tmp_path,
        forward("fbgemm::lookup", 0, 50, 5),
        forward("aten::zero_", 10, 20, 5),
        forward("aten::_log_softmax", 60, 90, 6),
        forward("aten::empty", 70, 80, 6),
        backward("torch::autograd::CppNode<Lookup>", 100, 110, 5),
        backward("LogSoftmaxBackward0", 120, 130, 6),
    )
    assert of["torch::autograd::CppNode<Lookup>"] == "fbgemm::lookup"
    assert of["LogSoftmaxBackward0"] == "aten::_log_softmax"


def test_a_number_that_comes_again_means_the_last_operator_before_the_function(tmp_path: Path) -> None:
    """A new thread counts from the start and may get the number of one that ended."""
    of = forward_of(
        tmp_path,
        [forward("aten::mm", at, at + 10, 5, id=f"mm {at}") for at in (0, 1000, 2000)],
        backward("MmBackward0", 500, 600, 5, id="first"),
        backward("MmBackward0", 1500, 1600, 5, id="second"),
    )
    assert (of["first"], of["second"]) == ("mm 0", "mm 1000")


def test_an_operator_that_was_not_recorded_is_not_replaced_by_another(tmp_path: Path) -> None:
    """The window began between forward and backward; number 5 is used once more only afterwards."""
    of = forward_of(
        tmp_path,
        backward("MmBackward0", 100, 200, 5),
        forward("aten::mm", 300, 310, 5),
        forward("aten::mul", 10, 20, 4),
    )
    assert of == {}


def test_threads_count_apart(tmp_path: Path) -> None:
    """Two forward threads with the same numbers: the number of matches decides what ``Fwd thread id`` means."""
    of = forward_of(
        tmp_path,
        [forward("aten::mm", at, at + 5, at, thread=11, id=f"a{at}") for at in (10, 20, 30)],
        [forward("aten::mm", at, at + 5, at, thread=12, id=f"b{at}") for at in (20, 30, 40)],
        [backward("MmBackward0", 100 + at, 105 + at, at, made_on=4, id=f"of a{at}") for at in (10, 20, 30)],
        [backward("MmBackward0", 200 + at, 205 + at, at, made_on=9, id=f"of b{at}") for at in (20, 30, 40)],
    )
    assert of == {f"of {label}": label for label in ("a10", "a20", "a30", "b20", "b30", "b40")}


def test_arrows_decide_which_thread_is_meant_where_numbers_do_not(tmp_path: Path) -> None:
    """Replicas of one model on two threads count alike."""
    first, second = (forward("aten::mm", 0, 5, 3, thread=thread, id=thread) for thread in (11, 12))
    of_second, of_first = (
        backward("MmBackward0", at, at + 5, 3, made_on=made, id=f"{at}") for at, made in ((50, 7), (60, 8))
    )
    arrows = [arrow(1, second, of_second[1], "fwdbwd"), arrow(2, first, of_first[1], "fwdbwd")]
    of = forward_of(tmp_path, first, second, of_second, of_first, arrows)
    assert (of["50"], of["60"]) == ("12", "11")


def test_a_gradient_is_added_for_the_function_before_it(tmp_path: Path) -> None:
    """`AccumulateGrad` has no number; the engine runs it right behind the function that completed its gradient."""
    labels, links = found(
        tmp_path,
        accumulate(90, 95),
        forward("aten::addmm", 0, 10, 5),
        backward("AddmmBackward0", 100, 110, 5),
        accumulate(110, 120),
        accumulate(120, 130),
        operator("aten::add_", 122, 128, thread=ENGINE),
        backward("MmBackward0", 130, 140, 4),
        accumulate(140, 150),
    )
    none, addmm = None, "aten::addmm"
    expected = [none, none, none, *[addmm] * 7, none, none, none, none]
    assert named(labels, links.forward.tolist()) == expected


def test_the_engines_event_without_number_takes_that_of_the_function_inside(tmp_path: Path) -> None:
    engine, function = backward("AddBackward0", 100, 120, 5)
    del engine["args"]["Sequence number"], engine["args"]["Fwd thread id"]
    hook = operator("all_gather", 100, 101, thread=ENGINE)
    of = forward_of(tmp_path, forward("aten::add", 0, 10, 5), engine, function, hook)
    assert list(of.values()) == ["aten::add"] * 3


def test_second_derivatives_are_followed_back_to_the_forward_pass(tmp_path: Path) -> None:
    """With ``create_graph=True`` operators of the backward pass have numbers, counted on the engine's thread."""
    labels, links = found(
        tmp_path,
        forward("aten::mul", 0, 10, 5),
        backward("MulBackward0", 100, 120, 5, id="first"),
        forward("aten::mul", 105, 110, 0, thread=ENGINE, id="inside"),
        backward("MulBackward0", 200, 220, 0, made_on=2, id="second"),
        operator("aten::mul", 205, 210, thread=ENGINE, id="deep"),
    )
    by_label = dict(zip(labels, named(labels, links.forward.tolist()), strict=True))
    assert (by_label["inside"], by_label["second"], by_label["deep"]) == ("aten::mul", "inside", "inside")
    assert dict(zip(labels, named(labels, links.origin.tolist()), strict=True))["deep"] == "aten::mul"
    assert not links.recomputed.any()


def checkpoint_kernels(at: int) -> list[Any]:
    """A forward pass of two operators, run with gradients on by the engine's thread."""
    return [
        forward("aten::linear", at, at + 10, 0, thread=ENGINE, id="again linear"),
        operator("aten::addmm", at + 2, at + 8, thread=ENGINE, id="again addmm"),
    ]


def test_a_forward_pass_inside_a_backward_function_is_recomputed(tmp_path: Path) -> None:
    """Checkpointing without re-entry: the first function that needs a tensor runs the whole segment again."""
    labels, links = found(
        tmp_path,
        forward("aten::relu", 0, 10, 5),
        backward("ReluBackward0", 100, 200, 5),
        checkpoint_kernels(110),
        operator("aten::threshold_backward", 150, 160, thread=ENGINE),
    )
    recomputed = {label for label, flag in zip(labels, links.recomputed, strict=True) if flag}
    assert recomputed == {"again linear", "again addmm"}


def test_a_checkpoint_that_re_enters_the_engine(tmp_path: Path) -> None:
    """The functions inside belong to the operators run again, and through them to the checkpoint's forward call."""
    labels, links = found(
        tmp_path,
        forward("CheckpointFunction", 0, 50, 5),
        backward("CheckpointFunctionBackward", 100, 300, 5, id="checkpoint"),
        checkpoint_kernels(110),
        operator("aten::detach", 122, 124, thread=ENGINE, id="again detach"),
        backward("AddmmBackward0", 150, 200, 0, made_on=2, id="inner"),
        operator("aten::mm", 160, 170, thread=ENGINE, id="inner mm"),
    )
    recomputed = {label for label, flag in zip(labels, links.recomputed, strict=True) if flag}
    assert recomputed == {"again linear", "again addmm", "again detach"}
    by_label = dict(zip(labels, named(labels, links.forward.tolist()), strict=True))
    assert (by_label["inner mm"], by_label["again addmm"]) == ("again linear", "CheckpointFunction")
    origin = dict(zip(labels, named(labels, links.origin.tolist()), strict=True))
    assert origin["inner mm"] == origin["again addmm"] == "CheckpointFunction"


def test_a_backward_pass_on_the_thread_of_the_forward_pass(tmp_path: Path) -> None:
    """Without a GPU the thread that calls ``backward`` runs it."""
    of = forward_of(
        tmp_path,
        forward("aten::mm", 0, 10, 5),
        backward("MmBackward0", 20, 40, 5, thread=1),
        operator("aten::t", 25, 30),
    )
    assert of["aten::t"] == of["MmBackward0"] == "aten::mm"


def test_old_functions_without_numbers_are_known_by_name_alone(tmp_path: Path) -> None:
    labels, links = found(
        tmp_path,
        operator("aten::mm", 0, 10),
        operator("MmBackward", 20, 40, thread=2),
        operator("aten::t", 25, 30, thread=2),
    )
    assert named(labels, links.function.tolist()) == [None, "MmBackward", "MmBackward"]
    assert links.forward.tolist() == [-1, -1, -1]


def test_nothing_to_find(tmp_path: Path) -> None:
    assert found(tmp_path, operator("aten::mm", 0, 10))[1].function.tolist() == [-1]
    assert (
        found(tmp_path, {"ph": "M", "name": "process_name", "pid": 1, "args": {"name": "python"}})[1].forward.tolist()
        == []
    )


def test_hostile_numbers(tmp_path: Path) -> None:
    """Numbers that are none, negative or beyond all bounds link nothing and break nothing."""
    odd = [
        {"Sequence number": value, "Fwd thread id": other} for value in ("x", -1, 2**70, None) for other in (1, "y", -3)
    ]
    rows = [operator(name, i, i + 1, **args) for i, args in enumerate(odd) for name in ("aten::mm", "MmBackward0")]
    assert (found(tmp_path, *rows)[1].forward == -1).all()


def test_numbers_far_apart(tmp_path: Path) -> None:
    """So far that a thread and a number of it do not fit into one number together."""
    far = 2**61
    numbers = ((1, 1), (far, 1), (2, 3), (far + 1, 3))
    made = [forward("aten::mm", i, i + 1, n, thread=thread) for i, (n, thread) in enumerate(numbers)]
    back = [
        operator("MmBackward0", 10 + i, 11 + i, thread=ENGINE, **{"Sequence number": n, "Fwd thread id": thread})
        for i, (n, thread) in enumerate(numbers)
    ]
    assert found(tmp_path, *made, *back)[1].forward.tolist() == [-1] * 4 + [0, 1, 2, 3]
