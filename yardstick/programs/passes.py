"""Passes and products one by one: of micro-batches, samples, heads, cells, taps and directions. No rule or range was
written with these programs in view; what they showed was corrected afterwards."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812 - as everywhere

from yardstick.programs.models import (
    LastOfSequence,
    Transformer,
    convnet,
    residual_mlp,
    signal_net,
)
from yardstick.programs.registry import Pair, Step, scenario
from yardstick.programs.training import fit, images, token_loss, tokens


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
