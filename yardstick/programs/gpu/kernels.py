"""Kernels that take longer than those of another program with the same result."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812 - as everywhere
from torch.utils.checkpoint import checkpoint

from yardstick.programs.gpu.models import language_model, text, train, train_language_model
from yardstick.programs.models import Transformer, by_hand, fused, residual_mlp
from yardstick.programs.registry import Pair, Step, scenario
from yardstick.programs.training import fit, token_loss, tokens, vectors


class Gated(nn.Module):
    """A block of a gated MLP behind an RMS norm."""

    def __init__(self, width: int, single: bool) -> None:
        super().__init__()
        self.gain, self.single = nn.Parameter(torch.ones(width)), single
        self.up, self.gate = (nn.Linear(width, 2 * width, bias=False) for _ in range(2))
        self.down = nn.Linear(2 * width, width, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        y = self._by_hand(x) if self.single else F.rms_norm(x, x.shape[-1:], self.gain, 1e-6)
        return x + self.down(F.silu(self.gate(y)) * self.up(y))

    def _by_hand(self, x: Tensor) -> Tensor:
        wide = x.float()
        normal = wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + 1e-6)
        return (normal * self.gain.float()).type_as(x)


@scenario("RMS norms in single operators; fixed: `rms_norm`", "unfused-elementwise")
def norms_by_hand() -> Pair:
    def program(single: bool) -> Step:
        net = nn.Sequential(*(Gated(1024, single) for _ in range(10)), nn.Linear(1024, 256))
        return train(net, vectors(16_384, 1024, 256))

    return program(True), program(False)


@scenario("attention in single operators over long sequences; fixed: fused", "unfused-attention")
def attention_in_parts() -> Pair:
    def program(attention: object) -> Step:
        net = Transformer(8192, 512, 4, 8, by_hand if attention is by_hand else fused)
        return train(net, tokens(4, 1536, 8192), token_loss)

    return program(by_hand), program(fused)


@scenario("GEMMs of float32 without tensor cores; fixed: TF32", "no-tensor-cores")
def float32_products() -> Pair:
    def program(allowed: bool) -> Step:
        inner = fit(residual_mlp(512, 2048, 4, 1000), vectors(2048, 512, 1000))

        def train_step() -> None:
            torch.backends.cuda.matmul.allow_tf32 = allowed
            inner()

        return train_step

    return program(False), program(True)


@scenario("some layers in float64; fixed: float32", "double-precision")
def float64_layers() -> Pair:
    class Wide(nn.Module):
        """A head wider than what it stands on."""

        def __init__(self, kind: torch.dtype) -> None:
            super().__init__()
            self.bottom = residual_mlp(256, 1024, 3, 1024)
            self.head = nn.Sequential(nn.Linear(1024, 2048), nn.Tanh(), nn.Linear(2048, 1000)).to(kind)
            self.kind = kind

        def forward(self, x: Tensor) -> Tensor:
            return self.head(self.bottom(x).to(self.kind))

    slow, fixed = (fit(Wide(kind), vectors(2048, 256, 1000)) for kind in (torch.float64, torch.float32))
    return slow, fixed


@scenario("a loss of one-hot targets in single operators; fixed: `cross_entropy`", "unfused-elementwise")
def one_hot_loss() -> Pair:
    def by_one_hot(out: Tensor, y: Tensor) -> Tensor:
        logs = torch.log(torch.softmax(out.float(), -1) + 1e-9)
        return -(F.one_hot(y, out.shape[-1]).float() * logs).sum(-1).mean()

    slow = train(language_model(depth=3), text(), by_one_hot)
    return slow, train(language_model(depth=3), text(), token_loss)


@scenario("layers 2,047 wide; fixed: 2,048", "misaligned-matmul")
def odd_width() -> Pair:
    slow, fixed = (train(residual_mlp(512, width, 5, 512), vectors(8192, 512, 512)) for width in (2047, 2048))
    return slow, fixed


@scenario("activation checkpointing of every block; fixed: of none", "recomputation")
def checkpointed_blocks() -> Pair:
    class Recomputed(nn.Module):
        """A language model that keeps the inputs of its blocks alone."""

        def __init__(self) -> None:
            super().__init__()
            self.inner = language_model()

        def forward(self, ids: Tensor) -> Tensor:
            x = self.inner.embed(ids)
            for layer in self.inner.layers:
                x = checkpoint(layer, x, use_reentrant=False)
            return self.inner.head(x)

    return train_language_model(Recomputed()), train_language_model()


@scenario("a second forward pass for the accuracy; fixed: the outputs of the first", "extra-forward")
def outputs_computed_twice() -> Pair:
    right = torch.zeros((), dtype=torch.int64)

    def again(net: nn.Module, loss: Tensor, out: Tensor, y: Tensor) -> None:
        right.add_((net(y.roll(1, 1)).argmax(-1) == y).sum())

    def of_first(net: nn.Module, loss: Tensor, out: Tensor, y: Tensor) -> None:
        right.add_((out.detach().argmax(-1) == y).sum())

    return train_language_model(after=again), train_language_model(after=of_first)
