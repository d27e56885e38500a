"""What one finds in everyday training scripts: hooks, walks over modules, environments, data in lists. No rule or
range was written with these programs in view; what they showed was corrected afterwards."""

from __future__ import annotations

import random
import traceback
import warnings
import zlib
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812 - as everywhere

from yardstick.programs.loading import loaded
from yardstick.programs.models import (
    Recommender,
    TextClassifier,
    Transformer,
    autoencoder,
    residual_mlp,
    strided_convnet,
)
from yardstick.programs.registry import Pair, Step, scenario
from yardstick.programs.training import Batch, fit, token_loss, tokens, vectors


@scenario("the best path of labels looked for in Python lists; fixed: by tensors", "python-work", "host-round-trip")
def best_path_in_lists() -> Pair:
    moves = torch.randn(12, 12)
    steps = moves.tolist()

    def in_lists(scores: Tensor) -> int:
        right = 0
        for sample in scores.tolist():
            best = sample[0]
            for now in sample[1:]:
                best = [max(best[old] + steps[old][new] for old in range(12)) + now[new] for new in range(12)]
            right += max(best) > 0
        return right

    def in_tensors(scores: Tensor) -> Tensor:
        best = scores[:, 0]
        for at in range(1, scores.shape[1]):
            best = (best[:, :, None] + moves).amax(1) + scores[:, at]
        return (best.amax(1) > 0).sum()

    def program(slow: bool) -> Step:
        def after(net: nn.Module, loss: Tensor, out: Tensor, y: Tensor) -> None:
            with torch.no_grad():
                (in_lists if slow else in_tensors)(out.detach()[..., :12])

        return fit(Transformer(300, 64, 2), _labelled(8, 20), _label_loss, after=after)

    return program(True), program(False)


def _labelled(count: int, length: int) -> Batch:
    return lambda: (torch.randint(0, 300, (count, length)), torch.randint(0, 12, (count, length)))


def _label_loss(out: Tensor, y: Tensor) -> Tensor:
    return F.cross_entropy(out[..., :12].flatten(0, 1), y.flatten())


class _Cart:
    """An environment: a cart with a pole."""

    def __init__(self) -> None:
        self.state = [random.uniform(-0.05, 0.05) for _ in range(4)]

    def step(self, action: int) -> list[float]:
        x, speed, angle, turning = self.state
        force = 10.0 if action else -10.0
        pushed = (force + 0.05 * turning * turning * angle) / 1.1
        turn = (9.8 * angle - pushed) / (0.5 * (4.0 / 3.0 - 0.1 / 1.1))
        self.state = [x + 0.02 * speed, speed + 0.02 * pushed, angle + 0.02 * turning, turning + 0.02 * turn]
        if abs(self.state[0]) > 2.4 or abs(self.state[2]) > 0.2:
            self.state = [random.uniform(-0.05, 0.05) for _ in range(4)]
        return self.state


@scenario("environments stepped one by one in Python; fixed: as one tensor", "python-work")
def environments_one_by_one() -> Pair:
    def program(each: bool) -> Step:
        carts = [_Cart() for _ in range(2048)]
        states = torch.rand(2048, 4)

        def batch() -> tuple[Tensor, Tensor]:
            actions = torch.randint(0, 2, (2048,))
            if each:
                seen = [cart.step(action) for cart, action in zip(carts, actions.tolist(), strict=True)]
                return torch.tensor(seen), actions
            push = actions[:, None] * 0.2 - 0.1
            states.copy_((states + 0.02 * states.roll(1, 1) + push).remainder(2.4))
            return states.clone(), actions

        return fit(residual_mlp(4, 64, 2, 2), batch)

    return program(True), program(False)


@scenario(
    "norms of what flows back through each module read by hooks; fixed: without",
    *("backward-hooks", "value-checks", "python-work", "gradient-norms", "parameter-loop"),
)
def backward_hooks() -> Pair:
    def program(hooked: bool) -> Step:
        net = residual_mlp(64, 128, 8, 10)
        seen: dict[nn.Module, float] = {}

        def hook(module: nn.Module, inputs: tuple[Tensor, ...], outputs: tuple[Tensor, ...]) -> None:
            seen[module] = outputs[0].norm().item() + outputs[0].abs().max().item()

        if hooked:
            for module in net.modules():
                module.register_full_backward_hook(hook)
        return fit(net, vectors(48, 64))

    return program(True), program(False)


@scenario("names and sizes of all parameters walked in every step; fixed: once", "python-work")
def modules_walked() -> Pair:
    def program(walked: bool) -> Step:
        net = Transformer(300, 48, 10)
        decayed: dict[str, int] = {}

        def after(*_: object) -> None:
            if not walked:
                return
            for _ in range(8):
                for name, module in net.named_modules():
                    for own, weight in module.named_parameters(recurse=False):
                        kind = "none" if weight.ndim < 2 or "norm" in type(module).__name__.lower() else "some"
                        decayed[f"{name}.{own}:{kind}"] = weight.numel()

        return fit(net, tokens(3, 16, 300), token_loss, after=after)

    return program(True), program(False)


@scenario("all indices of the data set shuffled for every batch; fixed: once", "python-work", "data-loading")
def shuffled_for_each_batch() -> Pair:
    data, marks = torch.randn(12_000, 64), torch.randint(0, 10, (12_000,))

    def program(again: bool) -> Step:
        order = list(range(12_000))

        def batch() -> tuple[Tensor, Tensor]:
            if again:
                random.shuffle(order)
                chosen = torch.tensor(order[:128])
            else:
                chosen = torch.randint(0, 12_000, (128,))
            return data[chosen], marks[chosen]

        return fit(residual_mlp(64, 192, 3, 10), batch)

    return program(True), program(False)


@scenario("words hashed into features at each access; fixed: once", "data-loading", "python-work")
def words_hashed() -> Pair:
    words = ["".join(random.choices("abcdefghij", k=random.randint(3, 9))) for _ in range(900)]
    texts = [" ".join(random.choices(words, k=60)) for _ in range(64)]

    def hashed(number: int) -> tuple[Tensor, int]:
        found = []
        for word in texts[number % 64].split():
            marked = f"<{word}>"
            parts = [marked[at : at + 3] for at in range(len(marked) - 2)]
            found.append(sum(zlib.crc32(part.encode()) for part in parts) % 500)
        return torch.tensor(found), number % 4

    known = [hashed(number)[0] for number in range(64)]
    slow = fit(TextClassifier(500), loaded(hashed, 12))
    return slow, fit(TextClassifier(500), loaded(lambda number: (known[number % 64], number % 4), 12))


@scenario("a teacher's outputs softened by NumPy, row by row; fixed: by one softmax", "python-work", "host-round-trip")
def softened_by_numpy() -> Pair:
    import numpy as np

    teacher = residual_mlp(64, 96, 2, 20)

    def program(rows: bool) -> Step:
        def batch() -> tuple[Tensor, Tensor]:
            x = torch.randn(96, 64)
            with torch.no_grad():
                scores = teacher(x)
            if not rows:
                return x, (scores / 4).softmax(1)
            soft = []
            for row in scores.numpy():
                lifted = np.exp((row - row.max()) / 4)
                soft.append(lifted / lifted.sum())
            return x, torch.from_numpy(np.stack(soft).astype(np.float32))

        return fit(residual_mlp(64, 128, 3, 20), batch)

    return program(True), program(False)


@scenario("a warning with its stack for every sample; fixed: without", "logging", "python-work", "object-conversion")
def warned_for_each_sample() -> Pair:
    def program(warned: bool) -> Step:
        def batch() -> tuple[Tensor, Tensor]:
            x = torch.rand(24, 3, 32, 32)
            if warned:
                with warnings.catch_warnings(record=True):
                    warnings.simplefilter("always")
                    for number in range(96):
                        where = "".join(traceback.format_stack(limit=6))
                        warnings.warn(f"sample {number} is out of range {where}", stacklevel=2)
            return x, torch.randint(0, 10, (24,))

        return fit(strided_convnet(), batch)

    return program(True), program(False)


@scenario("all weights turned into lists for a log; fixed: one mean of each", "object-conversion", "python-work")
def weights_to_lists() -> Pair:
    def program(lists: bool) -> Step:
        def after(net: nn.Module, *_: object) -> None:
            with torch.no_grad():
                if lists:
                    seen = {name: sum(one.flatten().tolist()) for name, one in net.named_parameters()}
                else:
                    seen = torch.stack([one.sum() for one in net.parameters()])
            del seen

        return fit(autoencoder(32), lambda: (torch.rand(6, 3, 24, 24),) * 2, F.mse_loss, after=after)

    return program(True), program(False)


@scenario("ids of rare items mapped by a dictionary at each access; fixed: once", "data-loading", "python-work")
def ids_by_dictionary() -> Pair:
    known = {f"item-{number:06d}": number % 500 for number in range(4_000)}
    names = list(known)
    rows = [random.sample(names, 26) for _ in range(128)]
    numbers = torch.randn(128, 13)

    def mapped(number: int) -> tuple[Tensor, Tensor, float]:
        row = rows[number % 128]
        ids = [known.get(name.strip().lower(), 0) for name in row]
        crossed = [(ids[at] * 31 + ids[at + 1]) % 500 for at in range(25)]
        return numbers[number % 128], torch.tensor(ids[:13] + crossed[:13]), float(number % 2)

    done = [mapped(number) for number in range(128)]

    def batches(sample: Callable[[int], Any]) -> Batch:
        batch = loaded(sample, 64)

        def together() -> tuple[tuple[Tensor, Tensor], Tensor]:
            seen, ids, y = batch()
            return (seen, ids), y.float()

        return together

    slow = fit(Recommender(26), batches(mapped), F.binary_cross_entropy_with_logits)
    return slow, fit(Recommender(26), batches(lambda number: done[number % 128]), F.binary_cross_entropy_with_logits)
