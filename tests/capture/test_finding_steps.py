"""Where steps begin, for each kind of loop: numbers of boundaries at points of the program."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from stepscope.capture.agent.boundaries import StepFinder


class Optimizer:
    pass


class Adam(Optimizer):
    pass


class Loop:
    """A program as the hooks see it; notes how many boundaries there were when each of its parts begins."""

    def __init__(self, step_on: str = "") -> None:
        self.boundaries: list[str] = []
        self.now = ""
        self.finder = StepFinder(step_on, lambda: self.boundaries.append(self.now), lambda: False)

    def fetch(self) -> None:
        self.now = "fetch"
        self.finder.fetch_begins()
        self.finder.fetched()

    def end_of_data(self) -> None:
        self.now = "end"
        self.finder.fetch_begins()

    def backward(self, *within: Callable[[], None]) -> None:
        self.now = "backward"
        self.finder.backward_begins()
        for one in within:
            one()
        self.now = "after backward"
        self.finder.backward_ends()

    def step(self, optimizer: Optimizer, *within: Callable[[], None]) -> None:
        self.now = "optimizer"
        self.finder.step_begins()
        for one in within:
            one()
        self.now = "after optimizer"
        self.finder.step_ends(optimizer)


def test_a_step_is_from_batch_to_batch() -> None:
    loop, optimizer = Loop(), Optimizer()
    loop.finder.optimizer_made()
    for _ in range(3):
        loop.fetch()
        loop.backward()
        loop.step(optimizer)
    loop.end_of_data()
    assert loop.boundaries == ["fetch", "fetch", "end"]
    assert (loop.finder.mode, loop.finder.steps, list(loop.finder.micro_batches)) == ("optimizer", 3, [1, 1, 1])


def test_without_a_loader_it_ends_behind_the_optimizer() -> None:
    loop, optimizer = Loop(), Optimizer()
    for _ in range(2):
        loop.backward()
        loop.step(optimizer)
    assert loop.boundaries == ["after optimizer"] * 2


def test_accumulation_is_one_step_of_several_batches() -> None:
    loop, optimizer = Loop(), Optimizer()
    loop.finder.optimizer_made()
    for number in range(12):
        loop.fetch()
        loop.backward()
        if number % 4 == 3:
            loop.step(optimizer)
    assert loop.boundaries == ["fetch"] * 2
    assert loop.finder.finished_steps == 3
    assert list(loop.finder.micro_batches) == [4, 4]


def test_the_first_optimizer_counts_of_two() -> None:
    loop, first, second = Loop(), Optimizer(), Optimizer()
    loop.finder.optimizer_made()
    for _ in range(3):
        loop.fetch()
        loop.backward()
        loop.step(first)
        loop.backward()
        loop.step(second)
    assert loop.finder.finished_steps == 3


def test_one_that_no_longer_steps_gives_way() -> None:
    loop, first, second = Loop(), Optimizer(), Optimizer()
    loop.backward()
    loop.step(first)
    for _ in range(30):
        loop.backward()
        loop.step(second)
    assert loop.finder.steps == 1 + 10


@pytest.mark.parametrize(("step_on", "steps"), [("optimizer", 5), ("optimizer:Adam", 3), ("data", 2)])
def test_what_ends_a_step_can_be_asked_for(step_on: str, steps: int) -> None:
    loop, first, second = Loop(step_on), Optimizer(), Adam()
    for _ in range(3):
        loop.fetch()
        for _ in range(2):
            loop.backward()
            loop.step(first)
        loop.backward()
        loop.step(second)
    assert loop.finder.finished_steps == steps


def test_steps_of_groups_of_parameters_are_one() -> None:
    loop, optimizer = Loop(), Optimizer()
    for _ in range(3):
        loop.backward()
        for _ in range(4):
            loop.step(optimizer)
    assert loop.finder.steps == 3


def test_gradients_that_no_backward_made_are_stepped_on_too() -> None:
    loop, optimizer = Loop(), Optimizer()
    for _ in range(3):
        loop.step(optimizer)
    assert loop.finder.steps == 3


def test_optimizers_within_backward_wait_for_its_end() -> None:
    loop, optimizers = Loop(), [Optimizer() for _ in range(3)]
    for _ in range(2):
        loop.backward(*(lambda one=one: loop.step(one) for one in optimizers))
    assert loop.boundaries == ["after backward"] * 2


def test_backward_within_the_optimizer_belongs_to_its_step() -> None:
    loop, optimizer = Loop(), Optimizer()
    for _ in range(2):
        loop.step(optimizer, loop.backward)
    assert loop.boundaries == ["after optimizer"] * 2


def test_skipped_steps_are_steps() -> None:
    loop, optimizer = Loop(), Optimizer()
    for number in range(5):
        loop.backward()
        if number >= 3:
            loop.step(optimizer)
        loop.finder.scaler_updated()
    assert (loop.finder.steps, loop.finder.skips) == (5, 3)


def test_batches_are_steps_where_nothing_is_optimised() -> None:
    loop = Loop()
    for _ in range(4):
        loop.fetch()
    loop.end_of_data()
    assert (loop.boundaries, loop.finder.mode) == (["fetch"] * 3 + ["end"], "data")


def test_batches_before_training_were_no_steps() -> None:
    """A list made of the loader looked like an inference loop, and was recorded in place of the training."""
    loop, optimizer = Loop(), Optimizer()
    for _ in range(10):
        loop.fetch()
    loop.end_of_data()
    loop.finder.optimizer_made()
    for _ in range(3):
        loop.backward()
        loop.step(optimizer)
    assert (loop.finder.mode, loop.finder.steps, list(loop.finder.micro_batches)) == ("optimizer", 3, [1, 1, 1])


def test_validation_before_training_is_no_step() -> None:
    loop, optimizer = Loop(), Optimizer()
    loop.finder.optimizer_made()
    for _ in range(10):
        loop.fetch()
    assert loop.boundaries == []
    loop.backward()
    loop.step(optimizer)
    loop.fetch()
    assert loop.finder.steps == 1


def test_a_compiled_optimizer_is_not_seen_and_batches_count() -> None:
    loop = Loop()
    loop.finder.optimizer_made()
    for _ in range(20):
        loop.fetch()
        loop.backward()
    assert (loop.finder.mode, loop.finder.steps) == ("data", 15)


def test_several_steps_on_one_batch_are_steps() -> None:
    loop, optimizer = Loop(), Optimizer()
    loop.finder.optimizer_made()
    loop.fetch()
    for _ in range(5):
        loop.backward()
        loop.step(optimizer)
    assert loop.finder.steps == 4


def test_other_threads_do_not_count() -> None:
    import threading

    loop, optimizer = Loop(), Optimizer()
    loop.backward()
    loop.step(optimizer)
    thread = threading.Thread(target=lambda: [(loop.fetch(), loop.step(optimizer)) for _ in range(3)])
    thread.start()
    thread.join()
    assert loop.finder.steps == 1


def test_marks_are_steps_where_they_are_asked_for() -> None:
    loop, optimizer = Loop("range:turn"), Optimizer()
    for _ in range(3):
        loop.fetch()
        loop.backward()
        loop.step(optimizer)
        loop.finder.marked()
    loop.backward(loop.finder.marked)
    assert loop.finder.steps == 4
