"""What grows in projects: losses, metrics, heads, schedules. No rule or range was written with these programs in
view."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from datetime import datetime, timedelta, timezone

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812 - as everywhere

from yardstick.programs.loading import loaded
from yardstick.programs.models import LastOfSequence, Transformer, convnet, residual_mlp, signal_net, strided_convnet
from yardstick.programs.registry import Pair, Step, scenario
from yardstick.programs.training import fit, images, token_loss, tokens, vectors


@scenario("a focal loss sample by sample; fixed: of the batch", "operator-loop")
def focal_by_sample() -> Pair:
    def by_sample(out: Tensor, y: Tensor) -> Tensor:
        parts = []
        for row, label in zip(out, y, strict=True):
            log_p = F.log_softmax(row, 0)[label]
            parts.append(-((1 - log_p.exp()) ** 2) * log_p)
        return torch.stack(parts).mean()

    def of_batch(out: Tensor, y: Tensor) -> Tensor:
        log_p = F.log_softmax(out, 1).gather(1, y[:, None])[:, 0]
        return (-((1 - log_p.exp()) ** 2) * log_p).mean()

    slow = fit(strided_convnet(), images(48, 32), by_sample)
    return slow, fit(strided_convnet(), images(48, 32), of_batch)


@scenario("spectra of frames one by one; fixed: of all frames", "operator-loop")
def spectra_by_frame() -> Pair:
    window = torch.hann_window(64)

    def program(each: bool) -> Step:
        def batch() -> tuple[Tensor, Tensor]:
            signal = torch.randn(8, 2048)
            if each:
                frames = [signal[:, at : at + 64] * window for at in range(0, 1984, 16)]
                spectra = torch.stack([torch.fft.rfft(frame).abs() for frame in frames], 1)
            else:
                spectra = torch.fft.rfft(signal[:, :2032].unfold(1, 64, 16) * window).abs()
            return spectra.log1p(), torch.randint(0, 10, (8,))

        return fit(LastOfSequence(nn.GRU(33, 32, batch_first=True), 10), batch)

    return program(True), program(False)


@scenario("relative positions looked up in nested Python loops; fixed: once", "python-work")
def positions_in_loops() -> Pair:
    table = torch.randn(64)

    def bucket(distance: int) -> int:
        near = min(abs(distance), 8)
        far = int(math.log(max(1, abs(distance) / 8)) * 8) if abs(distance) > 8 else 0
        return min(31, near + far) + (32 if distance > 0 else 0)

    def biases() -> Tensor:
        rows = [[bucket(key - query) for key in range(64)] for query in range(64)]
        return table[torch.tensor(rows)]

    def program(again: bool) -> Step:
        once, make = biases(), tokens(6, 64)

        def batch() -> tuple[tuple[Tensor, Tensor], Tensor]:
            ids, y = make()
            return (ids, biases() if again else once), y

        return fit(Transformer(depth=2), batch, token_loss)

    return program(True), program(False)


@scenario("accuracy of each class read by `.item()`; fixed: one `tolist`", "operator-loop", "python-work")
def items_of_classes() -> Pair:
    def each(net: nn.Module, loss: Tensor, out: Tensor, y: Tensor) -> None:
        hit = out.argmax(1) == y
        for kind in range(60):
            of = y == kind
            (hit & of).sum().item() / max(1, of.sum().item())

    def together(net: nn.Module, loss: Tensor, out: Tensor, y: Tensor) -> None:
        hit = (out.argmax(1) == y).float()
        (torch.zeros(60).index_add(0, y, hit) / torch.bincount(y, minlength=60).clamp(min=1)).tolist()

    slow = fit(residual_mlp(64, 128, 3, 60), vectors(128, 64, 60), after=each)
    return slow, fit(residual_mlp(64, 128, 3, 60), vectors(128, 64, 60), after=together)


@scenario("a teacher averaged key by key of its `state_dict`; fixed: by lists", "parameter-loop")
def teacher_by_keys() -> Pair:
    def program(each: bool) -> Step:
        net, teacher = residual_mlp(48, 96, 16, 10), residual_mlp(48, 96, 16, 10)

        def by_keys(student: nn.Module, loss: Tensor, out: Tensor, y: Tensor) -> None:
            theirs, mine = teacher.state_dict(), student.state_dict()
            for key, value in theirs.items():
                value.copy_(0.99 * value + 0.01 * mine[key])

        def by_lists(student: nn.Module, loss: Tensor, out: Tensor, y: Tensor) -> None:
            with torch.no_grad():
                torch._foreach_lerp_(list(teacher.parameters()), list(student.parameters()), 0.01)

        return fit(net, vectors(64, 48), after=by_keys if each else by_lists)

    return program(True), program(False)


@scenario("gradients clamped one by one, their extremes kept; fixed: by lists", "parameter-loop", "operator-loop")
def gradients_clamped() -> Pair:
    def each(net: nn.Module, loss: Tensor, out: Tensor, y: Tensor) -> None:
        for weight in net.parameters():
            if weight.grad is not None:
                weight.grad.nan_to_num_(0.0)
                weight.grad.clamp_(-0.5, 0.5)

    def lists(net: nn.Module, loss: Tensor, out: Tensor, y: Tensor) -> None:
        found = [weight.grad for weight in net.parameters() if weight.grad is not None]
        torch._foreach_clamp_min_(found, -0.5)
        torch._foreach_clamp_max_(found, 0.5)

    slow = fit(residual_mlp(32, 48, 24, 8), vectors(48, 32, 8), after=each)
    return slow, fit(residual_mlp(32, 48, 24, 8), vectors(48, 32, 8), after=lists)


@scenario("heads of 40 tasks, a layer each; fixed: one layer for all", "operator-loop")
def forty_heads() -> Pair:
    class Tasks(nn.Module):
        """Heads over shared features."""

        def __init__(self, each: bool) -> None:
            super().__init__()
            self.body = residual_mlp(32, 64, 2, 64)
            self.heads = nn.ModuleList(nn.Linear(64, 3) for _ in range(40)) if each else nn.Linear(64, 120)

        def forward(self, x: Tensor) -> Tensor:
            x = self.body(x)
            if isinstance(self.heads, nn.ModuleList):
                return torch.cat([head(x) for head in self.heads], 1)
            out: Tensor = self.heads(x)
            return out

    return fit(Tasks(True), vectors(64, 32, 120)), fit(Tasks(False), vectors(64, 32, 120))


@scenario("noise added to each weight and taken back; fixed: by lists", "parameter-loop")
def noisy_weights() -> Pair:
    def program(each: bool) -> Step:
        net = residual_mlp(40, 64, 20, 8)
        weights = [weight.detach() for weight in net.parameters()]

        def batch() -> tuple[Tensor, Tensor]:
            if each:
                for weight in weights:
                    weight.add_(1e-4 * torch.randn_like(weight))
                    weight.mul_(0.9999)
            else:
                torch._foreach_mul_(weights, 0.9999)
            return torch.randn(64, 40), torch.randint(0, 8, (64,))

        return fit(net, batch)

    return program(True), program(False)


@scenario("images rotated one by one; fixed: as a batch", "operator-loop")
def rotated_one_by_one() -> Pair:
    def grids(angle: Tensor) -> Tensor:
        cos, sin, zero = angle.cos(), angle.sin(), torch.zeros_like(angle)
        return torch.stack([cos, -sin, zero, sin, cos, zero], -1).view(-1, 2, 3)

    def rotated(x: Tensor, angle: Tensor) -> Tensor:
        return F.grid_sample(x, F.affine_grid(grids(angle), list(x.shape), align_corners=False), align_corners=False)

    def program(each: bool) -> Step:
        def batch() -> tuple[Tensor, Tensor]:
            x, angle = torch.randn(32, 3, 20, 20), torch.rand(32)
            size = 1 if each else 32
            x = torch.cat([rotated(x[at : at + size], angle[at : at + size]) for at in range(0, 32, size)])
            return x, torch.randint(0, 10, (32,))

        return fit(convnet(12, 2), batch)

    return program(True), program(False)


@scenario("trees folded node by node; fixed: level by level", "operator-loop")
def trees_by_node() -> Pair:
    class Folded(nn.Module):
        """Joins neighbours until one vector is left."""

        def __init__(self, each: bool) -> None:
            super().__init__()
            self.join, self.head, self.each = nn.Linear(64, 32), nn.Linear(32, 10), each

        def forward(self, leaves: Tensor) -> Tensor:
            if self.each:
                roots = [self.fold(tree) for tree in leaves.unbind()]
                return self.head(torch.stack(roots))
            while leaves.shape[1] > 1:
                leaves = torch.tanh(self.join(leaves.unflatten(1, (-1, 2)).flatten(2)))
            return self.head(leaves[:, 0])

        def fold(self, nodes: Tensor) -> Tensor:
            if len(nodes) == 1:
                return nodes[0]
            middle = len(nodes) // 2
            return torch.tanh(self.join(torch.cat([self.fold(nodes[:middle]), self.fold(nodes[middle:])])))

    def batch() -> tuple[Tensor, Tensor]:
        return torch.randn(8, 16, 32), torch.randint(0, 10, (8,))

    return fit(Folded(True), batch), fit(Folded(False), batch)


@scenario("edit distances of samples in Python in every step; fixed: left out", "python-work")
def edit_distances() -> Pair:
    def distance(one: list[int], other: list[int]) -> int:
        last = list(range(len(other) + 1))
        for at, left in enumerate(one):
            row = [at + 1]
            for place, right in enumerate(other):
                row.append(min(row[place] + 1, last[place + 1] + 1, last[place] + (left != right)))
            last = row
        return last[-1]

    def scored(net: nn.Module, loss: Tensor, out: Tensor, y: Tensor) -> None:
        for guess, right in zip(out.argmax(2).tolist()[:4], y.tolist()[:4], strict=True):
            distance(guess, right)

    slow = fit(Transformer(vocabulary=64, depth=2), tokens(8, 40, 64), token_loss, after=scored)
    return slow, fit(Transformer(vocabulary=64, depth=2), tokens(8, 40, 64), token_loss)


@scenario("dates read from text at each access; fixed: once", "data-loading", "python-work")
def dates_from_text() -> Pair:
    begin = datetime(2020, 1, 1, tzinfo=timezone.utc)
    texts = [(begin + timedelta(hours=random.randrange(40_000))).strftime("%Y-%m-%d %H:%M %z") for _ in range(512)]
    values = torch.randn(512, 48)

    def features(text: str) -> list[float]:
        at = datetime.strptime(text, "%Y-%m-%d %H:%M %z")
        day, hour = at.timetuple().tm_yday, at.hour + at.minute / 60
        parts = [(day / 365, 1.0), (hour / 24, 1.0), (at.weekday() / 7, 1.0)]
        return [wave(2 * math.pi * part * often) for part, often in parts for wave in (math.sin, math.cos)]

    once = torch.tensor([features(text) for text in texts])

    def program(make: Callable[[int], Tensor]) -> Step:
        def sample(number: int) -> tuple[Tensor, int]:
            at = number % 512
            return torch.cat([values[at], make(at)])[None], number % 6

        return fit(signal_net(), loaded(sample, 48))

    return program(lambda at: torch.tensor(features(texts[at]))), program(lambda at: once[at])
