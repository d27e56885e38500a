"""Train a small convolutional network on images that stand in text lines, as in a CSV file.

No GPU, no download, and a bottleneck that is planted: find it.
"""

import time

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

SIZE = 64
IMAGES = 640
BATCH = 32


def lines() -> list[str]:
    """Made-up images, one a line, as numbers separated by commas."""
    pixels = torch.randint(256, (IMAGES, SIZE * SIZE)).tolist()
    return [",".join(map(str, image)) for image in pixels]


def image(line: str) -> torch.Tensor:
    """The image that stands in a line."""
    pixels = [float(text) / 255 for text in line.split(",")]
    return torch.tensor(pixels).view(1, SIZE, SIZE)


class Images(Dataset):
    """The images with made-up labels."""

    def __init__(self, lines: list[str]) -> None:
        self.images = [image(line) for line in lines]  # once, not in every epoch

    def __len__(self) -> int:
        return len(self.images)

    def __getitem__(self, index: int) -> tuple[torch.Tensor, int]:
        return self.images[index], index % 10


def network() -> nn.Module:
    """Two convolutions and two linear layers."""
    return nn.Sequential(
        nn.Conv2d(1, 16, 3, stride=2, padding=1),
        nn.ReLU(),
        nn.Conv2d(16, 32, 3, stride=2, padding=1),
        nn.ReLU(),
        nn.Flatten(),
        nn.Linear(32 * (SIZE // 4) ** 2, 128),
        nn.ReLU(),
        nn.Linear(128, 10),
    )


def main() -> None:
    """Three epochs of 20 steps."""
    torch.manual_seed(0)
    torch.set_num_threads(1)  # steadier beside other programs
    loader = DataLoader(Images(lines()), batch_size=BATCH, shuffle=True)
    model = network()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for epoch in range(3):
        begin = time.perf_counter()
        for images, labels in loader:
            loss = nn.functional.cross_entropy(model(images), labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        ms = (time.perf_counter() - begin) / len(loader) * 1000
        print(f"epoch {epoch + 1}: loss {loss.item():.2f}, {ms:.1f} ms a step")


if __name__ == "__main__":
    main()
