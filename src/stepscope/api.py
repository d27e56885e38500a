"""The Python front door: open a trace, ask for tables."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, SupportsIndex

from stepscope.analyses.npu.devices import called_as_recorded
from stepscope.errors import BadRequest, kind_of, not_opened
from stepscope.messages import Message
from stepscope.store.opening import open_profile
from stepscope.store.options import ReadOptions
from stepscope.store.profile import Profile
from stepscope.store.selection import checked_part, chosen_ranks, chosen_steps

if TYPE_CHECKING:
    import polars as pl

    from stepscope.comparison.compare import Comparison
    from stepscope.findings.report import Report


@dataclass(frozen=True, repr=False)
class OpenProfile:
    """An opened trace, or several as ranks.

    Attributes:
        profile: the ranks and their stored traces.
    """

    profile: Profile

    @property
    def tables(self) -> dict[str, str]:
        """Names of the tables and what each shows."""
        from stepscope.schema import TABLES

        return {name: table.description for name, table in TABLES.items()}

    def __repr__(self) -> str:
        ranks = self.profile.ranks
        counts = [len(rank.steps) for rank in ranks[:8]]
        each = str(counts[0]) if len(set(counts)) == 1 else ", ".join(map(str, counts))
        return f"OpenProfile({self.profile.path!r}, ranks={[rank.number for rank in ranks]}, steps={each})"

    def show(
        self,
        table: str,
        *,
        by: str | None = "",
        source: bool = False,
        rank: SupportsIndex | str | Iterable[SupportsIndex | str] | None = None,
        step: SupportsIndex | str | tuple[SupportsIndex, SupportsIndex] | None = None,
        where: str | None = None,
        sort: str | None = None,
        limit: int | None = None,
    ) -> pl.DataFrame:
        """A table as a Polars frame, the same that ``stepscope show`` prints.

        Args:
            table: a name of `tables`.
            by: another grouping that the table offers, as ``shape`` for operators.
            source: add the source line, for tables that know it.
            rank: only this rank or these.
            step: only this step, or the steps from first to last, both included: ``3``, ``(3, 5)`` or ``"3:5"``.
            where: only rows for which an SQL condition over the columns holds, as ``"calls > 10"``.
            sort: a column, largest first; ``"-NAME"`` for smallest first.
            limit: at most this many rows.

        Returns:
            One row per item; times in ns, sizes in bytes, shares in per cent, as the column names say.

        Raises:
            stepscope.errors.BadRequest: there is no such table, grouping, rank, step or column, it knows no source
                lines, or the condition is not valid.
        """
        from stepscope.analyses import make_table
        from stepscope.analyses.filtering import filtered
        from stepscope.messages.frames import in_words
        from stepscope.schema import TABLES

        with called_as_recorded(self.profile):
            frame = in_words(make_table(*self._request(table, by, source, rank, step)), TABLES[table].messages)
        frame = filtered(frame, where, sort)
        return frame if limit is None else frame.head(limit)

    def columns(self, table: str, by: str = "") -> dict[str, str]:
        """Columns of a table and what each holds, without computing it.

        Args:
            table, by: as of `show`.

        Raises:
            stepscope.errors.BadRequest: there is no such table or grouping.
        """
        from stepscope.analyses import check_request
        from stepscope.schema import TABLES

        check_request(table, by, False, False)
        return {name: column.description for name, column in TABLES[table].described(by).items()}

    @property
    def verdict(self) -> str:
        """The bottleneck and the step time in sentences, as the report begins."""
        from stepscope.reporters.sections.opening import verdict_sentences

        with called_as_recorded(self.profile):
            return "\n".join(verdict_sentences(self._made))

    @property
    def findings(self) -> pl.DataFrame:
        """The table ``findings``: bottlenecks, what fixing each would save, and the evidence."""
        return self.show("findings")

    def report(self, path: str | os.PathLike[str] | None = None) -> str:
        """The report of ``stepscope report``.

        Args:
            path: a file to write it to, too, in the format of its name: .txt, .md, .json or .html.

        Returns:
            The text of the report as it is written to a file of that name, without one as a terminal shows it.

        Raises:
            stepscope.errors.BadRequest: no report is written in files of such a name, or it cannot be written.
        """
        from stepscope.reporters.documents import report_document

        with called_as_recorded(self.profile):
            return report_document(self._made, os.fspath(path) if path is not None else None)

    def what_if(self, *changes: str) -> pl.DataFrame:
        """What a step would take with something changed, simulated without the profiler.

        Args:
            changes: as of ``stepscope what-if --change``, for example ``"op:aten::addmm x0.5"``.

        Returns:
            For each rank a row per change, and of several a last row of all ``together``: change, before_ns, after_ns,
            saving_pct with low and high ends, bottleneck before and after.

        Raises:
            stepscope.errors.BadRequest: there is no such change, or no step can be simulated.
        """
        from stepscope.analyses.simulation.changes import parse_change
        from stepscope.findings.what_if import what_if
        from stepscope.findings.what_if_frame import what_if_frame
        from stepscope.findings.what_if_job import what_if_job

        asked = [parse_change(change) for change in changes]
        ranks = what_if(self.profile, asked)
        return what_if_frame(ranks, what_if_job(self.profile, asked, ranks))

    def _repr_html_(self) -> str:
        from stepscope.reporters.notebook import notebook_html

        with called_as_recorded(self.profile):
            return notebook_html(self._made)

    @cached_property
    def _made(self) -> Report:
        from stepscope.findings.report import make_report

        return make_report(self.profile)

    def _request(
        self, table: object, by: object, source: object, rank: object, step: object
    ) -> tuple[Profile, str, str, bool]:
        """What `analyses.make_table` takes, checked."""
        for name, value in (("table", table), ("by", by)):
            if not isinstance(value, str) and (name == "table" or value is not None):
                tried = Message("error-cannot-show", what=repr(value))
                raise BadRequest(tried, Message("error-not-a-text", name=name), Message("error-show-example"))
        profile = self.profile.select(chosen_ranks(rank), chosen_steps(step))
        return profile, str(table), str(by or ""), bool(source)

    def with_peaks(self, peaks: Mapping[str, float]) -> OpenProfile:
        """The same profile with other figures of what its devices can do at most, for ``roofline`` and ``mfu``.

        Args:
            peaks: FLOPs a second by type, as ``{"bf16": 989e12, "memory": 3.35e12}``; ``memory`` in bytes a second,
                ``cache`` in bytes. What is not named stays as it is known of the device.

        Raises:
            stepscope.errors.BadRequest: there is no such figure, or it is no positive number.
        """
        from stepscope.analyses.roofline.peaks import checked_peaks

        if not hasattr(peaks, "items"):
            example = Message("error-peaks-mapping-example", example='{"bf16": 989e12, "memory": 3.35e12}')
            tried = Message("error-cannot-take-peaks", kind=kind_of(peaks))
            raise BadRequest(tried, Message("error-peaks-mapping"), example)
        return replace(self, profile=replace(self.profile, peaks=checked_peaks(peaks)))

    def with_eager(self, eager: OpenProfile) -> OpenProfile:
        """The same profile with a recording of the same work without CUDA graphs, for ``kernels`` and ``operators``.

        Where a graph replays kernels that the other recording launches in the same order, they get the operators that
        launched them there; `notes` says how much that is. Other tables refuse such a profile.

        Args:
            eager: an eager recording, one of the graphs' capture, or this one, if it also ran without graphs.

        Raises:
            stepscope.errors.BadRequest: it is no opened profile.
        """
        if not isinstance(eager, OpenProfile):
            raise not_opened("eager", eager)
        return replace(self, profile=replace(self.profile, eager=eager.profile))

    def with_base(self, base: OpenProfile) -> OpenProfile:
        """The same profile with an earlier recording to compare with, for ``memory_diff``; other tables refuse it.

        Args:
            base: a recording of the same program before a change.

        Raises:
            stepscope.errors.BadRequest: it is no opened profile.
        """
        if not isinstance(base, OpenProfile):
            raise not_opened("base", base)
        return replace(self, profile=replace(self.profile, base=base.profile))

    def with_name(self, name: str) -> OpenProfile:
        """The same profile limited to one name, for ``instances`` and ``durations``; other tables refuse it.

        Args:
            name: of a kernel, operator, range, call or Python function, whole.
        """
        return replace(self, profile=replace(self.profile, named=name))

    def in_area(self, begin_ns: int, end_ns: int) -> OpenProfile:
        """The same profile limited to a part of its time, for ``flame_graph``, ``instances`` and ``durations``.

        Args:
            begin_ns, end_ns: from and to, from the first event on.
        """
        from stepscope.analyses.area import in_area

        return replace(self, profile=in_area(self.profile, begin_ns, end_ns))

    def notes(
        self,
        table: str,
        *,
        by: str | None = "",
        source: bool = False,
        rank: SupportsIndex | str | Iterable[SupportsIndex | str] | None = None,
        step: SupportsIndex | str | tuple[SupportsIndex, SupportsIndex] | None = None,
    ) -> list[str]:
        """What a reader of a table must know beside its rows: why it is empty, or what it leaves out.

        Args:
            table, by, source, rank, step: as of `show`.

        Raises:
            stepscope.errors.BadRequest: as `show`.
        """
        from stepscope.analyses import make_table, table_notes
        from stepscope.messages.rendering import render

        request = self._request(table, by, source, rank, step)
        with called_as_recorded(self.profile):
            return [render(note) for note in table_notes(request[0], table, make_table(*request))]


@dataclass(frozen=True, repr=False)
class OpenComparison:
    """What `diff` found between two sides; ``comparison`` is all of it."""

    comparison: Comparison

    def __repr__(self) -> str:
        return f"OpenComparison({self.sentences[0]!r})"

    @property
    def sentences(self) -> list[str]:
        """What is known, as ``stepscope diff`` begins: the step with its largest cause first."""
        from stepscope.comparison.sentences import sentences
        from stepscope.messages.rendering import render

        return [render(one) for one in sentences(self.comparison)]

    @property
    def rows(self) -> pl.DataFrame:
        """Every row with columns level, of, key, base_ns, new_ns, delta_ns, low_ns, high_ns, smallest_ns, base_calls,
        new_calls, p and status; times a step. The step itself is the row of level ``step``."""
        return self.comparison.rows

    @property
    def counts(self) -> pl.DataFrame:
        """What is exact, a step: columns key, base, new, varies (between steps of a recording), differs."""
        return self.comparison.counts

    @property
    def only_here(self) -> pl.DataFrame:
        """What each side has that the other has not: columns key (of the count), side, name and calls, a step."""
        return self.comparison.only_here.found

    @property
    def causes(self) -> pl.DataFrame:
        """What makes the step differ, the largest effect first: columns cause, in words, and effect_ns."""
        import polars as pl

        from stepscope.comparison.sentences import cause_message
        from stepscope.messages.rendering import render

        causes = self.comparison.attribution.causes
        rows = [(render(cause_message(cause)), round(cause.effect_ns)) for cause in causes]
        return pl.DataFrame(rows, schema={"cause": pl.String, "effect_ns": pl.Int64}, orient="row")

    def report(self, path: str | os.PathLike[str] | None = None) -> str:
        """The answer of ``stepscope diff``.

        Args:
            path: a file to write it to, too, in the format of its name: .txt, .md, .json or .html.

        Returns:
            The text as it is written to a file of that name, without one as a terminal shows it.

        Raises:
            stepscope.errors.BadRequest: no comparison is written in files of such a name, or it cannot be written.
        """
        from stepscope.reporters.comparison_documents import comparison_document

        return comparison_document(self.comparison, os.fspath(path) if path is not None else None)


def diff(
    base: OpenProfile | str | os.PathLike[str] | Sequence[OpenProfile | str | os.PathLike[str]],
    new: OpenProfile | str | os.PathLike[str] | Sequence[OpenProfile | str | os.PathLike[str]],
    *,
    rank: int | None = None,
) -> OpenComparison:
    """What changed between two recordings, whether that is real, and where it comes from.

    Args:
        base, new: a recording before and one after the change, as `open` takes it or opened; a list of them for
            several of a side, which tell smaller changes from noise.
        rank: which rank of a job to compare; None for the one whose own time changed most.

    Raises:
        stepscope.errors.UnreadableInput: there is no trace.
        stepscope.errors.BadRequest: a recording has no steps, or the sides have no rank in common.
    """
    from stepscope.comparison.job import compare_profiles

    sides = [[_opened(one).profile for one in _listed(side)] for side in (base, new)]
    return OpenComparison(compare_profiles(sides[0], sides[1], rank))


def _listed(side: object) -> list[object]:
    return list(side) if isinstance(side, (list, tuple)) else [side]


def _opened(one: object) -> OpenProfile:
    return one if isinstance(one, OpenProfile) else open(one)  # type: ignore[arg-type]


def open(
    path: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    *,
    max_bytes: int | None = None,
    span: int | None = None,
    between_ns: tuple[int | None, int | None] | None = None,
) -> OpenProfile:
    """Open a trace, a folder of ranks, a glob, a URL, or several of these.

    Reads each file once and keeps it in the cache (see ``stepscope cache``); later calls take milliseconds. How wide
    the ranges of savings are follows from ledgers of ``stepscope prove`` beside the traces and in the current folder.

    Args:
        path: where the traces are.
        max_bytes: most bytes of JSON that a gzip file may inflate to.
        span: which of several recordings of one process to take, from 1 in order of time; None for the last.
        between_ns: read of memory snapshots only what was alive in this part of the history, in ns from its first
            entry; None for an open end.

    Raises:
        stepscope.errors.UnreadableInput: there is no trace.
        stepscope.errors.BadRequest: what was given is no path, there is no such span, or nothing is read in part.
    """
    from stepscope.proving.experience import with_experience

    try:
        paths = [os.fspath(path)] if isinstance(path, (str, os.PathLike)) else [os.fspath(one) for one in path]
    except TypeError as error:
        tried = Message("error-cannot-open", path=kind_of(path))
        raise BadRequest(tried, Message("error-no-paths"), Message("error-name-a-trace")) from error
    if not all(isinstance(one, str) for one in paths):
        raise BadRequest(Message("error-cannot-open-bytes"), Message("error-paths-are-text"), Message("error-decode"))
    between = checked_part(between_ns)
    return OpenProfile(with_experience(open_profile(paths, ReadOptions(max_bytes, span=span, between=between))))
