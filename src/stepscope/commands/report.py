"""``stepscope report``."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Sequence
from dataclasses import replace

import click

from stepscope.commands.options import open_selected, peak_options, read_peaks, selection_options


@click.command()
@selection_options
@peak_options
@click.option("--format", "format_", type=click.Choice(["text", "json", "markdown"]), default="text", show_default=True)
@click.option("-o", "--output", metavar="FILE", help="Write to a file instead of the terminal.")
def report(
    path: Sequence[str],
    ranks: Sequence[int],
    step: str | None,
    max_size: str | None,
    peak: Sequence[str],
    peaks_file: str | None,
    format_: str,
    output: str | None,
) -> None:
    """Say where the time and memory of a step go, and why.

    Verdict and health first, then steps, idle time, operators, modules, kernels, memory.
    """
    # Polars' allocator shall keep what one table frees for the next one, instead of asking for fresh pages.
    os.environ.setdefault("_RJEM_MALLOC_CONF", "dirty_decay_ms:10000,muzzy_decay_ms:10000")
    from stepscope.analyses import load_analyses

    threading.Thread(target=load_analyses, daemon=True).start()  # while the trace is read
    from stepscope.findings.report import make_report
    from stepscope.reporters.console import DEFAULT_WIDTH, output_width, print_lines
    from stepscope.reporters.report_text import report_lines

    peaks = read_peaks(peak, peaks_file)
    made = make_report(replace(open_selected(path, ranks, step, max_size), peaks=peaks))
    if format_ == "text":
        lines = report_lines(made, DEFAULT_WIDTH if output else output_width(sys.stdout))
        if output is None:
            print_lines(lines)
            return
        text = "".join(f"{line.text}\n" for line in lines)
    else:
        from stepscope.reporters.report_files import report_json, report_markdown

        text = report_json(made) if format_ == "json" else report_markdown(made)
    _write(text, output)


def _write(text: str, output: str | None) -> None:
    if output is None:
        sys.stdout.write(text)
        return
    with open(output, "w", encoding="utf-8") as file:
        file.write(text)
    sys.stderr.write(f"wrote {output}\n")
