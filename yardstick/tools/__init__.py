"""The tools that are scored. Each is a module that prints its answer on a recording, run where that tool is installed.

``python -m yardstick.tools.NAME RECORDING`` prints an `Answer`; ``python -m yardstick.tools.NAME BASE NEW`` a `Rows`
where the tool compares recordings.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Tool:
    """How a tool is installed.

    Attributes:
        title: its name, as people write it.
        requirements: what pip installs it from, into an environment of its own; empty: it runs with stepscope.
        compares: whether it compares two recordings.
        names: whether it names causes at all, not only where the time goes.
    """

    title: str
    requirements: tuple[str, ...] = ()
    compares: bool = False
    names: bool = False


TRACELENS = "git+https://github.com/AMD-AGI/TraceLens@171dd747"
"""Not on PyPI: the package of that name there is another project."""

OLDER = ("pandas<3", "numpy<2")
"""What tools need that were written before the next versions of these."""

PLUGIN = ("torch_tb_profiler==0.4.3", *OLDER, "setuptools<80")

TOOLS = {
    "stepscope": Tool("stepscope", compares=True, names=True),
    "hta": Tool("HolisticTraceAnalysis", ("HolisticTraceAnalysis==0.5.0", *OLDER), compares=True),
    "tracelens": Tool("TraceLens", (TRACELENS,)),
    "tensorboard": Tool("TensorBoard PyTorch plugin", PLUGIN, names=True),
}
