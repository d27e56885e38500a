"""``web/src/api/tables.ts``: the tables of the schema as TypeScript; ``scripts/update_web_types`` writes it."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from stepscope.schema import TABLES, Column, Table

FILE = Path(__file__).resolve().parent.parent / "web" / "src" / "api" / "tables.ts"

_HEAD = """\
/** Tables, their groupings and columns as `stepscope.schema` describes them. Written by scripts/update_web_types. */

/** Offset from the profile's origin, in ns. */
export type Moment = number
/** A length of time. */
export type Ns = number
export type Bytes = number
/** Per cent, 0 to 100. */
export type Pct = number
export type Flops = number
"""

_TAIL = """\
export type TableName = keyof Tables
export type ColumnName<T extends TableName> = keyof Tables[T]['columns'] & string
/** Another grouping of a table, or '' for the usual one. */
export type Grouping<T extends TableName> = Tables[T]['by'] | ''
"""


def tables_text() -> str:
    """The whole file."""
    tables = "".join(_table(table) for table in TABLES.values())
    return f"{_HEAD}\nexport interface Tables {{\n{tables}}}\n\n{_TAIL}"


def _table(table: Table) -> str:
    by = " | ".join(f"'{name}'" for name in table.by) or "never"
    columns = "".join(f"      {column.name}: {column_type(column)} | null\n" for column in table.columns)
    return f"  {table.name}: {{\n    by: {by}\n    columns: {{\n{columns}    }}\n  }}\n"


def column_type(column: Column) -> str:
    """The type of a column's cells, named after its unit where it has one."""
    if column.dtype == pl.String:
        return "string"
    if column.dtype == pl.Boolean:
        return "boolean"
    if column.role == "moment":
        return "Moment"
    return {"ns": "Ns", "bytes": "Bytes", "pct": "Pct", "flops": "Flops"}.get(column.unit, "number")
