"""Copies between host and GPU, and from one layout on the GPU into another."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from yardstick.programs.gpu.models import language_model, resnet, text, train, train_language_model
from yardstick.programs.models import fused
from yardstick.programs.registry import Pair, Step, scenario
from yardstick.programs.training import Batch, device, images, token_loss

FEATURES, ROWS = 16_384, 1_024


def _net() -> nn.Sequential:
    return nn.Sequential(nn.Linear(FEATURES, 1024), nn.ReLU(), nn.Linear(1024, 1024), nn.ReLU(), nn.Linear(1024, 100))


@scenario("batches of pageable memory copied in the step; fixed: pinned, a batch ahead", "pageable-copies")
def pageable_features() -> Pair:
    source = [torch.randn(ROWS, FEATURES, device="cpu") for _ in range(4)]
    target = torch.randint(0, 100, (ROWS,))
    gpu, taken = device(), [0]

    def pageable() -> tuple[Tensor, Tensor]:
        taken[0] += 1
        return source[taken[0] % 4].to(gpu), target

    return train(_net(), pageable), train(_net(), _ahead(source, target))


def _ahead(source: list[Tensor], target: Tensor) -> Batch:
    """The next batch is copied on a stream of its own while this one is trained with."""
    gpu, taken = device(), [0]
    if gpu.type != "cuda":
        return lambda: (source[0], target)
    pinned, stream = [each.pin_memory() for each in source], torch.cuda.Stream()
    coming: list[Tensor] = []

    def batch() -> tuple[Tensor, Tensor]:
        torch.cuda.current_stream().wait_stream(stream)
        now = coming.pop() if coming else pinned[0].to(gpu)
        now.record_stream(torch.cuda.current_stream())
        taken[0] += 1
        with torch.cuda.stream(stream):
            coming.append(pinned[taken[0] % 4].to(gpu, non_blocking=True))
        return now, target

    return batch


@scenario(
    "a mask made on the host and copied in every layer; fixed: `is_causal`",
    *("cpu-tensors", "pageable-copies"),
)
def masks_from_host() -> Pair:
    def masked(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None) -> Tensor:
        causal = torch.ones(q.shape[-2], k.shape[-2], dtype=torch.bool, device="cpu").tril().to(q.device)
        return nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=causal)

    slow = train_language_model(language_model(masked))
    return slow, train_language_model(language_model(fused))


@scenario("a tensor made from each number of a list; fixed: one from the list", "small-copies", "operator-loop")
def scalar_tensors() -> Pair:
    weights = [1.0 + each / 400 for each in range(400)]

    def batch(one_by_one: bool) -> Batch:
        take = text(4, 400)

        def weighted() -> tuple[Tensor, Tensor]:
            if one_by_one:
                scale = torch.stack([torch.tensor(each, device=device()) for each in weights])
            else:
                scale = torch.tensor(weights, device=device())
            ids, y = take()
            return ids, (y * scale.round().long()).clamp(max=8191)

        return weighted

    nets = (language_model(depth=4), language_model(depth=4))
    return train(nets[0], batch(True), token_loss), train(nets[1], batch(False), token_loss)


class Block(nn.Module):
    """A ConvNeXt block, channels last where it can be, or copied to and fro."""

    def __init__(self, channels: int, copies: bool) -> None:
        super().__init__()
        self.spatial = nn.Conv2d(channels, channels, 3, padding=1, groups=8)
        self.norm = nn.LayerNorm(channels)
        self.up, self.down, self.copies = nn.Linear(channels, 2 * channels), nn.Linear(2 * channels, channels), copies

    def forward(self, x: Tensor) -> Tensor:
        y = self.spatial(x).permute(0, 2, 3, 1)
        y = self.norm(y.contiguous() if self.copies else y)
        y = self.down(nn.functional.gelu(self.up(y))).permute(0, 3, 1, 2)
        return x + (y.contiguous().clone() if self.copies else y)


@scenario(
    "needless copies between layouts in every block; fixed: channels last", "contiguous-copies", "layout-conversions"
)
def layouts_copied() -> Pair:
    def program(copies: bool) -> Step:
        layers = (nn.Conv2d(3, 256, 4, 4), *(Block(256, copies) for _ in range(6)))
        net = nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(256, 100))
        take, kind = images(32, 128, 100), torch.contiguous_format if copies else torch.channels_last

        def batch() -> tuple[Tensor, Tensor]:
            x, y = take()
            return x.to(memory_format=kind), y

        return train(net.to(memory_format=kind), batch)

    return program(True), program(False)


@scenario(
    "weights copied to the host in every step; fixed: not copied", "checkpoint", "pageable-copies", "small-copies"
)
def weights_to_host() -> Pair:
    kept: dict[str, Tensor] = {}

    def save(net: nn.Module, *_: Tensor) -> None:
        kept.update({name: value.cpu() for name, value in net.state_dict().items()})

    slow = train(resnet(), images(64, 128, 100), after=save)
    return slow, train(resnet(), images(64, 128, 100))


@scenario("float32 images normalised on the host and sent; fixed: bytes sent, normalised on the GPU", "cpu-tensors")
def normalised_on_host() -> Pair:
    raw = torch.randint(0, 256, (96, 3, 160, 160), dtype=torch.uint8, device="cpu")
    gpu, y = device(), torch.randint(0, 100, (96,))

    def on_host() -> tuple[Tensor, Tensor]:
        return ((raw.float() / 255 - 0.45) / 0.22).to(gpu), y

    def on_gpu() -> tuple[Tensor, Tensor]:
        return (raw.to(gpu).float() / 255 - 0.45) / 0.22, y

    return train(resnet(), on_host), train(resnet(), on_gpu)
