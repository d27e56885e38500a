"""Programs that record themselves with ``stepscope.profile`` and others, into the folder ``runs``."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable

import torch

import stepscope


class Net(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = torch.nn.Linear(8, 1)

    def forward(self, x: torch.Tensor, labels: torch.Tensor | None = None) -> dict[str, torch.Tensor]:
        out = self.layer(x)
        return {"loss": ((out - (0 if labels is None else labels)) ** 2).mean(), "logits": out}


def trained() -> Callable[[], None]:
    net = Net()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01)

    def step() -> None:
        with stepscope.annotate("forward"):
            loss = net(torch.randn(4, 8))["loss"]
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()

    return step


def block() -> None:
    step = trained()
    with stepscope.profile("runs"):
        for _ in stepscope.steps(range(60)):
            step()


def foreign() -> None:
    step = trained()
    with stepscope.profile("runs", steps=(3, 9)) as p:
        for number in range(15):
            step()
            if number == 4:
                with torch.profiler.profile() as own:
                    step()
                print("own", int(len(own.events()) > 0))
            p.step()


def in_backward() -> None:
    net = Net()
    with stepscope.profile("runs", preset="early") as p:
        for _ in range(12):
            loss = net(torch.randn(4, 8))["loss"]
            hook = net.layer.weight.register_hook(lambda _: p.step())
            loss.backward()
            hook.remove()
            p.step()


def compiled() -> None:
    net = torch.nn.Linear(4, 4)

    @torch.compile(backend="eager", fullgraph=True)
    @stepscope.annotate("whole")
    def forward(x: torch.Tensor) -> torch.Tensor:
        with stepscope.annotate("part"):
            return net(x).relu()

    print(tuple(forward(torch.ones(2, 4)).shape))


def ranks() -> None:
    torch.distributed.init_process_group("gloo")
    rank = torch.distributed.get_rank()
    found = stepscope.timed(lambda: time.sleep(0.002 + 0.02 * rank), barrier=True, repeat=3)
    # One line in one call: both ranks write into one pipe.
    sys.stdout.write(f"rank {rank}: slowest {found.slowest_rank} of {len(found.rank_ns)}\n")
    sys.stdout.flush()
    with stepscope.profile("runs", preset="early") as p:
        for _ in range(10):
            torch.distributed.all_reduce(torch.ones(3))
            p.step()
    # Without it gloo aborts a process now and then on a busy machine, with torch's own profiler as well.
    torch.distributed.barrier()
    torch.distributed.destroy_process_group()


def sweep() -> None:
    layer = torch.nn.Linear(64, 64)
    found = stepscope.sweep(lambda size: layer(torch.randn(size, 64)).sum().backward(), [8, 16, 1 << 50], repeat=2)
    print(json.dumps(found.dicts()))


def lightning() -> None:
    import lightning

    class Module(lightning.LightningModule):
        def __init__(self) -> None:
            super().__init__()
            self.net = Net()

        def training_step(self, batch: torch.Tensor, _: int) -> torch.Tensor:
            return self.net(batch)["loss"]

        def configure_optimizers(self) -> torch.optim.Optimizer:
            return torch.optim.SGD(self.parameters(), 0.01)

    trainer = lightning.Trainer(
        max_steps=12,
        accelerator="cpu",
        logger=False,
        enable_checkpointing=False,
        enable_progress_bar=False,
        enable_model_summary=False,
        accumulate_grad_batches=2,
        profiler=stepscope.LightningProfiler("runs", "early"),
    )
    trainer.fit(Module(), torch.utils.data.DataLoader(torch.randn(200, 8), batch_size=4))


def transformers() -> None:
    from transformers import Trainer, TrainingArguments

    data = [{"x": torch.randn(8), "labels": torch.randn(1)} for _ in range(120)]
    arguments = TrainingArguments(
        "out",
        max_steps=12,
        per_device_train_batch_size=4,
        gradient_accumulation_steps=2,
        report_to=[],
        use_cpu=True,
        disable_tqdm=True,
        save_strategy="no",
    )
    Trainer(Net(), arguments, train_dataset=data, callbacks=[stepscope.TrainerCallback("runs", "early")]).train()


def accelerate() -> None:
    from accelerate import Accelerator

    handler = stepscope.accelerate_handler("runs", "early", activities=["cpu"])
    accelerator = Accelerator(cpu=True, kwargs_handlers=[handler])
    net = Net()
    net, optimizer = accelerator.prepare(net, torch.optim.SGD(net.parameters(), 0.1))
    with accelerator.profile() as p:
        for _ in range(10):
            accelerator.backward(net(torch.randn(4, 8))["loss"])
            optimizer.step()
            p.step()


if __name__ == "__main__":
    globals()[sys.argv[1]]()
