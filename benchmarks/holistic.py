"""HolisticTraceAnalysis as a baseline, in a virtual environment of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

REQUIREMENTS = ["HolisticTraceAnalysis==0.5.0", "pandas<3", "numpy<2"]
_BREAKDOWN = """
import sys
from hta.trace_analysis import TraceAnalysis
TraceAnalysis(trace_dir=sys.argv[1]).get_temporal_breakdown(visualize=False)
"""


def install(folder: Path) -> Path:
    """The environment's Python; the environment is made unless it is there."""
    environment = folder / "hta"
    python = environment / "bin" / "python"
    complete = environment / "complete"
    if not complete.exists():
        print("installing HolisticTraceAnalysis", file=sys.stderr)
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(environment)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "-qq", *REQUIREMENTS], check=True)
        complete.touch()
    return python


def temporal_breakdown(python: Path, trace: Path) -> list[str]:
    """Command that loads the one trace of a folder and makes HTA's temporal breakdown of it."""
    return [str(python), "-c", _BREAKDOWN, str(trace.parent)]
