"""Every table has a page, and the page lists the table's columns as they are."""

from __future__ import annotations

import pytest

from stepscope.schema import TABLES
from table_pages import PAGES, with_columns


@pytest.mark.parametrize("name", TABLES)
def test_page_defines_the_table_as_it_is(name: str) -> None:
    page = (PAGES / f"{name}.md").read_text(encoding="utf-8")
    assert page.startswith(f"# {name}\n")
    assert page == with_columns(page, TABLES[name]), "run scripts/update_expected"


def test_no_page_is_left_behind() -> None:
    assert {page.stem for page in PAGES.glob("*.md")} - {"README"} == set(TABLES)
