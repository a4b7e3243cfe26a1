#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Where Go's runtime leaves one stack for another its tables go on: they say
# that a return address is where there is none.  The functions are told by
# their names, and only in programs of Go; in others the names are no more than
# names.  What stands on the stacks here would lead on, if it were believed.
import os
import platform
import subprocess
import sys
sys.path[:0] = [os.environ["top_srcdir"] + "/tests" + d
                for d in ("", "/unwind")]
import tap
from made import path, stacks, sample

# Each: a frame of 8 bytes, a direct call and one by a register.
FUNCTION = """
	.globl "%(name)s"
	.type "%(name)s",@function
"%(name)s": .cfi_startproc
	.byte 0x48, 0x83, 0xec, 8
	.cfi_adjust_cfa_offset 8
	.byte 0xe8, 0, 0, 0, 0
	.byte 0x41, 0xff, 0xd4
	.byte 0xeb, 0xfe
	.cfi_endproc
	.size "%(name)s",.-"%(name)s"
"""
FIRST, DIRECT, REGISTER = 4, 9, 12  # bytes to its body, behind the calls
SWITCHES = {"runtime.systemstack.abi0": "register", "runtime.mcall": "register",
            "runtime.clone.abi0": "register", "runtime.morestack": "direct",
            "runtime.rt0_go.abi0": "any", "runtime.goexit": "any",
            "runtime.systemstack_switch": "none", "main.mcall": "none",
            "runtime.": "none"}
NAMES = list(SWITCHES) + ["leaf"]
BASE = 0x400000


def build(name, more):
    with open(path(name + ".s"), "w") as f:
        f.write("\t.text\n\t.skip 64, 0x90\n" +
                "".join(FUNCTION % {"name": n} for n in NAMES) + more +
                '\t.section .note.GNU-stack,"",%progbits\n')
    p = subprocess.run(["gcc", "-shared", "-nostdlib", "-o", path(name),
                        path(name + ".s")], stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
    if p.returncode != 0:
        tap.skip_all("no gcc for x86-64")


def starts(name):
    """Where functions begin, as offsets in the file."""
    out = subprocess.check_output(["readelf", "-sW", path(name)]).decode()
    value = {w[7]: int(w[1], 16) for w in map(str.split, out.splitlines())
             if len(w) == 8 and w[3] == "FUNC"}
    out = subprocess.check_output(["readelf", "-lW", path(name)]).decode()
    for w in map(str.split, out.splitlines()):
        if w[:1] == ["LOAD"] and "E" in w[6:8]:
            return {n: BASE + v - int(w[2], 16) + int(w[1], 16)
                    for n, v in value.items()}
    return {}


def lengths(name):
    """Frames of a stack whose leaf was called by each of them, behind either
    call, and of one that was sampled there."""
    at = starts(name)
    tests, texts = [], []
    for n in SWITCHES:
        for how, where in (("direct", DIRECT), ("register", REGISTER)):
            tests.append((n, how))
            texts.append(sample([1, at[n] + where, 2, at["leaf"] + DIRECT, 3,
                                 0], ip=at["leaf"] + FIRST,
                                time=len(texts) + 10))
        tests.append((n, "sampled"))
        texts.append(sample([1, at["leaf"] + DIRECT, 3, 0],
                            ip=at[n] + FIRST, time=len(texts) + 10))
    got = stacks(['mmap pid=7 addr=%d len=0x10000 pgoff=0 name="%s" time=1' %
                  (BASE, path(name))] + texts)
    return dict(zip(tests, map(len, got)))


if platform.machine() != "x86_64":
    tap.skip_all("this is code for x86-64")
build("go", '\t.section .go.buildinfo,"aw"\n\t.quad 1\n')
build("other", "")
got = lengths("other")
want = {(n, how): 2 if how == "sampled" else 3
        for n in SWITCHES for how in ("direct", "register", "sampled")}
tap.ok(got == want, "a program that is not of Go: tables are believed", got)
for n, calls in SWITCHES.items():
    for how in ("direct", "register"):
        want[n, how] = 2 if calls in (how, "any") else 3
    want[n, "sampled"] = 1 if calls == "any" else 2
got = lengths("go")
tap.ok(got == want, "one of Go: its stacks end where they do",
       {k: (got.get(k), v) for k, v in want.items() if got.get(k) != v})
tap.done()
