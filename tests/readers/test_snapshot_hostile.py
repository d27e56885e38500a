"""Pickles that are made to do harm: refused in a sentence, with nothing executed and little memory taken."""

from __future__ import annotations

import io
import os
import pickle
import random
import struct
from pathlib import Path
from typing import Any

import pytest

from building.snapshots import small_training
from readers.contract import check_sound, read
from stepscope.errors import UnreadableInput
from stepscope.readers import registry
from stepscope.readers.formats import Input
from stepscope.readers.snapshot import decoding
from stepscope.readers.snapshot_format import MemorySnapshots
from stepscope.readers.sources import Between, Source

_TO = "echo harm > {}"


def refused(folder: Path, content: bytes) -> str:
    """The sentence with which it is refused; it is recognised as far as its words go."""
    path = folder / "hostile.pickle"
    path.write_bytes(content)
    with pytest.raises(UnreadableInput) as error:
        read(MemorySnapshots(), Source(str(path)))
    assert "\n" not in str(error.value)
    return str(error.value)


class Harm:
    """Unpickling it would run a command."""

    def __init__(self, command: str) -> None:
        self.command = command

    def __reduce__(self) -> Any:
        return os.system, (self.command,)


@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
def test_nothing_is_called(tmp_path: Path, protocol: int) -> None:
    target = tmp_path / "harm"
    document = {"segments": [Harm(_TO.format(target))], "device_traces": []}
    said = refused(tmp_path, pickle.dumps(document, protocol))
    assert "nothing of it was executed" in said
    assert not target.exists()


HEAD = b"\x80\x04}\x8c\x08segments"

REFUSED = {
    "GLOBAL": HEAD + b"cos\nsystem\n(\x8c\x02ls\x85Rs.",
    "STACK_GLOBAL": HEAD + b"\x8c\x02os\x8c\x06system\x93s.",
    "INST": HEAD + b"(\x8c\x02lsios\nsystem\ns.",
    "OBJ": HEAD + b"(cos\nsystem\n\x8c\x02lsos.",
    "NEWOBJ": HEAD + b")\x81s.",
    "NEWOBJ_EX": HEAD + b")}\x92s.",
    "BUILD": HEAD + b"}}bs.",
    "REDUCE": HEAD + b"))Rs.",
    "PERSID": HEAD + b"Pid\ns.",
    "BINPERSID": HEAD + b"\x8c\x02idQs.",
    "EXT1": HEAD + b"\x82\x01s.",
    "EXT2": HEAD + b"\x83\x01\x00s.",
    "EXT4": HEAD + b"\x84\x01\x00\x00\x00s.",
    "NEXT_BUFFER": HEAD + b"\x97s.",
    "BYTEARRAY8": HEAD + b"\x96" + struct.pack("<Q", 1 << 40) + b"s.",
    "FROZENSET": HEAD + b"(\x91s.",
    "LONG4": HEAD + b"\x8b\xff\xff\xff\x7fs.",
    "DUP": HEAD + b"2s.",
}


@pytest.mark.parametrize("name", REFUSED)
def test_instructions_that_no_snapshot_has_are_refused(tmp_path: Path, name: str) -> None:
    assert "which no memory snapshot has" in refused(tmp_path, REFUSED[name])


MALFORMED = {
    "memo far away": HEAD + b"r\xff\xff\xff\x7f]s.",
    "memo never written": HEAD + b"j\xff\xff\xff\x7fs.",
    "a list as a key": b"\x80\x04}]\x8c\x08segmentss.",
    "a number as a key": b"\x80\x04}(K\x01\x8c\x08segmentsu.",
    "a key alone": b"\x80\x04}(\x8c\x08segmentsu.",
    "appending to a dict": HEAD + b"}K\x01as.",
    "appending to a tuple": HEAD + b")(K\x01es.",
    "below the mark": HEAD + b"](\x85es.",
    "no mark": HEAD + b"]es.",
    "nothing on the stack": b"\x80\x04.segments",
    "two values left": b"\x80\x04]\x8c\x08segments.",
    "protocol 9": b"\x80\x04\x80\x09" + HEAD + b"]s.",
    "a text of 4 GB": HEAD + b"X\xff\xff\xff\xff",
    "a text of 2**63 bytes": HEAD + b"\x8d" + b"\xff" * 8,
}


@pytest.mark.parametrize("name", MALFORMED)
def test_instructions_that_make_no_sense_are_refused(tmp_path: Path, name: str) -> None:
    assert "damaged or no memory snapshot" in refused(tmp_path, MALFORMED[name])


def test_more_sorts_of_dicts_than_any_snapshot_has(tmp_path: Path) -> None:
    document = {"segments": [{f"key {at}": 1} for at in range(5000)]}
    assert "damaged or no memory snapshot" in refused(tmp_path, pickle.dumps(document))


def test_a_truncated_pickle_says_so(tmp_path: Path) -> None:
    content = pickle.dumps(small_training().document())
    for cut in (len(content) - 1, len(content) // 2, 30):
        assert "its end is missing" in refused(tmp_path, content[:cut])


def test_deep_nesting_is_read(tmp_path: Path) -> None:
    """Nothing is recursive: as deep as the file is long."""
    path = tmp_path / "deep.pickle"
    deep = b"\x80\x04}(\x8c\x08segments]\x8c\x05other" + b"]" * 300_000 + b"a" * 299_999 + b"u."
    path.write_bytes(deep)
    with pytest.raises(UnreadableInput, match="without segments"):
        read(MemorySnapshots(), Source(str(path)))


def test_lists_that_hold_themselves(tmp_path: Path) -> None:
    content = b"\x80\x04}(\x8c\x08segments]\x94(h\x00h\x00e\x8c\x0ddevice_tracesh\x00u."
    assert "one list several times" in refused(tmp_path, content)


@pytest.mark.parametrize("key", ["device_traces", "segments"])
def test_one_list_many_times_is_refused(tmp_path: Path, key: str) -> None:
    """A thousand references of two bytes would stand for a thousand times as many events."""
    document = small_training().document()
    document["device_traces"] *= 1000 if key == "device_traces" else 1
    document["segments"] = [dict(one) for one in document["segments"] * 5]
    assert "one list several times" in refused(tmp_path, pickle.dumps(document))


def test_a_pickle_that_takes_too_much_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decoding, "available_bytes", lambda: 1 << 20)
    assert "of memory" in refused(tmp_path, pickle.dumps(small_training().document()))


def test_pieces_of_any_length_give_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = small_training().write(tmp_path / "made.pickle")
    expected = read(MemorySnapshots(), Source(str(path)))
    for piece in (9, 64, 1000):
        monkeypatch.setattr(decoding, "PIECE", piece)
        found = read(MemorySnapshots(), Source(str(path)))
        assert all(frame.equals(found.frames[table]) for table, frame in expected.frames.items())


def shuffled(content: bytes, dice: random.Random) -> bytes:
    """Bytes changed, moved, removed and repeated."""
    changed = bytearray(content)
    for _ in range(dice.choice((1, 1, 2, 5, 20))):
        at, length = dice.randrange(len(changed)), dice.choice((1, 1, 2, 9, 100))
        match dice.randrange(4):
            case 0:
                changed[at] = dice.choice((*b"}](eausqrhjXKMJG.N", 0x80, 0x8A, 0x8C, 0x94, 0x95, dice.randrange(256)))
            case 1:
                del changed[at : at + length]
            case 2:
                changed[at:at] = changed[dice.randrange(len(changed)) :][:length]
            case 3:
                changed[at : at + 1] = bytes(dice.randrange(256) for _ in range(length))
        changed = changed or bytearray(b".")
    return bytes(changed)


def fuzz(rounds: int, seed: int) -> int:
    """Damage snapshots at random and read them; how many were read all the same."""
    dice = random.Random(seed)
    content = pickle.dumps(small_training().document(), 2 + seed % 4)
    read_whole = 0
    sentences: list[str] = []
    for _ in range(rounds):
        source = _InMemory(shuffled(content, dice), dice.choice([None, (0, 9_000), (5_000, None), (None, 10**18)]))
        try:
            reading = MemorySnapshots().read(Input(source, source.open()))  # type: ignore[arg-type]
            frames: dict[str, Any] = {}
            for table, frame in reading.tables():
                frames.setdefault(table, []).append(frame)
            read_whole += 1
        except UnreadableInput as refused_:
            sentences.append(str(refused_))
    assert not any("\n" in said for said in sentences)
    return read_whole


class _InMemory:
    """A source of bytes."""

    path = name = "fuzzed.pickle"
    is_remote = is_folder = False

    def __init__(self, content: bytes, between: Between | None) -> None:
        self.content, self.between = content, between

    def fingerprint(self) -> Any:
        return type("Fingerprint", (), {"size": len(self.content)})

    def open_raw(self) -> io.BytesIO:
        return io.BytesIO(self.content)

    def open(self) -> Any:
        from stepscope.readers.sources import Stream

        return Stream(self, len(self.content), None)  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", range(4))
def test_damage_at_random_is_a_sentence_or_a_result(seed: int) -> None:
    assert 10 < fuzz(300, seed) < 290


def test_what_decodes_is_what_python_decodes(tmp_path: Path) -> None:
    """Values of every kind that a snapshot may hold, in places that nothing reads, do not disturb what is read."""
    document = small_training().document()
    document["more"] = {"a": [None, True, -1, 255, 65535, -(2**31), 2**63 - 1, 2**63, -(2**80), 1.5, "", "ü" * 70_000]}
    path = tmp_path / "made.pickle"
    path.write_bytes(pickle.dumps(document))
    assert registry.recognised(Source(str(path))).format == "memory_snapshot"
    found = read(MemorySnapshots(), Source(str(path)))
    check_sound(found)
    assert len(found.frames["memory_trace"]) == len(document["device_traces"][0])
