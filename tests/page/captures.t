#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# A page of several captures: its costs are those that `diff' prints, each side
# can be seen alone, and the captures begin, or begin and end, together.
import csv
import io
import json
import os
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

if not tap.has_node():
    tap.skip_all("no node that reads pages")
tmp = tempfile.TemporaryDirectory(prefix="coldperf-captures.")
NAMES = ("parse", "hash", "fold", "emit", "sort", "tiny")
SECOND = 10**9


def capture(name, counts, seconds, begin, event="cycles", period=1000,
            more=0):
    """So many samples in each object, in turn, all called from the first; of
    each object they weigh more than those of the one before."""
    text = ("attr %s type=0 period=%d flags=sample_id_all|mmap|comm "
            "sample_type=IP|TID|TIME|PERIOD|CALLCHAIN\n"
            "comm 11 11 \"app\" time=%d\n" % (event, period, begin))
    for i, o in enumerate(NAMES):
        text += ("mmap pid=11 addr=0x%x len=0x1000 pgoff=0 name=\"/lib/%s\" "
                 "time=%d\n" % (0x400000 + i * 0x10000, o, begin))
    ips = [i for k in range(max(counts)) for i, n in enumerate(counts)
           if k < n]
    for k, i in enumerate(ips):
        text += ("sample ip=0x%x pid=11 time=%d period=%d "
                 "chain=user,0x%x,0x400800\n" %
                 (0x400000 + i * 0x10000, begin + SECOND // 10 + int(
                     k * seconds * SECOND / (len(ips) - 1)),
                  period + i * more, 0x400000 + i * 0x10000))
    path = os.path.join(tmp.name, name)
    with open(path + ".mkperf", "w") as f:
        f.write(text + "\n")
    subprocess.run([os.path.join(tap.top_builddir, "tests/tools/mkperf"),
                    path + ".mkperf", path], check=True)
    return path


def coldperf(*args):
    return subprocess.run([tap.coldperf, *args], check=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          cwd=tmp.name).stdout.decode()


def page(*args):
    path = os.path.join(tmp.name, "page.html")
    coldperf(*args, "--no-local", "-f", "html", "-o", path)
    return json.loads(subprocess.run(
        ["node", tap.top_srcdir + "/tests/page/captures.js", path],
        stdout=subprocess.PIPE, check=True).stdout)


def near(a, b):
    return abs(a - b) <= 1 + 1e-9 * max(abs(a), abs(b))


def same(text, *args, shares=False):
    """The page's costs are those of the command."""
    got = page("diff", "--top", "0", *args)
    rows = list(csv.DictReader(io.StringIO(coldperf(
        "diff", "--no-local", "-f", "csv", "--top", "0", *args))))
    want = {(r["object"], "[unknown]" if r["symbol"] in ("[%s]" % r["object"], r["object"])
             else r["symbol"]): [r["found"]] + [float(r[k]) for k in (
        "cost_before", "cost_after", "samples_before", "samples_after")]
            for r in rows}
    mine = {(r["object"], r["name"]): [
        r["found"] and r["found"]["word"], r["before"], r["after"],
        r["samplesBefore"], r["samplesAfter"]] for r in got["changes"]}
    whole = want.pop(next(k for k in want if k[0] == ""))
    tap.ok(mine.keys() == want.keys() and all(
        mine[k][0] == want[k][0] and all(map(near, mine[k][1:], want[k][1:]))
        for k in mine), text + ": costs by function", (mine, want))
    tap.ok(got["found"]["word"] == whole[0] and
           near(got["start"]["before"]["cost"], whole[1]) and
           (shares or near(got["start"]["after"]["cost"], whole[2])),
           text + ": the cost of everything", (got["start"], whole))
    return got


BEFORE, AFTER = (280, 220, 170, 120, 60, 4), (285, 520, 165, 110, 0, 4)
before = capture("before", BEFORE, 10, 5 * SECOND)
after = capture("after", AFTER, 20, 900 * SECOND)
AGAIN, LATER = (270, 230, 165, 125, 58, 5), (281, 530, 160, 115, 0, 3)
again = capture("again", AGAIN, 11, 70 * SECOND)
later = capture("later", LATER, 18, 7000 * SECOND)
got = same("two runs", before, after)
tap.ok(got["version"] == 2 and got["names"] == [before, after],
       "the page tells that there are several", (got["version"], got["names"]))
start = got["start"]
tap.ok([start[k]["samples"] for k in ("before", "after", "both")] ==
       [sum(BEFORE), sum(AFTER), sum(BEFORE + AFTER)],
       "each side can be seen alone", start)
tap.ok(start["before"]["tree"] == 1000 * sum(BEFORE) and
       start["after"]["tree"] == 1000 * sum(AFTER), "also as a tree", start)
tap.ok(start["before"]["first"] == start["after"]["first"] and
       start["before"]["last"] - start["before"]["first"] == 10 * SECOND and
       start["after"]["last"] - start["after"]["first"] == 20 * SECOND,
       "both begin together", start)
tap.ok(start["both"]["sorted"], "samples are in the order of time")
share = got["share"]
tap.ok(near(share["before"]["last"], share["after"]["last"]) and
       share["both"]["sorted"] and
       share["before"]["cost"] == start["before"]["cost"],
       "by share they end together, too", share)
tap.ok(got["again"] == start, "and back again", (got["again"], start))
tap.ok(got["link"] == "align=share&rows=cpu&lanes=p1%00t3&side=both",
       "a link holds both, and which lanes are open", got["link"])
tap.ok(0 < got["half"] < sum(AFTER), "a selected time holds for both sides",
       got["half"])
shades = got["shades"]
tap.ok(shades["[hash]"] == "1" and shades["[sort]"] == "-1" and
       shades["[fold]"] == "0" and shades["[tiny]"] == "NaN" and
       0 < float(shades["all"]) < 1, "shades of change", shades)

same("costs of given work", "--per", "1,2", before, after)
# The sum of shares is always the same: everything is compared otherwise.
same("shares", "--per", "cpu", before, after, shares=True)
for more in (), ("--baseline", "2", again, later):
    files = (before, again, after, later) if more else (before, after)
    got = same("costs of a second", "--per", "time", *more[:2], *files)
    whole = next(csv.DictReader(io.StringIO(coldperf(
        "diff", "--no-local", "-f", "csv", "--per", "time", "--time", "+2s,+8s",
        *more[:2], *files))))
    tap.ok(near(got["window"][0], float(whole["cost_before"])) and
           near(got["window"][1], float(whole["cost_after"])),
           "and of a second of a selected time, as long in each capture",
           (got["window"], whole))
uneven = [capture(name, counts, 10, 5 * SECOND, more=500) for name, counts in
          (("uneven", BEFORE), ("uneven-after", AFTER))]
got = same("samples", "--per", "samples", *uneven, shares=True)
tap.ok(coldperf(*got["change"].split()[1:], "-f", "csv") == coldperf(
    "diff", "-f", "csv", "--top", "0", "--per", "samples", *uneven),
       "the command of a comparison has its options", got["change"])
got = same("kernel code without names", *(tap.capture(name, tmp.name)
                                          for name in ("good-fp", "good-dwarf")))
tap.ok("gone" in (r["found"]["word"] for r in got["changes"]),
       "has what was found of it", got["changes"])
got = same("two runs on each side", "--baseline", "2", before, again, after,
           later)
for side, files, counts in (
        ("before", [before, again], (BEFORE, AGAIN)),
        ("after", [after, later], (AFTER, LATER)),
        ("both", [before, again, after, later],
         (BEFORE, AGAIN, AFTER, LATER))):
    command = got["commands"][("before", "after", "both").index(side)].split()
    tap.ok(command[-len(files):] == files and
           command[-len(files) - 1] not in (before, again, after),
           "the command of a side has its captures: " + side, command)
    rows = csv.DictReader(io.StringIO(coldperf(
        *command[1:], "--no-local", "-f", "csv")))
    tap.ok(sum(int(r["samples"]) for r in rows) ==
           got["start"][side]["samples"] == sum(map(sum, counts)),
           "and prints their samples", side)
got = same("windows of one capture", "--time", "+0s,+9s", "--time",
           "+9s,+18s", after)
tap.ok(got["start"]["before"]["samples"] > 300 and
       near(got["start"]["before"]["first"] / 1e8,
            got["start"]["after"]["first"] / 1e8),
       "windows begin together", got["start"])
def build(name, library, functions):
    """Functions of a program and of a library, with their names: so many
    samples of each."""
    text = ("layout no-event-desc\n"
            "attr cpu-clock type=1 config=0 period=1000 "
            "sample_type=IP|TID|TIME|PERIOD flags=sample_id_all|mmap|comm\n"
            "feature arch x86_64\n"
            "feature sp_meta_info simpleperf_version 1 event_type_info "
            "cpu-clock,1,0\nfeature sp_file2")
    ips = []
    for base, path in ((0x7000000000, "/bin/app"), (0x7100000000, library)):
        of = [(f, n) for o, f, n in functions if (o == "app") ==
              (path == "/bin/app")]
        text += " L4:(v:10,m:(s:\"%s\"),v:16,v:2,v:24,v:0x1000,%s,v:50,m:(" \
                "v:8,v:0x1000))" % (path, ",".join(
                    "v:34,m:(v:8,v:0x%x,v:16,v:0x100,v:26,m:(s:\"%s\"))" %
                    (0x1000 + 0x100 * i, f) for i, (f, _) in enumerate(of)))
        ips += [base + 0x1000 + 0x100 * i for i, (_, n) in enumerate(of)
                for _ in range(n)]
    text += "\ncomm 11 11 app\n"
    for base, path in ((0x7000000000, "/bin/app"), (0x7100000000, library)):
        text += ("mmap2 pid=11 addr=0x%x len=0x10000 pgoff=0x1000 "
                 "name=\"%s\"\n" % (base + 0x1000, path))
    for i in range(len(ips)): # in turn
        text += "sample ip=0x%x pid=11 time=%d period=1000\n" % (
            ips[i * 7919 % len(ips)], 2000 + i * 1000000)
    path = os.path.join(tmp.name, name)
    with open(path + ".mkperf", "w") as f:
        f.write(text)
    subprocess.run([os.path.join(tap.top_builddir, "tests/tools/mkperf"),
                    path + ".mkperf", path], check=True)
    return path


got = same("copies of a function, another name, another version of a library",
           build("old", "/lib/libwork-1.2.so", (
               ("app", "main", 300), ("app", "setup", 250),
               ("app", "alpha", 200),
               ("work", "hash.isra.0", 400), ("work", "setup", 120),
               ("work", "fold.part.0", 90), ("work", "fold", 80))),
           build("new", "/lib/libwork.so.3", (
               ("app", "main", 310), ("app", "setup", 240),
               ("app", "omega", 204),
               ("work", "hash", 700), ("work", "hash.cold", 100),
               ("work", "setup", 60), ("work", "fold", 165))))
tap.ok({(r["object"], r["name"]): r["found"] and r["found"]["word"]
        for r in got["changes"]}.get(("libwork.so", "hash")) == "more",
       "have one row, which is more", got["changes"])
other = capture("other", AFTER, 20, SECOND, event="cpu-cycles", period=500)
same("an event of another name", before, other)
tap.ok(page("report", before) == {"version": 1, "sides": False},
       "the page of one capture is of version 1")
tap.done()
