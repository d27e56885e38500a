"""Train the network of train.py with two processes on one machine: each computes on a batch of its own.

No GPU, no download, and a bottleneck that is planted: find it.
Run it: torchrun --nproc-per-node 2 train_ddp.py
"""

import time

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

SIZE = 64
BATCH = 32
STEPS = 60


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


def near_zero(model: nn.Module) -> float:
    """For the log, from histograms: the share of weights and gradients that are close to 0."""
    shares = []
    for values in ([p.detach() for p in model.parameters()], [p.grad for p in model.parameters()]):
        counts = torch.histogram(torch.cat([value.flatten() for value in values]), bins=100).hist
        shares.append(counts.max() / counts.sum())
    return float(min(shares))


def main() -> None:
    """Sixty steps; rank 0 also writes a log."""
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(rank)
    torch.set_num_threads(1)  # a core for each process
    images, labels = torch.rand(BATCH, 1, SIZE, SIZE), torch.arange(BATCH) % 10
    model = DistributedDataParallel(network())
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    begin = time.perf_counter()
    for step in range(1, STEPS + 1):
        loss = nn.functional.cross_entropy(model(images), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if rank == 0:
            share = near_zero(model)
            if step % 20 == 0:
                ms = (time.perf_counter() - begin) / 20 * 1000
                print(f"step {step}: loss {loss.item():.2f}, {share:.0%} near 0, {ms:.1f} ms a step")
                begin = time.perf_counter()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
