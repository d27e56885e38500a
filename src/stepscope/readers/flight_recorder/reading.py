"""One pass over a dump."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from stepscope.errors import UnreadableInput
from stepscope.messages import Message
from stepscope.readers.facts import EPOCH, Facts
from stepscope.readers.flight_recorder.entries import Rows, members, text, whole
from stepscope.readers.flight_recorder.format import RECORDER
from stepscope.readers.flight_recorder.refusing import refusal
from stepscope.readers.formats import Input
from stepscope.readers.sources import Stream
from stepscope.schema import STORE_TABLES

Parser = Callable[[Input, Stream], Any]
Groups = dict[str, tuple[str, list[int] | None]]
"""Description and ranks of each group by its name; None where the dump does not say them."""

_MOST_TEXT = 256 << 20
_DEFAULT = "default_pg"
_PEERS = re.compile(r"\w+:(?:send|recv) (\d{1,9})(?:->|<-)")
_LAST_DIGITS = re.compile(r"(\d{1,6})[^0-9/\\]*$")
_RANK_IN_NAME = re.compile(r"(?i)rank[\W_]*\d")


@dataclass
class DumpFacts(Facts):
    """Facts of a dump.

    Attributes:
        recorder: see `Facts`; its version is that of the format.
        library_version: of the communication library, "" where it does not say.
        overwritten: entries before the first one that it holds: the recorder keeps the last ones.
        stacks: whether it holds where collectives were called.
    """

    recorder: str = RECORDER
    library_version: str = ""
    overwritten: int = 0
    stacks: bool = False
    head: dict[str, Any] = field(default_factory=dict)


class DumpReading:
    """Iterate `tables` to the end, then look at `facts`.

    Args:
        parse: makes the dump's value of a stream.
    """

    def __init__(self, given: Input, parse: Parser) -> None:
        self.facts = DumpFacts(clock=EPOCH)
        self._given = given
        self._parse = parse

    def tables(self) -> Iterator[tuple[str, pl.DataFrame]]:
        """Yield (table, frame), ``texts`` last.

        Raises:
            UnreadableInput: it is no dump, or one of nothing.
        """
        path, stream = self._given.source.path, self._given.stream
        if stream is None:
            tried = Message("error-cannot-read", path=path)
            raise UnreadableInput(tried, Message("reader-folder"), Message("reader-name-file-in-it"))
        dump = self._parse(self._given, stream)
        entries = dump.get("entries", []) if isinstance(dump, dict) else None
        if not isinstance(entries, list) or not {"pg_config", "pg_status", "entries"} & dump.keys():
            raise refusal(path, Message("reader-flight-other"))
        if len({id(entry) for entry in entries if isinstance(entry, dict)}) < sum(isinstance(e, dict) for e in entries):
            raise refusal(path, Message("reader-flight-other"))  # no recorder writes one entry twice
        rows = Rows()
        for event, entry in enumerate(entries):
            rows.add(event, entry)
            if rows.text_bytes > _MOST_TEXT:
                raise refusal(path, Message("reader-flight-large", most_bytes=None))
        groups = _groups(dump.get("pg_config"))
        if not rows.rows and not groups:
            raise refusal(path, Message("reader-flight-empty"))
        self._learn(dump, rows, groups, len(entries))
        yield "collective_record", _frame("collective_record", rows.rows)
        yield "process_group", _frame("process_group", [_group_row(rows, *group) for group in groups.items()])
        yield "group_status", _frame("group_status", _status(dump.get("pg_status")))
        yield "texts", pl.DataFrame({"text": list(rows.texts)}, {"text": pl.String})

    def _learn(self, dump: dict[str, Any], rows: Rows, groups: Groups, entries: int) -> None:
        facts = self.facts
        facts.events, facts.damaged = entries, rows.damaged
        facts.recorder_version = (text(dump.get("version")) or "")[:40]
        library = text(dump.get("comm_lib_version")) or text(dump.get("nccl_version")) or ""
        facts.library_version = library[:40]
        records = [row["record"] for row in rows.rows if row["record"] is not None]
        facts.overwritten = max(0, min(records, default=0))
        facts.stacks = any(row["stack"] is not None for row in rows.rows)
        names = list(rows.texts)
        said = [names[row["name"]] for row in rows.rows]
        rank = _own_rank(self._given.source.name, groups, rows, said)
        world = max((len(ranks) for about, ranks in groups.values() if about == _DEFAULT and ranks), default=None)
        found = {"rank": rank, "world_size": world}
        facts.head["distributedInfo"] = {name: value for name, value in found.items() if value is not None}


def _own_rank(file: str, groups: Groups, rows: Rows, names: Sequence[str]) -> int | None:
    """The rank that wrote a dump, as far as that follows from what it holds: it is in each of its groups, and messages
    say its place in one. Else the number that the file's name ends with, if it may be."""
    known = [set(ranks) for _, ranks in groups.values() if ranks]
    possible = set.intersection(*known) if known else set()
    texts = list(rows.texts)
    for row, name in zip(rows.rows, names, strict=True):
        place = _PEERS.match(name)
        ranks = groups.get(texts[row["group"]], ("", None))[1]
        if place is not None and ranks is not None and int(place[1]) < len(ranks):
            possible &= {ranks[int(place[1])]}
    if len(possible) == 1:
        return possible.pop()
    last = _LAST_DIGITS.search(file)
    if last is None or _RANK_IN_NAME.search(file) or (possible and int(last[1]) not in possible):
        return None  # a name with the word is looked at by what gives ranks their numbers
    return int(last[1])


def _groups(said: Any) -> Groups:
    found: Groups = {}
    for name, one in said.items() if isinstance(said, dict) else ():
        about = one if isinstance(one, dict) else {"ranks": one}
        found[text(name) or ""] = text(about.get("desc")) or "", members(about.get("ranks"))
    return found


def _group_row(rows: Rows, name: str, about: tuple[str, list[int] | None]) -> dict[str, Any]:
    ranks = None if about[1] is None else ",".join(map(str, about[1]))
    return {"group": rows.code(name), "group_description": rows.code(about[0]), "ranks": rows.code(ranks)}


def _status(said: Any) -> list[dict[str, Any]]:
    """The last collectives of each group; -1, which stands for none, is null."""
    found = []
    for number, one in said.items() if isinstance(said, dict) else ():
        if whole(number) is None or not isinstance(one, dict):
            continue
        last = {what: whole(one.get(f"last_{what}_collective")) for what in ("enqueued", "started", "completed")}
        seen = {what: value if value is not None and value >= 0 else None for what, value in last.items()}
        found.append({"group_id": whole(number), **seen})
    return found


def _frame(table: str, rows: Sequence[dict[str, Any]]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=STORE_TABLES[table], orient="row")
