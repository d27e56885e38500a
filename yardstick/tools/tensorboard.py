"""The PyTorch plugin of TensorBoard: time of a step by what it is spent on, and recommendations by four rules."""

from __future__ import annotations

import re
from importlib.metadata import version
from pathlib import Path

from torch_tb_profiler.io.cache import Cache
from torch_tb_profiler.profiler.loader import RunLoader

from yardstick.answers import Answer, Named, exactly, largest
from yardstick.bound import COPIES, GPU, HOST
from yardstick.tools.running import alone, run

SIDES = {"Kernel": GPU, "Memcpy": COPIES, "Memset": COPIES}
"""By what the overview calls a part of the step; all else is time of the host."""

CAUSES = {
    "input data loading": "data-loading",
    "Automatic Mixed Precision": "no-tensor-cores",
    "increase batch size": "small-batch",
    "high time cost on communication": "exposed-communication",
}
"""By words of a recommendation, the cause it names."""


def examine(recording: Path) -> Answer:
    """The overview of the one worker."""
    with alone(recording, "worker0.pt.trace.json.gz") as folder:
        run_of_one = RunLoader("run", str(folder), Cache()).load()
    [overview] = [each.overview for each in run_of_one.profiles.values() if hasattr(each, "overview")]
    whole, *parts = overview["performance"]
    named = tuple(_named(each) for each in re.findall(r"<li>(.*?)</li>", overview["recommendations"]))
    shares = {HOST: 0.0, GPU: 0.0, COPIES: 0.0}
    for part in parts or whole.get("children", []):
        shares[SIDES.get(part["name"], HOST)] += float(part["value"])
    step = exactly(float(whole["value"]) / 1e3)
    return Answer(version("torch_tb_profiler"), step, largest(shares), tuple(each for each in named if each.cause))


def _named(text: str) -> Named:
    words = re.sub(r"<.*?>", "", text)
    return Named(next((cause for part, cause in CAUSES.items() if part in words), ""), None, words)


if __name__ == "__main__":
    run(examine)
