"""A report as text makes the tables that its sections show, and no others."""

from __future__ import annotations

import re
from pathlib import Path

from stepscope.reporters import report_text, sections
from stepscope.schema.reported import reported

_ASKED = re.compile(r'(?:tables\[|views\[|rows\(|notes\[|notes_of\(report, )"(\w+)"')


def test_what_sections_ask_for_is_made() -> None:
    sources = Path(sections.__file__).parent.glob("*.py")
    asked = {name for source in sources for name in _ASKED.findall(source.read_text(encoding="utf-8"))}
    asked |= {"memory_oom", "memory_leaks"}  # by the names of a loop
    assert set(report_text.SHOWN) == asked
    assert asked <= set(reported())
