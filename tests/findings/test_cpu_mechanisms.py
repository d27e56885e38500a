"""What made savings of steps on a CPU too small, each on steps that show nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from building import Event, Events, opened, operator, step, timed
from building.autograd import accumulate, backward, forward
from made_steps import STEP, examined, named
from stepscope.analyses.simulation.after_effects import without_after_effects
from stepscope.analyses.simulation.edits import Ranges, shares, slowed
from stepscope.analyses.simulation.model import step_model
from stepscope.findings import examination
from stepscope.findings.detector_context import Case
from stepscope.messages.rendering import render


def frame(name: str, start: int, end: int) -> Event:
    return timed("python_function", name, start, end, process=1, thread=1)


def batch_by_pieces(at: int, *, long_ns: int = 14_000) -> list[Events]:
    """A batch of 20 columns, each a list of some us and a tensor made of it by an operator of 1 us."""
    events: list[Events] = [frame("data.py(3): collate", at + 10_000, at + 330_000)]
    for i in range(20):
        start = at + 20_000 + 15_000 * i
        events.append(frame("data.py(4): <listcomp>", start, start + long_ns))
        events.append(operator("aten::lift_fresh", start + long_ns, start + 15_000))
    return [*events, operator("aten::mm", at + 340_000, at + 990_000)]


@pytest.mark.long
def test_a_function_made_of_short_python_counts_whole(tmp_path: Path) -> None:
    """Each of its lists is shorter than what is looked at: a third of the step was nobody's, or a loop's."""
    found = named(examined(tmp_path, lambda at, number: batch_by_pieces(at)), "python-work")
    assert found is not None
    assert dict(found.cause.title.params)["function"] == "<listcomp> (data.py:4)"
    # The call of `collate`, from its beginning to its end; and what follows gets shorter by a tenth of that.
    assert found.cause.claims.end.tolist() == [at + 330_000 for at in range(0, 3 * STEP, STEP)]
    assert found.saving_pct.best == pytest.approx(33, abs=4)


@pytest.mark.long
def test_a_function_that_mostly_calls_operators_is_no_python_work(tmp_path: Path) -> None:
    assert named(examined(tmp_path, lambda at, number: batch_by_pieces(at, long_ns=6_000)), "python-work") is None


@pytest.mark.long
def test_a_function_that_runs_the_model_is_no_python_work(tmp_path: Path) -> None:
    def each(at: int, number: int) -> list[Events]:
        return [*batch_by_pieces(at), frame("nn.Module: Linear_0", at + 300_000, at + 310_000)]

    found = named(examined(tmp_path, each), "python-work")
    assert found is None or found.saving_pct.best < 5


def test_work_that_goes_takes_its_effect_on_the_caches_along(tmp_path: Path) -> None:
    """Sections behind planted Python took 3 to 20 % longer than in steps without it."""
    work = [operator("aten::mm", n * STEP, n * STEP + 500_000) for n in range(3)]
    profile = opened(tmp_path, *[[step(n, n * STEP, (n + 1) * STEP), work[n]] for n in range(3)]).profile
    rank = profile.ranks[0]
    model = step_model(rank)
    assert model is not None
    first = Case(profile, rank, model).named("^aten::mm$", "operator")
    before = model.unchanged()
    after = slowed(before, shares(model, Ranges(first.thread, first.start, first.start + 200_000)), 0.0)
    assert model.step_ns(after) == pytest.approx(800_000, abs=2)
    times = [model.step_ns(without_after_effects(model, before, after, effort)) for effort in range(3)]
    # Nothing, a tenth and a fifth of the 200 us.
    assert times == pytest.approx([800_000, 780_000, 760_000], abs=2)
    little = slowed(before, shares(model, Ranges(first.thread, first.start, first.start)), 0.0)
    assert model.step_ns(without_after_effects(model, before, little, 2)) == model.step_ns(before)


def test_no_more_than_a_share_of_the_rest(tmp_path: Path) -> None:
    work = [operator("aten::mm", n * STEP, n * STEP + 900_000) for n in range(3)]
    profile = opened(tmp_path, *[[step(n, n * STEP, (n + 1) * STEP), work[n]] for n in range(3)]).profile
    rank = profile.ranks[0]
    model = step_model(rank)
    assert model is not None
    after = slowed(model.unchanged(), shares(model, Case(profile, rank, model).named("^aten::mm$", "operator")), 0.0)
    left = model.step_ns(without_after_effects(model, model.unchanged(), after, 1))
    assert left == pytest.approx(0.94 * 100_000, abs=2)


def test_long_operators_are_none_the_shorter_for_what_the_caches_hold(tmp_path: Path) -> None:
    """1.1 times the work was promised among convolutions of 55 ms and more, each of which fills the caches itself."""
    ms = 1_000_000
    work = [operator("aten::mm", n * 60 * ms, n * 60 * ms + 50 * ms) for n in range(3)]
    profile = opened(tmp_path, *[[step(n, n * 60 * ms, (n + 1) * 60 * ms), work[n]] for n in range(3)]).profile
    rank = profile.ranks[0]
    model = step_model(rank)
    assert model is not None
    pauses = Case(profile, rank, model).named("^aten::mm$", "operator")
    before = model.unchanged()
    idle = Ranges(pauses.thread, pauses.end, pauses.end + 10 * ms)
    after = slowed(before, shares(model, idle), 0.0)
    assert model.step_ns(without_after_effects(model, before, after, 2)) == pytest.approx(model.step_ns(after))


def test_after_effects_are_known_of_pytorchs_recorder_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """MindSpore's "608 ms a step" without operators were to save 669 ms."""

    def each(at: int, number: int) -> list[Events]:
        return [frame("copy.py(128): deepcopy", at, at + 300_000), operator("aten::mm", at + 300_000, at + STEP)]

    finding = named(examined(tmp_path, each), "deep-copy")
    assert finding is not None
    assert finding.saving_ns.best > 1.05 * finding.cause.spent_ns
    monkeypatch.setattr(examination, "is_kineto", lambda rank: False)
    finding = named(examined(tmp_path, each), "deep-copy")
    assert finding is not None
    assert finding.saving_ns.best <= finding.cause.spent_ns


def grown(at: int, number: int, *, sizes: list[int], shapes: bool = True) -> list[Events]:
    """A tensor that grows by a row of 64 values, in calls that take longer with its size."""
    events: list[Events] = []
    for i, rows in enumerate(sizes):
        start = at + 20_000 * i
        dims = {"Input Dims": [[[8, rows, 64], [8, 1, 64]], []]} if shapes else {}
        events.append(operator("aten::addmm", start + 1_000, start + 5_000))
        events.append(operator("aten::cat", start + 6_000, start + 16_000, **dims))
    return events


@pytest.mark.long
def test_a_tensor_that_grows_by_cat(tmp_path: Path) -> None:
    found = named(examined(tmp_path, lambda at, n: grown(at, n, sizes=list(range(40)))), "growing-cat")
    assert found is not None
    assert render(found.cause.title).startswith("A tensor grows by torch.cat, 40 times a step, and is copied whole")
    assert found.saving_pct.best > 30


@pytest.mark.long
@pytest.mark.parametrize("sizes", [[5] * 40, list(range(4)), list(range(0, 80, 2))])
def test_other_calls_of_cat_grow_nothing(tmp_path: Path, sizes: list[int]) -> None:
    """The same size each time, too few of them, or not by what is added."""
    assert named(examined(tmp_path, lambda at, n: grown(at, n, sizes=sizes)), "growing-cat") is None


def test_without_shapes_nothing_is_said_to_grow(tmp_path: Path) -> None:
    each = lambda at, n: grown(at, n, sizes=list(range(40)), shapes=False)  # noqa: E731
    assert named(examined(tmp_path, each), "growing-cat") is None


def backward_layers(at: int, number: int) -> list[Events]:
    """The backward pass of 16 layers of a model: two functions each, and a gradient of its own."""
    events: list[Events] = [operator("aten::unbind", at + 5_000, at + 8_000)]
    for i in range(16):
        start = at + 20_000 + 30_000 * i
        for j, name in enumerate(("AddmmBackward0", "TBackward0", "torch::autograd::AccumulateGrad")):
            name = f"autograd::engine::evaluate_function: {name}"
            events.append(operator(name, start + 10_000 * j, start + 10_000 * j + 5_000))
    return [*events, operator("aten::stack", at + 520_000, at + 525_000)]


@pytest.mark.long
def test_the_backward_pass_of_layers_is_no_loop(tmp_path: Path) -> None:
    """Each adds to the gradient of its own parameter: 30 % were promised for what no batched operator can do."""
    assert named(examined(tmp_path, backward_layers), "operator-loop") is None


@pytest.mark.long
def test_taking_a_tensor_to_pieces_is_no_work_that_stays(tmp_path: Path) -> None:
    """`unbind` into a thousand values took a third of the loop, and was to stay with its time."""

    def each(at: int, number: int) -> list[Events]:
        reads = [operator("aten::item", at + 310_000 + 600 * i, at + 310_400 + 600 * i) for i in range(500)]
        return [
            operator("aten::unbind", at + 10_000, at + 308_000),
            *reads,
            operator("aten::mm", at + 620_000, at + STEP),
        ]

    found = named(examined(tmp_path, each), "operator-loop")
    assert found is not None
    assert found.saving_pct.best > 50


@pytest.mark.long
@pytest.mark.parametrize(("name", "most"), [("gru", 40), ("gru_cell", 40), ("linear", 95)])
def test_a_recurrent_layer_keeps_its_steps(tmp_path: Path, name: str, most: int) -> None:
    """72 % were promised for calling a GRU with the sequence, which saved 31: it runs the same steps inside."""

    def each(at: int, number: int) -> list[Events]:
        events: list[Events] = []
        for i in range(40):
            start = at + 10_000 + 24_000 * i
            events.append(operator("aten::select", start, start + 2_000))
            events.append(operator(f"aten::{name}", start + 3_000, start + 22_000))
        return events

    found = named(examined(tmp_path, each), "operator-loop")
    assert found is not None
    assert most - 20 < found.saving_pct.best < most


@pytest.mark.long
def test_anomaly_detection_without_stacks_counts_the_stacks_it_keeps(tmp_path: Path) -> None:
    """Half of what it costs is inside the forward operators, and was missing where no Python was recorded."""

    def each(at: int, number: int) -> list[Events]:
        events: list[Events] = []
        for i in range(10):
            n, start = 100 * number + i, at + 10_000 + 40_000 * i
            events.append(forward("aten::mul", start, start + 30_000, n))
            later = at + 500_000 + 40_000 * i
            events.append(backward("MulBackward0", later, later + 30_000, n, thread=1))
            events.append(operator("aten::isnan", later + 10_000, later + 20_000))
        return events

    found = named(examined(tmp_path, each), "anomaly-detection")
    assert found is not None
    # A tenth of the step in checks, and 27 of the 30 us of each of the ten operators.
    assert found.saving_pct.best == pytest.approx(10 + 27, abs=7)


@pytest.mark.long
def test_recomputation_counts_what_looks_it_up_and_compares(tmp_path: Path) -> None:
    """Only the operators' own time went: unpacking before them, and checks behind them, stayed."""

    def each(at: int, number: int) -> list[Events]:
        return [
            forward("aten::relu", at + 10_000, at + 90_000, 10 * number),
            backward("ReluBackward0", at + 100_000, at + 900_000, 10 * number, thread=1),
            forward("aten::linear", at + 200_000, at + 300_000, 10 * number + 1),
            operator("aten::threshold_backward", at + 400_000, at + 890_000),
        ]

    found = named(examined(tmp_path, each), "recomputation")
    assert found is not None
    assert found.cause.claims.start.tolist() == pytest.approx([at + 100_000 for at in range(0, 3 * STEP, STEP)], abs=1)
    assert found.cause.claims.end.tolist() == [at + 400_000 for at in range(0, 3 * STEP, STEP)]
    assert found.saving_pct.best == pytest.approx(33, abs=2)


@pytest.mark.long
def test_a_tensor_that_is_iterated_over_and_read(tmp_path: Path) -> None:
    """`for row, wanted in zip(out, y): if row.argmax() == wanted` was no loop over parts: only its last call reads."""

    def each(at: int, number: int) -> list[Events]:
        events: list[Events] = [operator("aten::unbind", at + 5_000, at + 40_000)]
        for i in range(60):
            start = at + 50_000 + 12_000 * i
            events.append(operator("aten::argmax", start, start + 5_000))
            events.append(operator("aten::eq", start + 6_000, start + 9_000))
            events.append(operator("aten::is_nonzero", start + 10_000, start + 11_000))
        return [*events, operator("aten::mm", at + 800_000, at + STEP)]

    found = named(examined(tmp_path, each), "operator-loop")
    assert found is not None
    assert found.saving_pct.best > 40


@pytest.mark.long
@pytest.mark.parametrize(("again", "found"), [("Net_0", True), ("Net_1", False)])
def test_a_model_that_runs_once_more_than_its_backward_pass_needs(tmp_path: Path, again: str, found: bool) -> None:
    """Another model may be a teacher; the same one runs for an accuracy that its first outputs give."""

    def each(at: int, number: int) -> list[Events]:
        return [
            frame("nn.Module: Net_0", at + 10_000, at + 250_000),
            forward("aten::mm", at + 20_000, at + 240_000, number),
            backward("MmBackward0", at + 260_000, at + 600_000, number, thread=1),
            frame(f"nn.Module: {again}", at + 610_000, at + 850_000),
            operator("aten::mm", at + 620_000, at + 840_000),
        ]

    one = named(examined(tmp_path, each), "extra-forward")
    assert (one is not None) == found
    if one:
        assert render(one.cause.title) == (
            "The model runs forward 1 more time a step than the backward pass needs: 240 us a step"
        )
        assert one.saving_pct.best == pytest.approx(26, abs=2)


def passes(at: int, number: int, second: int) -> list[Events]:
    """A forward pass of two operators and two backward passes; the second one begins at a node of another loss."""
    return [
        forward("aten::mm", at + 10_000, at + 200_000, number),
        forward("aten::add", at + 210_000, at + 220_000, number + 1),
        backward("AddBackward0", at + 230_000, at + 240_000, number + 1, thread=1),
        backward("MmBackward0", at + 250_000, at + 450_000, number, thread=1),
        accumulate(at + 460_000, at + 480_000, thread=1),
        backward("MulBackward0", at + 500_000, at + 510_000, number + 2, thread=1),
        backward("MmBackward0", at + 520_000, at + 720_000, second, thread=1),
        accumulate(at + 730_000, at + 750_000, thread=1),
    ]


def test_a_second_backward_pass_through_one_graph(tmp_path: Path) -> None:
    """Of two losses: the node and the gradient that it adds are saved, what only the second loss needs is not."""
    one = named(examined(tmp_path, lambda at, number: passes(at, 10 * number, 10 * number)), "repeated-backward")
    assert one is not None
    assert render(one.cause.title) == "Backward passes go through one graph again: 220 us a step"
    assert one.cause.count == 2
    assert one.saving_pct.low < 0 < one.saving_pct.best < 30


def test_a_backward_pass_into_the_step_before(tmp_path: Path) -> None:
    """Where a hidden state is kept: the first step has no graph before it."""
    one = named(examined(tmp_path, lambda at, number: passes(at, number, number - 1_000)), "repeated-backward")
    assert one is not None


def test_a_pass_through_another_graph_is_none_again(tmp_path: Path) -> None:
    found = examined(tmp_path, lambda at, number: passes(at, 10 * number, 10 * number + 5))
    assert named(found, "repeated-backward") is None


def test_numbers_that_come_again_are_other_nodes(tmp_path: Path) -> None:
    """Each step of a recording made of copies of one has the same numbers, and a forward pass of its own."""
    found = examined(tmp_path, lambda at, number: passes(at, 10, 15))
    assert named(found, "repeated-backward") is None


def test_a_second_derivative_is_no_second_pass(tmp_path: Path) -> None:
    """Its pass goes through the nodes of the first, as for a penalty on gradients."""

    def each(at: int, number: int) -> list[Events]:
        inside = forward("aten::mm", at + 260_000, at + 440_000, 10 * number + 4)
        through_it = backward("MmBackward0", at + 511_000, at + 519_000, 10 * number + 4, thread=1)
        return [*passes(at, 10 * number, 10 * number), inside, through_it]

    assert named(examined(tmp_path, each), "repeated-backward") is None


@pytest.mark.long
def test_a_loop_takes_apart_and_joins_around_itself_alone(tmp_path: Path) -> None:
    """A `cat` of the model, far from a loop over slices, was to go with it."""

    def each(at: int, number: int) -> list[Events]:
        loop = [
            operator(name, at + 10_000 + 12_000 * i + shift, at + 10_000 + 12_000 * i + shift + 5_000)
            for i in range(30)
            for name, shift in (("aten::select", 0), ("aten::mul", 6_000))
        ]
        joined = operator("aten::stack", at + 372_000, at + 380_000)
        model = [operator("aten::relu", at + 400_000 + 20_000 * i, at + 415_000 + 20_000 * i) for i in range(6)]
        return [*loop, joined, *model, operator("aten::cat", at + 600_000, at + 900_000)]

    found = named(examined(tmp_path, each), "operator-loop")
    assert found is not None
    assert (found.cause.claims.end % STEP).max() == 380_000


@pytest.mark.parametrize(
    ("around", "saving"), [("torch/utils/checkpoint.py(1489): checkpoint", 33), ("t.py(3): seed", 23)]
)
def test_the_state_of_random_numbers_is_the_checkpoints(tmp_path: Path, around: str, saving: float) -> None:
    """What the program keeps of it for itself stays."""

    def each(at: int, number: int) -> list[Events]:
        return [
            frame(around, at + 5_000, at + 116_000),
            frame("torch/random.py(48): get_rng_state", at + 10_000, at + 115_000),
            forward("aten::relu", at + 120_000, at + 190_000, 10 * number),
            backward("ReluBackward0", at + 200_000, at + 900_000, 10 * number, thread=1),
            forward("aten::linear", at + 210_000, at + 400_000, 10 * number + 1),
            operator("aten::threshold_backward", at + 400_000, at + 890_000),
        ]

    found = named(examined(tmp_path, each), "recomputation")
    assert found is not None
    assert found.saving_pct.best == pytest.approx(saving, abs=2)
