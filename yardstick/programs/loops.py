"""Loops of small operators: over samples, time, experts, classes, neighbours."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812 - as everywhere

from yardstick.programs.models import GraphNet, LastOfSequence, strided_convnet
from yardstick.programs.registry import Pair, scenario
from yardstick.programs.training import fit, images, token_loss


class EachBy(nn.Module):
    """A model whose forward pass is a function of its parts."""

    def __init__(self, forward: Callable[..., Tensor], **parts: nn.Module) -> None:
        super().__init__()
        for name, part in parts.items():
            self.add_module(name, part)
        self.apply_parts = forward

    def forward(self, *inputs: Tensor) -> Tensor:
        return self.apply_parts(self, *inputs)


@scenario("a CNN called once for each image; fixed: for the batch", "operator-loop")
def per_image_forward() -> Pair:
    def one_by_one(self: Any, x: Tensor) -> Tensor:
        return torch.cat([self.net(image[None]) for image in x])

    slow = EachBy(one_by_one, net=strided_convnet())
    return fit(slow, images(24, 28)), fit(strided_convnet(), images(24, 28))


@scenario("an LSTM gate by gate, in a loop over time; fixed: `nn.LSTM`", "unrolled-loop", "operator-loop")
def lstm_unrolled() -> Pair:
    def gates(self: Any, x: Tensor) -> Tensor:
        hidden = cell = torch.zeros(x.shape[0], 80)
        for time in range(x.shape[1]):
            i, f, g, o = (self.inputs(x[:, time]) + self.states(hidden)).chunk(4, 1)
            cell = torch.sigmoid(f) * cell + torch.sigmoid(i) * torch.tanh(g)
            hidden = torch.sigmoid(o) * torch.tanh(cell)
        return self.head(hidden)

    def batch() -> tuple[Tensor, Tensor]:
        return torch.randn(16, 48, 40), torch.randint(0, 12, (16,))

    slow = EachBy(gates, inputs=nn.Linear(40, 320), states=nn.Linear(80, 320), head=nn.Linear(80, 12))
    return fit(slow, batch), fit(LastOfSequence(nn.LSTM(40, 80, batch_first=True), 12), batch)


class Experts(nn.Module):
    """Experts of two layers, each with inputs of its own."""

    def __init__(self, loop: bool) -> None:
        super().__init__()
        self.up = nn.Parameter(torch.randn(16, 48, 96) * 0.1)
        self.down = nn.Parameter(torch.randn(16, 96, 48) * 0.1)
        self.loop = loop

    def forward(self, x: Tensor) -> Tensor:
        if not self.loop:
            return torch.einsum("enf,efd->end", torch.relu(torch.einsum("end,edf->enf", x, self.up)), self.down)
        hidden = [torch.relu(torch.einsum("nd,df->nf", x[one], self.up[one])) for one in range(16)]
        return torch.stack([torch.einsum("nf,fd->nd", each, self.down[one]) for one, each in enumerate(hidden)])


@scenario("experts by an `einsum` each; fixed: one for all", "operator-loop")
def expert_einsum() -> Pair:
    def net(loop: bool) -> nn.Module:
        return nn.Sequential(*(Experts(loop) for _ in range(3)))

    def batch() -> tuple[Tensor, Tensor]:
        x = torch.randn(16, 48, 48)
        return x, x.flip(2)

    return fit(net(True), batch, F.mse_loss), fit(net(False), batch, F.mse_loss)


@scenario("embeddings averaged user by user; fixed: `EmbeddingBag`", "operator-loop")
def history_loop() -> Pair:
    def tower() -> nn.Module:
        return nn.Sequential(nn.Linear(48, 384), nn.ReLU(), nn.Linear(384, 384), nn.ReLU(), nn.Linear(384, 48))

    def model(loop: bool) -> nn.Module:
        def scores(self: Any, history: Tensor, target: Tensor) -> Tensor:
            if loop:
                pooled = torch.stack([F.embedding(row, self.items.weight).mean(0) for row in history])
            else:
                pooled = self.items(history)
            return self.user(pooled) @ self.item(F.embedding(target, self.items.weight)).T

        return EachBy(scores, items=nn.EmbeddingBag(3000, 48, mode="mean"), user=tower(), item=tower())

    def batch() -> tuple[tuple[Tensor, Tensor], Tensor]:
        return (torch.randint(0, 3000, (96, 20)), torch.randint(0, 3000, (96,))), torch.arange(96)

    return fit(model(True), batch), fit(model(False), batch)


@scenario("messages of a graph summed node by node; fixed: `index_add`", "operator-loop")
def neighbour_loop() -> Pair:
    source, target = torch.randint(0, 96, (720,)), torch.randint(0, 96, (720,))
    neighbours = [source[target == node] for node in range(96)]

    def by_node(x: Tensor) -> Tensor:
        return torch.stack([x[near].sum(0) for near in neighbours])

    def at_once(x: Tensor) -> Tensor:
        return torch.zeros_like(x).index_add(0, target, x[source])

    def batch() -> tuple[Tensor, Tensor]:
        return torch.randn(96, 320) * 0.1, torch.randint(0, 320, (96,))

    return fit(GraphNet(320, 3, by_node), batch), fit(GraphNet(320, 3, at_once), batch)


@scenario(
    "outputs of a loop over time appended by `cat`; fixed: `stack`, the loop stays",
    "growing-cat",
)
def cat_growing() -> Pair:
    def decoder(grow: bool) -> nn.Module:
        def outputs(self: Any, x: Tensor) -> Tensor:
            hidden, grown, listed = torch.zeros(x.shape[0], 64), torch.zeros(x.shape[0], 0, 64), []
            for time in range(x.shape[1]):
                hidden = self.cell(x[:, time], hidden)
                if grow:
                    grown = torch.cat([grown, hidden[:, None]], 1)
                else:
                    listed.append(hidden)
            return self.head(grown if grow else torch.stack(listed, 1))

        return EachBy(outputs, cell=nn.GRUCell(48, 64), head=nn.Linear(64, 10))

    def batch() -> tuple[Tensor, Tensor]:
        return torch.randn(32, 80, 48), torch.randint(0, 10, (32, 80))

    return fit(decoder(True), batch, token_loss), fit(decoder(False), batch, token_loss)


@scenario("a loss class by class; fixed: `cross_entropy` with weights", "operator-loop")
def class_masks() -> Pair:
    weights = torch.rand(32) + 0.5

    def by_class(out: Tensor, y: Tensor) -> Tensor:
        logs, total = out.log_softmax(1), torch.zeros(())
        for one in range(32):
            chosen = y == one
            total = total - weights[one] * (logs[:, one] * chosen).sum()
        return total / weights[y].sum()

    def at_once(out: Tensor, y: Tensor) -> Tensor:
        return F.cross_entropy(out, y, weights)

    return fit(strided_convnet(32), images(32, 24, 32), by_class), fit(strided_convnet(32), images(32, 24, 32), at_once)


@scenario("a confusion matrix counted value by value; fixed: `bincount`", "operator-loop")
def confusion_loop() -> Pair:
    class Tagger(nn.Module):
        """A label for each token."""

        def __init__(self) -> None:
            super().__init__()
            self.embed, self.lstm = nn.Embedding(300, 32), nn.LSTM(32, 64, batch_first=True)
            self.head = nn.Linear(64, 12)

        def forward(self, ids: Tensor) -> Tensor:
            return self.head(self.lstm(self.embed(ids))[0])

    counts = [[0] * 12 for _ in range(12)]

    def by_value(net: nn.Module, loss: Tensor, out: Tensor, y: Tensor) -> None:
        for wanted, found in zip(y.flatten(), out.argmax(2).flatten(), strict=True):
            counts[wanted.item()][found.item()] += 1

    def at_once(net: nn.Module, loss: Tensor, out: Tensor, y: Tensor) -> None:
        torch.bincount(y.flatten() * 12 + out.argmax(2).flatten(), minlength=144)

    def batch() -> tuple[Tensor, Tensor]:
        return torch.randint(0, 300, (40, 24)), torch.randint(0, 12, (40, 24))

    return fit(Tagger(), batch, token_loss, after=by_value), fit(Tagger(), batch, token_loss, after=at_once)
