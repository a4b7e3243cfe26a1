#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Endless expressions end: after some stacks the tables of their object are
# given up with a message, and those of other objects are used as before.
import csv
import io
import os
import subprocess
import sys
sys.path[:0] = [os.environ["top_srcdir"] + "/tests" + d
                for d in ("", "/unwind")]
import tap
from made import BASE, TEXT, at, capture, elf, path, sample, text_map

STACKS = 100
AWAY = 0x100000
LEAF, LAST = b"", b"\x07\x10"
# skip -3: the CFA is never found.
ENDLESS = b"\x0f\x03\x2f\xfd\xff"
# 10,000 times: minus 1, bra -5; then rsp + 8.
LONG = b"\x0f\x0d" + b"\x0a\x10\x27" + b"\x31\x1c\x12\x28\xfa\xff" + \
    b"\x13\x77\x08\x96"


def coldperf(*arguments):
    return subprocess.run([tap.coldperf, *arguments, path("capture")],
                          capture_output=True, text=True)


def stacks(text):
    return [[int(ip.split()[0], 16) for ip in one.splitlines() if ip.strip()]
            for one in text.split("\n\n") if one.strip()]


def attack(name, expression):
    elf(name, [(TEXT, 0x100, expression, False),
               (TEXT + 0x800, 0x100, LAST, False)], hdr="before")
    elf("plain", [(TEXT, 0x100, LEAF, False),
                  (TEXT + 0x800, 0x100, LAST, False)], hdr="before")
    capture([text_map(path(name)), text_map(path("plain"), base=BASE + AWAY)] +
            [sample([at(0x810), i], ip=at(0x10), time=50 + i)
             for i in range(STACKS)] +
            [sample([AWAY + at(0x810), 1], ip=AWAY + at(0x10), time=5000)])


attack("endless", ENDLESS)
r = coldperf("script", "-F", "ip")
tap.ok(r.returncode == 4 and r.stderr.count("CP_MAX_RULE_STEPS") == 1 and
       "endless" in r.stderr, "endless expressions are given up, status 4",
       "status %d\n%s" % (r.returncode, r.stderr))
got = stacks(r.stdout)
tap.ok(len(got) == STACKS + 1 and all(s[0] == at(0x10) for s in got[:-1]),
       "each sample keeps its address", len(got))
tap.ok(got[-1:] == [[AWAY + at(0x10), AWAY + at(0x80f)]],
       "another object's tables are used as before", got[-1:])
r = coldperf("unwind", "-f", "csv")
spent = [int(row["stacks"])
         for row in csv.DictReader(io.StringIO(r.stdout))
         if row["reason"] == "limit"]
tap.ok(len(spent) == 1 and 0 < spent[0] <= 70,
       "as many stacks end at the limit as the object may cost", r.stdout)

attack("long", LONG)
r = coldperf("script", "-F", "ip")
tap.ok(stacks(r.stdout)[:STACKS] == [[at(0x10), at(0x80f)]] * STACKS and
       r.returncode == 0, "a long expression is no endless one",
       "status %d\n%s%s" % (r.returncode, r.stderr, r.stdout[:400]))
tap.done()
