"""A report as a document, in the format that the name of a file asks for."""

from __future__ import annotations

from stepscope.answers.requests import Choice
from stepscope.findings.report import Report
from stepscope.reporters.console import DEFAULT_WIDTH
from stepscope.reporters.formats import REPORTS, chosen_format
from stepscope.reporters.html.report import MAX_BYTES, html_report
from stepscope.reporters.json_report import report_json
from stepscope.reporters.markdown_report import report_markdown
from stepscope.reporters.output import check_output, write_file
from stepscope.reporters.report_text import report_lines


def report_document(report: Report, path: str | None) -> str:
    """The report, which is also written to a file where one is named.

    Raises:
        BadRequest: no report is written in files of such a name, or the file is a recording or cannot be written.
        OSError: the file cannot be written.
    """
    check_output(path, report.profile.paths)
    format_ = chosen_format(None, path, REPORTS)
    text = _in_format(report, format_)
    if path is not None:
        write_file(text, path)
    return text


def _in_format(report: Report, format_: str) -> str:
    if format_ == "json":
        return report_json(report)
    if format_ == "markdown":
        return report_markdown(report)
    if format_ == "html":
        return html_report(report, report.profile.paths, Choice(None, None), MAX_BYTES, True).text
    return "".join(f"{line.text}\n" for line in report_lines(report, DEFAULT_WIDTH))
