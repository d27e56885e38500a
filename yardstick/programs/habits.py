"""Habits of training scripts. No rule or range was written with these programs in view, nor changed after their first
scores: what is said of them is said of programs that nobody tuned on."""

from __future__ import annotations

import gc
import io
import math
import queue
import random
import time
from collections import Counter, deque

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812 - as everywhere

from yardstick.programs.loading import loaded
from yardstick.programs.models import (
    LastOfSequence,
    TextClassifier,
    Transformer,
    autoencoder,
    convnet,
    residual_mlp,
    signal_net,
    strided_convnet,
)
from yardstick.programs.registry import Pair, Step, scenario
from yardstick.programs.training import fit, images, token_loss, tokens, vectors


@scenario("lines of a CSV file split and converted at each access; fixed: once", "data-loading", "python-work")
def csv_lines() -> Pair:
    lines = [",".join(f"{random.gauss(0, 1):.5f}" for _ in range(64)) for _ in range(512)]

    def row(line: str) -> Tensor:
        return torch.tensor([float(field) for field in line.strip().split(",")])

    ready = [row(line) for line in lines]
    slow = loaded(lambda number: (row(lines[number % 512]), number % 10), 48)
    fixed = loaded(lambda number: (ready[number % 512], number % 10), 48)
    return fit(residual_mlp(64, 128, 4, 10), slow), fit(residual_mlp(64, 128, 4, 10), fixed)


@scenario("texts of different lengths padded by lists; fixed: `pad_sequence`", "python-work")
def padding_by_lists() -> Pair:
    texts = [[random.randrange(2, 1000) for _ in range(random.randint(40, 120))] for _ in range(256)]
    ready, labels = [torch.tensor(text) for text in texts], torch.randint(0, 4, (32,))

    def by_lists() -> tuple[Tensor, Tensor]:
        chosen = random.choices(texts, k=32)
        rows = []
        for text in chosen:
            counts = Counter(text)
            rows.append([token if counts[token] < 9 else 1 for token in text] + [0] * (120 - len(text)))
        return torch.tensor(rows), labels

    def by_tensors() -> tuple[Tensor, Tensor]:
        return nn.utils.rnn.pad_sequence(random.choices(ready, k=32), batch_first=True), labels

    return fit(TextClassifier(1000), by_lists), fit(TextClassifier(1000), by_tensors)


@scenario("a random crop of each image by slices; fixed: one for the batch", "operator-loop", "python-work")
def crop_each_image() -> Pair:
    stored, labels = torch.randn(96, 3, 18, 18), torch.randint(0, 10, (96,))

    def each() -> tuple[Tensor, Tensor]:
        crops = []
        for image in stored:
            top, left = random.randrange(7), random.randrange(7)
            crop = image[:, top : top + 12, left : left + 12]
            crops.append(crop.flip(2) if random.random() < 0.5 else crop)
        return torch.stack(crops), labels

    def at_once() -> tuple[Tensor, Tensor]:
        top, left = random.randrange(7), random.randrange(7)
        return stored[:, :, top : top + 12, left : left + 12].contiguous(), labels

    return fit(strided_convnet(), each), fit(strided_convnet(), at_once)


@scenario("right answers counted one by one; fixed: by one comparison", "operator-loop", "host-synchronisation")
def accuracy_one_by_one() -> Pair:
    seen = [0, 0]

    def one_by_one(net: nn.Module, loss: Tensor, out: Tensor, y: Tensor) -> None:
        for row, wanted in zip(out, y, strict=True):
            if row.argmax() == wanted:
                seen[0] += 1

    def at_once(net: nn.Module, loss: Tensor, out: Tensor, y: Tensor) -> None:
        seen[1] += int((out.argmax(1) == y).sum())

    slow = fit(residual_mlp(64, 160, 4, 10), vectors(192, 64), after=one_by_one)
    return slow, fit(residual_mlp(64, 160, 4, 10), vectors(192, 64), after=at_once)


@scenario("a histogram of every gradient by NumPy; fixed: none", "python-work", "parameter-loop")
def gradient_histograms() -> Pair:
    board: dict[str, object] = {}

    def histograms(net: nn.Module, *_: Tensor) -> None:
        for name, parameter in net.named_parameters():
            assert parameter.grad is not None
            board[name] = np.histogram(parameter.grad.numpy(), bins=32)

    slow = fit(residual_mlp(64, 96, 10, 10), vectors(48, 64), after=histograms)
    return slow, fit(residual_mlp(64, 96, 10, 10), vectors(48, 64))


@scenario("`gc.collect()` in every step; fixed: without", "garbage-collection")
def collected_each_step() -> Pair:
    slow = fit(convnet(16, 3), images(12, 28), after=lambda *_: gc.collect())
    return slow, fit(convnet(16, 3), images(12, 28))


@scenario("the weights saved into memory in every step; fixed: not saved", "checkpoint")
def saved_each_step() -> Pair:
    def saved(net: nn.Module, *_: Tensor) -> None:
        torch.save(net.state_dict(), io.BytesIO())

    slow = fit(Transformer(width=96, depth=4), tokens(4, 40), token_loss, after=saved)
    return slow, fit(Transformer(width=96, depth=4), tokens(4, 40), token_loss)


@scenario("distances of all pairs by two loops; fixed: `cdist`", "operator-loop")
def pairwise_distances() -> Pair:
    wanted = torch.rand(14, 14)

    def by_loops(out: Tensor, y: Tensor) -> Tensor:
        rows = [torch.stack([(one - other).norm() for other in out]) for one in out]
        return F.mse_loss(torch.stack(rows), wanted)

    def at_once(out: Tensor, y: Tensor) -> Tensor:
        return F.mse_loss(torch.cdist(out, out, compute_mode="donot_use_mm_for_euclid_dist"), wanted)

    slow = fit(residual_mlp(64, 256, 8, 32), vectors(14, 64), by_loops)
    return slow, fit(residual_mlp(64, 256, 8, 32), vectors(14, 64), at_once)


@scenario("a time embedding by `math.sin` of each value; fixed: by tensors", "python-work")
def sines_by_lists() -> Pair:
    rates = [10_000 ** (-one / 24) for one in range(24)]
    scale = torch.tensor(rates)

    def by_lists() -> tuple[Tensor, Tensor]:
        moments = [random.random() * 1000 for _ in range(96)]
        rows = [[math.sin(at * rate) for rate in rates] + [math.cos(at * rate) for rate in rates] for at in moments]
        return torch.tensor(rows), torch.randint(0, 10, (96,))

    def by_tensors() -> tuple[Tensor, Tensor]:
        angles = torch.tensor([random.random() * 1000 for _ in range(96)])[:, None] * scale
        return torch.cat([angles.sin(), angles.cos()], 1), torch.randint(0, 10, (96,))

    return fit(residual_mlp(48, 160, 5, 10), by_lists), fit(residual_mlp(48, 160, 5, 10), by_tensors)


@scenario("a long deque indexed at random; fixed: a list", "python-work")
def replay_deque() -> Pair:
    table, labels = torch.randn(4096, 48), torch.randint(0, 10, (128,))
    ring, listed = deque(range(600_000)), list(range(600_000))

    def from_deque() -> tuple[Tensor, Tensor]:
        return table[torch.tensor([ring[random.randrange(600_000)] % 4096 for _ in range(128)])], labels

    def from_list() -> tuple[Tensor, Tensor]:
        return table[torch.tensor([listed[random.randrange(600_000)] % 4096 for _ in range(128)])], labels

    return fit(residual_mlp(48, 160, 5, 10), from_deque), fit(residual_mlp(48, 160, 5, 10), from_list)


@scenario("averaged weights by a loop of `mul_` and `add_`; fixed: `foreach`", "parameter-loop")
def ema_loop() -> Pair:
    def program(loop: bool) -> Step:
        net = residual_mlp(48, 24, 32, 10)
        averages = [parameter.detach().clone() for parameter in net.parameters()]

        @torch.no_grad()
        def update(*_: object) -> None:
            if loop:
                for average, parameter in zip(averages, net.parameters(), strict=True):
                    average.mul_(0.999).add_(parameter.detach(), alpha=0.001)
            else:
                torch._foreach_mul_(averages, 0.999)
                torch._foreach_add_(averages, [parameter.detach() for parameter in net.parameters()], alpha=0.001)

        return fit(net, vectors(16, 48), after=update)

    return program(True), program(False)


@scenario("a queue polled with `time.sleep`; fixed: read when something is there", "sleep")
def polled_queue() -> Pair:
    def program(polled: bool) -> Step:
        waiting: queue.SimpleQueue[tuple[Tensor, Tensor]] = queue.SimpleQueue()
        make = images(8, 28)

        def batch() -> tuple[Tensor, Tensor]:
            waiting.put(make())
            if polled:
                time.sleep(0.002)
            return waiting.get()

        return fit(convnet(16, 2), batch)

    return program(True), program(False)


@scenario("images resized in Python at each access; fixed: once", "data-loading", "python-work")
def resized_in_python() -> Pair:
    raw = [[[random.random() for _ in range(40)] for _ in range(40)] for _ in range(48)]

    def resized(pixels: list[list[float]]) -> Tensor:
        rows = []
        for y in range(20):
            above, below = pixels[2 * y], pixels[2 * y + 1]
            rows.append([(above[2 * x] + above[2 * x + 1] + below[2 * x] + below[2 * x + 1]) / 4 for x in range(20)])
        return torch.tensor(rows).expand(3, 20, 20)

    ready = [resized(pixels) for pixels in raw]
    slow = loaded(lambda number: (resized(raw[number % 48]), number % 10), 24)
    fixed = loaded(lambda number: (ready[number % 48], number % 10), 24)
    return fit(convnet(16, 3), slow), fit(convnet(16, 3), fixed)


@scenario("sliding windows by slices; fixed: `unfold`", "operator-loop")
def windows_by_slices() -> Pair:
    series, labels = torch.randn(8, 1, 640), torch.randint(0, 6, (8 * 97,))

    def by_slices() -> tuple[Tensor, Tensor]:
        windows = [series[:, :, 6 * start : 6 * start + 64] for start in range(97)]
        return torch.cat(
            [(one - one.mean(2, keepdim=True)) / (one.std(2, keepdim=True) + 1e-5) for one in windows]
        ), labels

    def unfolded() -> tuple[Tensor, Tensor]:
        windows = series.unfold(2, 64, 6)
        windows = (windows - windows.mean(3, keepdim=True)) / (windows.std(3, keepdim=True) + 1e-5)
        return windows.transpose(1, 2).reshape(8 * 97, 1, 64), labels

    return fit(signal_net(), by_slices), fit(signal_net(), unfolded)


@scenario("smoothed labels written one by one; fixed: by `one_hot`", "operator-loop")
def labels_one_by_one() -> Pair:
    def one_by_one(out: Tensor, y: Tensor) -> Tensor:
        smooth = torch.full_like(out, 0.01)
        for row, label in enumerate(y):
            smooth[row, label] = 0.91
        return F.cross_entropy(out, smooth)

    def at_once(out: Tensor, y: Tensor) -> Tensor:
        return F.cross_entropy(out, F.one_hot(y, 10) * 0.9 + 0.01)

    slow = fit(residual_mlp(64, 160, 5, 10), vectors(160, 64), one_by_one)
    return slow, fit(residual_mlp(64, 160, 5, 10), vectors(160, 64), at_once)


@scenario("a recurrent layer called step by step; fixed: with the sequence", "operator-loop", "unrolled-loop")
def recurrent_step_by_step() -> Pair:
    class Stepwise(nn.Module):
        """Calls the layer for each moment with the state of the one before."""

        def __init__(self) -> None:
            super().__init__()
            self.cell, self.head = nn.GRU(24, 64, batch_first=True), nn.Linear(64, 10)

        def forward(self, x: Tensor) -> Tensor:
            out, state = x, None
            for moment in range(x.shape[1]):
                out, state = self.cell(x[:, moment : moment + 1], state)
            return self.head(out[:, -1])

    def batch() -> tuple[Tensor, Tensor]:
        return torch.randn(16, 40, 24), torch.randint(0, 10, (16,))

    return fit(Stepwise(), batch), fit(LastOfSequence(nn.GRU(24, 64, batch_first=True), 10), batch)


@scenario(
    "inputs flattened and copied for a check in every step; fixed: not checked", "python-work", "contiguous-copies"
)
def checked_inputs() -> Pair:
    def program(checked: bool) -> Step:
        make = images(12, 32)
        seen: dict[int, int] = {}

        def batch() -> tuple[Tensor, Tensor]:
            x, _ = make()
            if checked:
                values = x.flatten().tolist()
                seen[len(values)] = hash(tuple(round(value, 3) for value in values[::7]))
            return x, x

        return fit(autoencoder(8), batch, F.mse_loss)

    return program(True), program(False)
