"""Train a small convolutional network on images that are turned at random, and record it from within.

No GPU, no download, and a bottleneck that is planted: find it.
"""

import stepscope
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

SIZE = 32
BATCH = 32


def turned(images: torch.Tensor, angles: torch.Tensor) -> torch.Tensor:
    """Images, each turned by its angle."""
    cos, sin, zero = angles.cos(), angles.sin(), torch.zeros_like(angles)
    matrices = torch.stack([torch.stack([cos, -sin, zero], 1), torch.stack([sin, cos, zero], 1)], 1)
    places = nn.functional.affine_grid(matrices, list(images.shape), align_corners=False)
    return nn.functional.grid_sample(images, places, align_corners=False)


def one_by_one(images: torch.Tensor) -> torch.Tensor:
    """Turn image by image."""
    return torch.cat([turned(image[None], torch.rand(1)) for image in images])


def at_once(images: torch.Tensor) -> torch.Tensor:
    """Turn a batch."""
    return turned(images, torch.rand(len(images)))


def network() -> nn.Module:
    """Two convolutions and a linear layer."""
    return nn.Sequential(
        nn.Conv2d(1, 16, 3, stride=2, padding=1),
        nn.ReLU(),
        nn.Conv2d(16, 32, 3, stride=2, padding=1),
        nn.ReLU(),
        nn.Flatten(),
        nn.Linear(32 * (SIZE // 4) ** 2, 10),
    )


def main() -> None:
    """Forty steps, of which three are recorded; then what two ways to turn a batch take, and larger batches."""
    torch.manual_seed(0)
    torch.set_num_threads(1)  # steadier beside other programs
    model = network()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, foreach=True)

    def train_step(images: torch.Tensor, labels: torch.Tensor, augment=one_by_one) -> None:
        with stepscope.annotate("augment"):
            images = augment(images)
        with stepscope.annotate("train"):
            loss = nn.functional.cross_entropy(model(images), labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()

    data = TensorDataset(torch.rand(40 * BATCH, 1, SIZE, SIZE), torch.arange(40 * BATCH) % 10)
    with stepscope.profile("in_code", steps=stepscope.StopAtStep(15, 17), records=()):
        for images, labels in stepscope.steps(DataLoader(data, batch_size=BATCH)):
            train_step(images, labels)

    for augment in (one_by_one, at_once):
        time = stepscope.timed(lambda: augment(images))
        print(
            f"{augment.__name__}: {time.median_ns / 1e6:.2f} ms ({time.low_ns / 1e6:.2f} to {time.high_ns / 1e6:.2f})"
        )

    def step_of(size: int) -> None:
        train_step(torch.rand(size, 1, SIZE, SIZE), torch.arange(size) % 10, at_once)

    print(stepscope.sweep(step_of, [8, 32, 128, 512]))


if __name__ == "__main__":
    main()
