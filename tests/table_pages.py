"""The part of a table's page that follows from the schema; ``scripts/update_expected`` rewrites it."""

from __future__ import annotations

from pathlib import Path

from stepscope.schema import TABLES, Table

PAGES = Path(__file__).resolve().parent.parent / "docs" / "tables"
HEADING = "## Columns\n"


def columns_section(table: Table) -> str:
    """Heading and list of the columns, groupings and needs of a table."""
    lines = [HEADING, "| column | what it holds |", "|---|---|"]
    lines += [f"| `{column.name}` | {column.description} |" for column in table.columns]
    options = (
        [f"`--by {name}`" for name in table.by]
        + ["`--source`"] * table.source
        + ["`--eager PATH`"] * table.eager
        + ["`--base PATH`"] * table.base
    )
    lines += ["", f"Options: {', '.join(options)}."] if options else []
    return "\n".join(lines) + "\n"


def with_columns(page: str, table: Table) -> str:
    """A page with its last section made anew."""
    return page.partition(HEADING)[0].rstrip() + "\n\n" + columns_section(table)


def rewrite() -> None:
    """Make the last section of every page anew."""
    for name, table in TABLES.items():
        path = PAGES / f"{name}.md"
        path.write_text(with_columns(path.read_text(encoding="utf-8"), table), encoding="utf-8")
