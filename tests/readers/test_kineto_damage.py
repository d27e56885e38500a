"""The deformity list: what is kept of each damaged trace, and what the facts say about the rest."""

from __future__ import annotations

import gzip
import io
import json
import zlib
from pathlib import Path
from typing import Any

import pytest

from readers.reading import Memory, read, trace
from readers.reproduction import Tables, rebuilt
from stepscope.errors import UnreadableInput
from stepscope.messages import Message
from stepscope.readers.facts import KinetoFacts
from stepscope.readers.inflating import CHUNK
from stepscope.readers.kineto import KinetoReader
from stepscope.readers.sources import Source

NOT_CLOSED = Message("reader-list-not-closed")
NO_END = Message("reader-end-missing")


def event(number: int, **changes: Any) -> dict[str, Any]:
    """An operator that starts at ``number`` microseconds."""
    return {"ph": "X", "cat": "cpu_op", "name": f"op{number}", "pid": 1, "tid": 2, "ts": number, "dur": 1} | changes


def operators(tables: Tables) -> list[str]:
    """Names of the operators that were kept."""
    if "operator" not in tables.frames:
        return []
    return [tables.texts[code] for code in tables.frames["operator"]["name"]]


def values(tables: Tables, number: int) -> dict[Any, Any]:
    """Stored values of one event, by (level, key)."""
    return {place: stored.value for place, stored in rebuilt(tables)[number].items()}


def broken(tables: Tables) -> list[int]:
    return tables.frames["other"]["broken"].to_list()


def counts(facts: KinetoFacts) -> tuple[int, int, int]:
    return facts.events, facts.damaged, facts.not_objects


def refusal(data: bytes, **options: Any) -> str:
    """The sentence for bytes that cannot be read, without the path."""
    with pytest.raises(UnreadableInput) as caught:
        read(data, **options)
    text = str(caught.value)
    assert "\n" not in text
    assert caught.value.advice
    return text.removeprefix("cannot read trace.json: ")


THREE = trace(event(1), event(2), event(3), schemaVersion=1)


class TestTruncation:
    def test_a_whole_trace_has_nothing_to_say(self) -> None:
        tables, facts = read(THREE)
        assert operators(tables) == ["op1", "op2", "op3"]
        assert facts == KinetoFacts(head={"schemaVersion": 1}, events=3, json_bytes=len(THREE))

    def test_cut_inside_an_event(self) -> None:
        tables, facts = read(THREE[: THREE.index(b'"op3"') + 10])
        assert operators(tables) == ["op1", "op2"]
        assert (counts(facts), facts.truncated, facts.lost_bytes) == ((2, 0, 0), NOT_CLOSED, 47)

    def test_cut_inside_a_string(self) -> None:
        tables, facts = read(THREE[: THREE.index(b'"op3"') + 3])
        assert operators(tables) == ["op1", "op2"]
        assert (counts(facts), facts.truncated, facts.lost_bytes) == ((2, 0, 0), NOT_CLOSED, 40)

    def test_cut_behind_a_backslash(self) -> None:
        tables, facts = read(trace(event(1), event(2, name="a\\b")).partition(b"a\\")[0] + b"a\\")
        assert operators(tables) == ["op1"]
        assert (counts(facts), facts.truncated) == ((1, 0, 0), NOT_CLOSED)

    def test_cut_between_events(self) -> None:
        tables, facts = read(THREE[: THREE.index(b'{"ph": "X", "cat": "cpu_op", "name": "op3"')])
        assert operators(tables) == ["op1", "op2"]
        assert (counts(facts), facts.truncated, facts.lost_bytes) == ((2, 0, 0), NOT_CLOSED, 0)

    def test_cut_behind_the_list(self) -> None:
        tables, facts = read(THREE[:-1])
        assert operators(tables) == ["op1", "op2", "op3"]
        assert (counts(facts), facts.truncated, facts.lost_bytes) == ((3, 0, 0), NO_END, 0)

    def test_cut_in_a_key_behind_the_list(self) -> None:
        tables, facts = read(THREE[:-1] + b', "displayTimeUnit": "ms", "deviceProper')
        assert operators(tables) == ["op1", "op2", "op3"]
        assert facts.head == {"schemaVersion": 1, "displayTimeUnit": "ms"}
        assert (facts.truncated, facts.lost_bytes) == (NO_END, 15)

    def test_every_cut_keeps_every_whole_event_and_says_so(self) -> None:
        for cut in range(1, len(THREE)):
            data = THREE[:cut]
            whole = data.count(b'"dur": 1}')
            if whole == 0:
                assert refusal(data)
                continue
            tables, facts = read(data)
            assert operators(tables) == ["op1", "op2", "op3"][:whole]
            assert facts.truncated in (NOT_CLOSED, NO_END)

    def test_cut_before_the_first_event_ends(self) -> None:
        assert refusal(THREE[:60]) == (
            "the trace holds no events (the list of events is not closed). "
            "Was the profiler stopped before a step was recorded, or the file cut off?"
        )

    def test_cut_before_the_events(self) -> None:
        assert refusal(THREE[:20]) == (
            "it ends before any event (its keys are schemaVersion). Record or copy it again."
        )


class TestGzip:
    def test_a_cut_file_keeps_what_inflates(self) -> None:
        many = trace(*(event(number) for number in range(3000)))
        packed = gzip.compress(many)
        tables, facts = read(packed[: len(packed) // 2])
        assert 1000 < len(operators(tables)) < 2000
        assert operators(tables) == [f"op{number}" for number in range(facts.events)]
        assert facts.truncated == Message("reader-gzip-cut-off")

    def test_only_the_end_mark_is_cut(self) -> None:
        tables, facts = read(gzip.compress(THREE)[:-8])
        assert operators(tables) == ["op1", "op2", "op3"]
        assert facts.truncated == Message("reader-gzip-cut-off")

    def test_a_wrong_checksum_costs_no_event(self) -> None:
        packed = gzip.compress(THREE)
        tables, facts = read(packed[:-8] + b"\0\0\0\0" + packed[-4:])
        assert operators(tables) == ["op1", "op2", "op3"]
        assert isinstance(facts.truncated, Message)
        assert facts.truncated.id == "reader-gzip-damaged"

    def test_damage_in_the_middle_keeps_everything_before_it(self) -> None:
        many = trace(*(event(number) for number in range(30_000)))
        whole = zlib.compressobj(wbits=31)
        first = whole.compress(many[: len(many) // 2]) + whole.flush(zlib.Z_FULL_FLUSH)
        # A block of the reserved type 3.
        tables, facts = read(first + b"\xff" * 100)
        assert facts.events == 15_120
        assert operators(tables) == [f"op{number}" for number in range(15_120)]
        assert isinstance(facts.truncated, Message)
        assert facts.truncated.id == "reader-gzip-damaged"

    def test_stray_bytes_behind_a_whole_trace_do_not_matter(self) -> None:
        tables, facts = read(gzip.compress(THREE) + b"stray")
        assert operators(tables) == ["op1", "op2", "op3"]
        assert facts.truncated is None

    def test_stray_bytes_behind_half_a_trace_are_named(self) -> None:
        _, facts = read(gzip.compress(THREE[:-2]) + b"stray")
        assert facts.truncated == Message("reader-stray-bytes", problem=NOT_CLOSED, stray=5)

    def test_zero_padding_is_nothing(self) -> None:
        _, facts = read(gzip.compress(THREE) + bytes(1_000_000))
        assert (facts.events, facts.truncated) == (3, None)

    def test_members_are_joined(self) -> None:
        tables, facts = read(b"".join(gzip.compress(THREE[at : at + 7]) for at in range(0, len(THREE), 7)))
        assert operators(tables) == ["op1", "op2", "op3"]
        assert facts.truncated is None

    def test_a_member_may_begin_anywhere_in_a_chunk(self) -> None:
        cut = THREE.index(b",\n") + 1
        parts = gzip.compress(THREE[:cut]), gzip.compress(THREE[cut:])
        stored = len(gzip.compress(b" " * 250_000, 0)) - 250_000
        for at in range(CHUNK - 20, CHUNK + 3):
            filler = gzip.compress(b" " * (at - len(parts[0]) - stored), 0)
            data = parts[0] + filler + parts[1]
            assert data.index(parts[1]) == at
            assert read(data)[1] == KinetoFacts(
                head={"schemaVersion": 1}, events=3, json_bytes=len(THREE) + at - len(parts[0]) - stored
            )

    def test_empty_data_is_no_trace(self) -> None:
        assert refusal(gzip.compress(b"")) == "the file is empty. Was the profiler stopped, and the disk not full?"

    def test_a_cut_header_is_no_trace(self) -> None:
        assert refusal(gzip.compress(THREE)[:8]) == "the gzip data ends before its end mark. Copy or record it again."

    def test_a_file_that_inflates_without_end_names_the_limit(self) -> None:
        bomb = gzip.compress(THREE[:-2] + b" " * 20_000_000)
        assert refusal(bomb, max_bytes=10_000_000) == (
            f"{len(bomb):,} bytes on disk inflate to more than 10,000,000. "
            "If the file is what you expect, raise the limit: --max-size 100GB"
        )


class TestNumbers:
    @pytest.mark.parametrize("text", ["NaN", "Infinity", "-Infinity", "null", '"soon"', "[1]", "true", "1e999", '""'])
    def test_a_start_that_is_no_time_breaks_the_event_and_is_kept(self, text: str) -> None:
        tables, facts = read(trace(event(1), json.dumps(event(2)).replace('"ts": 2', f'"ts": {text}')))
        assert operators(tables) == ["op1"]
        assert counts(facts) == (2, 0, 0)
        assert broken(tables) == [1]
        assert values(tables, 1)[0, "ts"] == text

    @pytest.mark.parametrize("text", ["NaN", "Infinity", "-Infinity", "null", '"long"', "{}"])
    def test_a_duration_that_is_no_time_breaks_the_event_and_is_kept(self, text: str) -> None:
        tables, _ = read(trace(event(1), json.dumps(event(2)).replace('"dur": 1', f'"dur": {text}')))
        assert operators(tables) == ["op1"]
        assert broken(tables) == [2]
        assert values(tables, 1)[0, "dur"] == text

    def test_missing_times_break_the_event(self) -> None:
        without_start, without_duration = event(2), event(3)
        del without_start["ts"], without_duration["dur"]
        tables, facts = read(trace(event(1), without_start, without_duration))
        assert operators(tables) == ["op1"]
        assert broken(tables) == [1, 2]
        assert counts(facts) == (3, 0, 0)

    def test_a_negative_duration_breaks_the_event(self) -> None:
        tables, _ = read(trace(event(1), event(2, dur=-0.001)))
        assert operators(tables) == ["op1"]
        assert broken(tables) == [3]
        assert values(tables, 1)[0, "dur"] == -1

    def test_an_end_beyond_int64_breaks_the_event(self) -> None:
        tables, _ = read(trace(event(1), event(2, ts=9.0e15, dur=9.2e15)))
        assert operators(tables) == ["op1"]
        assert broken(tables) == [2]

    def test_a_negative_start_is_a_time(self) -> None:
        tables, _ = read(trace(event(1, ts=-1.5)))
        assert tables.frames["operator"]["start_ns"].to_list() == [-1500]

    def test_times_as_text(self) -> None:
        tables, facts = read(trace(event(1, ts="1752831234567890.123", dur="0.5")))
        assert tables.frames["operator"].select("start_ns", "duration_ns").row(0) == (1752831234567890123, 500)
        assert facts.rounded_times == 0

    def test_times_finer_than_a_nanosecond_are_rounded_and_counted(self) -> None:
        tables, facts = read(trace(event(1, ts=0.0015, dur=0.0025), event(2, ts=0.0004)))
        assert tables.frames["operator"].select("start_ns", "duration_ns").rows() == [(2, 2), (0, 1000)]
        assert facts.rounded_times == 3

    @pytest.mark.parametrize("block_bytes", [16, 100, 1 << 20])
    def test_rounded_times_are_counted_once_whatever_the_blocks(self, block_bytes: int) -> None:
        data = trace(*(event(number, ts=0.0015, args={"x": [{"a": 1}, {"b": 2}]}) for number in range(20)))
        assert read(data, block_bytes=block_bytes)[1].rounded_times == 20

    @pytest.mark.parametrize("block_bytes", [16, 100, 1 << 20])
    def test_events_with_a_key_twice_are_counted(self, block_bytes: int) -> None:
        """Two ``args`` were merged without a word."""
        twice = '{"ph": "X", "cat": "cpu_op", "name": "%s", "ts": 1, "dur": 2, "args": {"a": 1, "b": 1}, %s}'
        several = [
            twice % ("two args", '"args": {"b": 2, "External id": 7}'),
            twice % ("two args, one of them none", '"args": null'),
            twice % ("two names", '"name": "the second", "name": "the last"'),
            twice % ("an argument", '"args": {"External id": 3, "External id": 4}'),
            twice % ("one", '"pid": 1'),
            '{"ph": "X", "name": "damaged", "name": "twice", "ts": 1, "dur" 2}',
        ]
        tables, facts = read(trace(*several, event(9)), block_bytes=block_bytes)
        assert (facts.doubled, facts.damaged) == (4, 1)
        assert operators(tables)[2] == "the last"
        assert tables.frames["operator"]["external_id"].to_list()[:4] == [7, None, None, 4]

    def test_times_between_which_more_lies_than_fits_break_the_event(self) -> None:
        """Their span and their sums left int64: a table showed a total that had wrapped, another one an error."""
        far, long = event(2, ts=-9.1e15), event(3, dur=9e15)
        tables, _ = read(trace(event(1), far, long, event(4, ts=9.0e15)))
        assert operators(tables) == ["op1", "op4"]
        assert broken(tables) == [1, 2]

    def test_durations_whose_sum_does_not_fit_are_refused(self) -> None:
        days = 12 * 86_400 * 10**6
        text = refusal(trace(*(event(number, dur=days) for number in range(1200))))
        assert text.startswith("the durations of its events add up to more than 37 years")

    def test_times_above_two_to_the_53_are_exact(self) -> None:
        tables, _ = read(trace(event(1, ts=9007199254740993)))
        assert tables.frames["operator"]["start_ns"].to_list() == [9007199254740993000]

    def test_absurd_exponents(self) -> None:
        text = json.dumps(event(2))
        tables, _ = read(
            trace(
                text.replace('"ts": 2', '"ts": 2e3'),
                text.replace('"ts": 2', '"ts": 1e-999999999'),
                text.replace('"ts": 2', '"ts": 0e999999999'),
                text.replace('"ts": 2', '"ts": 1e999999999'),
            )
        )
        assert tables.frames["operator"]["start_ns"].to_list() == [2_000_000, 0, 0]
        assert broken(tables) == [1]

    def test_integers_written_as_floats_are_integers(self) -> None:
        """Tools that write a trace anew make ``"correlation": 1.0`` of it: no launch was linked."""
        tables, _ = read(trace(event(1, cat="kernel", args={"correlation": 1.0, "device": 0.0, "stream": 1.5})))
        activity = tables.frames["activity"]
        assert (activity["correlation"].to_list(), activity["device"].to_list()) == ([1], [0])
        assert values(tables, 0)[1, "stream"] == "1.5"

    def test_integers_beyond_int64_stay_text(self) -> None:
        arguments = {
            "correlation": 2**63 - 1,
            "device": 2**63,
            "stream": 2**64 + 1,
            "External id": -(2**63),
            "x": 10**40,
        }
        tables, _ = read(trace(event(1, cat="kernel", args=arguments)))
        assert tables.frames["activity"]["correlation"].to_list() == [9223372036854775807]
        found = values(tables, 0)
        assert found[1, "device"] == "9223372036854775808"
        assert found[1, "stream"] == "18446744073709551617"
        assert found[1, "External id"] == "-9223372036854775808"
        assert found[1, "x"] == "1" + "0" * 40

    def test_arguments_that_are_no_numbers_stay_text(self) -> None:
        arguments = {
            "stream": "seven",
            "correlation": float("nan"),
            "est. achieved occupancy %": float("inf"),
            "blocks per SM": "x",
            "warps per SM": -0.0,
            "bytes": "1024",
            "device": 1.5,
            "queued": True,
            "context": None,
        }
        tables, _ = read(trace(event(1, cat="kernel", args=arguments)))
        found = values(tables, 0)
        assert {key: found[1, key] for key in arguments} == {
            "stream": '"seven"',
            "correlation": "NaN",
            "est. achieved occupancy %": "Infinity",
            "blocks per SM": '"x"',
            "warps per SM": 0.0,
            "bytes": 1024,
            "device": "1.5",
            "queued": "true",
            "context": "null",
        }


class TestTexts:
    def test_invalid_utf_8_is_replaced(self) -> None:
        tables, facts = read(trace(event(1)).replace(b"op1", b"a\xff\xc3("))
        assert operators(tables) == ["a\ufffd\ufffd("]
        assert counts(facts) == (1, 0, 0)

    def test_control_characters_and_nul_are_kept(self) -> None:
        tables, _ = read(trace(event(1)).replace(b"op1", b"a\0b\nc\x1f\x7f"))
        assert operators(tables) == ["a\0b\nc\x1f\x7f"]

    def test_halves_of_surrogate_pairs_are_replaced(self) -> None:
        tables, _ = read(trace(event(1)).replace(b"op1", rb"\ud83d \ude42 \ud83d\ude42"))
        assert operators(tables) == ["\ufffd \ufffd \U0001f642"]

    def test_escapes_that_json_does_not_know_stay(self) -> None:
        tables, _ = read(trace(event(1)).replace(b"op1", rb"C:\Users\x"))
        assert operators(tables) == [r"C:\Users\x"]

    def test_escaped_and_plain_text_are_told_from_json(self) -> None:
        tables, _ = read(trace(event(1, name='["a\\b"]'), event(2, name=["a\\b"]), event(3, name='"a\\b"')))
        assert operators(tables) == ['["a\\b"]', '["a\\\\b"]', '"a\\b"']

    def test_a_string_of_5_mb(self) -> None:
        tables, facts = read(trace(event(1, name="x" * 5_000_000), event(2, args={"y": "z" * 5_000_000}), event(3)))
        assert [len(name) for name in operators(tables)] == [5_000_000, 3, 3]
        assert len(values(tables, 1)[1, "y"]) == 5_000_002
        assert counts(facts) == (3, 0, 0)

    def test_names_that_are_no_text(self) -> None:
        tables, _ = read(trace(event(1, name=5), event(2, name={"a": 1}), event(3, name=None), event(4, name=True)))
        names = tables.frames["operator"]["name"].to_list()
        assert [None if code is None else tables.texts[code] for code in names] == ["5", '{"a": 1}', None, "true"]
        assert values(tables, 2)[0, "name"] == "null"

    def test_an_array_is_not_taken_for_the_text_before_it(self) -> None:
        # The text of the slot before is tried first; unquoted it must not match a part of the array.
        data = trace(event(1, args={"Input Dims": "[1"}), event(2, args={"Input Dims": [1, 2]}))
        tables, facts = read(data.replace(b"[1, 2]", b"[1 , 2]"))
        assert [values(tables, number)[1, "Input Dims"] for number in (0, 1)] == ["[1", "[1 , 2]"]
        assert counts(facts) == (2, 0, 0)


class TestStructure:
    def test_trailing_commas(self) -> None:
        text = json.dumps(event(1, args={"a": 1}))[:-2] + ",},}"
        tables, facts = read(b'{"traceEvents": [' + text.encode() + b",],}")
        assert operators(tables) == ["op1"]
        assert (counts(facts), facts.truncated) == ((1, 0, 0), None)

    def test_a_missing_comma_between_events(self) -> None:
        tables, facts = read(THREE.replace(b"},\n{", b"}\n{"))
        assert operators(tables) == ["op1", "op2", "op3"]
        assert (counts(facts), facts.truncated) == ((3, 0, 0), None)

    def test_byte_order_mark(self) -> None:
        tables, facts = read(b"\xef\xbb\xbf" + THREE)
        assert (operators(tables), facts.truncated) == (["op1", "op2", "op3"], None)

    def test_the_last_of_equal_keys_counts(self) -> None:
        text = json.dumps(event(1))[:-1] + ', "name": "last", "dur": 7, "dur": "x", "dur": 9, "odd": 1, "odd": 2}'
        tables, _ = read(trace(text))
        assert operators(tables) == ["last"]
        assert tables.frames["operator"]["duration_ns"].to_list() == [9000]
        assert values(tables, 0)[0, "odd"] == "2"

    def test_a_hundred_thousand_brackets(self) -> None:
        deep = "[" * 100_000 + "]" * 100_000
        escaped = "[" * 100_000 + '"\\n"' + "]" * 100_000
        tables, facts = read(trace(json.dumps(event(1))[:-1] + f', "a": {deep}, "b": {escaped}}}', event(2)))
        assert operators(tables) == ["op1", "op2"]
        assert values(tables, 0)[0, "a"] == deep
        assert values(tables, 0)[0, "b"] == escaped
        assert counts(facts) == (2, 0, 0)

    def test_deep_brackets_at_the_top_do_not_matter(self) -> None:
        deep = b"[" * 100_000 + b"]" * 100_000
        _, facts = read(b'{"deviceProperties": ' + deep + b', "distributedInfo": {"a": ' + deep + b"}, " + THREE[1:])
        assert (facts.events, facts.head) == (3, {"schemaVersion": 1})

    def test_a_bare_array(self) -> None:
        tables, facts = read(json.dumps([event(1), event(2)]).encode())
        assert operators(tables) == ["op1", "op2"]
        assert (counts(facts), facts.truncated, facts.head) == ((2, 0, 0), None, {})

    def test_a_bare_array_without_its_end(self) -> None:
        tables, facts = read(json.dumps([event(1), event(2)]).encode()[:-1])
        assert operators(tables) == ["op1", "op2"]
        assert (counts(facts), facts.truncated) == ((2, 0, 0), NOT_CLOSED)

    @pytest.mark.parametrize("data", [b"[]", b'{"traceEvents": []}', b'{"traceEvents": [ ], "schemaVersion": 1}'])
    def test_no_events(self, data: bytes) -> None:
        assert refusal(data) == (
            "the trace holds no events. Was the profiler stopped before a step was recorded, or the file cut off?"
        )

    @pytest.mark.parametrize("value", [b"null", b"{}", b'"text"', b"7", b'{"a": [1]}'])
    def test_events_that_are_no_list(self, value: bytes) -> None:
        assert refusal(b'{"schemaVersion": 1, "traceEvents": ' + value + b"}") == (
            "its traceEvents is no list. Record or copy it again."
        )

    def test_no_key_for_events(self) -> None:
        assert refusal(b'{"a": 1, "b": [], "c": {}, "d": 4, "e": 5}') == (
            "it is JSON without traceEvents (its keys are a, b, c, d). "
            "Name a trace of torch.profiler (export_chrome_trace)."
        )

    def test_several_lists_are_read_as_one(self) -> None:
        first, second = json.dumps([event(1), event(2)]), json.dumps([event(3)])
        data = f'{{"traceEvents": {first}, "schemaVersion": 1, "traceEvents": {second}, "displayTimeUnit": "ms"}}'
        for block_bytes in (16, 64, 1 << 20):
            tables, facts = read(data.encode(), block_bytes=block_bytes)
            assert operators(tables) == ["op1", "op2", "op3"]
            assert (counts(facts), facts.truncated, facts.lost_bytes) == ((3, 0, 0), None, 0)
            assert facts.head == {"schemaVersion": 1, "displayTimeUnit": "ms"}

    def test_keys_behind_the_events(self) -> None:
        data = b'{"traceEvents": [' + json.dumps(event(1)).encode() + b'], "baseTimeNanoseconds": 5, "env": {"A": "b"}}'
        for block_bytes in (16, 50, 1 << 20):
            _, facts = read(data, block_bytes=block_bytes)
            assert facts.head == {"baseTimeNanoseconds": 5}
            assert facts.truncated is None

    def test_much_behind_the_events_keeps_its_order(self) -> None:
        filler = json.dumps({f"key{number}": "x" * 500 for number in range(500)})[1:-1].encode()
        data = THREE[:-1] + b", " + filler + b', "trace_id": "A1", ' + filler + b', "displayTimeUnit": "ms"}'
        for workers in (1, 2, 4):
            _, facts = read(data, block_bytes=5000, workers=workers)
            assert facts.head == {"schemaVersion": 1, "trace_id": "A1", "displayTimeUnit": "ms"}
            assert (facts.truncated, facts.lost_bytes) == (None, 0)

    def test_bare_values_among_events(self) -> None:
        tables, facts = read(trace("1", event(1), '"text"', "null", event(2), "[1, [2]]", "true"))
        assert operators(tables) == ["op1", "op2"]
        assert counts(facts) == (7, 0, 5)

    def test_an_event_without_phase_is_kept_but_placed_nowhere(self) -> None:
        without = event(2)
        del without["ph"]
        tables, facts = read(trace(event(1), without, event(3, ph=None), event(4, ph=7), event(5, ph="")))
        assert operators(tables) == ["op1"]
        assert broken(tables) == [4, 4, 0, 0]
        assert (counts(facts), facts.without_phase) == ((5, 0, 0), 2)

    def test_a_list_of_other_objects_is_no_trace(self) -> None:
        assert refusal(b'[{"user": "a"}, {"user": "b"}, 5]') == (
            "none of the 3 entries is an event of a trace (0 damaged, 1 no objects, 2 without a phase). "
            "Was the profiler stopped before a step was recorded, or the file cut off?"
        )

    def test_blanks_without_end(self) -> None:
        blanks = b" \n\t\r\0" * 1_000_000
        data = blanks + b"{" + blanks + THREE[1:-2] + blanks + b"]" + blanks + b"}" + blanks
        _, facts = read(data)
        assert (counts(facts), facts.truncated) == ((3, 0, 0), None)

    def test_nothing_but_blanks(self) -> None:
        assert refusal(b" \n" * 1_000_000) == (
            "it holds nothing but blanks. Was the profiler stopped, and the disk not full?"
        )

    def test_something_behind_the_end(self) -> None:
        _, facts = read(THREE + b'\n{"traceEvents": []}\n')
        assert (facts.events, facts.lost_bytes) == (3, 19)
        assert facts.truncated == Message("reader-something-follows")


class TestDamagedEvents:
    """One bad place costs one event; the next whole event is found again."""

    @pytest.mark.parametrize(
        ("good", "bad"),
        [
            ('"name": "op2"', '"name": "op2'),
            ('"name": "op2"', '"name": op2"'),
            ('"name": "op2"', '"name": "op "quoted" 2"'),
            ('"name": "op2"', 'name": "op2"'),
            ('"name": "op2"', '"name" "op2"'),
            ('"name": "op2"', '"name": '),
            ('"name": "op2"', '"name": "op2\\"'),
            ('"dur": 1}', '"dur": 1'),
            ('"dur": 1}', '"dur": 1]'),
            ('"dur": 1}', '"dur": 1, "args": {"a": 1}'),
            ('"dur": 1}', '"dur": 1, "args": {"a": {"b": 1}'),
            ('"dur": 1}', '"dur": 1, "args": {"a": [{"b": 1}, {"b": 2}], oops, "c": [{"d": 1}]}}'),
            ('"dur": 1}', '"dur": 1, "args": {"a": [[1, 2}'),
            ('"dur": 1}', '"dur": 1, "args": {"a": [[1, 2], "b": 3}}'),
            ('"dur": 1}', '"dur": 1, "other": {"a'),
            ('{"ph": "X", "cat": "cpu_op", "name": "op2"', '"ph": "X", "cat": "cpu_op", "name": "op2"'),
            ('{"ph": "X", "cat": "cpu_op", "name": "op2"', '{"ph": "X" "cat": x"cpu_op", "name": "op2"'),
        ],
    )
    @pytest.mark.parametrize("block_bytes", [16, 64, 200, 1 << 20])
    def test_one_bad_event_between_good_ones(self, good: str, bad: str, block_bytes: int) -> None:
        text = json.dumps(event(2))
        assert good in text
        data = trace(event(1), text.replace(good, bad), event(3), event(4), displayTimeUnit="ms")
        tables, facts = read(data, block_bytes=block_bytes)
        assert operators(tables) == ["op1", "op3", "op4"]
        assert (counts(facts), facts.truncated, facts.lost_bytes) == ((4, 1, 0), None, 0)

    @pytest.mark.parametrize(
        "stray", ["[", "]", "{", "}", '"', "x", "\\", '"x', "[[", "]]", "}}", "{{", "[{", "}]", "]},"]
    )
    @pytest.mark.parametrize("block_bytes", [16, 64, 1 << 20])
    def test_stray_characters_between_events_cost_none(self, stray: str, block_bytes: int) -> None:
        data = trace(event(1), event(2), event(3)).replace(b",\n", b",\n" + stray.encode(), 1)
        tables, facts = read(data, block_bytes=block_bytes)
        assert operators(tables) == ["op1", "op2", "op3"]
        assert (facts.damaged, facts.truncated) == (1, None)

    def test_a_bad_last_event_does_not_hide_what_follows_the_list(self) -> None:
        bad = json.dumps(event(3, args={"a": [1, 2]})).replace('"op3"', '"op3')
        data = (
            trace(event(1), event(2), bad)[:-1]
            + b', "displayTimeUnit": "ms", "deviceProperties": [{"id": 0}, {"id": 1}]}'
        )
        tables, facts = read(data)
        assert operators(tables) == ["op1", "op2"]
        assert (counts(facts), facts.truncated) == ((3, 1, 0), None)
        assert facts.head == {"displayTimeUnit": "ms", "deviceProperties": [{"id": 0}, {"id": 1}]}

    def test_a_list_inside_a_damaged_event_does_not_end_the_trace(self) -> None:
        bad = '{"ph": "X" oops, "args": {"list": [{"a": 1}, {"b": 2}], "more": 3}}'
        tables, facts = read(trace(event(1), bad, event(2)))
        assert operators(tables) == ["op1", "op2"]
        assert (counts(facts), facts.truncated) == ((3, 1, 0), None)

    def test_every_second_event_is_damaged(self) -> None:
        texts = [json.dumps(event(number)) for number in range(1000)]
        texts[1::2] = [text.replace('"tid"', '"tid') for text in texts[1::2]]
        for block_bytes in (100, 5000, 1 << 20):
            tables, facts = read(trace(*texts), block_bytes=block_bytes)
            assert operators(tables) == [f"op{number}" for number in range(0, 1000, 2)]
            assert counts(facts) == (1000, 500, 0)

    def test_every_event_is_damaged(self) -> None:
        texts = [json.dumps(event(number)).replace('"tid"', '"tid') for number in range(3)]
        assert refusal(trace(*texts)).startswith("none of the 3 entries is an event of a trace (3 damaged, ")

    def test_an_event_without_end_costs_no_more_than_its_limit(self) -> None:
        before, behind = [event(number) for number in range(50)], [event(number) for number in range(50, 300)]
        bad = json.dumps(event(0))[:-1] + ', "args": {"a": [[[{'
        data = trace(*before, bad, *behind)
        for block_bytes in (16, 100, 1 << 20):
            tables, facts = read(data, block_bytes=block_bytes, max_event_bytes=2000)
            assert operators(tables) == [f"op{number}" for number in range(300)]
            assert counts(facts) == (301, 1, 0)

    def test_a_long_stretch_of_garbage_costs_only_itself(self) -> None:
        garbage = 'garbage ]}, [ { "a": \\ ' * 1000
        for block_bytes in (16, 100, 1 << 20):
            tables, facts = read(trace(event(1), garbage, event(2)), block_bytes=block_bytes, max_event_bytes=500)
            assert operators(tables) == ["op1", "op2"]
            assert (counts(facts), facts.truncated) == ((3, 1, 0), None)

    def test_damage_before_the_events_costs_only_the_head(self) -> None:
        tables, facts = read(b'{"schemaVersion": 1, "deviceProperties": [{"name": "a"b"}], ' + THREE[1:])
        assert operators(tables) == ["op1", "op2", "op3"]
        assert (facts.head, facts.head_damaged) == ({"schemaVersion": 1}, True)

    def test_damage_that_looks_like_the_end_of_the_list_costs_no_whole_event(self) -> None:
        """Found by fuzzing: the event behind it began in what was read as a text of the top-level object."""
        for block_bytes in (16, 100, 1 << 20):
            tables, facts = read(
                trace(event(1), ']"ph": "X", "cat": "', event(2), event(3), displayTimeUnit="ms"),
                block_bytes=block_bytes,
            )
            assert operators(tables) == ["op1", "op2", "op3"]
            assert facts.truncated is None

    def test_damage_behind_the_events_is_said(self) -> None:
        _, facts = read(THREE[:-1] + b', "displayTimeUnit": "ms", oops, "trace_id": "1"}')
        assert (facts.events, facts.head) == (3, {"schemaVersion": 1, "displayTimeUnit": "ms"})
        assert (facts.truncated, facts.lost_bytes) == (Message("reader-damaged-behind-events"), 22)


class Pipe(Memory):
    """A file that can be read once, from its beginning to its end."""

    def open_raw(self) -> io.BytesIO:
        raw = super().open_raw()
        raw.seekable = lambda: False  # type: ignore[method-assign]
        return raw


@pytest.mark.long
def test_damaged_gzip_in_a_pipe_is_read_up_to_the_damage(monkeypatch: pytest.MonkeyPatch) -> None:
    """To find the good bytes of the damaged piece the file is read twice: the second opening waited for ever."""
    packed = bytearray(gzip.compress(trace(*map(event, range(20_000)))))
    packed[len(packed) // 2] ^= 255
    pipe = Pipe(bytes(packed))
    with pipe.open() as stream:
        monkeypatch.setattr(Pipe, "open_raw", None)
        reader = KinetoReader(stream)
        assert sum(len(frame) for name, frame in reader.tables() if name == "operator") > 0
    assert isinstance(reader.facts.truncated, Message)
    assert reader.facts.truncated.id == "reader-gzip-damaged"


class TestOtherFiles:
    @pytest.mark.parametrize(
        ("data", "found"),
        [
            (b"", "the file is empty"),
            (b"\x80\x04\x95\x10", "it is a Python pickle"),
            (b"SQLite format 3\0" + bytes(100), "it is an SQLite database"),
            (gzip.compress(b"\x80\x04\x95\x10", mtime=0), "it is a Python pickle"),
            (b'{"nodes": [], "schema": "1.1.0-chakra.0.0.4"}', "it is a PyTorch execution trace"),
            (b'{"rocprofiler-sdk-tool": [{"metadata": {}}]}', "it is a rocprofv3 result"),
            (b"[[0, 1, 2], [3, 4, 5]]", "it is a JSON list of lists, not of events"),
            (b"hello world\n", "it is text, not JSON"),
            (b"\x00\x01\x02\xfa\xfb" * 30, "it is binary data of an unknown kind, not JSON"),
            (
                b"\n\xe9\x8a\x01\x08\x01\x12\x09/host:CPU\x1a\x8f\xc2" * 3,
                "it is an XPlane profile of JAX or TensorFlow, not a trace of torch.profiler",
            ),
            ('{"traceEvents": []}'.encode("utf-16"), "it is UTF-16 text"),
            (b"PK\x03\x04", "it is a zip archive"),
            (b"\x28\xb5\x2f\xfd", "it is zstd-compressed data"),
            (b"{", "it ends before any event (it has no readable keys)"),
            (b"{}", "it is JSON without traceEvents (it has no readable keys)"),
            (b"{]", "the JSON is damaged before any event (it has no readable keys)"),
            (b'"text"', "it is text, not JSON"),
            (b'{"\xff\n\x1b[31m": 1}', "it is JSON without traceEvents (its keys are \ufffd??[31m)"),
        ],
    )
    def test_other_content_is_named(self, data: bytes, found: str) -> None:
        assert refusal(data).startswith(found)

    def test_a_missing_file(self, tmp_path: Path) -> None:
        with pytest.raises(UnreadableInput, match="there is no such file or folder"):
            Source(str(tmp_path / "none.json")).open()

    def test_a_folder(self, tmp_path: Path) -> None:
        with pytest.raises(UnreadableInput, match="it is a folder"):
            Source(str(tmp_path)).open()

    def test_a_name_that_no_file_can_have(self) -> None:
        with pytest.raises(UnreadableInput, match="no file can have this name"):
            Source("a\0b").open()

    def test_no_permission(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        path = tmp_path / "trace.json"
        path.write_bytes(THREE)

        def refuse(*_: object, **__: object) -> None:
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr("builtins.open", refuse)
        with pytest.raises(UnreadableInput, match="no permission to read it"):
            Source(str(path)).open()

    def test_a_disk_that_fails(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        path = tmp_path / "trace.json"
        path.write_bytes(THREE)
        with Source(str(path)).open() as stream:
            stream.close()
            monkeypatch.setattr(stream, "_raw", _FailingFile())
            with pytest.raises(UnreadableInput, match="Input/output error"):
                stream.read_into(memoryview(bytearray(10_000)))

    def test_a_plain_file_beyond_the_limit(self) -> None:
        assert refusal(THREE, max_bytes=100) == (
            "it is longer than 100 bytes. If the file is what you expect, raise the limit: --max-size 100GB"
        )


class _FailingFile:
    def read(self, _: int) -> bytes:
        raise OSError(5, "Input/output error")

    def close(self) -> None:
        pass
