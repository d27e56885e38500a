"""Work that is done twice, checked, copied or done in a wider type than is needed."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812 - as everywhere
from torch.utils.checkpoint import checkpoint

from yardstick.programs.models import GraphNet, MixerBlock, Transformer, by_hand, convnet, fused
from yardstick.programs.registry import Pair, Step, scenario
from yardstick.programs.training import adamw, fit, images, token_loss, tokens, vectors


@scenario("activation checkpointing of every block; fixed: of none", "recomputation")
def checkpoint_mixer() -> Pair:
    class Mixer(nn.Module):
        """Blocks over patches of an image."""

        def __init__(self, recompute: bool) -> None:
            super().__init__()
            self.patch, self.head = nn.Conv2d(3, 64, 4, 4), nn.Linear(64, 10)
            self.blocks = nn.ModuleList(MixerBlock() for _ in range(4))
            self.recompute = recompute

        def forward(self, x: Tensor) -> Tensor:
            x = self.patch(x).flatten(2).transpose(1, 2)
            for block in self.blocks:
                x = checkpoint(block, x, use_reentrant=False) if self.recompute else block(x)
            return self.head(x.mean(1))

    return fit(Mixer(True), images(8, 24)), fit(Mixer(False), images(8, 24))


@scenario("attention in single operators; fixed: fused", "unfused-attention")
def attention_by_hand() -> Pair:
    def program(attention: object) -> Step:
        chosen = by_hand if attention is by_hand else fused
        return fit(Transformer(depth=2, heads=8, attention=chosen), tokens(4, 128), token_loss)

    return program(by_hand), program(fused)


@scenario("a second forward pass for the accuracy; fixed: the outputs of the first", "extra-forward")
def forward_twice() -> Pair:
    def program(twice: bool) -> Step:
        net = convnet(20, 3)
        optimizer, batch, seen = adamw(net), images(8, 24), [0.0]

        def train_step() -> None:
            x, y = batch()
            out = net(x)
            F.cross_entropy(out, y).backward()
            seen[0] = ((net(x) if twice else out).argmax(1) == y).float().mean().item()
            optimizer.step()
            optimizer.zero_grad()

        return train_step

    return program(True), program(False)


@scenario("two backward passes through one graph; fixed: one of the sum", "repeated-backward")
def backward_twice() -> Pair:
    def program(twice: bool) -> Step:
        net = Transformer(depth=2)
        optimizer, batch = adamw(net), tokens(4, 48)

        def train_step() -> None:
            ids, y = batch()
            out = net(ids)
            loss, extra = token_loss(out, y), 1e-4 * out.logsumexp(-1).square().mean()
            if twice:
                loss.backward(retain_graph=True)
                extra.backward()
            else:
                (loss + extra).backward()
            optimizer.step()
            optimizer.zero_grad()

        return train_step

    return program(True), program(False)


@scenario("anomaly detection left on; fixed: off", "anomaly-detection")
def anomaly_left_on() -> Pair:
    source, target = torch.randint(0, 400, (2600,)), torch.randint(0, 400, (2600,))

    def collect(x: Tensor) -> Tensor:
        return torch.zeros_like(x).index_add(0, target, x[source])

    def batch() -> tuple[Tensor, Tensor]:
        return torch.randn(400, 48) * 0.1, torch.randint(0, 48, (400,))

    checked, plain = (fit(GraphNet(48, 5, collect), batch) for _ in range(2))

    def train_step() -> None:
        with torch.autograd.set_detect_anomaly(True):
            checked()

    return train_step, plain


@scenario("hooks that look for NaN behind every module; fixed: without", "value-checks")
def nan_hooks() -> Pair:
    def check(module: nn.Module, inputs: object, out: Tensor) -> None:
        if torch.isnan(out).any() or torch.isinf(out).any():
            raise FloatingPointError(type(module).__name__)

    checked = Transformer(width=48, depth=4)
    for module in checked.modules():
        module.register_forward_hook(check)
    return fit(checked, tokens(4, 40), token_loss), fit(Transformer(width=48, depth=4), tokens(4, 40), token_loss)


@scenario("the wide layers of a model in float64; fixed: float32", "double-precision")
def float64_head() -> Pair:
    class Wide(nn.Module):
        """A head wider than what it stands on."""

        def __init__(self, kind: torch.dtype) -> None:
            super().__init__()
            self.bottom = nn.Sequential(nn.Linear(64, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU())
            self.head = nn.Sequential(nn.Linear(256, 512), nn.Tanh(), nn.Linear(512, 800)).to(kind)
            self.kind = kind

        def forward(self, x: Tensor) -> Tensor:
            return self.head(self.bottom(x).to(self.kind))

    return fit(Wide(torch.float64), vectors(128, 64, 800)), fit(Wide(torch.float32), vectors(128, 64, 800))


@scenario("needless permuting and copying around 1x1 convolutions; fixed: `linear`", "contiguous-copies")
def layout_copies() -> Pair:
    class Stage(nn.Module):
        """A residual stage over batch, height, width, channels."""

        def __init__(self, copies: bool) -> None:
            super().__init__()
            self.linear, self.norm, self.copies = nn.Linear(48, 48), nn.LayerNorm(48), copies

        def forward(self, x: Tensor) -> Tensor:
            if not self.copies:
                return x + self.norm(self.linear(x))
            y = x.permute(0, 3, 1, 2).contiguous().clone()
            y = F.conv2d(y, self.linear.weight[:, :, None, None], self.linear.bias).contiguous()
            y = y.permute(0, 2, 3, 1).contiguous()
            return x + self.norm(y)

    def batch() -> tuple[Tensor, Tensor]:
        x = torch.randn(12, 24, 24, 48)
        return x, x.roll(1, 3)

    slow, fixed = (nn.Sequential(*(Stage(copies) for _ in range(3))) for copies in (True, False))
    return fit(slow, batch, F.mse_loss), fit(fixed, batch, F.mse_loss)
