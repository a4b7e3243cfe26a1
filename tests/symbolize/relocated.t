#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Relocations of debug sections, of machines that are not this one: each kind
# that the psABIs have for them, in files of 32 and 64 bits.
import os
import subprocess
import sys
import tempfile
sys.path[:0] = [os.environ["top_srcdir"] + "/tests" + d
                for d in ("", "/symbolize")]
import tap
from madeelf import Object

READ = os.path.join(tap.top_builddir, "tests/symbolize/debug-sections")
SYMBOL, OLD = 0x11, 0x0102030405060708
scratch = tempfile.TemporaryDirectory(prefix="coldperf-relocated.")
bad, good = (os.path.join(scratch.name, n) for n in ("bad", "good"))
FORM = {1: "B", 2: "H", 4: "I", 8: "Q"}


def check(what, machine, wide, big, addends, kinds):
    """kinds: (type, bytes, what becomes of symbol + addend and old value)"""
    o = Object(machine, wide, big, 1)
    rels, data, want = b"", b"", b""
    # The last two are of no symbol, and after the section's end.
    for i, (kind, size, how) in enumerate(kinds + kinds[:1] * 2):
        symbol = 99 if i == len(kinds) else 1
        at = 0x400 if i > len(kinds) else len(data)
        value = OLD & (1 << 8 * size) - 1
        rels += o.pack("W", at)
        if machine == 8 and wide and not big: # MIPS: the type is the last byte
            rels += o.pack("IBBBB", symbol, 0, 0, 0, kind)
        else:
            rels += o.pack("W", symbol << (32 if wide else 8) | kind)
        rels += o.pack("W", 5) if addends else b""
        data += o.pack(FORM[size], value)
        if i < len(kinds):
            value = how(SYMBOL + (5 if addends else value), value)
        want += o.pack(FORM[size], value % (1 << 8 * size))
    o.add(b".text", 1, 6, 0x1000, b"\0" * 16)
    o.add(b".debug_info", 1, 0, 0x1100, data)
    o.add(b".rela.debug_info" if addends else b".rel.debug_info",
          4 if addends else 9, 0, 0x1800, rels, 4,
          (24 if addends else 16) // (1 if wide else 2), 2)
    o.symbols(b".symtab", 2, 0x2000, 5, [(b"s", SYMBOL, 0, 2)])
    o.write(bad)
    o = Object(machine, wide, big)
    o.add(b".debug_info", 1, 0, 0x1100, want)
    o.write(good)
    p = subprocess.run([READ, bad, good], stdout=subprocess.PIPE, text=True,
                       check=False)
    tap.ok(p.returncode == 0 and ".debug_info: %d bytes" % len(want)
           in p.stdout, what, p.stdout)


def put(value, old):
    return value


def add(value, old):
    return old + value


def less(value, old):
    return old - value


def keep(value, old):
    return old


WORDS = [(1, 8, put), (10, 4, put), (200, 4, keep)]
check("x86_64", 62, True, False, True, WORDS)
check("i386, without addends", 3, False, False, False, [(1, 4, put)])
check("aarch64", 183, True, False, True, [(257, 8, put), (258, 4, put)])
check("arm, without addends", 40, False, False, False, [(2, 4, put)])
check("arm, big-endian", 40, False, True, False, [(2, 4, put)])
check("ppc", 20, False, True, True, [(1, 4, put)])
check("ppc64", 21, True, True, True, [(38, 8, put), (1, 4, put)])
check("s390x", 22, True, True, True, [(22, 8, put), (4, 4, put)])
check("mips", 8, False, True, False, [(2, 4, put)])
check("mips64, little-endian", 8, True, False, True,
      [(18, 8, put), (2, 4, put)])
RISCV = [(1, 4, put), (33, 1, add), (34, 2, add), (35, 4, add), (37, 1, less),
         (38, 2, less), (39, 4, less), (54, 1, put), (55, 2, put),
         (56, 4, put)]
check("riscv of 32 bits", 243, False, False, True, RISCV)
check("riscv64", 243, True, False, True,
      RISCV + [(2, 8, put), (36, 8, add), (40, 8, less)])
check("loongarch64", 258, True, False, True,
      [(1, 4, put), (2, 8, put), (47, 1, add), (48, 2, add), (50, 4, add),
       (51, 8, add), (52, 1, less), (53, 2, less), (55, 4, less),
       (56, 8, less)])
tap.done()
