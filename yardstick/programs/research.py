"""What research code does in a step: matching, mining, sampling, scoring. No rule or range was written with these
programs in view."""

from __future__ import annotations

import math
import random
import string
from collections.abc import Callable

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812 - as everywhere
from torch.nn.utils.rnn import pad_sequence

from yardstick.programs.models import (
    GraphNet,
    LastOfSequence,
    Recommender,
    TextClassifier,
    autoencoder,
    convnet,
    residual_mlp,
    strided_convnet,
)
from yardstick.programs.registry import Pair, Step, scenario
from yardstick.programs.training import fit, images, vectors


@scenario("hardest negatives looked for in Python lists; fixed: by a masked minimum", "python-work", "host-round-trip")
def triplets_in_lists() -> Pair:
    def by_lists(out: Tensor, y: Tensor) -> Tensor:
        distances = torch.cdist(out, out).tolist()
        labels = y.tolist()
        chosen = []
        for row, label in zip(distances, labels, strict=True):
            others = [(distance, at) for at, distance in enumerate(row) if labels[at] != label]
            chosen.append(min(others)[1])
        return (1 - (out - out[chosen]).norm(dim=1)).clamp(min=0).mean() + out.square().mean()

    def by_tensors(out: Tensor, y: Tensor) -> Tensor:
        with torch.no_grad():
            distances = torch.cdist(out, out).masked_fill(y[:, None] == y[None], math.inf)
        return (1 - (out - out[distances.argmin(1)]).norm(dim=1)).clamp(min=0).mean() + out.square().mean()

    slow = fit(residual_mlp(48, 128, 3, 32), vectors(192, 48), by_lists)
    return slow, fit(residual_mlp(48, 128, 3, 32), vectors(192, 48), by_tensors)


@scenario("boxes matched to anchors one by one; fixed: all against all", "operator-loop")
def boxes_one_by_one() -> Pair:
    anchors = torch.rand(300, 4).sort(1).values

    def overlap(box: Tensor, others: Tensor) -> Tensor:
        low, high = torch.maximum(box[..., :2], others[..., :2]), torch.minimum(box[..., 2:], others[..., 2:])
        shared = (high - low).clamp(min=0).prod(-1)
        areas = [(one[..., 2:] - one[..., :2]).prod(-1) for one in (box, others)]
        return shared / (areas[0] + areas[1] - shared + 1e-6)

    def program(each: bool) -> Step:
        def loss(out: Tensor, boxes: Tensor) -> Tensor:
            flat = boxes.flatten(0, 1)
            if each:
                best = torch.stack([overlap(box, anchors).max() for box in flat])
            else:
                best = overlap(flat[:, None], anchors[None]).amax(1)
            return (out.mean() - best.mean()).square() + out.square().mean()

        return fit(strided_convnet(16), lambda: (torch.randn(12, 3, 40, 40), torch.rand(12, 5, 4).sort(2).values), loss)

    return program(True), program(False)


@scenario("a Dice loss class by class and image by image; fixed: all at once", "operator-loop")
def dice_class_by_class() -> Pair:
    def program(each: bool) -> Step:
        net = nn.Sequential(autoencoder(16), nn.Conv2d(3, 12, 1))

        def loss(out: Tensor, y: Tensor) -> Tensor:
            shares = out.softmax(1)
            if each:
                scores = []
                for image in range(8):
                    for kind in range(12):
                        mask = (y[image] == kind).float()
                        both = (shares[image, kind] * mask).sum()
                        scores.append((2 * both + 1) / (shares[image, kind].sum() + mask.sum() + 1))
                return 1 - torch.stack(scores).mean()
            masks = F.one_hot(y, 12).permute(0, 3, 1, 2).float()
            both = (shares * masks).sum((2, 3))
            return 1 - ((2 * both + 1) / (shares.sum((2, 3)) + masks.sum((2, 3)) + 1)).mean()

        return fit(net, lambda: (torch.randn(8, 3, 48, 48), torch.randint(0, 12, (8, 48, 48))), loss)

    return program(True), program(False)


@scenario("a noise schedule multiplied up in Python in every step; fixed: once", "python-work")
def schedule_each_step() -> Pair:
    def schedule() -> list[float]:
        kept, product = [], 1.0
        for at in range(8000):
            product *= 1 - (1e-5 + (0.002 - 1e-5) * at / 8000) * (1 + 0.1 * math.cos(at / 100))
            kept.append(math.sqrt(product))
        return kept

    def program(again: bool) -> Step:
        once = torch.tensor(schedule())

        def batch() -> tuple[Tensor, Tensor]:
            x, noise = torch.rand(12, 3, 24, 24), torch.randn(12, 3, 24, 24)
            share = (torch.tensor(schedule()) if again else once)[torch.randint(0, 8000, (12, 1, 1, 1))]
            return share * x + (1 - share.square()).sqrt() * noise, noise

        return fit(autoencoder(20), batch, F.mse_loss)

    return program(True), program(False)


@scenario("words split into pieces by merges in Python; fixed: encoded once", "python-work", "data-loading")
def merged_pairs() -> Pair:
    letters = string.ascii_lowercase
    merges = {"".join(random.choices(letters, k=2)): at for at in range(90)}
    words = ["".join(random.choices(letters, k=random.randint(3, 9))) for _ in range(600)]

    def pieces(word: str) -> list[int]:
        parts = list(word)
        while len(parts) > 1:
            ranked = [(merges.get(parts[at] + parts[at + 1], 999), at) for at in range(len(parts) - 1)]
            rank, at = min(ranked)
            if rank == 999:
                break
            parts[at : at + 2] = [parts[at] + parts[at + 1]]
        found = [hash_of(part) for part in parts]
        return (found + [0] * 9)[:9]

    def hash_of(part: str) -> int:
        return sum(ord(one) * (at + 1) for at, one in enumerate(part)) % 500

    ready = torch.tensor([pieces(word) for word in words])

    def program(again: bool) -> Step:
        def batch() -> tuple[Tensor, Tensor]:
            chosen = torch.randint(0, 600, (16, 16))
            if again:
                ids = torch.tensor([[one for at in row for one in pieces(words[at])] for row in chosen.tolist()])
            else:
                ids = ready[chosen].flatten(1)
            return ids, torch.randint(0, 4, (16,))

        return fit(TextClassifier(500, 32, 64), batch)

    return program(True), program(False)


@scenario("negatives drawn one by one, those known refused; fixed: drawn together", "python-work", "data-loading")
def negatives_refused() -> Pair:
    known = [set(random.sample(range(500), 60)) for _ in range(200)]

    def one_by_one(users: list[int]) -> Tensor:
        rows = []
        for user in users:
            row: list[int] = []
            while len(row) < 8:
                item = random.randrange(500)
                if item not in known[user] and item not in row:
                    row.append(item)
            rows.append(row)
        return torch.tensor(rows)

    def program(each: bool) -> Step:
        def batch() -> tuple[tuple[Tensor, Tensor], Tensor]:
            users = torch.randint(0, 200, (256,))
            ids = one_by_one(users.tolist()) if each else torch.randint(0, 500, (256, 8))
            return (torch.randn(256, 13), ids), torch.rand(256)

        return fit(Recommender(8), batch, F.binary_cross_entropy_with_logits)

    return program(True), program(False)


@scenario("top five counted in sorted Python lists; fixed: by `topk`", "python-work", "host-round-trip")
def five_best_in_lists() -> Pair:
    def by_lists(net: nn.Module, loss: Tensor, out: Tensor, y: Tensor) -> None:
        rows = zip(out.tolist(), y.tolist(), strict=True)
        sum(label in sorted(range(len(row)), key=row.__getitem__, reverse=True)[:5] for row, label in rows)

    def by_tensors(net: nn.Module, loss: Tensor, out: Tensor, y: Tensor) -> None:
        (out.topk(5).indices == y[:, None]).any(1).float().mean()

    slow = fit(convnet(12, 2, 1000), images(48, 16, 1000), after=by_lists)
    return slow, fit(convnet(12, 2, 1000), images(48, 16, 1000), after=by_tensors)


@scenario(
    "a penalty summed parameter by parameter; fixed: of one flat vector",
    "parameter-loop",
    "operator-loop",
    "gradient-norms",
)
def penalty_by_parameter() -> Pair:
    def program(each: bool) -> Step:
        net = residual_mlp(32, 40, 24, 8)
        weights = list(net.parameters())

        def loss(out: Tensor, y: Tensor) -> Tensor:
            if each:
                penalty = torch.zeros(())
                for weight in weights:
                    penalty = penalty + 1e-4 * weight.square().sum() + 1e-5 * weight.abs().sum()
            else:
                flat = torch.cat([weight.flatten() for weight in weights])
                penalty = 1e-4 * flat.square().sum() + 1e-5 * flat.abs().sum()
            return F.cross_entropy(out, y) + penalty

        return fit(net, vectors(64, 32, 8), loss)

    return program(True), program(False)


@scenario("sequences padded one by one in the collation; fixed: stored padded", "data-loading", "operator-loop")
def padded_in_collation() -> Pair:
    stored = [torch.randn(random.randint(8, 32), 24) for _ in range(256)]
    ready = pad_sequence(stored, batch_first=True)

    def program(again: bool) -> Step:
        def batch() -> tuple[Tensor, Tensor]:
            chosen = torch.randint(0, 256, (48,))
            if not again:
                return ready[chosen], torch.randint(0, 10, (48,))
            rows = []
            for at in chosen.tolist():
                row = stored[at]
                while len(row) < 32:
                    row = torch.cat([row, torch.zeros(1, 24)])
                rows.append(row)
            return torch.stack(rows), torch.randint(0, 10, (48,))

        return fit(LastOfSequence(nn.GRU(24, 48, batch_first=True), 10), batch)

    return program(True), program(False)


@scenario("members of an ensemble run one by one; fixed: as batched products", "operator-loop")
def ensemble_one_by_one() -> Pair:
    class Ensemble(nn.Module):
        """Sixteen MLPs, their outputs averaged."""

        def __init__(self, each: bool) -> None:
            super().__init__()
            self.each = each
            self.first = nn.Parameter(0.1 * torch.randn(16, 40, 64))
            self.last = nn.Parameter(0.1 * torch.randn(16, 64, 10))

        def forward(self, x: Tensor) -> Tensor:
            if self.each:
                members = [torch.relu(x @ one) @ two for one, two in zip(self.first, self.last, strict=True)]
                return torch.stack(members).mean(0)
            return (torch.relu(x @ self.first) @ self.last).mean(0)

    def program(each: bool) -> Step:
        return fit(nn.Sequential(residual_mlp(64, 64, 2, 40), Ensemble(each)), vectors(48, 64))

    return program(True), program(False)


@scenario("an adjacency matrix written edge by edge; fixed: all edges at once", "operator-loop", "python-work")
def edge_by_edge() -> Pair:
    edges = torch.randint(0, 160, (320, 2))
    pairs = edges.tolist()

    def program(each: bool) -> Step:
        def collect(x: Tensor) -> Tensor:
            adjacency = torch.zeros(160, 160)
            if each:
                for source, target in pairs:
                    adjacency[source, target] = 1.0
            else:
                adjacency[edges[:, 0], edges[:, 1]] = 1.0
            return adjacency @ x / 160

        def batch() -> tuple[Tensor, Tensor]:
            x = torch.randn(160, 96)
            return x, x.roll(1, 0)

        return fit(GraphNet(96, 2, collect), batch, F.mse_loss)

    return program(True), program(False)


@scenario("codes compared with the inputs one by one; fixed: by one distance matrix", "operator-loop")
def code_by_code() -> Pair:
    class Quantised(nn.Module):
        """Replaces each vector with the nearest of 64 codes, and passes the gradient on."""

        def __init__(self, nearest: Callable[[Tensor, Tensor], Tensor]) -> None:
            super().__init__()
            self.codes, self.nearest = nn.Parameter(torch.randn(64, 32)), nearest
            self.down, self.up = residual_mlp(48, 96, 2, 32), residual_mlp(32, 96, 2, 48)

        def forward(self, x: Tensor) -> Tensor:
            inner = self.down(x)
            code = self.codes[self.nearest(inner.detach(), self.codes.detach())]
            out: Tensor = self.up(inner + (code - inner).detach()) + 0 * code.sum()
            return out

    def one_by_one(inner: Tensor, codes: Tensor) -> Tensor:
        return torch.stack([(inner - code).square().sum(1) for code in codes]).argmin(0)

    def batch() -> tuple[Tensor, Tensor]:
        x = torch.randn(96, 48)
        return x, x

    slow = fit(Quantised(one_by_one), batch, F.mse_loss)
    return slow, fit(Quantised(lambda inner, codes: torch.cdist(inner, codes).argmin(1)), batch, F.mse_loss)
