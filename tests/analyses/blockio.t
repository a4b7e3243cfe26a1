#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Depth, deepest and busy time of a device are those of the requests' last
# times under way, also where several were sent back at once, completed in parts
# before, were merged while they waited, or records were lost.  The model
# knows the end of every request before it counts.
import os
import random
import re
import sys
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
sys.path.insert(0, os.environ["top_srcdir"] + "/tests/analyses")
import tap
import made

with open(os.path.join(tap.top_srcdir, "corpus", "good-latencies",
                       "input.mkperf")) as f:
    HEAD = f.read().split("\nsample ")[0] + "\n"
ISSUE = ('sample block:block_rq_issue ip=0xffffffff81000104 pid=100 time=%d '
         'cpu=%d id=3 raw=u2:2104,u1:0,u1:0,u4:100,u4:0x800010,n:4,u8:%d,'
         'u4:%d,u4:%d,s:R,n:7,c16:"alpha"\n')
COMPLETE = ('sample block:block_rq_complete ip=0xffffffff81000104 pid=100 '
            'time=%d cpu=%d id=4 raw=u2:2107,u1:0,u1:0,u4:100,u4:0x800010,n:4,'
            'u8:%d,u4:%d,u4:0,s:R,n:7\n')


# Nobody but a kernel worker issues for another.
AGAIN = ISSUE.replace("pid=100", "pid=50").replace("alpha", "kworker/0:1H")


class Disk:
    """Writes a capture, and remembers what happened; events are numbered."""

    def __init__(self):
        self.text, self.now = [HEAD], 10 ** 9
        self.times, self.cpus, self.losses = [], {}, []
        self.live, self.ended = {}, []  # ended: (from event, to event, bytes)

    def event(self, line, cpu, *rest):
        self.text.append(line % (self.now, cpu, *rest))
        self.times.append(self.now)
        self.cpus[cpu] = self.now
        return len(self.times) - 1

    def issue(self, first, sectors, cpu=0):
        """Again: the old begin is forgotten, what had completed is not."""
        done = self.live[first]["done"] if first in self.live else 0
        event = self.event(AGAIN if first in self.live else ISSUE, cpu, first,
                           sectors, sectors * 512)
        self.live[first] = {"event": event, "left": sectors, "done": done}

    def complete(self, first, sectors=None, cpu=0):
        r = self.live.pop(first)
        sectors = sectors or r["left"]
        event = self.event(COMPLETE, cpu, first, sectors)
        r["left"] -= sectors
        r["done"] += sectors
        if r["left"] != 0:
            self.live[first + sectors] = r
        else:
            self.ended.append((r["event"], event, r["done"] * 512))

    def lose(self, cpu):
        self.text.append("lost id=1 lost=2 time=%d .cpu=%d\n" %
                         (self.now, cpu))
        self.losses.append((self.cpus.get(cpu, self.times[0]), self.now))
        self.cpus[cpu] = self.now
        self.forget(len(self.times) - 1)

    def forget(self, event):
        self.ended += [(r["event"], event, None) for r in self.live.values()]
        self.live = {}

    def is_known(self, start, end):
        return not any(a < end and b > start for a, b in self.losses)

    def expected(self):
        """Requests, bytes, depth, deepest, busy."""
        self.forget(len(self.times) - 1)
        spans = list(zip(self.times, self.times[1:]))
        depth = [0] * (len(spans) + 1)
        for start, end, _ in self.ended:
            depth[start] += 1
            depth[end] -= 1
        for i in range(1, len(depth)):
            depth[i] += depth[i - 1]
        seen = [(d, b - a) for d, (a, b) in zip(depth, spans)
                if self.is_known(a, b)]
        whole = [n for a, b, n in self.ended if n is not None and
                 self.is_known(self.times[a], self.times[b])]
        length = sum(ns for _, ns in seen)
        return (len(whole), sum(whole),
                sum(d * ns for d, ns in seen) / length,
                max(d for d, _ in seen),
                sum(ns for d, ns in seen if d != 0) / length)


def value(v):
    return v["value"] if isinstance(v, dict) else v


def check(disk, name):
    """Compares the report with the model; what differs."""
    want = disk.expected()
    path = made.build(name, "".join(disk.text))
    rows = made.rows(made.report(path, "blockio"), "blockio")
    got = [tuple(value(r[c]) for c in ("Requests", "Bytes", "Depth", "Deepest",
                                       "Busy")) for r in rows]
    if want[0] == 0 or (len(got) == 1 and all(
            abs(a - b) < 1e-6 for a, b in zip(got[0], want))):
        return ""
    return "%s: got %r, want %r\n" % (name, got, want)


def draw(rng, losses):
    """A capture of a device that sends back, merges and loses at random."""
    disk, sector = Disk(), 0
    back, lost = rng.choice((0, 0.1, 0.4)), 0.06 if losses else 0
    for _ in range(rng.choice((8, 40, 120))):
        disk.now += rng.choice((1, 5, 20)) * 100000
        what, cpu = rng.random(), rng.randrange(2)
        first = rng.choice(list(disk.live)) if disk.live else None
        if first is None or what < 0.45 - lost:
            disk.issue(sector, rng.choice((8, 16)), cpu)
            sector += 64
        elif what < 0.45 and disk.times:
            disk.lose(cpu)
        elif what < 0.45 + back:
            merged = rng.choice((0, 0, 0, 8))
            disk.issue(first, disk.live[first]["left"] + merged, cpu)
        else:
            part = disk.live[first]["left"] > 8 and rng.random() < 0.4
            disk.complete(first, 8 if part else None, cpu)
    for first in list(disk.live)[rng.choice((0, 1)):]:
        disk.now += 100000
        disk.complete(first)
    return disk


for losses in False, True:
    wrong = [check(draw(random.Random("%d %s" % (i, losses)), losses),
                   "random-%d-%d" % (losses, i)) for i in range(60)]
    tap.ok(not any(wrong), "60 devices by chance%s" %
           (", records lost" if losses else ""), "".join(wrong))

# What was under way in a loss is unknown, but its issue was recorded: its
# completion, whole or in parts, is no other that lacks one.
disk = Disk()
for first in 0, 64, 128:
    disk.now += 100000
    disk.issue(first, 16)
disk.now += 100000
disk.lose(1)
disk.now += 100000
disk.text.append(COMPLETE % (disk.now, 0, 0, 16))
disk.text.append(COMPLETE % (disk.now + 1000, 0, 64, 8))
disk.text.append(COMPLETE % (disk.now + 2000, 0, 72, 8))
disk.text.append(COMPLETE % (disk.now + 3000, 0, 999, 8))
got = made.notes(made.report(made.build("told-once", "".join(disk.text)),
                             "blockio"))
tap.ok("when records were lost: 3;" in got and
       "their issue not recorded: 1;" in got,
       "a request in a loss is told once", got)

# Without times nothing can be told, and that is told.
text = re.sub(r" time=\d+", "", "".join(disk.text[:4])).replace("|TIME", "")
rep = made.report(made.build("untimed", text), "blockio")
tap.ok("a time that was not recorded: 3;" in made.notes(rep) and
       not made.rows(rep, "blockio"), "requests without times", made.notes(rep))

# Two at a time are sent back, and wait for 8 ms: 4 of 12 ms are busy.
two = Disk()
for step in 0, 1, 9:
    two.now = 10 ** 9 + step * 1000000
    for k in (0, 1) if step < 9 else ():
        two.issue(k * 64, 8)
    if step == 1:
        two.now += 7000000
        two.issue(0, 8)
two.issue(64, 8)
for k in 0, 1:
    two.now += 1500000
    two.complete(k * 64)
wanted = two.expected()
tap.ok(check(two, "two") == "" and wanted[3] == 2 and
       abs(wanted[4] - 4 / 12) < 1e-9, "two sent back at once", wanted)

# Eight threads that read one block: each request ends as the first of them.
same = Disk()
for line in ISSUE, ISSUE, COMPLETE, ISSUE, COMPLETE, COMPLETE:
    same.now += 1000000
    same.event(line, 0, *((64, 8, 4096) if line is ISSUE else (64, 8)))
report = made.report(made.build("same", "".join(same.text)), "blockio")
got = [(value(r["Requests"]), value(r["Deepest"]), value(r["Max"]))
       for r in made.rows(report, "blockio")]
tap.ok(got == [(3, 2, 3000000)] and "no room" not in made.notes(report),
       "reads of one block at once are several", got)

# Sent back, and issued again by the same thread: as block_rq_requeue says.
attr = re.search("attr block:block_rq_complete .*\n", HEAD).group()
form = re.search("format block <<END\nname: block_rq_complete(.|\n)*?END\n",
                 HEAD).group()
head = HEAD
for old, new in ((attr, attr), (form, form)):
    head = head.replace(old, old + new.replace("rq_complete", "rq_requeue")
                        .replace("2107", "2109").replace("ids=4", "ids=9"))
back = COMPLETE.replace("rq_complete", "rq_requeue").replace(
    "2107", "2109").replace("id=4", "id=9")
sent = Disk()
sent.text = [head]
for line in ISSUE, back, ISSUE, COMPLETE:
    sent.now += 1000000
    sent.event(line, 0, *((64, 8, 4096) if line is ISSUE else (64, 8)))
report = made.report(made.build("sent", "".join(sent.text)), "blockio")
got = [(value(r["Requests"]), value(r["Max"]))
       for r in made.rows(report, "blockio")]
tap.ok(got == [(1, 1000000)] and "no room for them: 1" in made.notes(report),
       "a request that is sent back", (got, made.notes(report)))

report = made.report(made.build("sent", "".join(sent.text)), "pair",
                     "--recipe", "block")
got = {(value(r["Count"]), value(r["Open"]), value(r["Max"]))
       for r in made.rows(report, "pairs")}
tap.ok(got == {(1, 0, 1000000)}, "pair block: from its last issue on",
       (got, made.notes(report)))

# A write that nobody ends, and reads of its sector.
write = Disk()
write.event(ISSUE.replace("s:R,n:7", "s:W,n:7"), 0, 64, 16, 8192)
for line in ISSUE, COMPLETE, ISSUE, COMPLETE:
    write.now += 500000
    write.event(line, 0, *((64, 8, 4096) if line is ISSUE else (64, 8)))
report = made.report(made.build("write", "".join(write.text)), "blockio")
got = [(r["Operation"], value(r["Requests"]), value(r["Max"]))
       for r in made.rows(report, "blockio-operations")]
tap.ok(got == [("read", 2, 500000)] and
       "not recorded: 1;" in made.notes(report),
       "a read does not end a write", (got, made.notes(report)))

# A kernel worker issues alpha's request again: filters ask about alpha.
again = Disk()
again.event(ISSUE, 0, 64, 8, 4096)
for line in AGAIN, COMPLETE:
    again.now += 1000000
    again.event(line, 1, *((64, 8, 4096) if line is not COMPLETE else (64, 8)))
path = made.build("again", "".join(again.text))
for options, want in (((), 1), (("--tid", "100"), 1), (("--tid", "50"), 0),
                      (("--cpu", "1"), 1), (("--tid", "100", "--cpu", "0"), 0)):
    report = made.report(path, "blockio", *options)
    tap.ok([(r["Command"], value(r["Requests"])) for r in
            made.rows(report, "blockio-commands")] == want * [("alpha", 1)] and
           ("no room for them: 1" in made.notes(report)) == (want == 1),
           "issued again by another thread: " + " ".join(options),
           made.rows(report, "blockio-commands"))

for times, want in ("1,1.0005", 0), ("1.0005,1.0015", 1):
    report = made.report(path, "blockio", "--time", times)
    tap.ok(("no room for them: 1" in made.notes(report)) == want,
           "--time chooses when it was issued again: " + times,
           (made.notes(report), report))

# A flush has no sectors; it completes with another first sector.
flush = Disk()
for line, rest in ((ISSUE, (0, 0, 0)), (COMPLETE, (2 ** 64 - 1, 0))):
    flush.now += 1000000
    flush.event(line.replace("s:R,n:7", 's:"FF",n:6'), 0, *rest)
report = made.report(made.build("flush", "".join(flush.text)), "blockio")
got = [(value(r["Requests"]), value(r["Max"]))
       for r in made.rows(report, "blockio")]
tap.ok(got == [(1, 1000000)], "a flush ends", (got, made.notes(report)))

# More idle times than are kept, and a request older than half of them.
many = Disk()
for i in range(17000):
    many.now += 1000
    many.issue(64 * i, 8)
    if i == 8000:
        many.issue(8, 8)
    many.now += 2000
    many.complete(64 * i)
many.now += 1000
many.complete(8)
tap.ok(check(many, "many") == "", "17,000 requests, one through half of them",
       check(many, "many"))

# Where requests begin, and their sizes: 1064 and 1216 go on, 1000 and 1200 do
# not; a flush is at no place.
disk = Disk()
for first, sectors in ((1000, 64), (1064, 8), (1200, 16), (1216, 8)):
    disk.now += 1000
    disk.issue(first, sectors)
for first in (1000, 1064, 1200, 1216):
    disk.now += 1000
    disk.complete(first)
disk.event(ISSUE.replace("s:R,n:7", 's:"FF",n:6'), 0, 0, 0, 0)
disk.event(COMPLETE.replace("s:R,n:7", 's:"FF",n:6'), 0, 0, 0)
report = made.report(made.build("places", "".join(disk.text)), "blockio")
got = ([value(r["Sequential"]) for r in made.rows(report, "blockio")],
       sorted((value(r["From"]), value(r["To"]), value(r["Requests"]),
               value(r["Bytes"])) for r in made.rows(report, "blockio-sizes")))
tap.ok(got == ([0.5], [(4096, 8191, 2, 8192), (8192, 16383, 1, 8192),
                       (32768, 65535, 1, 32768)]),
       "the share that is sequential, and sizes", got)
tap.done()
