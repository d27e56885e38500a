"""What a training script does beside its model: sampling, augmenting, encoding, counting. No rule or range was written
with these programs in view."""

from __future__ import annotations

import heapq
import random
import statistics
import string
from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812 - as everywhere

from yardstick.programs.loading import loaded
from yardstick.programs.models import LastOfSequence, TextClassifier, Transformer, convnet, residual_mlp, signal_net
from yardstick.programs.registry import Pair, Step, scenario
from yardstick.programs.training import Batch, fit, images, token_loss, tokens, vectors


@scenario("noise drawn by NumPy in every step; fixed: drawn once", "python-work", "data-loading")
def noise_by_numpy() -> Pair:
    draw = np.random.default_rng(0)
    ready = torch.randn(24, 3, 24, 24)

    def batch(fresh: bool) -> Batch:
        make = images(24, 24)

        def noisy() -> tuple[Tensor, Tensor]:
            x, y = make()
            noise = torch.from_numpy(draw.gamma(2.0, 1.0, x.shape).astype(np.float32)) if fresh else ready
            return x + 0.1 * noise, y

        return noisy

    return fit(convnet(12, 2), batch(True)), fit(convnet(12, 2), batch(False))


@scenario("samples of 40 fields collated one by one; fixed: stored as one tensor", "data-loading")
def forty_fields() -> Pair:
    stored = torch.randn(512, 40)

    class Fields(nn.Module):
        """An MLP over fields by name."""

        def __init__(self) -> None:
            super().__init__()
            self.net = residual_mlp(40, 128, 4, 10)

        def forward(self, x: Tensor | dict[str, Tensor]) -> Tensor:
            out: Tensor = self.net(torch.stack(list(x.values()), 1) if isinstance(x, dict) else x)
            return out

    names = [f"field_{number}" for number in range(40)]
    slow = loaded(lambda number: (dict(zip(names, stored[number % 512], strict=True)), number % 10), 32)
    fixed = loaded(lambda number: (stored[number % 512], number % 10), 32)
    return fit(Fields(), slow), fit(Fields(), fixed)


@scenario("each channel convolved by a call of its own; fixed: one grouped convolution", "operator-loop")
def channel_by_channel() -> Pair:
    class Depthwise(nn.Module):
        """Smooths every channel, then classifies."""

        def __init__(self, each: bool) -> None:
            super().__init__()
            self.each = each
            self.kernel = nn.Parameter(torch.randn(24, 1, 5))
            self.rest = nn.Sequential(nn.Conv1d(24, 32, 5, 2), nn.ReLU(), nn.AdaptiveAvgPool1d(1), nn.Flatten())
            self.head = nn.Linear(32, 6)

        def forward(self, x: Tensor) -> Tensor:
            if self.each:
                parts = [F.conv1d(x[:, at : at + 1], self.kernel[at : at + 1], padding=2) for at in range(24)]
                smooth = torch.cat(parts, 1)
            else:
                smooth = F.conv1d(x, self.kernel, padding=2, groups=24)
            out: Tensor = self.head(self.rest(smooth))
            return out

    def batch() -> tuple[Tensor, Tensor]:
        return torch.randn(12, 24, 160), torch.randint(0, 6, (12,))

    return fit(Depthwise(True), batch), fit(Depthwise(False), batch)


@scenario("the whole data set sorted by length for every batch; fixed: once", "python-work")
def sorted_for_each_batch() -> Pair:
    lengths = [random.randint(5, 400) for _ in range(12_000)]
    once = sorted(range(12_000), key=lambda at: lengths[at])
    ids = torch.randint(0, 400, (512, 33))

    def batch(again: bool) -> Batch:
        def bucket() -> tuple[Tensor, Tensor]:
            order = sorted(range(12_000), key=lambda at: lengths[at]) if again else once
            begin = random.randrange(11_992)
            rows = ids[[at % 512 for at in order[begin : begin + 8]]]
            return rows[:, :-1], rows[:, 1:]

        return bucket

    return fit(Transformer(depth=2), batch(True), token_loss), fit(Transformer(depth=2), batch(False), token_loss)


@scenario("signals scaled by the module `statistics`; fixed: by tensors", "python-work")
def scaled_by_statistics() -> Pair:
    signals = [[random.gauss(1, 2) for _ in range(256)] for _ in range(64)]
    ready, labels = torch.tensor(signals), torch.randint(0, 6, (16,))

    def by_module() -> tuple[Tensor, Tensor]:
        rows = []
        for signal in random.choices(signals, k=16):
            mean, spread = statistics.fmean(signal), statistics.pstdev(signal)
            rows.append([[(value - mean) / spread for value in signal]])
        return torch.tensor(rows), labels

    def by_tensors() -> tuple[Tensor, Tensor]:
        rows = ready[torch.randint(0, 64, (16,))]
        return ((rows - rows.mean(1, keepdim=True)) / rows.std(1, keepdim=True))[:, None], labels

    return fit(signal_net(), by_module), fit(signal_net(), by_tensors)


@scenario(
    "a Jacobian by a backward pass for each output; fixed: one of the sum",
    "repeated-backward",
    "operator-loop",
    "python-work",
)
def jacobian_by_rows() -> Pair:
    def program(rows: bool) -> Step:
        net = nn.Sequential(nn.Linear(32, 96), nn.Tanh(), nn.Linear(96, 96), nn.Tanh(), nn.Linear(96, 12))

        def smooth(out: Tensor, inputs: Tensor) -> Tensor:
            again = net(inputs)
            if rows:
                slopes = [
                    torch.autograd.grad(again[:, at].sum(), inputs, create_graph=True)[0].square().mean()
                    for at in range(12)
                ]
                return out.square().mean() + torch.stack(slopes).mean()
            (slope,) = torch.autograd.grad(again.sum(), inputs, create_graph=True)
            return out.square().mean() + slope.square().mean()

        def batch() -> tuple[Tensor, Tensor]:
            x = torch.randn(96, 32, requires_grad=True)
            return x, x

        return fit(net, batch, smooth)

    return program(True), program(False)


@scenario("characters looked up one by one; fixed: encoded once", "python-work")
def characters() -> Pair:
    texts = ["".join(random.choices(string.ascii_lowercase + " ", k=160)) for _ in range(128)]
    table = {letter: number for number, letter in enumerate(string.ascii_lowercase + " ")}
    ready, labels = torch.tensor([[table[one] for one in text] for text in texts]), torch.randint(0, 4, (32,))

    def looked_up() -> tuple[Tensor, Tensor]:
        chosen = random.choices(texts, k=32)
        return torch.tensor([[table.get(one.lower(), 0) for one in text] for text in chosen]), labels

    def encoded() -> tuple[Tensor, Tensor]:
        return ready[torch.randint(0, 128, (32,))], labels

    return fit(TextClassifier(27, 32, 48), looked_up), fit(TextClassifier(27, 32, 48), encoded)


@scenario("images augmented one by one in the data set; fixed: the batch", "data-loading", "operator-loop")
def augmented_in_the_data_set() -> Pair:
    stored = torch.rand(128, 3, 20, 20)
    mean, spread = torch.rand(3, 1, 1), torch.rand(3, 1, 1) + 0.5

    def augmented(number: int) -> tuple[Tensor, int]:
        image = stored[number % 128]
        image = image.flip(2) if number % 2 else image
        image = (image * (0.8 + 0.4 * random.random())).clamp(0, 1)
        image = image + 0.01 * torch.randn_like(image)
        return (image - mean) / spread, number % 10

    def at_once() -> tuple[Tensor, Tensor]:
        x = stored[torch.randint(0, 128, (32,))]
        x = (x * (0.8 + 0.4 * torch.rand(32, 1, 1, 1))).clamp(0, 1)
        x = x + 0.01 * torch.randn_like(x)
        return (x - mean) / spread, torch.randint(0, 10, (32,))

    return fit(convnet(12, 2), loaded(augmented, 32)), fit(convnet(12, 2), at_once)


@scenario("the hardest samples kept in a heap of Python numbers; fixed: `topk`", "python-work")
def heap_of_losses() -> Pair:
    hardest: list[tuple[float, int]] = []

    def by_heap(net: nn.Module, loss: Tensor, out: Tensor, y: Tensor) -> None:
        hardest.clear()
        for at, value in enumerate(F.cross_entropy(out, y, reduction="none").tolist()):
            for shift in range(4):
                heapq.heappush(hardest, (value + shift, at))
                if len(hardest) > 64:
                    heapq.heappop(hardest)

    def by_tensors(net: nn.Module, loss: Tensor, out: Tensor, y: Tensor) -> None:
        F.cross_entropy(out, y, reduction="none").topk(64)

    slow = fit(residual_mlp(64, 96, 3, 10), vectors(1024, 64), after=by_heap)
    return slow, fit(residual_mlp(64, 96, 3, 10), vectors(1024, 64), after=by_tensors)


@scenario("returns of a rollout summed backwards step by step; fixed: by one product", "operator-loop")
def returns_step_by_step() -> Pair:
    gamma, length = 0.97, 120
    at = torch.arange(length)
    weights = torch.where(at[None] >= at[:, None], gamma ** (at[None] - at[:, None]).clamp(min=0).float(), 0.0)

    def policy_loss(returns: Callable[[Tensor], Tensor]) -> Callable[[Tensor, Tensor], Tensor]:
        def loss(out: Tensor, rewards: Tensor) -> Tensor:
            return -(out.log_softmax(2)[..., 0] * returns(rewards)).mean()

        return loss

    def step_by_step(rewards: Tensor) -> Tensor:
        found, running = torch.empty_like(rewards), torch.zeros(rewards.shape[0])
        for moment in reversed(range(length)):
            running = rewards[:, moment] + gamma * running
            found[:, moment] = running
        return found

    def batch() -> tuple[Tensor, Tensor]:
        return torch.randn(24, length, 16), torch.rand(24, length)

    slow = fit(residual_mlp(16, 64, 2, 4), batch, policy_loss(step_by_step))
    return slow, fit(residual_mlp(16, 64, 2, 4), batch, policy_loss(lambda rewards: rewards @ weights.T))


@scenario("a beam search of Python lists to look at samples in every step; fixed: left out", "python-work")
def samples_looked_at() -> Pair:
    def search(net: nn.Module, loss: Tensor, out: Tensor, y: Tensor) -> None:
        beams: list[tuple[float, list[int]]] = [(0.0, [])]
        for row in out[0].log_softmax(-1).tolist():
            grown = [(score + value, [*path, token]) for score, path in beams for token, value in enumerate(row)]
            beams = heapq.nlargest(3, grown, key=lambda beam: beam[0])

    slow = fit(Transformer(vocabulary=64, depth=3), tokens(6, 32, 64), token_loss, after=search)
    return slow, fit(Transformer(vocabulary=64, depth=3), tokens(6, 32, 64), token_loss)


@scenario("sequences reversed one by one for a second direction; fixed: flipped together", "operator-loop")
def reversed_one_by_one() -> Pair:
    def program(each: bool) -> Step:
        def batch() -> tuple[Tensor, Tensor]:
            x = torch.randn(48, 24, 16)
            back = torch.stack([row.flip(0) * 1.0 for row in x]) if each else x.flip(1) * 1.0
            return torch.cat([x, back], 2), torch.randint(0, 10, (48,))

        return fit(LastOfSequence(nn.GRU(32, 48, batch_first=True), 10), batch)

    return program(True), program(False)
