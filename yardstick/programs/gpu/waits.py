"""The host waits for the GPU."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from yardstick.programs.gpu.models import PerBlock, language_model, train, train_language_model
from yardstick.programs.registry import Pair, scenario
from yardstick.programs.training import vectors


def _finished() -> None:
    if torch.cuda.is_available():
        torch.cuda.synchronize()


@scenario("the GPU waited for behind every block, to time it; fixed: not waited for", "synchronize")
def synchronised_blocks() -> Pair:
    def waited(x: Tensor) -> Tensor:
        _finished()
        return x

    slow = train_language_model(PerBlock(waited), count=4)
    return slow, train_language_model(PerBlock(lambda x: x), count=4)


@scenario(
    "tokens of each segment picked by a boolean mask; fixed: by a view",
    *("data-dependent-size", "operator-loop"),
)
def boolean_masks() -> Pair:
    segments = 8

    class Segments(nn.Module):
        """A gain and a norm for each segment of the tokens."""

        def __init__(self, masks: bool) -> None:
            super().__init__()
            self.gain, self.masks = nn.Parameter(torch.ones(segments, 1024)), masks
            self.linear = nn.Linear(1024, 1024)

        def forward(self, x: Tensor) -> Tensor:
            if not self.masks:
                return x + self.linear((x.view(segments, -1, 1024) * self.gain[:, None]).view_as(x))
            of = torch.arange(segments).repeat_interleave(len(x) // segments)
            return x + self.linear(torch.cat([x[of == one] * self.gain[one] for one in range(segments)]))

    slow, fixed = (nn.Sequential(*(Segments(masks) for _ in range(6))) for masks in (True, False))
    return train(slow, vectors(4096, 1024, 1000)), train(fixed, vectors(4096, 1024, 1000))


@scenario(
    "all logits copied to the host to count what is right; fixed: counted on the GPU",
    *("pageable-copies", "cpu-tensors", "host-synchronisation"),
)
def logits_to_host() -> Pair:
    counts = [0]
    right = torch.zeros((), dtype=torch.int64)

    def on_host(net: nn.Module, loss: Tensor, out: Tensor, y: Tensor) -> None:
        counts[0] += int((out.detach().float().cpu().argmax(-1) == y.cpu()).sum())

    def on_gpu(net: nn.Module, loss: Tensor, out: Tensor, y: Tensor) -> None:
        right.add_((out.detach().argmax(-1) == y).sum())

    slow = train_language_model(language_model(depth=4), count=4, after=on_host)
    return slow, train_language_model(language_model(depth=4), count=4, after=on_gpu)


@scenario(
    "mean and deviation of every gradient read for a log; fixed: read together, once",
    *("host-synchronisation", "gradient-norms"),
)
def gradient_statistics() -> Pair:
    seen: list[list[float]] = []

    def one_by_one(net: nn.Module, *_: Tensor) -> None:
        grads = [each.grad for each in net.parameters() if each.grad is not None]
        seen[:] = [[grad.mean().item(), grad.std().item()] for grad in grads]

    def together(net: nn.Module, *_: Tensor) -> None:
        grads = [each.grad for each in net.parameters() if each.grad is not None]
        seen[:] = [torch.stack([norm for grad in grads for norm in (grad.mean(), grad.std())]).tolist()]

    slow = train_language_model(language_model(), count=8, after=one_by_one)
    return slow, train_language_model(language_model(), count=8, after=together)


@scenario("the same program twice")
def same_program() -> Pair:
    return train_language_model(language_model(depth=4)), train_language_model(language_model(depth=4))
