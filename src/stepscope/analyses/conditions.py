"""A condition in SQL as a Polars expression: parsed, checked node by node, and built from what is known here alone.

Polars' own SQL takes sub-queries, and with them functions that open files and addresses while they are parsed. A
condition may come from a link, so nothing of its text reaches an engine: `_NODES` lists every kind of node that is
understood, and whatever is not listed is refused.
"""

from __future__ import annotations

import difflib
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from typing import Any

import polars as pl
from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from stepscope.messages import Message

MAX_CHARACTERS = 20_000
_MAX_DEPTH = 60
"""Brackets within brackets; a chain of AND and OR counts once."""


class UnknownCondition(ValueError):
    """The text is not a condition over the columns.

    Attributes:
        reason: why, in words of stepscope.
    """

    def __init__(self, reason: Message) -> None:
        super().__init__(reason)
        self.reason = reason


def compiled(text: str, columns: Sequence[str], titles: Mapping[str, str] | None = None) -> pl.Expr:
    """The expression that a condition describes.

    Args:
        text: comparisons, ``AND``, ``OR``, ``NOT``, ``IN``, ``BETWEEN``, ``LIKE``, ``IS NULL``, ``CASE``, arithmetic
            and the functions ``LOWER``, ``UPPER``, ``LENGTH``, ``ABS``, ``ROUND``, ``COALESCE``, ``STARTS_WITH``
            and ``ENDS_WITH`` over columns, numbers and texts. A value in double quotes that names no column is a text.
        columns: names that it may use.
        titles: columns by further names of them, in lower case.

    Raises:
        UnknownCondition: it is anything else.
    """
    if len(text) > MAX_CHARACTERS:
        raise UnknownCondition(Message("condition-too-long", most=MAX_CHARACTERS))
    try:
        tree = parse_one(text, into=exp.Condition, dialect="postgres")  # the one that knows ~ and ~*
        compiler = _Compiler(columns, titles or {})
        return compiler.build(compiler.with_texts(tree), 0)
    except (SqlglotError, RecursionError) as error:
        raise UnknownCondition(Message("condition-incomplete")) from error


class _Compiler:
    def __init__(self, columns: Sequence[str], titles: Mapping[str, str]) -> None:
        self.columns = columns
        self.titles = titles

    def build(self, node: Any, depth: int) -> pl.Expr:
        """The expression of one node, by its exact kind; a part of it that is not known is refused too."""
        known = _NODES.get(type(node))
        if known is None:
            raise UnknownCondition(Message("condition-unsupported", what=_spoken(node)))
        parts, make = known
        if any(value and key not in (*parts, *_NOTED) for key, value in node.args.items()):
            raise UnknownCondition(Message("condition-unsupported-form", what=_spoken(node)))
        if depth > _MAX_DEPTH:
            raise UnknownCondition(Message("condition-too-deep", most=_MAX_DEPTH))
        made = make(self, node, depth + 1)
        return ~made if node.args.get("negate") else made

    def with_texts(self, tree: exp.Condition) -> exp.Condition:
        """The tree in which texts in double quotes, which SQL takes for columns, are texts.

        Only where a value stands: a column that is compared may be misspelled.
        """
        for node in list(tree.find_all(exp.Column)):
            quoted = isinstance(node.this, exp.Identifier) and node.this.args.get("quoted")
            if quoted and node.arg_key in _VALUES and self._known(node.name) is None:
                node.replace(exp.Literal.string(node.name))
        return tree

    def _known(self, name: str) -> str | None:
        """The column of a name or title."""
        name = name if name in self.columns else self.titles.get(name.casefold(), name)
        return name if name in self.columns else None

    def values(self, node: exp.Expression, depth: int) -> list[pl.Expr]:
        """The expressions of a node's parts, each of which has to be there."""
        names, _ = _NODES[type(node)]
        if any(not isinstance(node.args.get(name), exp.Expression) for name in names):
            raise UnknownCondition(Message("condition-incomplete"))
        return [self.build(node.args[name], depth) for name in names]

    def column(self, node: exp.Expression, _: int) -> pl.Expr:
        name = node.name
        if not isinstance(node.this, exp.Identifier):
            raise UnknownCondition(Message("condition-column-name"))
        known = self._known(name)
        if known is None:
            close = difflib.get_close_matches(name, self.columns, 1)
            raise UnknownCondition(Message("condition-no-column", name=name, close=close[0] if close else None))
        return pl.col(known)

    def literal(self, node: exp.Expression, _: int) -> pl.Expr:
        text = str(node.this)
        if node.args.get("is_string"):
            return pl.lit(text)
        if re.fullmatch(r"[0-9]{1,18}", text):
            return pl.lit(int(text), pl.Int64)
        try:
            return pl.lit(float(text))
        except ValueError as error:
            raise UnknownCondition(Message("condition-number")) from error

    def chain(self, node: exp.Expression, depth: int) -> pl.Expr:
        """``AND`` and ``OR``; the parser hangs a long chain of either on one side."""
        combine = _CHAINS[type(node)]
        found: list[exp.Expression] = []
        while type(node) in _CHAINS and _CHAINS[type(node)] is combine:
            if not isinstance(node.args.get("expression"), exp.Expression):
                raise UnknownCondition(Message("condition-incomplete"))
            found.append(node.args["expression"])
            node = node.this
        whole: pl.Expr = reduce(combine, [self.build(part, depth) for part in [node, *reversed(found)]])
        return whole

    def binary(self, node: exp.Expression, depth: int) -> pl.Expr:
        left, right = self.values(node, depth)
        made: pl.Expr = _BINARY[type(node)](left, right)
        return made

    def negated(self, node: exp.Expression, depth: int) -> pl.Expr:
        (value,) = self.values(node, depth)
        return ~value

    def minus(self, node: exp.Expression, depth: int) -> pl.Expr:
        (value,) = self.values(node, depth)
        return -value

    def bracket(self, node: exp.Expression, depth: int) -> pl.Expr:
        (value,) = self.values(node, depth)
        return value

    def listed(self, node: exp.Expression, depth: int) -> pl.Expr:
        """``x IN (a, b)``, of values only."""
        if not node.expressions:
            raise UnknownCondition(Message("condition-in"))
        value = self.build(node.this, depth)
        return pl.any_horizontal(value == self.build(one, depth) for one in node.expressions)

    def between(self, node: exp.Expression, depth: int) -> pl.Expr:
        value, low, high = self.values(node, depth)
        return (value >= low) & (value <= high)

    def is_(self, node: exp.Expression, depth: int) -> pl.Expr:
        value = self.build(node.this, depth)
        wanted = node.args.get("expression")
        if isinstance(wanted, exp.Null):
            return value.is_null()
        if isinstance(wanted, exp.Boolean):
            return value.eq_missing(pl.lit(bool(wanted.this)))
        raise UnknownCondition(Message("condition-is"))

    def like(self, node: exp.Expression, depth: int) -> pl.Expr:
        """``LIKE``: ``%`` any characters, ``_`` one; ``ILIKE`` whatever the case."""
        pattern = node.args.get("expression")
        if not (isinstance(pattern, exp.Literal) and pattern.args.get("is_string")):
            raise UnknownCondition(Message("condition-like"))
        signs = {"%": ".*", "_": "."}
        source = "".join(signs.get(sign) or re.escape(sign) for sign in str(pattern.this))
        flags = "(?si)" if isinstance(node, exp.ILike) else "(?s)"
        return self.build(node.this, depth).str.contains(f"{flags}^{source}$")

    def matching(self, node: exp.Expression, depth: int) -> pl.Expr:
        """``~`` and ``~*``: Rust's regular expressions, whose time grows with the text only linearly."""
        pattern = node.args.get("expression")
        if not (isinstance(pattern, exp.Literal) and pattern.args.get("is_string")):
            raise UnknownCondition(Message("condition-regex"))
        flags = "(?i)" if isinstance(node, exp.RegexpILike) else ""
        return self.build(node.this, depth).str.contains(f"{flags}{pattern.this}")

    def as_text(self, node: exp.Expression, depth: int) -> pl.Expr:
        """``CAST(x AS VARCHAR)``."""
        if node.args["to"].this not in (exp.DataType.Type.VARCHAR, exp.DataType.Type.TEXT):
            raise UnknownCondition(Message("condition-cast"))
        return self.build(node.this, depth).cast(pl.String)

    def case(self, node: exp.Expression, depth: int) -> pl.Expr:
        default = node.args.get("default")
        found = self.build(default, depth) if default is not None else pl.lit(None)
        for branch in reversed(node.args["ifs"]):
            asked, value = self.build(branch.this, depth), self.build(branch.args["true"], depth)
            found = pl.when(asked).then(value).otherwise(found)
        return found

    def coalesce(self, node: exp.Expression, depth: int) -> pl.Expr:
        return pl.coalesce([self.build(one, depth) for one in (node.this, *node.expressions)])

    def rounded(self, node: exp.Expression, depth: int) -> pl.Expr:
        digits = node.args.get("decimals")
        if digits is not None and not (isinstance(digits, exp.Literal) and re.fullmatch("[0-9]", str(digits.this))):
            raise UnknownCondition(Message("condition-round"))
        return self.build(node.this, depth).round(int(digits.this) if digits is not None else 0)

    def function(self, node: exp.Expression, depth: int) -> pl.Expr:
        (value,) = self.values(node, depth)
        return _FUNCTIONS[type(node)](value)


_VALUES = ("expression", "expressions", "low", "high")
"""Parts of a node that what is compared is compared with."""

_NOTED = ("negate", "typed", "safe")
"""What the parser notes at any node: ``NOT`` in front of its sign, and how a dialect divides."""

_CHAINS: dict[type[exp.Expression], Callable[[Any, Any], Any]] = {exp.And: operator.and_, exp.Or: operator.or_}
_BINARY: dict[type[exp.Expression], Callable[[Any, Any], Any]] = {
    exp.EQ: operator.eq,
    exp.NEQ: operator.ne,
    exp.GT: operator.gt,
    exp.GTE: operator.ge,
    exp.LT: operator.lt,
    exp.LTE: operator.le,
    exp.Add: operator.add,
    exp.Sub: operator.sub,
    exp.Mul: operator.mul,
    exp.Div: operator.truediv,
    exp.Mod: operator.mod,
    exp.StartsWith: lambda text, start: text.str.starts_with(start),
    exp.EndsWith: lambda text, end: text.str.ends_with(end),
}
_FUNCTIONS: dict[type[exp.Expression], Callable[[pl.Expr], pl.Expr]] = {
    exp.Lower: lambda value: value.str.to_lowercase(),
    exp.Upper: lambda value: value.str.to_uppercase(),
    exp.Length: lambda value: value.str.len_chars(),
    exp.Abs: lambda value: value.abs(),
}
_ONE, _TWO = ("this",), ("this", "expression")
_NODES: dict[type[exp.Expression], tuple[tuple[str, ...], Callable[[_Compiler, Any, int], pl.Expr]]] = {
    exp.Column: (_ONE, _Compiler.column),
    exp.Literal: (("this", "is_string"), _Compiler.literal),
    exp.Boolean: (_ONE, lambda _, node, __: pl.lit(bool(node.this))),
    exp.Null: ((), lambda _, __, ___: pl.lit(None)),
    exp.Paren: (_ONE, _Compiler.bracket),
    exp.Not: (_ONE, _Compiler.negated),
    exp.Neg: (_ONE, _Compiler.minus),
    exp.In: (("this", "expressions"), _Compiler.listed),
    exp.Between: (("this", "low", "high"), _Compiler.between),
    exp.Is: (_TWO, _Compiler.is_),
    exp.Like: (_TWO, _Compiler.like),
    exp.ILike: (_TWO, _Compiler.like),
    exp.RegexpLike: (_TWO, _Compiler.matching),
    exp.RegexpILike: (_TWO, _Compiler.matching),
    exp.Cast: (("this", "to"), _Compiler.as_text),
    exp.Case: (("ifs", "default"), _Compiler.case),
    exp.Coalesce: (("this", "expressions"), _Compiler.coalesce),
    exp.Round: (("this", "decimals"), _Compiler.rounded),
    **dict.fromkeys(_CHAINS, (_TWO, _Compiler.chain)),
    **dict.fromkeys(_BINARY, (_TWO, _Compiler.binary)),
    **dict.fromkeys(_FUNCTIONS, (_ONE, _Compiler.function)),
}
"""Every kind of node that a condition may hold, with the parts it may have. Compared by exact type: a kind that
derives from one is another."""


def _spoken(node: exp.Expression) -> Message | str:
    """What a refused node is called in a message: its kind in SQL's letters, never its text."""
    if isinstance(node, exp.Anonymous):
        return Message("condition-function")
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(node).__name__).upper()
