"""The backward pass and the modules as PyTorch really records them, see tests/recordings."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

import stepscope
from building import rows
from oracles import autograd as autograd_oracle
from oracles import general as oracle
from stepscope.analyses.host.source import operator_sources
from stepscope.store.autograd import backward_pass

RECORDINGS = Path(__file__).resolve().parent.parent / "recordings"
NAMES = ["checkpoint", "checkpoint_reentrant", "second_derivative", "torchscript"]


def path(name: str) -> Path:
    return RECORDINGS / f"{name}.json.gz"


@pytest.mark.parametrize("name", NAMES)
def test_every_operator_has_the_forward_operator_that_the_oracle_finds(name: str) -> None:
    events = oracle.read(path(name))
    grad = autograd_oracle.Autograd(events)
    found = backward_pass(stepscope.open(str(path(name))).profile.ranks[0])
    expected = [grad.forward(event) for event in events.operators]
    row = {event.number: i for i, event in enumerate(events.operators)}
    assert found.forward.tolist() == [row[event.number] if event else -1 for event in expected]
    assert found.recomputed.tolist() == [grad.recomputed(event) for event in events.operators]
    assert found.hook.tolist() == [grad.hook(event) for event in events.operators]


@pytest.mark.parametrize("name", ["checkpoint", "checkpoint_reentrant"])
def test_modules_of_a_recording_say_what_the_oracle_says(name: str) -> None:
    table = stepscope.open(str(path(name))).show("modules")
    columns = autograd_oracle.MODULE_COLUMNS
    found = {row["name"]: {column: row[column] for column in columns} for row in table.to_dicts()}
    assert found == autograd_oracle.modules(oracle.read(path(name)))
    assert sorted(rows(table, "path", "calls")) == [
        ("Net_0", 1),
        ("Net_0/Block_0", 2),
        ("Net_0/Block_0/LayerNorm_0", 2),
        ("Net_0/Block_0/Sequential_0", 2),
        ("Net_0/Block_0/Sequential_0/GELU_0", 2),
        ("Net_0/Block_0/Sequential_0/Linear_0", 2),
        ("Net_0/Block_0/Sequential_0/Linear_1", 2),
        ("Net_0/Linear_2", 1),
    ]


@pytest.mark.parametrize(
    ("name", "linears"), [("checkpoint", 2), ("checkpoint_reentrant", 2), ("second_derivative", 0)]
)
def test_only_a_forward_pass_that_runs_again_is_recomputed(name: str, linears: int) -> None:
    """With ``create_graph=True`` all operators of the backward pass have numbers; none of them is run again."""
    linears = 0 if name == "second_derivative" else 2
    rank = stepscope.open(str(path(name))).profile.ranks[0]
    names = rank.trace.text(rank.trace.frame("operator", ["name"])["name"])
    again = Counter(name for name, flag in zip(names, backward_pass(rank).recomputed, strict=True) if flag)
    assert again["aten::linear"] == linears
    assert again["aten::native_layer_norm"] == linears // 2
    assert not [name for name in again if "Backward" in name]


def test_all_of_a_step_has_a_source_in_the_users_file() -> None:
    """On one thread `loss.backward()` is open around the backward pass; the forward operators' lines count."""
    rank = stepscope.open(str(path("checkpoint"))).profile.ranks[0]
    sources = Counter(operator_sources(rank))
    assert {source.partition(":")[0] for source in sources} == {"train.py"}
    assert sources["train.py:6"] > sum(sources.values()) / 2


def test_torchscript_names_its_modules() -> None:
    profile = stepscope.open(str(path("torchscript")))
    assert sorted(rows(profile.show("modules"), "path", "calls")) == [
        ("TOP", None),
        ("TOP/a(A)", None),
        ("TOP/a(A)/fc(Linear)", None),
        ("TOP/b(A)", None),
        ("TOP/b(A)/fc(Linear)", None),
    ]
    assert profile.show("modules")["host_self_ns"].min() > 0
