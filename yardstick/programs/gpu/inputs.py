"""The GPU waits for its input."""

from __future__ import annotations

import re
import zlib
from typing import Any

import torch
from torch import Tensor
from torch.utils.data import DataLoader, Dataset

from yardstick.programs.gpu.models import language_model, resnet, train
from yardstick.programs.registry import Pair, Step, scenario
from yardstick.programs.training import Batch, device, token_loss

SIZE = 128


class Packed(Dataset[Any]):
    """Compressed images, decompressed and cropped at each access."""

    def __init__(self) -> None:
        noise = torch.randint(0, 64, (64, 3, SIZE + 16, SIZE + 16), dtype=torch.uint8, device="cpu")
        self.images = [zlib.compress(each.numpy().tobytes()) for each in noise]

    def __len__(self) -> int:
        return 1 << 20

    def __getitem__(self, number: int) -> tuple[Tensor, int]:
        flat = torch.frombuffer(bytearray(zlib.decompress(self.images[number % 64])), dtype=torch.uint8)
        image = flat.view(3, SIZE + 16, SIZE + 16)[:, 8:-8, 8:-8].float()
        return (image - image.mean()) / (image.std() + 1e-3), number % 100


def _loaded(workers: int) -> Batch:
    target = device()
    with torch.device("cpu"):
        loader = DataLoader(
            Packed(), 64, num_workers=workers, pin_memory=target.type == "cuda", persistent_workers=workers > 0,
            generator=torch.Generator("cpu"), multiprocessing_context="fork" if workers else None,
        )  # fmt: skip
        batches = iter(loader)

    def batch() -> tuple[Tensor, Tensor]:
        with torch.device("cpu"):
            x, y = next(batches)
        return x.to(target, non_blocking=True), y.to(target, non_blocking=True)

    return batch


@scenario("images decompressed in the training process; fixed: by ten workers", "data-loading")
def no_workers() -> Pair:
    return train(resnet(), _loaded(0)), train(resnet(), _loaded(10))


@scenario("two workers for what needs ten; fixed: ten", "data-loading")
def few_workers() -> Pair:
    return train(resnet(), _loaded(2)), train(resnet(), _loaded(10))


@scenario("texts tokenised in the step; fixed: beforehand", "python-work", "object-conversion")
def tokenised_in_step() -> Pair:
    words = " ".join(f"word{each % 977} of, line{each % 31};" for each in range(640))
    texts = [f"{words} {number}" for number in range(24)]
    pattern = re.compile(r"\w+|[^\w\s]")

    def ids() -> list[list[int]]:
        return [[hash(word) % 8192 for word in pattern.findall(each)][:385] for each in texts]

    ready = torch.tensor(ids())

    def program(each_step: bool) -> Step:
        def batch() -> tuple[Tensor, Tensor]:
            found = torch.tensor(ids()) if each_step else ready
            return found[:, :-1], found[:, 1:]

        return train(language_model(depth=4), batch, token_loss)

    return program(True), program(False)
