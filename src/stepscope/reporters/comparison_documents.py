"""A comparison as a document, in the format that is asked for or that the name of a file asks for."""

from __future__ import annotations

from stepscope.comparison.compare import Comparison
from stepscope.reporters.comparison_json import comparison_json
from stepscope.reporters.comparison_markdown import comparison_markdown
from stepscope.reporters.comparison_page import comparison_html
from stepscope.reporters.comparison_text import comparison_lines
from stepscope.reporters.console import DEFAULT_WIDTH
from stepscope.reporters.formats import COMPARISONS, chosen_format
from stepscope.reporters.output import check_output, write_file


def comparison_document(found: Comparison, path: str | None) -> str:
    """The comparison, which is also written to a file where one is named.

    Raises:
        BadRequest: no comparison is written in files of such a name, or the file is a recording or cannot be written.
        OSError: the file cannot be written.
    """
    check_output(path, [rank.source for rank in (*found.base, *found.new)])
    text = comparison_in(found, chosen_format(None, path, COMPARISONS))
    if path is not None:
        write_file(text, path)
    return text


def comparison_in(found: Comparison, format_: str, every: bool = False) -> str:
    """The comparison as ``text``, ``json``, ``markdown`` or ``html``, a newline behind.

    Args:
        every: of text all rows that changed, not only the largest.
    """
    if format_ == "json":
        return comparison_json(found)
    if format_ == "markdown":
        return comparison_markdown(found)
    if format_ == "html":
        return comparison_html(found)
    return "".join(f"{line.text}\n" for line in comparison_lines(found, DEFAULT_WIDTH, every))
