"""Mistakes from several fields: detection, speech, recommenders, generative models, physics. No rule or range was
written with these programs in view; what they showed was corrected afterwards."""

from __future__ import annotations

import copy
import csv
import io
import math
import random
from collections import Counter

import numpy as np
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
from yardstick.programs.training import adamw, fit, images, token_loss, tokens, vectors


@scenario("a tree of priorities walked in Python for each sample; fixed: found by `searchsorted`", "python-work")
def priorities_in_a_tree() -> Pair:
    leaves = 4096
    tree = [0.0] * (2 * leaves)
    tree[leaves:] = [random.random() for _ in range(leaves)]
    for at in range(leaves - 1, 0, -1):
        tree[at] = tree[2 * at] + tree[2 * at + 1]
    stored, labels = torch.randn(leaves, 48), torch.randint(0, 6, (leaves,))
    weights = torch.tensor(tree[leaves:])

    def drawn() -> int:
        at, left = 1, random.random() * tree[1]
        while at < leaves:
            at *= 2
            if left > tree[at] and tree[at + 1] > 0:
                left -= tree[at]
                at += 1
        return at - leaves

    def renewed(leaf: int, priority: float) -> None:
        at = leaf + leaves
        change = priority - tree[at]
        while at:
            tree[at] += change
            at //= 2

    def in_python() -> tuple[Tensor, Tensor]:
        chosen = [drawn() for _ in range(128)]
        for leaf in chosen:
            renewed(leaf, random.random())
        rows = torch.tensor(chosen)
        return stored[rows], labels[rows]

    def by_tensors() -> tuple[Tensor, Tensor]:
        total = weights.cumsum(0)
        rows = torch.searchsorted(total, torch.rand(128) * total[-1]).clamp(max=leaves - 1)
        weights[rows] = torch.rand(128)
        return stored[rows], labels[rows]

    return fit(residual_mlp(48, 96, 3, 6), in_python), fit(residual_mlp(48, 96, 3, 6), by_tensors)


@scenario("pieces of images mixed one by one; fixed: the same piece of the whole batch", "operator-loop")
def mixed_one_by_one() -> Pair:
    stored, labels = torch.randn(128, 3, 12, 12), torch.randint(0, 10, (128,))

    def each() -> tuple[Tensor, Tensor]:
        mixed = stored.clone()
        other = torch.randperm(128).tolist()
        for at, from_ in enumerate(other):
            top, left = random.randrange(6), random.randrange(6)
            mixed[at, :, top : top + 6, left : left + 6] = stored[from_, :, top : top + 6, left : left + 6]
        return mixed, labels

    def together() -> tuple[Tensor, Tensor]:
        mixed = stored.clone()
        top, left = random.randrange(6), random.randrange(6)
        piece = (slice(None), slice(None), slice(top, top + 6), slice(left, left + 6))
        mixed[piece] = stored[torch.randperm(128)][piece]
        return mixed, labels

    return fit(strided_convnet(), each), fit(strided_convnet(), together)


def _suppressed(boxes: Tensor, scores: Tensor) -> list[int]:
    """Boxes that no better one overlaps."""
    order, kept = scores.argsort(descending=True).tolist(), []
    while order:
        best = order.pop(0)
        kept.append(best)
        rest = []
        for other in order:
            low = torch.maximum(boxes[best, :2], boxes[other, :2])
            high = torch.minimum(boxes[best, 2:], boxes[other, 2:])
            inside = (high - low).clamp(min=0).prod()
            if inside < 0.2:
                rest.append(other)
        order = rest
    return kept


@scenario(
    "boxes suppressed pair by pair; fixed: by one matrix of overlaps",
    "operator-loop",
    "host-synchronisation",
    "python-work",
)
def suppressed_pair_by_pair() -> Pair:
    def matrix(boxes: Tensor, scores: Tensor) -> Tensor:
        boxes = boxes[scores.argsort(descending=True)]
        low = torch.maximum(boxes[:, None, :2], boxes[None, :, :2])
        high = torch.minimum(boxes[:, None, 2:], boxes[None, :, 2:])
        inside = (high - low).clamp(min=0).prod(2).triu(1)
        return (inside < 0.2).all(0).nonzero()

    def program(pairs: bool) -> Step:
        def after(net: nn.Module, loss: Tensor, out: Tensor, y: Tensor) -> None:
            corner = torch.rand(24, 2)
            boxes, scores = torch.cat([corner, corner + 0.3], 1), torch.rand(24)
            (_suppressed if pairs else matrix)(boxes, scores)

        return fit(convnet(16, 2), images(12, 26), after=after)

    return program(True), program(False)


@scenario("a batch of validation in every step; fixed: never in the step", "extra-forward")
def validated_each_step() -> Pair:
    held = images(16, 24)()

    def validated(net: nn.Module, *_: Tensor) -> None:
        net.eval()
        with torch.no_grad():
            F.cross_entropy(net(held[0]), held[1])
        net.train()

    return fit(convnet(20, 3), images(16, 24), after=validated), fit(convnet(20, 3), images(16, 24))


@scenario("outputs written as CSV in every step; fixed: not written", "python-work", "object-conversion", "file-io")
def written_as_csv() -> Pair:
    def written(net: nn.Module, loss: Tensor, out: Tensor, y: Tensor) -> None:
        writer = csv.writer(io.StringIO())
        writer.writerows(out.detach().flatten(0, -2).tolist())

    slow = fit(residual_mlp(40, 160, 5, 12), vectors(256, 40, 12), after=written)
    return slow, fit(residual_mlp(40, 160, 5, 12), vectors(256, 40, 12))


@scenario("records copied in depth at each access; fixed: given as they are", "deep-copy", "data-loading")
def records_copied() -> Pair:
    records = [
        {"numbers": torch.randn(13), "ids": torch.randint(0, 500, (8,)), "seen": [random.random() for _ in range(40)]}
        for _ in range(512)
    ]

    def program(copies: bool) -> Step:
        def sample(number: int) -> tuple[Tensor, Tensor, float]:
            record = records[number % 512]
            record = copy.deepcopy(record) if copies else record
            return record["numbers"], record["ids"], float(number % 2)

        batches = loaded(sample, 64)

        def batch() -> tuple[tuple[Tensor, Tensor], Tensor]:
            numbers, ids, label = batches()
            return (numbers, ids), label.float()

        return fit(Recommender(8), batch, F.binary_cross_entropy_with_logits)

    return program(True), program(False)


@scenario("outputs clustered by NumPy in every step; fixed: not clustered", "python-work", "host-round-trip")
def clustered_each_step() -> Pair:
    def clustered(net: nn.Module, loss: Tensor, out: Tensor, y: Tensor) -> None:
        points = out.detach().numpy()
        centres = points[:8].copy()
        for _ in range(10):
            nearest = ((points[:, None] - centres[None]) ** 2).sum(2).argmin(1)
            for one in range(8):
                if (nearest == one).any():
                    centres[one] = points[nearest == one].mean(0)

    slow = fit(residual_mlp(64, 192, 5, 16), vectors(192, 64, 16), after=clustered)
    return slow, fit(residual_mlp(64, 192, 5, 16), vectors(192, 64, 16))


@scenario("paths of labels summed label by label; fixed: of all labels at once", "operator-loop", "unrolled-loop")
def paths_label_by_label() -> Pair:
    moves = nn.Parameter(torch.randn(6, 6))

    def each(scores: Tensor) -> Tensor:
        total = scores[:, 0]
        for at in range(1, scores.shape[1]):
            new = [torch.logsumexp(total + moves[:, label], 1) + scores[:, at, label] for label in range(6)]
            total = torch.stack(new, 1)
        return total.logsumexp(1).mean()

    def together(scores: Tensor) -> Tensor:
        total = scores[:, 0]
        for at in range(1, scores.shape[1]):
            total = torch.logsumexp(total[:, :, None] + moves, 1) + scores[:, at]
        return total.logsumexp(1).mean()

    def program(of: bool) -> Step:
        def loss(out: Tensor, y: Tensor) -> Tensor:
            return (each if of else together)(out[..., :6])

        return fit(Transformer(300, 64, 2), tokens(8, 16, 300), loss)

    return program(True), program(False)


@scenario("overlaps of n-grams counted in Python in every step; fixed: not counted", "python-work", "host-round-trip")
def overlaps_of_words() -> Pair:
    def overlap(made: list[int], wanted: list[int]) -> float:
        total = 0.0
        for length in range(1, 5):
            grams = (Counter(zip(*(one[at:] for at in range(length)), strict=False)) for one in (made, wanted))
            mine, theirs = grams
            total += math.log((sum((mine & theirs).values()) + 1) / (len(made) - length + 2))
        return math.exp(total / 4)

    def counted(net: nn.Module, loss: Tensor, out: Tensor, y: Tensor) -> None:
        pairs = zip(out.detach().argmax(-1).tolist(), y.tolist(), strict=True)
        sum(overlap(made, wanted) for made, wanted in pairs)

    slow = fit(Transformer(200, 48, 2), tokens(24, 40, 200), token_loss, after=counted)
    return slow, fit(Transformer(200, 48, 2), tokens(24, 40, 200), token_loss)


class _Adversaries:
    """A generator of vectors, and what tells them from real ones."""

    def __init__(self, again: bool) -> None:
        self.again = again
        self.maker, self.judge = residual_mlp(32, 256, 8, 64), residual_mlp(64, 64, 2, 1)
        self.of_maker, self.of_judge = adamw(self.maker), adamw(self.judge)

    def step(self) -> None:
        noise, real = torch.randn(96, 32), torch.randn(96, 64)
        made = self.maker(noise)
        for_judge = self.maker(noise).detach() if self.again else made.detach()
        told = F.softplus(-self.judge(real)).mean() + F.softplus(self.judge(for_judge)).mean()
        self.of_judge.zero_grad()
        told.backward()
        self.of_judge.step()
        self.of_maker.zero_grad()
        F.softplus(-self.judge(made)).mean().backward()
        self.of_maker.step()


@scenario("samples generated twice; fixed: once, detached for the other loss", "extra-forward")
def generated_twice() -> Pair:
    return _Adversaries(True).step, _Adversaries(False).step


@scenario("second derivatives by two calls for each dimension; fixed: by one differing step", "repeated-backward")
def second_derivatives_one_by_one() -> Pair:
    def program(each: bool) -> Step:
        net = nn.Sequential(nn.Linear(8, 96), nn.Tanh(), nn.Linear(96, 96), nn.Tanh(), nn.Linear(96, 1))
        optimizer = adamw(net)

        def train_step() -> None:
            x = torch.randn(192, 8, requires_grad=True)
            (first,) = torch.autograd.grad(net(x).sum(), x, create_graph=True)
            if each:
                parts = [
                    torch.autograd.grad(first[:, at].sum(), x, create_graph=True)[0][:, at : at + 1] for at in range(8)
                ]
                bent = torch.cat(parts, 1)
            else:
                along = torch.randn_like(x)
                bent = torch.autograd.grad((first * along).sum(), x, create_graph=True)[0] * along
            (bent.sum(1) ** 2).mean().backward()
            optimizer.step()
            optimizer.zero_grad()

        return train_step

    return program(True), program(False)


@scenario("components of a mixture one by one; fixed: all at once", "operator-loop")
def components_one_by_one() -> Pair:
    def each(out: Tensor, y: Tensor) -> Tensor:
        wanted = y.float()[:, None] / 5
        logs = []
        for at in range(20):
            mean, spread = out[:, 3 * at], out[:, 3 * at + 1].exp()
            logs.append(out[:, 3 * at + 2] - spread.log() - 0.5 * ((wanted[:, 0] - mean) / spread) ** 2)
        return -torch.logsumexp(torch.stack(logs, 1), 1).mean()

    def together(out: Tensor, y: Tensor) -> Tensor:
        wanted = y.float()[:, None] / 5
        mean, log, weight = out.view(-1, 20, 3).unbind(2)
        return -torch.logsumexp(weight - log - 0.5 * ((wanted - mean) / log.exp()) ** 2, 1).mean()

    slow = fit(residual_mlp(40, 160, 5, 60), vectors(96, 40), each)
    return slow, fit(residual_mlp(40, 160, 5, 60), vectors(96, 40), together)


@scenario("nearest points sorted in Python for each point; fixed: by `topk`", "python-work", "host-round-trip")
def neighbours_sorted() -> Pair:
    class Cloud(nn.Module):
        def __init__(self, lists: bool) -> None:
            super().__init__()
            self.lists = lists
            self.first, self.second, self.head = nn.Linear(3, 64), nn.Linear(64, 64), nn.Linear(64, 8)

        def nearest(self, points: Tensor) -> Tensor:
            if not self.lists:
                return torch.cdist(points, points).topk(9, largest=False).indices
            places = points.tolist()
            rows = []
            for one in places:
                far = [
                    (sum((a - b) ** 2 for a, b in zip(one, other, strict=True)), at) for at, other in enumerate(places)
                ]
                rows.append([at for _, at in sorted(far)[:9]])
            return torch.tensor(rows)

        def forward(self, clouds: Tensor) -> Tensor:
            x = torch.relu(self.first(clouds))
            found = [one[self.nearest(points)].mean(1) for one, points in zip(x, clouds, strict=True)]
            return self.head(torch.relu(self.second(torch.stack(found))).amax(1))

    def clouds() -> tuple[Tensor, Tensor]:
        return torch.randn(6, 48, 3), torch.randint(0, 8, (6,))

    return fit(Cloud(True), clouds), fit(Cloud(False), clouds)


@scenario("the optimizer's state copied in depth in every step; fixed: not copied", "deep-copy")
def optimizer_copied() -> Pair:
    def program(copies: bool) -> Step:
        net = residual_mlp(64, 128, 6, 10)
        optimizer = adamw(net)

        def after(*_: object) -> None:
            copy.deepcopy(optimizer.state_dict())

        return fit(net, vectors(64, 64), after=after if copies else None, optimizer=optimizer)

    return program(True), program(False)


@scenario("all stored images converted for each batch; fixed: those of the batch", "unused-rows")
def all_converted() -> Pair:
    stored, labels = torch.randint(0, 256, (2048, 3, 20, 20), dtype=torch.uint8), torch.randint(0, 10, (2048,))

    def program(every: bool) -> Step:
        def batch() -> tuple[Tensor, Tensor]:
            rows = torch.randint(0, 2048, (64,))
            return (stored.float() / 255)[rows] if every else stored[rows].float() / 255, labels[rows]

        return fit(strided_convnet(), batch)

    return program(True), program(False)


@scenario("a filter bank made value by value in every step; fixed: once", "python-work")
def bank_made_each_step() -> Pair:
    def bank() -> Tensor:
        edges = [700 * (10 ** (at * 2840 / 41 / 2595) - 1) / 8000 * 128 for at in range(42)]
        rows = []
        for low, middle, high in zip(edges, edges[1:], edges[2:], strict=False):
            rows.append(
                [max(0.0, min((at - low) / (middle - low), (high - at) / (high - middle))) for at in range(129)]
            )
        return torch.tensor(rows)

    kept = bank()

    def program(each: bool) -> Step:
        def batch() -> tuple[Tensor, Tensor]:
            spectra = torch.rand(32, 40, 129)
            return (spectra @ (bank() if each else kept).T).log1p(), torch.randint(0, 8, (32,))

        return fit(LastOfSequence(nn.GRU(40, 48, batch_first=True), 8), batch)

    return program(True), program(False)


@scenario("words looked up by `index` in a list; fixed: encoded once", "python-work", "data-loading")
def looked_up_by_index() -> Pair:
    words = [f"w{number}" for number in range(800)]
    texts = [[random.choice(words) for _ in range(32)] for _ in range(256)]
    encoded = [torch.tensor([int(word[1:]) for word in text]) for text in texts]

    def program(each: bool) -> Step:
        def sample(number: int) -> tuple[Tensor, int]:
            at = number % 256
            return torch.tensor([words.index(word) for word in texts[at]]) if each else encoded[at], at % 4

        return fit(TextClassifier(800), loaded(sample, 24))

    return program(True), program(False)


@scenario("images blurred row by row by NumPy at each access; fixed: the batch by a convolution", "data-loading")
def blurred_by_numpy() -> Pair:
    stored = torch.rand(256, 3, 24, 24)
    kernel = np.hanning(7) / np.hanning(7).sum()
    line = torch.tensor(kernel, dtype=torch.float32).view(1, 1, 1, 7).repeat(3, 1, 1, 1)

    def by_numpy(number: int) -> tuple[Tensor, Tensor]:
        image = stored[number % 256].numpy()
        rows = [np.convolve(row, kernel, "same") for channel in image for row in channel]
        blurred = torch.from_numpy(np.stack(rows).reshape(3, 24, 24).astype(np.float32))
        return blurred, stored[number % 256]

    def plain(number: int) -> tuple[Tensor, Tensor]:
        return stored[number % 256], stored[number % 256]

    def program(each: bool) -> Step:
        batches = loaded(by_numpy if each else plain, 12)

        def batch() -> tuple[Tensor, Tensor]:
            x, y = batches()
            return x if each else F.conv2d(x, line, padding=(0, 3), groups=3), y

        return fit(autoencoder(), batch, F.mse_loss)

    return program(True), program(False)


@scenario("segments of a signal cut by a list of slices; fixed: by one index", "operator-loop", "data-loading")
def segments_by_slices() -> Pair:
    signal, span = torch.randn(60_000), torch.arange(160)

    def program(slices: bool) -> Step:
        def batch() -> tuple[Tensor, Tensor]:
            begins = torch.randint(0, 50_000, (320,))
            if slices:
                found = torch.stack([signal[at : at + 160] for at in begins.tolist()])
            else:
                found = signal[begins[:, None] + span]
            return found[:, None], torch.randint(0, 6, (320,))

        return fit(signal_net(), batch)

    return program(True), program(False)
