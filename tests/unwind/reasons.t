#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Why a stack ended, and what helps: one case for each reason.
import csv
import json
import os
import subprocess
import sys
sys.path[:0] = [os.environ["top_srcdir"] + "/tests" + d
                for d in ("", "/unwind")]
import tap
from made import (BASE, TEXT, TOP, at, capture, coldperf, elf, path, sample,
                  text_map)


def expect(what, lines, reason, name="", helps="", size=65528):
    """One stack, that reason; the object and words of the advice."""
    capture(lines, size=size)
    rows = list(csv.DictReader(
        coldperf("unwind", "-f", "csv").split("\n\n")[0].splitlines()))
    got = [(r["reason"], os.path.basename(r["object"]), r["what_helps"])
           for r in rows if r.get("reason")]
    tap.ok(len(got) == 1 and got[0][:2] == (reason, name) and
           helps in got[0][2] and (helps or not got[0][2]), what, got)


PLAIN = [(TEXT, 0x100, b"", False), (TEXT + 0x100, 0x100, b"\x0e\x18", False),
         (TEXT + 0x200, 0x100, b"\x0c\x06\x10", False), # from rbp
         (TEXT + 0x300, 0x100, b"\x0c\x0c\x10", False), # from r12
         (TEXT + 0x400, 0x100, b"\x0c\x00\x10", False), # from rax
         # An expression that goes round and round.
         (TEXT + 0x600, 0x100, b"\x0f\x03\x2f\xfd\xff", False),
         (TEXT + 0x800, 0x100, b"\x07\x10", False)]
elf("code", PLAIN, hdr="before")
CODE = text_map(path("code"))
expect("the outermost frame", [CODE, sample([at(0x810)], ip=at(0x10))],
       "complete")
expect("and by an address of nothing", [CODE, sample([0], ip=at(0x10))],
       "complete")
expect("the dump is full, and the stack goes on behind it",
       [CODE, sample([at(0x110), 1, 2], ip=at(0x10))], "stack dump too short",
       helps="no larger dump can be recorded")
expect("a dump could be larger",
       [CODE, sample([at(0x110), 1, 2], ip=at(0x10))], "stack dump too short",
       helps="more than 8192 bytes: perf record --call-graph dwarf,32768",
       size=8192)
expect("but not much",
       [CODE, sample([at(0x110), 1, 2], ip=at(0x10))], "stack dump too short",
       helps="--call-graph dwarf,65528", size=32768)
expect("the dump has room, and the stack goes on behind it",
       [CODE, sample([at(0x110), 1, 2], dump=64, ip=at(0x10))],
       "unreadable memory", helps="coroutines")
expect("the stack goes on where no stack is",
       [CODE, sample([1], bp=0x1000, ip=at(0x210))], "unreadable memory",
       helps="coroutines")
expect("the frame pointer leads back",
       [CODE, sample([at(0x210), TOP, at(0x210), 1], bp=TOP - 8, ip=at(0x10))],
       "loop", helps="damaged")
expect("and with it a rule of all registers",
       [CODE, sample([at(0x410), at(0x410), 1, 2], ax=TOP - 8, ip=at(0x10))],
       "loop", helps="damaged")
expect("a register that was not recorded",
       [CODE, sample([at(0x310), 1, 2], ip=at(0x10))], "unsupported rule",
       helps="registers that were not recorded")
expect("a table without an end",
       [CODE, sample([at(0x610), 1, 2], ip=at(0x10))], "limit",
       helps="damaged table")
expect("code without a table in a file that has one",
       [CODE, sample([at(0x510), 1, 2], bp=1, ip=at(0x10))],
       "no unwind table", "code", "debug file")
gone = text_map("/nonexistent/gone", base=BASE + 0x10000)
expect("an object whose file was not found",
       [CODE, gone, sample([at(0x10010), 1, 2], bp=1, ip=at(0x10))],
       "no unwind table", "gone", "the file was not found")
expect("a chain of frame pointers, without tables, ends with a zero",
       [CODE, gone, sample([1, 0, at(0x10020), 1, 2], bp=TOP + 8,
                           ip=at(0x10010))], "complete")
expect("and with another number it leads nowhere",
       [CODE, gone, sample([1, 3, at(0x10020), 1, 2], bp=TOP + 8,
                           ip=at(0x10010))],
       "no unwind table", "gone", "the file was not found")
ends = coldperf("quality", "-f", "csv")
tap.ok("no unwind table" in ends and "gone" in ends,
       "quality lists the reasons too", ends)
tap.ok("--symbols" in ends, "and what helps", ends)
capture([CODE, sample([at(0x810)], ip=at(0x10))])
ends = coldperf("quality", "-f", "csv")
tap.ok("reason" not in ends, "but not where all stacks are whole", ends)
# Such a mapping is called as the list of names that its maker may have left.
anon = text_map("//anon", base=BASE + 0x10000)
expect("code made at run time",
       [CODE, anon, sample([at(0x10010), 1, 2], bp=1, ip=at(0x10))],
       "no unwind table", "perf-7.map", "jitdump")
stack = text_map("[stack]", base=BASE + 0x10000)
stack = stack.replace("mmap", "mmap2 prot=3", 1)
expect("an address of data",
       [CODE, stack, sample([at(0x10010), 1, 2], bp=1, ip=at(0x10))],
       "no unwind table", "[stack]", "no code")
expect("an address in no mapping",
       [CODE, sample([at(0x70000), 1, 2], bp=1, ip=at(0x10))],
       "no unwind table", "[unknown]", "in no mapping")
# A group that its leader samples: one stack tells the counts of two events.
ONE = sample([at(0x110), 1, 2], ip=at(0x10)) + " period=1000 read=2,%d,1,%d,2"
with open(path("in"), "w") as f:
    for i, name in enumerate("ab"):
        f.write("attr %s type=0 config=%d period=%d ids=%d "
                "sample_type=IP|TID|TIME|ID|PERIOD|READ|CALLCHAIN|REGS_USER|"
                "STACK_USER sample_regs_user=511 sample_stack_user=65528 "
                "read_format=ID|GROUP flags=sample_id_all|mmap|comm\n" %
                (name, i, 1000 * (i == 0), i + 1))
    f.write("feature arch \"x86_64\"\nfeature group_desc \"{g}\" 0 2\n" +
            "\n".join([CODE] + [ONE % (1000 * n, 3000 * n)
                                for n in (1, 2, 3)]) + "\n")
subprocess.run([os.path.join(tap.top_builddir, "tests/tools/mkperf"),
                path("in"), path("capture")], check=True)
for command in "unwind", "quality":
    doc = json.loads(coldperf(command, "-f", "json"))
    got = [dict(zip([c["name"] for c in s["columns"]], r["values"]))
           for s in doc["sections"] if s["type"] == "table"
           for r in s["rows"]]
    tap.ok({r["Stacks"] for r in got if r.get("Reason")} == {3},
           command + ": and is counted once", got)
tap.done()
