#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# The codes of .ARM.exidx, one case each: how far the stack pointer moves by
# each of them, as the "Exception Handling ABI for the Arm Architecture" says.
import os
import struct
import sys
sys.path[:0] = [os.environ["top_srcdir"] + "/tests" + d
                for d in ("", "/unwind")]
import tap
from made import TEXT, at, path, stacks, text_map

EXIDX, EXTAB, SP = 0x2000, 0x2100, 0x7f000000
MASK = 1 << 11 | 1 << 13 | 1 << 14 | 1 << 15 # R11, SP, LR, PC
CANTUNWIND = 1


def prel31(to, where):
    return (to - where) & 0x7fffffff


def object_with(name, codes, model):
    """A function at TEXT with these codes, one at 0x800 without a caller."""
    data = bytearray(0x3000)
    codes = bytes(codes)
    if model == "inline":
        entry = int.from_bytes(b"\x80" + codes.ljust(3, b"\xb0"), "big")
        table = b""
    else:
        entry = prel31(EXTAB, EXIDX + 4)
        if model == "long": # routine 1, number of words after this one
            table = bytes([0x81, (len(codes) + 1) // 4]) + codes
        elif model == "generic": # a routine, number of words, codes
            table = struct.pack(">IB", 0x1000, len(codes) // 4) + codes
        else:
            table = b"\x80" + codes
        table = table.ljust(len(table) + -len(table) % 4, b"\xb0")
    exidx = struct.pack("<4I", prel31(TEXT, EXIDX), entry,
                        prel31(TEXT + 0x800, EXIDX + 8), CANTUNWIND)
    table = b"".join(struct.pack("<I", w) for w in
                     struct.unpack(">%dI" % (len(table) // 4), table))
    data[EXIDX:EXIDX + 16] = exidx
    data[EXTAB:EXTAB + len(table)] = table
    names = b"\0.text\0.ARM.exidx\0.shstrtab\0"
    sections = [(1, 1, 6, TEXT, 0x1000), (7, 0x70000001, 2, EXIDX, 16),
                (18, 3, 0, 0x2800, len(names))]
    data[0x2800:0x2800 + len(names)] = names
    head = b"\x7fELF\1\1\1" + b"\0" * 9 + struct.pack(
        "<HHIIIIIHHHHHH", 3, 40, 1, 0, 52, 0x2900, 0, 52, 32, 1, 40, 4, 3)
    head += struct.pack("<8I", 1, 0, 0, 0, 0x3000, 0x3000, 5, 0x1000)
    data[:len(head)] = head
    for i, (text, kind, flags, where, size) in enumerate(sections):
        one = struct.pack("<10I", text, kind, flags, where, where, size, 0,
                          0, 4, 0)
        data[0x2900 + 40 * (i + 1):0x2900 + 40 * (i + 2)] = one
    with open(path(name), "wb") as f:
        f.write(data)


def arm(words, fp):
    data = b"".join(struct.pack("<I", w) for w in words)
    return ("sample a ip=%d pid=7 time=50 chain= regs_user=1,%d,%d,%d,%d "
            "stack_size=%d stack_dyn=%d stack=%s" %
            (at(0x40), fp, SP, 0, at(0x40), len(data), len(data), data.hex()))


def check(what, codes, words, fp=0, model="short", name="object", end=True):
    """words: those between the stack pointer and the return address."""
    object_with(name, codes, model)
    # Each word leads elsewhere, so that only the right one gives the frame.
    stack = [at(0x810 + 4 * i) for i in range(words + 24)]
    got = stacks([text_map(path(name)), arm(stack, fp)], arch="armv7l",
                 mask=MASK)
    want = [[at(0x40)] + ([stack[words] - 1] if end else [])]
    tap.ok(got == want, what, "got %s want %s" % (got, want))


LR = [0x84, 0x00] # pop {lr}
for what, codes, words in (
        ("pop {lr}", LR, 0),
        ("vsp += 4", [0x00] + LR, 1),
        ("vsp += 32", [0x07] + LR, 8),
        ("vsp += 48, vsp -= 8", [0x0b, 0x41] + LR, 10),
        ("pop {r4-r6, lr}", [0xaa], 3),
        ("pop {r4-r11}, pop {lr}", [0xa7] + LR, 8),
        ("pop {r4, r11, lr}", [0x84, 0x81], 2),
        ("pop {r0-r2}", [0xb1, 0x07] + LR, 3),
        ("pop {d8, d9}, VPUSH", [0xd1] + LR, 4),
        ("pop {d8, d9}, FSTMFDX", [0xb9] + LR, 5),
        ("pop {d0-d2}, FSTMFDX", [0xb3, 0x02] + LR, 7),
        ("pop {d16, d17}, VPUSH", [0xc8, 0x01] + LR, 4),
        ("pop {d1-d3}, VPUSH", [0xc9, 0x12] + LR, 6),
        ("pop {wR10, wR11}", [0xc1] + LR, 4),
        ("pop {wR0-wR2}", [0xc6, 0x02] + LR, 6),
        ("pop {wCGR0, wCGR2}", [0xc7, 0x05] + LR, 2),
        ("finish, and what comes after it", [0xa8, 0xb0, 0x3f], 1)):
    check(what, codes, words, model="long")
check("the codes in the table itself", [0x01] + LR, 2, model="inline")
check("three codes of the first routine", [0x01] + LR, 2)
check("codes after a routine of the program's own",
      [0x01, 0x00, 0x00] + LR, 4, model="generic")
check("vsp += 0x204 + 8, then less", [0xb2, 0x02] + [0x7f] * 2 + LR, 3,
      model="long")
check("vsp = r11", [0x9b, 0x00] + LR, 4, fp=SP + 12, model="long")
check("pop {pc}", [0x00, 0x88, 0x00], 1)
for what, codes in (("refuse to unwind", [0x80, 0x00]),
                    ("vsp = sp, which is reserved", [0x9d] + LR),
                    ("vsp = pc, which is reserved", [0x9f] + LR),
                    ("a spare code", [0xca, 0x00] + LR),
                    ("vsp += a number without an end", [0xb2, 0xff, 0xff])):
    check("nothing is told by: " + what, codes, 0, model="long", end=False)
tap.done()
