"""Data sets that do their work in `__getitem__`, in the training process."""

from __future__ import annotations

import math
import random
import time
import zlib
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812 - as everywhere
from torch.utils.data import DataLoader, Dataset

from yardstick.programs.models import LastOfSequence, Transformer, convnet
from yardstick.programs.registry import Pair, scenario
from yardstick.programs.training import Batch, fit, token_loss

SLEEP_S = 0.001
"""For the answer of a store."""


class Samples(Dataset[Any]):
    """As many samples as a loader asks for."""

    def __init__(self, sample: Callable[[int], Any]) -> None:
        self.sample = sample

    def __len__(self) -> int:
        return 1 << 20

    def __getitem__(self, number: int) -> Any:
        return self.sample(number)


def loaded(sample: Callable[[int], Any], size: int) -> Batch:
    """Batches of a loader without workers."""
    batches = iter(DataLoader(Samples(sample), batch_size=size))
    return lambda: next(batches)


@scenario("a wait for each sample in the data set; fixed: no wait", "data-loading", "sleep")
def dataset_sleep() -> Pair:
    ids = torch.randint(0, 400, (512, 33))

    def near(number: int) -> tuple[Tensor, Tensor]:
        row = ids[number % 512]
        return row[:-1], row[1:]

    def far(number: int) -> tuple[Tensor, Tensor]:
        time.sleep(SLEEP_S)
        return near(number)

    slow = fit(Transformer(depth=2), loaded(far, 8), token_loss)
    return slow, fit(Transformer(depth=2), loaded(near, 8), token_loss)


@scenario("images decoded in Python at each access; fixed: once", "data-loading", "python-work")
def zlib_images() -> Pair:
    raw = [bytes(random.choices(range(40), k=32 * 96)) for _ in range(128)]
    files = [zlib.compress(b"".join(b"\1" + one[row : row + 96] for row in range(0, 3072, 96))) for one in raw]

    def decoded(data: bytes) -> Tensor:
        """Undo the filter of each line, as in PNG."""
        flat, rows = zlib.decompress(data), bytearray()
        for row in range(0, len(flat), 97):
            line = bytearray(flat[row + 1 : row + 97])
            for column in range(3, 96):
                line[column] = (line[column] + line[column - 3]) & 255
            rows += line
        return torch.frombuffer(rows, dtype=torch.uint8).view(32, 32, 3).permute(2, 0, 1).float() / 255

    ready = [decoded(data) for data in files]
    slow = fit(convnet(), loaded(lambda number: (decoded(files[number % 128]), number % 10), 16))
    return slow, fit(convnet(), loaded(lambda number: (ready[number % 128], number % 10), 16))


@scenario("features of a time series computed in Python at each access; fixed: once", "data-loading", "python-work")
def window_features() -> Pair:
    series = [math.sin(second / 9) + random.random() for second in range(3000)]

    def features(start: int) -> tuple[Tensor, Tensor]:
        found = []
        for end in range(start + 16, start + 48):
            window = series[end - 16 : end]
            mean = sum(window) / 16
            spread = math.sqrt(sum((value - mean) ** 2 for value in window) / 16)
            found.append([window[-1], mean, max(window), min(window), spread, window[-1] - window[0]])
        return torch.tensor(found), torch.tensor([series[start + 48]])

    ready = [features(start) for start in range(1024)]

    def model() -> nn.Module:
        return LastOfSequence(nn.GRU(6, 64, batch_first=True), 1)

    slow = fit(model(), loaded(lambda number: features(number % 1024), 32), F.mse_loss)
    return slow, fit(model(), loaded(lambda number: ready[number % 1024], 32), F.mse_loss)
