"""Training by the loops of other packages, two batches a step; each a function that is named on the command line."""

from __future__ import annotations

import os
import sys
import tempfile
import warnings

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

STEPS, BATCH = 45, 4
warnings.simplefilter("ignore")


def data() -> TensorDataset:
    return TensorDataset(torch.randn(2 * STEPS * BATCH, 8), torch.arange(2 * STEPS * BATCH) % 2)


def model() -> nn.Module:
    return nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 2))


def with_accelerate() -> None:
    from accelerate import Accelerator

    accelerator = Accelerator(cpu=True, gradient_accumulation_steps=2)
    network = model()
    network, optimizer, loader = accelerator.prepare(
        network, torch.optim.AdamW(network.parameters()), DataLoader(data(), BATCH)
    )
    for x, y in loader:
        with accelerator.accumulate(network):
            accelerator.backward(nn.functional.cross_entropy(network(x), y))
            optimizer.step()
            optimizer.zero_grad()


class _Classifier(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.network = model()

    def forward(self, x: torch.Tensor, labels: torch.Tensor) -> dict[str, torch.Tensor]:
        scores = self.network(x)
        return {"loss": nn.functional.cross_entropy(scores, labels), "logits": scores}


class _Rows(torch.utils.data.Dataset):
    def __len__(self) -> int:
        return 2 * STEPS * BATCH

    def __getitem__(self, at: int) -> dict[str, torch.Tensor]:
        return {"x": torch.ones(8), "labels": torch.tensor(at % 2)}


def with_transformers() -> None:
    from transformers import Trainer, TrainingArguments

    with tempfile.TemporaryDirectory() as folder:
        arguments = TrainingArguments(
            output_dir=folder,
            use_cpu=True,
            per_device_train_batch_size=BATCH,
            gradient_accumulation_steps=2,
            num_train_epochs=1,
            eval_strategy="steps",
            eval_steps=40,
            save_strategy="no",
            report_to=[],
            disable_tqdm=True,
        )
        Trainer(_Classifier(), arguments, train_dataset=_Rows(), eval_dataset=_Rows()).train()


def with_lightning() -> None:
    import lightning

    class Module(lightning.LightningModule):
        def __init__(self) -> None:
            super().__init__()
            self.network = model()

        def training_step(self, batch: list[torch.Tensor], _: int) -> torch.Tensor:
            return nn.functional.cross_entropy(self.network(batch[0]), batch[1])

        def validation_step(self, batch: list[torch.Tensor], _: int) -> None:
            self.network(batch[0])

        def configure_optimizers(self) -> torch.optim.Optimizer:
            return torch.optim.AdamW(self.parameters())

    trainer = lightning.Trainer(
        max_epochs=1,
        accelerator="cpu",
        devices=1,
        accumulate_grad_batches=2,
        logger=False,
        enable_checkpointing=False,
        enable_progress_bar=False,
        enable_model_summary=False,
    )
    trainer.fit(Module(), DataLoader(data(), BATCH), DataLoader(data(), BATCH))


if __name__ == "__main__":
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    globals()[f"with_{sys.argv[1]}"]()
