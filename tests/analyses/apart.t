#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# How long to record to tell the first two rows apart: computed by hand from
# the shares and from the numbers of samples that their intervals stand for.
import math
import os
import re
import subprocess
import sys
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
sys.path.insert(0, os.environ["top_srcdir"] + "/tests/analyses")
import made
import tap

Z95, Z90 = 1.959963984540054, 1.2815515655446
STEP = 1000000  # ns


def capture(name, samples, first):
    """Two functions in turn by chance, the first in so many of 100."""
    return made.build(name, """
attr cpu-clock type=1 config=0 period=1000 sample_type=IP|TID|TIME|PERIOD flags=sample_id_all|mmap|comm
comm 7 7 "prog"
mmap pid=7 addr=0x400000 len=0x1000 pgoff=0 name="/gone/one"
mmap pid=7 addr=0x500000 len=0x1000 pgoff=0 name="/gone/two"
repeat %d as i {
sample cpu-clock ip=0x400010+(hash(1000+i)%%100)/%d*0x100000 pid=7 time=%d*(i+1) period=1000
}
""" % (samples, first, STEP))


def stands_for(share):
    """The samples of a share with this Wilson interval, by bisection."""
    p, width = share["value"], share["interval"][1] - share["interval"][0]

    def wilson(n):
        return 2 * Z95 / (1 + Z95 ** 2 / n) * math.sqrt(
            p * (1 - p) / n + Z95 ** 2 / (4 * n * n))
    few, many = 0.01, 1e9
    for _ in range(200):
        n = math.sqrt(few * many)
        few, many = (n, many) if wilson(n) > width else (few, n)
    return few


def note(rep):
    notes = made.section(rep, "notes")
    return [n for n in notes["notes"] if "told apart" in n] if notes else []


def expect(rows):
    """How many times longer; None if the rows are apart."""
    p, q = rows[0]["value"], rows[1]["value"]
    n = min(stands_for(r) for r in rows)
    v, d = p + q - (p - q) ** 2, p - q
    if n >= Z95 ** 2 * v / d ** 2:
        return None
    return (Z95 + Z90) ** 2 * v / d ** 2 / n


for samples, first, apart in (400, 53, False), (400, 51, False), \
        (400, 80, True), (20000, 56, True):
    path = capture("c%d-%d" % (samples, first), samples, first)
    for command, slug, column in ("hotspots", "hotspots", "Share"), \
            ("report", "symbols", "Self"):
        text = "%s of %d samples, %d of 100" % (command, samples, first)
        rep = made.report(path, command)
        table = made.section(rep, slug)
        at = [c["name"] for c in table["columns"]].index(column)
        rows = [r["values"][at] for r in table["rows"] if r["depth"] == 0][:2]
        want, got = expect(rows), note(rep)
        tap.ok((want is None) == apart, "by hand: " + text, want)
        if want is None:
            tap.ok(not got, text + ": nothing to say", got)
            continue
        m = re.search(r"\((\d+\.\d) times as long\)", got[0]) if got else None
        seconds = re.search(r"record (\d+\.\d+) (m?)s of", got[0]) if m else 0
        took = seconds and float(seconds.group(1)) * \
            (1 if seconds.group(2) else 1000)
        tap.ok(m and abs(float(m.group(1)) - want) < 0.06 + want / 500 and
               abs(took - want * (samples - 1)) < 1 + took / 200,
               text + ": %.1f times as long" % want, got)
path = capture("whole", 400, 53)
got = note(made.report(path, "hotspots", "--children"))
tap.ok(not got, "rows with samples in common are not compared", got)

# Boxes of a flame graph: pale below four samples, unless all was recorded.
BOXES = """
attr %s sample_type=IP|TID|TIME|PERIOD|CALLCHAIN flags=sample_id_all|mmap|comm
comm 7 7 "prog"
mmap pid=7 addr=0x400000 len=0x1000 pgoff=0 name="/gone/four"
mmap pid=7 addr=0x500000 len=0x1000 pgoff=0 name="/gone/three"
repeat 4 as i {
sample %s ip=0x400010 pid=7 time=1000+i period=1000 chain=user,0x400010
}
repeat 3 as i {
sample %s ip=0x500010 pid=7 time=2000+i period=1000 chain=user,0x500010
}
"""
for event, how, pale in \
        ("cpu-clock", "type=1 config=0 period=1000", ["[three]"]), \
        ("page-faults", "type=1 config=2 period=1", []):
    path = made.build("boxes", BOXES % (event + " " + how, event, event))
    out = subprocess.run([tap.coldperf, "flame", "-f", "svg", "--no-local",
                          path], stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL).stdout.decode()
    frames = re.findall(r'<rect class="\w+( few)?"[^>]*><title>([^\n<]*)', out)
    got = [name for few, name in frames if few]
    tap.ok([n for n in got if "three" in n] == got and
           len(got) == len(pale) and len(frames) >= 3,
           "%s: pale boxes: %d" % (event, len(pale)), frames)
    tap.ok(("fewer than 4 samples" in out) == bool(pale) and
           ('"few":4' in out) == bool(pale), "... and the legend knows it",
           out[-2000:])
tap.done()
