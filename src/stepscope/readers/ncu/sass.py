"""Names of instructions of NVIDIA's GPUs (SASS), by their bits.

A report holds instructions as bits alone. From Volta to Hopper an instruction has 128 bits, and the nine lowest say
what it does, without its modifiers. Each name here was compared with what Nsight Compute prints of an H200; others are
not known.
"""

from __future__ import annotations

WIDTH = 16
"""Bytes of an instruction."""

_OLDEST, _NEWEST = 70, 90
_BITS = 0x1FF

_NAMES = {
    0x002: "MOV",
    0x005: "CS2R",
    0x007: "SEL",
    0x008: "FSEL",
    0x00B: "FSETP",
    0x00C: "ISETP",
    0x010: "IADD3",
    0x011: "LEA",
    0x012: "LOP3",
    0x019: "SHF",
    0x020: "FMUL",
    0x021: "FADD",
    0x023: "FFMA",
    0x024: "IMAD",
    0x025: "IMAD",
    0x027: "IMAD",
    0x028: "DMUL",
    0x035: "HFMA2",
    0x036: "VIADD",
    0x045: "I2FP",
    0x082: "UMOV",
    0x087: "USEL",
    0x08C: "UISETP",
    0x090: "UIADD3",
    0x091: "ULEA",
    0x099: "USHF",
    0x0B9: "ULDC",
    0x105: "F2I",
    0x106: "I2F",
    0x108: "MUFU",
    0x110: "F2F",
    0x111: "F2I",
    0x112: "I2F",
    0x118: "NOP",
    0x119: "S2R",
    0x11D: "BAR",
    0x141: "BSYNC",
    0x144: "CALL",
    0x145: "BSSY",
    0x147: "BRA",
    0x14D: "EXIT",
    0x150: "RET",
    0x181: "LDG",
    0x182: "LDC",
    0x183: "LDL",
    0x184: "LDS",
    0x186: "STG",
    0x187: "STL",
    0x188: "STS",
    0x1C3: "S2UR",
}


def mnemonic(bits: bytes, architecture: int) -> str:
    """What an instruction does, "" where that is not known.

    >>> mnemonic(bytes.fromhex("4d79000000000000000000000000000f"), 90)
    'EXIT'
    """
    if len(bits) < WIDTH or not _OLDEST <= architecture <= _NEWEST:
        return ""
    return _NAMES.get(int.from_bytes(bits[:2], "little") & _BITS, "")
