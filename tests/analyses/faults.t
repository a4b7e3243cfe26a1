#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# faults: how many touched memory is known of, where events tell of the same.
import os
import sys
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
sys.path.insert(0, os.environ["top_srcdir"] + "/tests/analyses")
from made import build, notes, report, rows
import tap

ATTR = "attr %s type=1 config=%d period=%d ids=%d sample_type=IDENTIFIER|IP|TID|" \
    "TIME|PERIOD|%s flags=%ssample_id_all|mmap|comm|mmap_data\n"


def faults(event, identity, addresses, period=1):
    return "".join("sample %s ip=0x400010 pid=8 id=%d time=%d period=%d%s\n" %
                   (event, identity, 1000 + i, period,
                    "" if a is None else " addr=%#x" % a)
                   for i, a in enumerate(addresses))


# A null pointer is an address like others; an event without has none.
text = ATTR % ("page-faults", 2, 1, 1, "ADDR", "") + \
    ATTR % ("minor-faults", 5, 1, 2, "CPU", "") + 'comm 8 8 "prog"\n' + \
    faults("page-faults", 1, [0, 0x7000, 0x7008]) + \
    faults("minor-faults", 2, [None] * 5)
rep = report(build("null", text), "faults")
got = [(r["Event"], r["Faults"]) for r in rows(rep, "fault-memory")]
tap.ok(got == [("page-faults", 3)], "address 0 is touched, too", got)
tap.ok("samples with an address: 3, in 2 different pages" in notes(rep),
       "and is in a page", notes(rep))

# With a frequency a sample stands for many faults; it has one address.
text = ATTR % ("page-faults", 2, 1000, 1, "ADDR", "freq|") + \
    'comm 8 8 "prog"\n' + \
    faults("page-faults", 1, [0x7000 + 4096 * i for i in range(10)], 37)
rep = report(build("many", text), "faults")
got = [(r["Event"], r["Faults"]) for r in rows(rep, "fault-memory")]
tap.ok(got == [("page-faults", 370)], "periods are counted", got)
tap.ok("samples with an address: 10, in 10 different pages" in notes(rep),
       "addresses are those of samples", notes(rep))

# The kernel of a machine of 32 bits is not in the upper half of 64.
text = ATTR % ("page-faults", 2, 1, 1, "ADDR", "") + \
    "mmap pid=-1 tid=0 addr=0xc0000000 len=0x1000000 pgoff=0xc0000000 " \
    'misc=1 name="[kernel.kallsyms]_text"\n' + "".join(
        "sample ip=0x400010 pid=%d time=%d period=1 addr=0xc0000010\n" %
        (pid, 1000 + pid) for pid in (8, 9))
rep = report(build("narrow", text.replace("IDENTIFIER|", "")), "faults")
got = [(r["Faults"], r["Object"]) for r in rows(rep, "fault-memory")]
tap.ok(got == [(2, "[kernel.kallsyms]")] and
       "in 1 different pages" in notes(rep),
       "its memory is the same in all processes", (got, notes(rep)))

# What filters leave out is there.
text = ATTR % ("page-faults", 2, 1, 1, "ADDR", "") + \
    ATTR % ("cpu-clock", 0, 1, 2, "ADDR", "") + 'comm 8 8 "prog"\n' + \
    faults("page-faults", 1, [0x7000]) + faults("cpu-clock", 2, [0])
path = build("left", text)
got = notes(report(path, "faults", "--event", "cpu-clock"))
tap.ok("no sample of page-faults is left, by the filters" in got and
       "the capture has no" not in got, "what the filters left out", got)
tap.done()
