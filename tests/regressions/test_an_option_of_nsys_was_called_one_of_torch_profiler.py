"""In a run of another recorder, the options of `nsys profile` were listed as ``torch.profiler, nsys profile ...``.

Seen on the page Health of h200/nsys/dit_train.sqlite.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from stepscope.analyses.needs import KINETO, NEEDS
from stepscope.answers.run_facts import _option
from stepscope.messages.rendering import render


def recorded_by(recorder: str) -> Any:
    trace = SimpleNamespace(truncated=None, rows=lambda table: 0)
    return SimpleNamespace(ranks=[SimpleNamespace(recorder=recorder, trace=trace)])


NSYS, TORCH = recorded_by("Nsight Systems"), recorded_by(KINETO)
OF_NSYS = sorted(name for name, need in NEEDS.items() if need.option.startswith("nsys"))


@pytest.mark.parametrize("name", OF_NSYS)
def test_an_option_of_nsys_stands_for_itself(name: str) -> None:
    need = NEEDS[name]
    assert _option(NSYS, need) == _option(TORCH, need) == need.option
    assert "torch.profiler" not in render(need.note("KernelCsv"), "en")


def test_an_option_of_torch_profiler_says_whose_it_is() -> None:
    assert OF_NSYS
    assert _option(NSYS, NEEDS["memory"]) == "torch.profiler, profile_memory=True"
    assert _option(TORCH, NEEDS["memory"]) == "profile_memory=True"
