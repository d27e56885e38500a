"""What is reported of a step, in the step: statistics, text, logging, waiting."""

from __future__ import annotations

import io
import logging
import time

import torch
from torch import Tensor, nn

from yardstick.programs.models import LastOfSequence, Transformer, convnet, residual_mlp
from yardstick.programs.registry import Pair, scenario
from yardstick.programs.training import fit, images, token_loss, tokens, vectors

SLEEP_S = 0.005
"""For another process."""


@scenario(
    "five statistics of every parameter by `.item()`; fixed: one norm of all",
    "gradient-norms",
    "parameter-loop",
    "operator-loop",
)
def param_stats() -> Pair:
    board: dict[str, list[float]] = {}

    def each(net: nn.Module, *_: Tensor) -> None:
        for name, parameter in net.named_parameters():
            grad = parameter.grad
            assert grad is not None
            norms = grad.norm().item(), parameter.norm().item(), grad.abs().max().item()
            board[name] = [*norms, grad.mean().item(), grad.std().item()]

    def total(net: nn.Module, *_: Tensor) -> None:
        norms = torch._foreach_norm([parameter.grad for parameter in net.parameters() if parameter.grad is not None])
        board["all"] = [torch.stack(norms).norm().item()]

    slow = fit(residual_mlp(64, 64, 16, 10), vectors(64, 64), after=each)
    return slow, fit(residual_mlp(64, 64, 16, 10), vectors(64, 64), after=total)


@scenario("tensors written out as text; fixed: the loss as a number", "tensor-printing", "logging")
def logits_to_string() -> Pair:
    lines: list[str] = []

    def written(net: nn.Module, loss: Tensor, out: Tensor, y: Tensor) -> None:
        lines[:] = [f"loss={loss} outputs={out[:8]} targets={y}"]

    def short(net: nn.Module, loss: Tensor, out: Tensor, y: Tensor) -> None:
        lines[:] = [f"loss={loss.item():.4f}"]

    return fit(convnet(16, 2), images(10, 24), after=written), fit(convnet(16, 2), images(10, 24), after=short)


@scenario("a log record for each parameter; fixed: one for the step", "logging")
def log_records() -> Pair:
    log = logging.getLogger("stepscope.yardstick.programs")
    log.propagate = False
    log.setLevel(logging.DEBUG)
    text = io.StringIO()
    handler = logging.StreamHandler(text)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s:%(lineno)d %(message)s"))
    log.addHandler(handler)

    def each(net: nn.Module, loss: Tensor, *_: Tensor) -> None:
        text.truncate(0)
        for name, parameter in net.named_parameters():
            log.debug("%s %s %s", name, tuple(parameter.shape), parameter.requires_grad)
            log.debug("%s: loss %.4f", name, loss.item())

    def once(net: nn.Module, loss: Tensor, *_: Tensor) -> None:
        text.truncate(0)
        log.debug("loss %.4f", loss.item())

    slow = fit(Transformer(width=48, depth=4), tokens(4, 40), token_loss, after=each)
    return slow, fit(Transformer(width=48, depth=4), tokens(4, 40), token_loss, after=once)


@scenario("`time.sleep` in the step; fixed: no wait", "sleep")
def sleep_in_step() -> Pair:
    def recurrent() -> nn.Module:
        return LastOfSequence(nn.LSTM(40, 80, batch_first=True), 12)

    def batch() -> tuple[Tensor, Tensor]:
        return torch.randn(24, 64, 40), torch.randint(0, 12, (24,))

    slow = fit(recurrent(), batch, after=lambda *_: time.sleep(SLEEP_S))
    return slow, fit(recurrent(), batch)
