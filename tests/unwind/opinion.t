#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# coldperf check asks libdwfl for stacks: equal ones, those where a rule of the
# manual explains why libdwfl's ends elsewhere, and one that no rule explains.
import csv
import os
import re
import struct
import subprocess
import sys
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
sys.path.insert(0, os.environ["top_srcdir"] + "/tests/unwind")
import made
import tap

# A: without a table; it returns at 0x20.  B: its caller is one word above the
# stack pointer.  C: the outermost function.
A, B, C = 0, 0x40, 0x80
HAS_CALLER, OUTERMOST = b"\x0e\x10", b"\x07\x10"
RETURN, CALL_SIZE = 0x20, 5
AFTER_CALL, OTHER_CALL, IN_C = B + 0x10, B + 0x20, C + 0x10


def program():
    code = bytearray(b"\x90" * 0x100)
    code[RETURN] = 0xc3
    for at in AFTER_CALL, OTHER_CALL:
        code[at - CALL_SIZE:at] = b"\xe8" + struct.pack("<i", A - at)
    code[IN_C - CALL_SIZE:IN_C] = b"\xe8" + struct.pack("<i", B - IN_C)
    made.elf("lib.so", [(made.TEXT + B, 0x40, HAS_CALLER, 0),
                        (made.TEXT + C, 0x40, OUTERMOST, 0)], bytes(code))


def in_b(time=50):
    """Both tables say who called: B, C."""
    return made.sample([0, made.at(IN_C), 0, 0], ip=made.at(AFTER_CALL),
                       time=time)


def in_a(pointer, *frame):
    """In A: the code leads to B and C, the frame pointer elsewhere."""
    words = [made.at(AFTER_CALL), 0, made.at(IN_C), 0, 0, *frame]
    return made.sample(words, ip=made.at(0x10), bp=made.TOP + 8 * pointer)


def check(samples, *options):
    made.capture(["comm 7 7 t time=0", made.text_map(made.path("lib.so")),
                  *samples])
    p = subprocess.run([os.path.abspath(tap.coldperf), "check", "--no-cache",
                        "--cache", "/nonexistent", "-f", "csv", *options,
                        made.path("capture")],
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return p.returncode, p.stdout.decode(), p.stderr.decode()


def verdicts(samples, *options):
    """Status, and the numbers of the row "stacks"."""
    status, out, err = check(samples, "--section", "check", *options)
    if "libdw is not installed" in err:
        tap.skip_all("libdw is not installed")
    found = re.search("^stacks,([0-9,]*)$", out, re.M)
    tap.diag(err) if found is None else None
    return status, [int(n) for n in found.group(1).split(",")]


def differences(samples):
    status, out, _ = check(samples, "--section", "differences", "--all")
    return status, [r for r in csv.DictReader(out.splitlines())
                    if r["question"] == "stacks"]


def one(what, sample, status, rule, ours, theirs):
    """One stack; its row in the list says where the walks part."""
    got, rows = differences([sample])
    want = (status, [(rule, ours, theirs)])
    found = (got, [(r["rule"], r["coldperf"], r["elfutils"]) for r in rows])
    tap.ok(found == want, what, [str(found), str(want)])


def number(at):
    return "0x%x" % made.at(at)


program()
status, row = verdicts([in_b(50 + i) for i in range(9)])
tap.ok(status == 0 and row == [9, 9, 0, 0, 0, 0], "nine are equal", [row])
status, row = verdicts([in_b(50 + i) for i in range(100)], "--sample", "10")
tap.ok(status == 0 and 5 < row[0] <= 10 and row[1] == row[0],
       "--sample asks for fewer", [row])
status, row = verdicts([in_b(50 + i) for i in range(100)], "--sample", "0")
tap.ok(status == 0 and row[:2] == [100, 100], "--sample 0 asks for all", [row])
status, row = verdicts([in_b(50 + i) for i in range(9)], "--callchain", "fp")
tap.ok(row[0] == 0, "no stacks where none are unwound", [row])
status, row = verdicts([in_b(50 + i) for i in range(9)], "--time",
                       "0.000000053,")
tap.ok(0 < row[0] < 9, "stacks of samples that filters keep", [row])
one("libdwfl's leads out of all mappings", in_a(5, 0, 0x5555), 0, "wild",
    "3 frames, next " + number(AFTER_CALL - 1), "2 frames, next 0x5554")
one("libdwfl's lacks a frame", in_a(5, 0, made.at(IN_C)), 0, "skipped",
    "3 frames, next " + number(AFTER_CALL - 1),
    "2 frames, next " + number(IN_C - 1))
one("libdwfl's is shorter", in_a(0x1000), 0, "stopped",
    "3 frames, next " + number(AFTER_CALL - 1), "1 frames")
one("a difference without an explanation",
    in_a(5, 0, made.at(OTHER_CALL), 0, made.at(IN_C)), 1, "",
    "3 frames, next " + number(AFTER_CALL - 1),
    "3 frames, next " + number(OTHER_CALL - 1))

# A machine whose registers are not known is named, and nothing is answered.
def of(machine):
    made.capture(["comm 7 7 t time=0", made.text_map(made.path("lib.so")),
                  in_b(50), in_b(51)], arch=machine)
    p = subprocess.run([os.path.abspath(tap.coldperf), "check", "-f", "csv",
                        "--section", "check", made.path("capture")],
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return p.stdout.decode(), p.stderr.decode()


out, err = of("loongarch64")
tap.ok(err.count("(no-unwinder)") == 1 and "loongarch64, 64-bit" in err and
       "stacks,2,0,0,0,0,2" in out, "a machine that is not unwound is named",
       [out, err])
out, err = of("x86_64")
tap.ok("no-unwinder" not in err, "one that is unwound is not", [err])
tap.done()
