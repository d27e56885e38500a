"""What one finds in everyday training scripts: logging to disk, walks over modules, environments, data in lists. No
rule or range was written with these programs in view."""

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
    LastOfSequence,
    Recommender,
    TextClassifier,
    Transformer,
    autoencoder,
    convnet,
    residual_mlp,
    signal_net,
    strided_convnet,
)
from yardstick.programs.registry import Pair, Step, scenario
from yardstick.programs.training import Batch, fit, images, token_loss, tokens, vectors


@scenario("two sequences warped onto each other cell by cell; fixed: diagonal by diagonal", "operator-loop")
def warped_by_cell() -> Pair:
    def by_cell(costs: Tensor) -> Tensor:
        rows, columns = costs.shape[1:]
        best = [[costs[:, 0, 0]] * columns for _ in range(rows)]
        for row in range(1, rows):
            for column in range(1, columns):
                before = torch.minimum(best[row - 1][column], best[row][column - 1])
                best[row][column] = costs[:, row, column] + torch.minimum(before, best[row - 1][column - 1])
        return best[-1][-1]

    def by_diagonal(costs: Tensor) -> Tensor:
        size = costs.shape[1]
        place = torch.arange(size)
        before = older = costs[:, :1, 0].expand(-1, size)
        for diagonal in range(2, 2 * size - 1):
            cells = costs[:, place, (diagonal - place).clamp(0, size - 1)]
            left, across = before.roll(1, 1), older.roll(1, 1)
            older, before = before, cells + torch.minimum(torch.minimum(before, left), across)
        return before[:, -1]

    def program(each: bool) -> Step:
        def loss(out: Tensor, y: Tensor) -> Tensor:
            costs = (out[:, :, None] - y[:, None]).square()
            return (by_cell if each else by_diagonal)(costs).mean()

        return fit(residual_mlp(32, 128, 2, 14), lambda: (torch.randn(16, 32), torch.randn(16, 14)), loss)

    return program(True), program(False)


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


@scenario("LAMB by hand, parameter by parameter; fixed: by lists", "optimizer-loop", "parameter-loop")
def lamb_by_hand() -> Pair:
    def program(each: bool) -> Step:
        net = Transformer(300, 48, 6)
        weights = list(net.parameters())
        firsts, seconds = [[torch.zeros_like(one) for one in weights] for _ in range(2)]

        @torch.no_grad()
        def one_by_one() -> None:
            for weight, first, second in zip(weights, firsts, seconds, strict=True):
                first.mul_(0.9).add_(weight.grad, alpha=0.1)
                second.mul_(0.99).addcmul_(weight.grad, weight.grad, value=0.01)
                change = first / (second.sqrt() + 1e-6) + 0.01 * weight
                trust = weight.norm() / (change.norm() + 1e-6)
                weight.sub_(1e-4 * trust.clamp(0, 10) * change)
                weight.grad = None

        @torch.no_grad()
        def by_lists() -> None:
            grads = [weight.grad for weight in weights]
            torch._foreach_lerp_(firsts, grads, 0.1)
            torch._foreach_mul_(seconds, 0.99)
            torch._foreach_addcmul_(seconds, grads, grads, 0.01)
            lower = torch._foreach_sqrt(seconds)
            torch._foreach_add_(lower, 1e-6)
            change = torch._foreach_div(firsts, lower)
            torch._foreach_add_(change, weights, alpha=0.01)
            norms = [torch.stack(torch._foreach_norm(one)) for one in (weights, change)]
            trust = (norms[0] / (norms[1] + 1e-6)).clamp(0, 10) * -1e-4
            torch._foreach_mul_(change, list(trust.unbind()))
            torch._foreach_add_(weights, change)
            for weight in weights:
                weight.grad = None

        batch = tokens(4, 24, 300)

        def train_step() -> None:
            x, y = batch()
            token_loss(net(x), y).backward()
            (one_by_one if each else by_lists)()

        return train_step

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


@scenario("gradients of six losses one after another; fixed: of their sum", "repeated-backward")
def gradients_of_six_losses() -> Pair:
    def program(each: bool) -> Step:
        net = convnet(16, 3, 36)
        kept = torch.optim.AdamW(net.parameters(), lr=1e-4, foreach=True)
        weights = list(net.parameters())
        batch = images(8, 24, 6)

        def train_step() -> None:
            x, y = batch()
            out = net(x).view(-1, 6, 6)
            losses = [F.cross_entropy(out[:, task], y) for task in range(6)]
            if each:
                found = [torch.autograd.grad(loss, weights, retain_graph=True) for loss in losses]
                for number, weight in enumerate(weights):
                    weight.grad = torch.stack([one[number] for one in found]).sum(0)
            else:
                torch.stack(losses).sum().backward()
            kept.step()
            kept.zero_grad()

        return train_step

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


@scenario("gradients of each sample by a backward pass; fixed: by `vmap`", "micro-batches", "operator-loop")
def gradients_by_sample() -> Pair:
    def program(each: bool) -> Step:
        net = residual_mlp(24, 48, 1, 6)
        weights = dict(net.named_parameters())
        kept = torch.optim.AdamW(net.parameters(), lr=1e-4, foreach=True)

        def loss(used: dict[str, Tensor], x: Tensor, y: Tensor) -> Tensor:
            return F.cross_entropy(torch.func.functional_call(net, used, (x[None],)), y[None])

        together = torch.func.vmap(torch.func.grad(loss), in_dims=(None, 0, 0))

        def train_step() -> None:
            x, y = torch.randn(24, 24), torch.randint(0, 6, (24,))
            if each:
                rows = [torch.autograd.grad(loss(weights, x[at], y[at]), list(weights.values())) for at in range(24)]
                found = [torch.stack(column) for column in zip(*rows, strict=True)]
            else:
                found = list(together({name: one.detach() for name, one in weights.items()}, x, y).values())
            for weight, grads in zip(weights.values(), found, strict=True):
                flat = grads.flatten(1)
                scale = (1 / (flat.norm(dim=1, keepdim=True) + 1e-6)).clamp(max=1)
                weight.grad = (flat * scale).mean(0).view_as(weight)
            kept.step()

        return train_step

    return program(True), program(False)


@scenario("eight batches of two added up; fixed: one of sixteen", "micro-batches", "small-batch")
def eight_batches_of_two() -> Pair:
    def program(each: bool) -> Step:
        net = convnet(16, 3)
        kept = torch.optim.AdamW(net.parameters(), lr=1e-4, foreach=True)

        def train_step() -> None:
            x, y = torch.randn(16, 3, 12, 12), torch.randint(0, 10, (16,))
            parts = zip(x.split(2), y.split(2), strict=True) if each else [(x, y)]
            for some, marks in parts:
                (F.cross_entropy(net(some), marks) * len(some) / 16).backward()
            kept.step()
            kept.zero_grad()

        return train_step

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


@scenario("attention head by head; fixed: of all heads", "operator-loop")
def head_by_head() -> Pair:
    class Heads(nn.Module):
        def __init__(self, each: bool) -> None:
            super().__init__()
            self.qkv, self.out, self.each = nn.Linear(96, 288), nn.Linear(96, 10), each

        def forward(self, x: Tensor) -> Tensor:
            q, k, v = self.qkv(x).chunk(3, -1)
            if self.each:
                found = []
                for head in range(16):
                    part = slice(6 * head, 6 * head + 6)
                    weights = (q[..., part] @ k[..., part].transpose(1, 2) / 6**0.5).softmax(-1)
                    found.append(weights @ v[..., part])
                return self.out(torch.cat(found, -1).mean(1))
            q, k, v = (one.unflatten(-1, (16, 6)).transpose(1, 2) for one in (q, k, v))
            weights = (q @ k.transpose(2, 3) / 6**0.5).softmax(-1)
            return self.out((weights @ v).transpose(1, 2).flatten(2).mean(1))

    def program(each: bool) -> Step:
        net = nn.Sequential(nn.Linear(32, 96), nn.GELU(), nn.Linear(96, 96), nn.GELU(), Heads(each))
        return fit(net, lambda: (torch.randn(8, 24, 32), torch.randint(0, 10, (8,))))

    return program(True), program(False)


@scenario("scores of users and items by a product for each pair; fixed: by one sum", "operator-loop")
def pair_by_pair() -> Pair:
    class Towers(nn.Module):
        def __init__(self, each: bool) -> None:
            super().__init__()
            self.users, self.items, self.each = nn.Embedding(500, 48), nn.Embedding(900, 48), each
            self.left, self.right = residual_mlp(48, 96, 2, 32), residual_mlp(48, 96, 2, 32)

        def forward(self, users: Tensor, items: Tensor) -> Tensor:
            left, right = self.left(self.users(users)), self.right(self.items(items))
            if self.each:
                return torch.stack([torch.dot(one, other) for one, other in zip(left, right, strict=True)])
            return (left * right).sum(1)

    def batch() -> tuple[tuple[Tensor, Tensor], Tensor]:
        return (torch.randint(0, 500, (96,)), torch.randint(0, 900, (96,))), torch.rand(96).round()

    def program(each: bool) -> Step:
        return fit(Towers(each), batch, F.binary_cross_entropy_with_logits)

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


@scenario("signals filtered one after another, tap by tap; fixed: by one convolution", "operator-loop")
def filtered_tap_by_tap() -> Pair:
    taps = torch.hann_window(96)

    def program(each: bool) -> Step:
        def batch() -> tuple[Tensor, Tensor]:
            signal = torch.randn(16, 1, 1024)
            if each:
                smooth = torch.zeros(16, 1, 929)
                for tap in range(96):
                    smooth += taps[tap] * signal[..., tap : tap + 929]
            else:
                smooth = F.conv1d(signal, taps.view(1, 1, -1))
            return smooth, torch.randint(0, 6, (16,))

        return fit(signal_net(), batch)

    return program(True), program(False)


@scenario(
    "states of a sequence kept in a list and joined at every step; fixed: joined once", "growing-cat", "operator-loop"
)
def joined_at_every_step() -> Pair:
    class Pooled(nn.Module):
        def __init__(self, often: bool) -> None:
            super().__init__()
            self.cell, self.head, self.often = nn.GRUCell(24, 48), nn.Linear(48, 8), often

        def forward(self, x: Tensor) -> Tensor:
            state, seen, summary = torch.zeros(len(x), 48), [], None
            for at in range(x.shape[1]):
                state = self.cell(x[:, at], state)
                seen.append(state)
                if self.often:
                    summary = torch.stack(seen, 1).amax(1)
            return self.head(summary if self.often else torch.stack(seen, 1).amax(1))

    def program(often: bool) -> Step:
        return fit(Pooled(often), lambda: (torch.randn(32, 30, 24), torch.randint(0, 8, (32,))))

    return program(True), program(False)


@scenario(
    "an LSTM over both directions by hand, the inputs reversed in Python; fixed: bidirectional",
    "operator-loop",
    "unrolled-loop",
    "python-work",
)
def both_directions() -> Pair:
    class Both(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.there, self.back = nn.LSTM(24, 32, batch_first=True), nn.LSTM(24, 32, batch_first=True)
            self.head = nn.Linear(64, 8)

        def forward(self, x: Tensor) -> Tensor:
            backwards = torch.stack([x[:, at] for at in reversed(range(x.shape[1]))], 1)
            back = self.back(backwards)[0]
            restored = torch.stack([back[:, at] for at in reversed(range(x.shape[1]))], 1)
            return self.head(torch.cat([self.there(x)[0], restored], -1).amax(1))

    def batch() -> tuple[Tensor, Tensor]:
        return torch.randn(16, 40, 24), torch.randint(0, 8, (16,))

    fixed = LastOfSequence(nn.LSTM(24, 32, batch_first=True, bidirectional=True), 8)
    fixed.head = nn.Linear(64, 8)
    return fit(Both(), batch), fit(fixed, batch)
