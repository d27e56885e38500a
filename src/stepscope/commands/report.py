"""``stepscope report``."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from stepscope.commands.options import (
    Selection,
    cluster_options,
    open_selected,
    parse_size,
    parse_step,
    peak_options,
    read_peaks,
    selection_options,
)
from stepscope.commands.preloading import preloading
from stepscope.reporters.formats import REPORTS, chosen_format
from stepscope.reporters.output import check_output, write_output
from stepscope.store.freed_memory import reuse_freed

if TYPE_CHECKING:
    from stepscope.findings.report import Report
    from stepscope.reporters.sections.text_lines import Line
    from stepscope.store.profile import Profile

_PRELOADING = preloading("stepscope.reporters.report_text")


@click.command()
@selection_options
@cluster_options
@peak_options
@click.option(
    "--format",
    "format_",
    type=click.Choice(["text", "json", "markdown", "html"]),
    help="Default: as the name of the FILE ends (.md, .json, .html, .txt), else text.",
)
@click.option("-o", "--output", metavar="FILE", help="Write to a file instead of the terminal.")
@click.option("--max-report-size", metavar="SIZE", help="Most bytes of an HTML report (default: 8 million).")
@click.option("--no-source", is_flag=True, help="Quote no lines of source files in an HTML report.")
def report(
    selected: Selection,
    cluster: str,
    peak: Sequence[str],
    peaks_file: str | None,
    format_: str | None,
    output: str | None,
    max_report_size: str | None,
    no_source: bool,
) -> None:
    """Say where the time and memory of a step go, and why.

    Verdict and health first, then steps, idle time, operators, modules, kernels, memory.

    As HTML it is one file with charts, tables and the timeline, which opens without a network.
    """
    format_ = _checked_format(format_, output, selected.path)
    most = parse_size(max_report_size, "--max-report-size")
    peaks = read_peaks(peak, peaks_file)
    profile = replace(_opened(selected, cluster), peaks=peaks)
    if format_ == "text":
        _write_text(profile, output)
        return
    from stepscope.findings.report import make_report

    if format_ == "markdown":
        from stepscope.reporters.markdown_report import report_markdown
        from stepscope.reporters.report_text import SHOWN

        write_output(report_markdown(make_report(profile, SHOWN)), output)
        return
    made = make_report(profile)
    if format_ == "html":
        _write_html(made, selected, most, not no_source, output)
    else:
        from stepscope.reporters.json_report import report_json

        write_output(report_json(made), output)


def _opened(selected: Selection, cluster: str) -> Profile:
    """What was named; meanwhile what makes the report is loaded."""
    from stepscope.schema.reported import reported_of_all

    reuse_freed()
    return open_selected(selected, reported_of_all(), cluster, _PRELOADING, derives=False)


def _checked_format(asked: str | None, output: str | None, inputs: Sequence[str]) -> str:
    """The format of the report, once it is sure that it can be written."""
    check_output(output, inputs)
    found = chosen_format(asked, output, REPORTS)
    if found == "html" and output is None and sys.stdout.isatty():
        raise click.UsageError("an HTML report is a page for a browser: name a file, as in -o report.html")
    if found == "html":
        from stepscope.reporters.html.shell import read_shell

        read_shell()
    return found


def _write_text(profile: Profile, output: str | None) -> None:
    from stepscope.reporters.console import DEFAULT_WIDTH, output_width, print_lines

    lines = written_lines(profile, DEFAULT_WIDTH if output else output_width(sys.stdout))
    if output is None:
        print_lines(lines)
    else:
        write_output("".join(f"{line.text}\n" for line in lines), output)


def written_lines(profile: Profile, width: int) -> list[Line]:
    """The lines of the report as they were kept, else made and kept."""
    from stepscope.reporters.kept_lines import keep_lines, load_lines

    known = load_lines(profile, width)
    if known is not None:
        return known
    from stepscope.findings.report import make_report
    from stepscope.reporters.report_text import SHOWN, report_lines

    report = make_report(profile, SHOWN)
    lines = report_lines(report, width)
    if not report.failed:
        keep_lines(profile, width, lines)
    return lines


def _write_html(
    made: Report,
    selected: Selection,
    most: int | None,
    with_source: bool,
    output: str | None,
) -> None:
    from stepscope.answers.requests import Choice
    from stepscope.reporters.html.report import MAX_BYTES, html_report

    choice = Choice(tuple(selected.ranks) or None, parse_step(selected.step))
    done = html_report(made, selected.path, choice, most or MAX_BYTES, with_source)
    write_output(done.text, output)
    sys.stderr.writelines(f"{line}\n" for line in done.notices)
