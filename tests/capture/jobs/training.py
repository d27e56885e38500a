"""Programs that train on a CPU with torch, each a function that is named on the command line. None knows stepscope."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

STEPS = 45
BATCH = 4


def made_model() -> nn.Module:
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 2))


def batches(count: int = STEPS) -> TensorDataset:
    generator = torch.Generator().manual_seed(1)
    return TensorDataset(torch.randn(count * BATCH, 8, generator=generator), torch.arange(count * BATCH) % 2)


def loader(count: int = STEPS, **options) -> DataLoader:
    return DataLoader(batches(count), BATCH, **options)


def train(data, at=None, accumulate: int = 1, model=None) -> float:
    """Train on some batches; ``at`` is called with the number of each step before its optimizer steps."""
    model = model or made_model()
    optimizer = torch.optim.AdamW(model.parameters())
    total, step = 0.0, 0
    for number, (x, y) in enumerate(data):
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        total += loss.item()
        if number % accumulate == accumulate - 1:
            if at is not None:
                at(step)
            optimizer.step()
            optimizer.zero_grad()
            step += 1
    return total


def plain() -> None:
    print(f"{train(loader()):.6f}")


def accumulation() -> None:
    print(f"{train(loader(4 * STEPS), accumulate=4):.6f}")


def listed() -> None:
    print(f"{train(list(loader())):.6f}")


def forked_workers() -> None:
    print(f"{train(loader(num_workers=2, multiprocessing_context='fork')):.6f}")


def spawned_workers() -> None:
    print(f"{train(loader(num_workers=2, multiprocessing_context='spawn')):.6f}")


def forks_within() -> None:
    """Starts processes of all kinds in every recorded step."""
    import multiprocessing
    import subprocess

    def at(step: int) -> None:
        if 23 <= step <= 25:
            child = multiprocessing.get_context("fork").Process(target=len, args=([],))
            child.start()
            child.join()
            subprocess.run([sys.executable, "-c", "print('child', flush=True)"], check=True)

    print(f"{train(loader(), at):.6f}")


def gan() -> None:
    model, other = made_model(), nn.Linear(2, 8)
    first, second = torch.optim.SGD(model.parameters(), 0.1), torch.optim.Adam(other.parameters())
    for number, (x, _) in enumerate(loader(2 * STEPS)):
        model(other(model(x))).sum().backward()
        first.step()
        if number % 2:
            other(model(x)).sum().backward()
            second.step()


def per_parameter() -> None:
    """An optimizer for each parameter, stepped while backward runs."""
    model = made_model()
    optimizers = {one: torch.optim.SGD([one], 0.01) for one in model.parameters()}
    for one in model.parameters():
        one.register_post_accumulate_grad_hook(lambda grad: optimizers[grad].step())
    for x, y in loader():
        nn.functional.cross_entropy(model(x), y).backward()


def scaled() -> None:
    """A GradScaler that skips three steps."""
    model = made_model()
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    scaler = torch.amp.GradScaler("cpu", init_scale=4.0)
    for number, (x, y) in enumerate(loader()):
        loss = nn.functional.cross_entropy(model(x), y)
        if number < 3:
            loss = loss * float("inf")
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad()


def compiled() -> None:
    torch.compiler.reset()
    model = torch.compile(made_model(), backend="aot_eager", fullgraph=True)
    print(f"{train(loader(), model=model):.6f}")
    print(torch._dynamo.utils.counters["stats"]["unique_graphs"])


def compiled_step() -> None:
    """The optimizer step is compiled."""
    model = made_model()
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    step = torch.compile(optimizer.step, backend="aot_eager")
    for x, y in loader():
        nn.functional.cross_entropy(model(x), y).backward()
        step()
    print("done")


def foreign_profiler() -> None:
    """Profiles itself, from the middle of what stepscope would record."""
    from torch.profiler import profile

    state = {}

    def at(step: int) -> None:
        if step == 25:
            state["profiler"] = profile()
            state["profiler"].start()
        if step == 30:
            state["profiler"].stop()
            print(sum(event.name == "aten::addmm" for event in state["profiler"].events()))

    print(f"{train(loader(), at):.6f}")


def profiled_all_along() -> None:
    from torch.profiler import profile, schedule

    kept = []
    with profile(schedule=schedule(wait=1, warmup=1, active=2, repeat=1), on_trace_ready=kept.append) as profiler:
        train(loader(), lambda _: profiler.step())
    print(len(kept))


def raises() -> None:
    def at(step: int) -> None:
        if step == 26:
            raise RuntimeError("as planned")

    train(loader(), at)


def exits() -> None:
    train(loader(), lambda step: sys.exit(5) if step == 26 else None)


def leaves() -> None:
    train(loader(), lambda step: os._exit(7) if step == 26 else None)


def signalled() -> None:
    """Ends by the signal that the environment names."""
    number = getattr(signal, os.environ["JOB_SIGNAL"])
    train(loader(), lambda step: os.kill(os.getpid(), number) if step == 26 else None)


def killed_behind() -> None:
    """Is killed when the window is closed and its file not finished."""

    def at(step: int) -> None:
        if step == 33:
            time.sleep(0.5)
            os.kill(os.getpid(), signal.SIGKILL)

    train(loader(), at)


def ignores_term() -> None:
    """Has its own idea of SIGTERM."""
    signal.signal(signal.SIGTERM, lambda *_: print("mine"))
    train(loader(), lambda step: os.kill(os.getpid(), signal.SIGTERM) if step == 26 else None)


def inference() -> None:
    model = made_model()
    with torch.no_grad():
        print(f"{sum(model(x).sum().item() for x, _ in loader()):.6f}")


def forwards() -> None:
    model = made_model()
    with torch.no_grad():
        for _ in range(STEPS):
            model(torch.ones(1, 8))


def served() -> None:
    """Three threads that serve a model: no step at all."""
    model, until = made_model(), time.monotonic() + 2.5

    def serve() -> None:
        with torch.no_grad():
            while time.monotonic() < until:
                model(torch.ones(1, 8))
                time.sleep(0.005)

    threads = [threading.Thread(target=serve) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def in_thread() -> None:
    thread = threading.Thread(target=plain)
    thread.start()
    thread.join()


def marked() -> None:
    """Steps that only a range tells."""
    model = made_model()
    for _ in range(STEPS):
        with torch.profiler.record_function("turn"):
            model(torch.ones(1, 8))


def short() -> None:
    train(loader(12))


def without_torch_use() -> None:
    print("nothing")


def slow() -> None:
    """Goes on until it was asked for a window and one is there."""
    until, folder = time.monotonic() + 60, os.environ["JOB_OUT"]
    print(os.getpid(), flush=True)

    def at(step: int) -> None:
        time.sleep(0.002)
        if time.monotonic() > until or any(name.endswith(".json.gz") for name in os.listdir(folder)):
            sys.exit(0)

    train(loader(100_000), at)


def distributed() -> None:
    """Two ranks with DDP; ``JOB_FAIL`` has rank 1 raise or be killed."""
    import torch.distributed as dist

    dist.init_process_group("gloo")
    model = nn.parallel.DistributedDataParallel(made_model())
    fail = os.environ.get("JOB_FAIL", "")

    def at(step: int) -> None:
        if step == 26 and dist.get_rank() == 1 and fail == "raise":
            raise RuntimeError("as planned")
        if step == 26 and dist.get_rank() == 1 and fail == "kill":
            os.kill(os.getpid(), signal.SIGKILL)

    train(loader(), at, model=model)
    dist.barrier()  # without it profiled gloo ranks may abort as they end, with torch's profiler alone as well
    dist.destroy_process_group()


if __name__ == "__main__":
    globals()[sys.argv[1]]()
