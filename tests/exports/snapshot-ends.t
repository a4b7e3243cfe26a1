#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# A snapshot has chains in the place of copied stacks, and says of each why its
# unwinding ended: unwind and quality say the same of it as of the capture, also
# where it has tables alone.
import os
import re
import subprocess
import sys
sys.path[:0] = [os.environ["top_srcdir"] + "/tests" + d
                for d in ("", "/unwind")]
import tap
from made import BASE, TEXT, TOP, at, capture, elf, path, sample, text_map


def coldperf(*args):
    return subprocess.run([os.path.abspath(tap.coldperf), *args],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def told(run):
    return re.sub(rb"[^ \n]*(capture|case\.cold|sum\.cold)\b", b"N",
                  run.stdout)


def expect(what, lines, words):
    """The same of both, and the reason is told."""
    capture([CODE, GONE, ANON, *lines])
    cold = path("case.cold")
    coldperf("snapshot", "-o", cold, path("capture"))
    coldperf("merge", "-o", path("sum.cold"), path("capture"))
    # Each case has other objects: none of them is needed any more.
    os.rename(path("code"), path("gone-code"))
    bad = []
    for command in ["unwind"], ["quality"], ["report"], ["script"], \
            ["flame", "-f", "folded"]:
        got = coldperf(*command, cold)
        os.rename(path("gone-code"), path("code"))
        want = coldperf(*command, path("capture"))
        os.rename(path("code"), path("gone-code"))
        if told(want) != told(got) or want.returncode != got.returncode:
            bad.append("%s: %s--- %s" % (command[0], want.stdout.decode(),
                                         got.stdout.decode()))
        if command == ["unwind"] and words not in want.stdout.decode():
            bad.append("not told: " + words)
    for command in "unwind", "quality":
        got = coldperf(command, path("sum.cold"))
        os.rename(path("gone-code"), path("code"))
        want = coldperf(command, path("capture"))
        os.rename(path("code"), path("gone-code"))
        # Code made at run time is one object in a sum.
        texts = [re.sub(rb" +", b" ", told(run)).replace(
            b"perf-7.map", b"[JIT]") for run in (want, got)]
        if texts[0] != texts[1] or want.returncode != got.returncode:
            bad.append("%s: %s--- of tables %s%s" % (
                command, want.stdout.decode(), got.stdout.decode(),
                got.stderr.decode()))
    os.rename(path("gone-code"), path("code"))
    tap.ok(not bad, what, "\n".join(bad))


PLAIN = [(TEXT, 0x100, b"", False), (TEXT + 0x100, 0x100, b"\x0e\x18", False),
         (TEXT + 0x200, 0x100, b"\x0c\x06\x10", False), # from rbp
         (TEXT + 0x300, 0x100, b"\x0c\x0c\x10", False), # from r12
         (TEXT + 0x600, 0x100, b"\x0f\x03\x2f\xfd\xff", False),
         (TEXT + 0x800, 0x100, b"\x07\x10", False)]
elf("code", PLAIN, hdr="before")
CODE = text_map(path("code"))
GONE = text_map("/nonexistent/gone", base=BASE + 0x10000)
ANON = text_map("//anon", base=BASE + 0x20000)
whole = sample([at(0x810)], ip=at(0x10))
expect("the outermost frame", [whole], "complete")
expect("a dump too short", [sample([at(0x110), 1, 2], ip=at(0x10))],
       "stack dump too short")
expect("memory that was not dumped",
       [sample([at(0x110), 1, 2], dump=64, ip=at(0x10))], "unreadable memory")
expect("a loop",
       [sample([at(0x210), TOP, at(0x210), 1], bp=TOP - 8, ip=at(0x10))],
       "loop")
expect("a register that is missing",
       [sample([at(0x310), 1, 2], ip=at(0x10))], "unsupported rule")
expect("a limit", [sample([at(0x610), 1, 2], ip=at(0x10))], "limit")
expect("code without a table",
       [sample([at(0x510), 1, 2], bp=1, ip=at(0x10))], "code")
expect("an object that is not there",
       [sample([at(0x10010), 1, 2], bp=1, ip=at(0x10))], "gone")
expect("the leaf has no table", [sample([1, 2], bp=1, ip=at(0x10010))],
       "gone")
expect("code made at run time",
       [sample([at(0x20010), 1, 2], bp=1, ip=at(0x10))], "perf-7.map")
expect("an address in no mapping",
       [sample([at(0x70000), 1, 2], bp=1, ip=at(0x10))], "[unknown]")
expect("below a kernel's chain",
       [sample([at(0x810)], ip=at(0x10),
               chain="kernel,0xffffffff81000000,user,%d" % at(0x10))],
       "complete")
expect("several stacks of one chain that ended otherwise",
       [whole, sample([at(0x810), 1], time=51, dump=8, ip=at(0x10)),
        sample([at(0x10010), 1, 2], time=52, bp=1, ip=at(0x10)),
        sample([at(0x110), 1, 2], time=53, dump=64, ip=at(0x10))],
       "complete")


# The counters of a group are samples of one record, with one chain: each chain
# counts once, whatever was chosen.
def of_group(chains, *options):
    group = os.path.join(os.environ["top_srcdir"],
                         "corpus/good-group/perf.data")
    cold = path("group.cold")
    coldperf("snapshot", "--no-local", "-o", cold, *options, group)
    got, want = (re.findall(r"(user_chains|broken): +(\d+)", coldperf(
        "quality", "--no-local", *more).stdout.decode())
        for more in ([cold], [*options, group]))
    tap.ok(got == want and dict(want).get("user_chains") == chains,
           "chains of groups, %s" % (" ".join(options) or "all"), (got, want))


of_group("120")
of_group("108", "--time", "10%,")
of_group("120", "--comm", "*")
tap.done()
