#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Forms of call frame information that compilers hardly use: encodings of
# addresses, instructions, and what is no valid form.  What each means is in
# the DWARF standard and in the Linux Standard Base, "Exception Frames".
import os
import struct
import sys
sys.path[:0] = [os.environ["top_srcdir"] + "/tests" + d
                for d in ("", "/unwind")]
import tap
from made import (FRAME_AT, TEXT, TOP, at, elf, entry, path, sample, stacks,
                  text_map)

# CFA = rsp + 8; the return address is at CFA - 8.
START = b"\x0c\x07\x08\x90\x01"
LAST = (TEXT + 0x800, 0x100, b"\x07\x10") # a function without a caller


def cie(letters=b"zR", data=b"\x1b", version=1, more=b"", aligns=b"\x01\x78"):
    """The bytes after its length.  more: what follows the letters."""
    ra = b"\x10"
    size = bytes([len(data)]) if letters.startswith(b"z") else b""
    return b"\0\0\0\0" + bytes([version]) + letters + b"\0" + more + aligns + \
        ra + size + data + START


def table(one, pointer, rows=b"", range_=None, augmented=True, wide=False):
    """A CIE, a function of it, then LAST with a CIE as compilers make it.
    pointer: address of the pointer -> its bytes."""
    first = entry(one, 8)
    if wide: # lengths of 64 bits
        body = one[:4] + b"\0" * 4 + one[4:]
        first = b"\xff" * 4 + struct.pack("<Q", len(body)) + body
    where = len(first) + (20 if wide else 8)
    start = pointer(FRAME_AT + where)
    body = start + (struct.pack("<I", 0x100) if range_ is None else range_) + \
        b"\0" * augmented + rows
    if wide:
        body = struct.pack("<Q", len(first) + 12) + body
        out = first + b"\xff" * 4 + struct.pack("<Q", len(body)) + body
    else:
        out = first + entry(struct.pack("<I", len(first) + 4) + body, 8)
    usual = entry(cie(), 8)
    head = struct.pack("<Ii", len(usual) + 4, LAST[0] -
                       (FRAME_AT + len(out) + len(usual) + 8))
    return out + usual + entry(head + struct.pack("<IB", LAST[1], 0) +
                               LAST[2], 8) + b"\0" * 4


def check(what, frame, words=(), ip=0x10, found=True, **regs):
    """words: those of the stack before the return address."""
    elf("object", frame)
    got = stacks([text_map(path("object")),
                  sample(list(words) + [at(0x810), 5, 6, 7, 8], ip=at(ip),
                         **dict({"bp": 1}, **regs))])
    want = [[at(ip)] + ([at(0x80f)] if found else [])]
    tap.ok(got == want, what, "got %s want %s" % (
        [[hex(x) for x in s] for s in got], [[hex(x) for x in s]
                                             for s in want]))


# ----------------------------------------------------- addresses of functions

def number(form, value):
    return lambda here: struct.pack("<" + form, value)


def relative(form, less=0):
    return lambda here: struct.pack("<" + form, TEXT - here - less)


TWO, EIGHT = struct.pack("<H", 0x100), struct.pack("<Q", 0x100)
check("an address of 8 bytes", table(cie(data=b"\0"), number("Q", TEXT),
                                     range_=EIGHT))
for what, code, pointer, length in (
        ("udata2", 2, number("H", TEXT), TWO),
        ("udata4", 3, number("I", TEXT), None),
        ("udata8", 4, number("Q", TEXT), EIGHT),
        ("uleb128", 1, lambda here: b"\x80\x20", b"\x80\x02"),
        ("sleb128", 9, lambda here: b"\x80\x20", b"\x80\x02"),
        ("sdata2", 10, number("h", TEXT), TWO),
        ("sdata4", 11, number("i", TEXT), None),
        ("sdata8", 12, number("q", TEXT), EIGHT),
        ("pcrel sdata2", 0x1a, relative("h"), TWO),
        ("pcrel sdata8", 0x1c, relative("q"), EIGHT),
        ("pcrel sleb128", 0x19, lambda here: bytes([
            (TEXT - here) & 0x7f | 0x80, (TEXT - here) >> 7 & 0x7f]),
         b"\x80\x02"),
        ("textrel udata4", 0x23, number("I", 0), None),
        ("aligned", 0x50, lambda here: b"\0" * (-here % 8) +
         struct.pack("<Q", TEXT), EIGHT)):
    check(what, table(cie(data=bytes([code])), pointer, range_=length))
for code in (5, 6, 7, 8, 13, 14, 15):
    check("encoding %d is none" % code,
          table(cie(data=bytes([code])), number("I", TEXT)), found=False)

# ------------------------------------------------------------- augmentations

check("a personality and a language's data",
      table(cie(b"zPLR", b"\x03\1\2\3\4\x1b\x1b"), relative("i")))
check("an unknown letter at the end",
      table(cie(b"zRx", b"\x1b\7\7"), relative("i")))
check("no letters, an address of 8 bytes",
      table(cie(b"", b""), number("Q", TEXT), range_=EIGHT, augmented=False))
check("eh, as of gcc 2",
      table(cie(b"eh", b"", more=b"\x11" * 8), number("Q", TEXT),
            range_=EIGHT, augmented=False))
check("version 3", table(cie(version=3), relative("i")))
check("version 4", table(cie(version=4, more=b"\x08\0"), relative("i")))
check("lengths of 64 bits", table(cie(), relative("i"), wide=True))
for what, one in (
        ("letters without a size", cie(b"R")),
        ("version 2", cie(version=2)),
        ("version 5", cie(version=5)),
        ("segments", cie(version=4, more=b"\x08\x02")),
        ("addresses of 2 bytes", cie(version=4, more=b"\x02\0")),
        ("a factor of 0", cie(aligns=b"\0\x78")),
        ("more data than there are", b"\0\0\0\0\x01zR\0\x01\x78\x10\x7f\x1b"),
        ("letters without an end", b"\0\0\0\0\x01zRRRRRRR")):
    check("no table: " + what, table(one, relative("i")), found=False)
frame = table(cie(), relative("i"))
first = 4 + struct.unpack("<I", frame[:4])[0]
check("no table: a function of no CIE", frame[:first + 4] +
      struct.pack("<I", 0x7000) + frame[first + 8:], found=False)

# --------------------------------------------------------------- instructions

RBP8 = b"\x77\x08" # DW_OP_breg7 8: rsp + 8
for what, rows, words, regs in (
        ("def_cfa_sf", b"\x12\x07\x7d", 2, {}),
        ("def_cfa_offset_sf", b"\x13\x7d", 2, {}),
        ("def_cfa_register", b"\x0d\x06\x0e\x08", 2, {"bp": TOP + 16}),
        ("offset_extended", b"\x0e\x20\x05\x10\x02", 2, {}),
        ("offset_extended_sf", b"\x0e\x20\x11\x10\x02", 2, {}),
        ("GNU_negative_offset_extended", b"\x2f\x10\x02", 3, {}),
        ("a rule that is restored", b"\x0e\x18\x90\x02\xd0", 2, {}),
        ("restore_extended", b"\x0e\x18\x90\x02\x06\x10", 2, {}),
        ("remember_state", b"\x0e\x18\x0a\x0e\x40\x90\x02\x0b", 2, {}),
        ("GNU_args_size", b"\x2e\x40\x0e\x18", 2, {}),
        ("nops", b"\0\0\0\x0e\x18", 2, {}),
        ("a CFA by an expression", b"\x0f\x02\x77\x18", 2, {}),
        ("expression", b"\x10\x10\x02\x77\x10", 2, {}),
        ("and rbx in a register that was not recorded",
         b"\x10\x10\x02\x77\x10\x09\x03\x0c", 2, {}),
        ("and rbx that is lost", b"\x10\x10\x02\x77\x10\x07\x03", 2, {}),
        ("advance_loc1", b"\x02\x08\x0e\x18\x02\x40\x0e\x40", 2, {}),
        ("advance_loc2", b"\x03\x08\0\x0e\x18\x03\x40\0\x0e\x40", 2, {}),
        ("advance_loc4", b"\x04\x08\0\0\0\x0e\x18\x04\x40\0\0\0\x0e\x40", 2,
         {}),
        ("advance_loc8", b"\x1d\x08\0\0\0\0\0\0\0\x0e\x18\x1d\x40" +
         b"\0" * 7 + b"\x0e\x40", 2, {})):
    check(what, table(cie(), relative("i"), rows), range(words), **regs)
check("a return address in a register",
      table(cie(), relative("i"), b"\x09\x10\x00"), [3, 4], ax=at(0x810))
check("and one that is a value",
      table(cie(), relative("i"), b"\x16\x10\x02\x70\x08"), [3, 4],
      ax=at(0x808))
deep = b"\x0a" * 300 + b"\x0b" * 300
for what, rows in (
        ("set_loc, which is not supported", b"\x01\0\x10\0\0"),
        ("an unknown instruction", b"\x3f"),
        ("another unknown one", b"\x17"),
        ("states without an end", deep),
        ("a state that nobody has remembered", b"\x0b"),
        ("a CFA of a register that is none", b"\x0c\xff\x01\x08"),
        ("an expression longer than the table", b"\x0f\x7f\x77\x18"),
        ("and one of a register", b"\x10\x10\x7f\x77\x18"),
        ("an offset of a CFA that is an expression", b"\x0f\x02\x77\x18\x0e\x08"),
        ("a return address in a register that is none", b"\x09\x10\x40"),
        ("a return address in one that was not recorded", b"\x09\x10\x0c"),
        ("a frame pointer in one that was not recorded",
         b"\x10\x10\x02\x77\x00\x09\x06\x0c"),
        ("an instruction that is cut", b"\x0c\x07\x80\x80\x80\x80\x80\x80")):
    check("no frame: " + what, table(cie(), relative("i"), rows), found=False)

# The frame pointer of the caller is computed; the caller counts from it.
CALLER = b"\x0c\x06\x10"
for what, rows in (("val_offset", b"\x14\x06\x00"),
                   ("val_offset_sf", b"\x15\x06\x00"),
                   ("val_expression", b"\x16\x06\x02\x77\x08"),
                   ("same_value", b"\x08\x06")):
    elf("object", [(TEXT, 0x100, rows, False),
                   (TEXT + 0x100, 0x100, CALLER, False), LAST + (False,)])
    got = stacks([text_map(path("object")),
                  sample([at(0x110), 4, at(0x810), 5, 6], ip=at(0x10),
                         bp=TOP + 8 if what == "same_value" else 1)])
    tap.ok(got == [[at(0x10), at(0x10f), at(0x80f)]], what, got)
tap.done()
