"""Python between operators: data made by loops, tokenising, conversions, compressing."""

from __future__ import annotations

import gzip
import hashlib
import json
import math
import pickle
import random
import re
import string

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812 - as everywhere

from yardstick.programs.models import (
    Recommender,
    TextClassifier,
    Transformer,
    autoencoder,
    convnet,
    residual_mlp,
    signal_net,
)
from yardstick.programs.registry import Pair, Step, scenario
from yardstick.programs.training import adamw, fit, images, token_loss, tokens, vectors


@scenario("texts tokenised by regular expressions in the step; fixed: beforehand", "python-work", "object-conversion")
def regex_tokens() -> Pair:
    words = ["".join(random.choices(string.ascii_lowercase, k=random.randint(2, 10))) for _ in range(900)]
    texts = [" ".join(random.choices(words, k=100)) + "." for _ in range(256)]
    vocabulary = {word: number for number, word in enumerate(words, 2)}
    pattern = re.compile(r"[a-z]+|[^\w\s]")

    def encode(text: str) -> list[int]:
        plain = re.sub(r"\s+", " ", text.lower().strip())
        ids = [vocabulary.get(word, 1) for word in pattern.findall(plain)][:120]
        return ids + [0] * (120 - len(ids))

    def chosen() -> list[int]:
        return random.choices(range(256), k=32)

    ready = torch.tensor([encode(text) for text in texts])
    labels = torch.randint(0, 4, (32,))
    slow = fit(TextClassifier(1000), lambda: (torch.tensor([encode(texts[one]) for one in chosen()]), labels))
    return slow, fit(TextClassifier(1000), lambda: (ready[torch.tensor(chosen())], labels))


@scenario("an attention mask made from nested lists; fixed: by tensor operators", "python-work", "object-conversion")
def mask_from_lists() -> Pair:
    count, length = 6, 64
    causal = torch.full((length, length), -1e9).triu(1)

    def lengths() -> list[int]:
        return [random.randint(length // 2, length) for _ in range(count)]

    def nested() -> tuple[tuple[Tensor, Tensor], Tensor]:
        ids, y = tokens(count, length)()
        mask = [
            [[[0.0 if k <= q and k < end else -1e9 for k in range(length)] for q in range(length)]] for end in lengths()
        ]
        return (ids, torch.tensor(mask)), y

    def by_operators() -> tuple[tuple[Tensor, Tensor], Tensor]:
        ids, y = tokens(count, length)()
        padded = torch.where(torch.arange(length) < torch.tensor(lengths())[:, None], 0.0, -1e9)
        return (ids, causal + padded[:, None, None, :]), y

    return fit(Transformer(), nested, token_loss), fit(Transformer(), by_operators, token_loss)


@scenario("a replay batch made from lists of floats; fixed: indexing tensors", "python-work", "object-conversion")
def replay_lists() -> Pair:
    def state() -> list[float]:
        return [random.random() for _ in range(84)]

    memory = [(state(), random.randrange(6), random.random(), state()) for _ in range(1000)]
    columns = [torch.tensor(column) for column in zip(*memory, strict=True)]

    def from_lists() -> list[Tensor]:
        return [torch.tensor(column) for column in zip(*random.sample(memory, 192), strict=True)]

    def from_tensors() -> list[Tensor]:
        rows = torch.tensor(random.sample(range(1000), 192))
        return [column[rows] for column in columns]

    def learner(lists: bool) -> Step:
        net, target = residual_mlp(84, 160, 2, 6), residual_mlp(84, 160, 2, 6)
        optimizer = adamw(net)

        def learn() -> None:
            states, actions, rewards, following = from_lists() if lists else from_tensors()
            with torch.no_grad():
                goal = rewards + 0.99 * target(following).amax(1)
            F.smooth_l1_loss(net(states).gather(1, actions[:, None]).squeeze(1), goal).backward()
            optimizer.step()
            optimizer.zero_grad()

        return learn

    return learner(True), learner(False)


@scenario("records collated column by column in Python; fixed: indexing tensors", "python-work", "object-conversion")
def records_collate() -> Pair:
    numbers, fields = [f"number{i}" for i in range(13)], [f"field{i}" for i in range(20)]
    rows = [
        {name: random.random() for name in numbers} | {name: random.randrange(500) for name in fields}
        for _ in range(2048)
    ]
    for row in rows:
        row["label"] = float(random.random() < 0.3)

    def collated(batch: list[dict[str, float]]) -> tuple[tuple[Tensor, Tensor], Tensor]:
        columns = {name: [row[name] for row in batch] for name in sorted(batch[0])}
        logs = [torch.tensor([math.log1p(value) for value in columns[name]]) for name in numbers]
        ids = [torch.tensor([int(value) for value in columns[name]]) for name in fields]
        return (torch.stack(logs, 1), torch.stack(ids, 1)), torch.tensor(columns["label"])

    (logs, ids), labels = collated(rows)

    def in_python() -> tuple[tuple[Tensor, Tensor], Tensor]:
        return collated(random.sample(rows, 256))

    def indexed() -> tuple[tuple[Tensor, Tensor], Tensor]:
        chosen = torch.randint(0, 2048, (256,))
        return (logs[chosen], ids[chosen]), labels[chosen]

    loss = F.binary_cross_entropy_with_logits
    return fit(Recommender(20), in_python, loss), fit(Recommender(20), indexed, loss)


@scenario("samples normalised one by one by NumPy; fixed: the batch at once", "python-work", "operator-loop")
def numpy_per_sample() -> Pair:
    stored = torch.randn(64, 1, 1024)
    labels = torch.randint(0, 6, (64,))

    def normalised(sample: Tensor) -> Tensor:
        values = sample.numpy().astype(np.float64)
        values = (values - values.mean()) / (values.std() + 1e-6)
        padded = np.pad(np.clip(values, -3, 3), ((0, 0), (4, 4)), mode="edge")
        return torch.from_numpy(padded[:, 4:-4].astype(np.float32))

    def one_by_one() -> tuple[Tensor, Tensor]:
        return torch.stack([normalised(stored[one]) for one in random.choices(range(64), k=64)]), labels

    def at_once() -> tuple[Tensor, Tensor]:
        x = stored[torch.tensor(random.choices(range(64), k=64))]
        mean, deviation = x.mean(2, keepdim=True), x.std(2, keepdim=True, correction=0)
        return ((x - mean) / (deviation + 1e-6)).clamp(-3, 3), labels

    return fit(signal_net(), one_by_one), fit(signal_net(), at_once)


@scenario("a history of metrics pickled in every step; fixed: not pickled", "object-conversion", "python-work")
def metrics_pickle() -> Pair:
    history = [
        {"step": step, "loss": step * 0.1, "rates": {"a": 1e-3, "b": step * 1e-5}, "times": (step * 0.5,) * 12}
        for step in range(4000)
    ]
    net = residual_mlp(64, 160, 6, 10)
    slow = fit(net, vectors(64, 64), after=lambda *_: pickle.dumps(history))
    return slow, fit(residual_mlp(64, 160, 6, 10), vectors(64, 64))


@scenario("labels parsed from JSON in every step; fixed: once", "object-conversion", "python-work")
def json_labels() -> Pair:
    texts = [
        json.dumps([{"image": one, "boxes": [[one * 0.5] * 4] * 12, "class": one % 10} for one in range(12)])
        for _ in range(24)
    ]

    def parsed() -> Tensor:
        return torch.tensor([json.loads(text)[0]["class"] for text in texts for _ in range(2)][:24])

    ready = parsed()
    pixels = images(24, 16)
    return fit(convnet(16, 2), lambda: (pixels()[0], parsed())), fit(convnet(16, 2), lambda: (pixels()[0], ready))


@scenario("every batch compressed in the step; fixed: not compressed", "python-work", "object-conversion", "file-io")
def batch_gzip() -> Pair:
    sizes: list[int] = []

    def batch() -> tuple[Tensor, Tensor]:
        x = torch.randint(0, 32, (24, 3, 32, 32)).float() / 32
        return x, x

    def archived() -> tuple[Tensor, Tensor]:
        x, y = batch()
        sizes[:] = [len(gzip.compress(x.numpy().tobytes(), 1))]
        return x, y

    return fit(autoencoder(), archived, F.mse_loss), fit(autoencoder(), batch, F.mse_loss)


@scenario("the weights hashed in every step; fixed: not hashed", "python-work", "object-conversion")
def weights_hashed() -> Pair:
    def digest(net: nn.Module, *_: Tensor) -> str:
        found = hashlib.sha256()
        for name, parameter in net.named_parameters():
            found.update(name.encode())
            found.update(parameter.detach().numpy().tobytes())
        return found.hexdigest()

    slow = fit(residual_mlp(96, 256, 10, 10), vectors(48, 96), after=digest)
    return slow, fit(residual_mlp(96, 256, 10, 10), vectors(48, 96))
