#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Call chains by frame pointers that lead nowhere: which are broken, in whose
# code, and what is said of it.  Each chain is made for one rule, and counted
# here by hand.
import os
import re
import shutil
import subprocess
import sys
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
sys.path.insert(0, os.environ["top_srcdir"] + "/tests/analyses")
import made
from made import build, notes, report, rows, scalars, section
import tap

MAPS = os.path.join(made.work.name, "maps")
os.mkdir(MAPS)
FUNCTIONS = ("_start", "main", "work", "start_thread", "clone3")
with open(os.path.join(MAPS, "perf-8.map"), "w", encoding="ascii") as f:
    for i, name in enumerate(FUNCTIONS):
        f.write("%x 100 %s\n" % (0x900000 + 0x100 * i, name))
NAMED = {name: 0x900010 + 0x100 * i for i, name in enumerate(FUNCTIONS)}
HEAD = """attr cycles type=0 config=0 period=1 \
sample_type=IP|TID|TIME|PERIOD|CALLCHAIN flags=sample_id_all|mmap|comm
comm pid=8 comm=app
mmap pid=8 addr=0x400000 len=0x10000 pgoff=0 name=/nowhere/app
mmap pid=8 addr=0x700000 len=0x10000 pgoff=0 name=/nowhere/libx.so.1
mmap pid=8 addr=0x800000 len=0x10000 pgoff=0 name=/nowhere/libc.so.6
mmap pid=8 addr=0x900000 len=0x10000 pgoff=0 name=//anon
"""
APP, LIBX, LIBC, NOTHING = 0x400100, 0x700100, 0x800100, 0x7fff0000
# (number of samples, chain, what broke it: object and reason)
ZERO, UNMAPPED, SHORT = ("the caller is at 0", "the caller is in no mapping",
                         "ends where no thread begins")
CHAINS = [
    (5, (NAMED["work"], NAMED["main"], NAMED["_start"]), None),
    (4, (LIBX, NAMED["main"]), None),
    (3, (LIBC, NAMED["main"], LIBC + 0x40), None),  # what calls main
    (2, (NAMED["work"], NAMED["start_thread"], NAMED["clone3"]), None),
    (2, (APP, APP + 0x100), None),  # a stripped program: not to be told
    (2, (APP, LIBC), None),
    (2, (APP,) * 124, None),        # cut at the recorder's limit
    (7, (LIBX, 0), ("libx.so.1", ZERO)),
    (3, (LIBX + 4, 0x10), ("libx.so.1", ZERO)),
    (6, (APP, NOTHING), ("app", UNMAPPED)),
    (4, (LIBX, APP, NOTHING, NAMED["main"]), ("app", UNMAPPED)),
    (8, (LIBC,), ("libc.so.6", SHORT)),
    (5, (APP, LIBX), ("libx.so.1", SHORT)),
    (9, (NAMED["work"],), ("perf-8.map", SHORT)),
]


def capture(name, chains, more=""):
    text = [HEAD + more]
    time = 0
    for n, chain, _ in chains:
        for _ in range(n):
            time += 1000
            text.append("sample pid=8 time=%d misc=2 period=1 ip=%#x "
                        "chain=user,%s" %
                        (time, chain[0], ",".join("%#x" % a for a in chain)))
    # The kernel's own threads have no user part.
    for _ in range(3):
        time += 1000
        text.append("sample pid=8 time=%d misc=1 period=1 ip=0xffffffff81000010"
                    " chain=kernel,0xffffffff81000010" % time)
    return build(name, "\n".join(text) + "\n")


def of(rep):
    return {(r["Object"], r["Reason"]): r["Chains"]
            for r in rows(rep, "broken")}


path = capture("chains", CHAINS)
want, broken, every = {}, 0, 0
for n, _, why in CHAINS:
    every += n
    if why is not None:
        want[why] = want.get(why, 0) + n
        broken += n
options = ("--symbols", MAPS)
rep = report(path, "unwind", *options)
tap.ok(of(rep) == want, "unwind: what broke them, by object",
       (of(rep), want))
help_of = {r["Object"]: r["What helps"] for r in rows(rep, "broken")}
tap.ok("--call-graph dwarf" in help_of.get("libx.so.1", "") and
       "-fno-omit-frame-pointer" in help_of.get("libx.so.1", "") and
       "PreserveFramePointer" in help_of.get("perf-8.map", ""),
       "what helps", help_of)
tap.ok({r["A last function"] for r in rows(rep, "broken")} == {"", "work"},
       "a function that they end with, if it has a name",
       rows(rep, "broken"))
share = "%.1f %% of the call chains of user code are broken (%d)" % (
    100 * broken / every, broken)
for command in ("unwind", "quality", "report"):
    rep = report(path, command, *options)
    tap.ok(share in notes(rep), command + " has the share", notes(rep))
got = scalars(report(path, "quality", *options), "chains")
tap.ok(got.get("user_chains") == every and got.get("broken") == broken,
       "quality has the numbers", got)
found = [r["Finding"] for r in rows(rep, "findings")]
tap.ok(any(line.startswith("%.1f %% of " % (100 * broken / every)) and
           "in user code has a broken call chain" in line for line in found),
       "report finds it, by weight",
       found)

# Captures added up: which of one event's stacks are chains is not known of a
# stack any more, so none is judged where one capture has another kind.
MERGED = {}
for name, fields, more, stack in (
        ("chain", "|CALLCHAIN", "", "chain=user,%#x,%#x" % (LIBX, LIBX)),
        ("more", "|CALLCHAIN", "", "chain=user,%#x,%#x" % (LIBX, APP)),
        ("bare", "", "", ""),
        ("branched", "|CALLCHAIN|BRANCH_STACK", "branch_sample_type=0x800 ",
         "chain=user,%#x branch=%#x:%#x" % (LIBX, LIBX, LIBX))):
    MERGED[name] = build(name, HEAD.replace("|CALLCHAIN", fields).replace(
        "flags=", more + "flags=") + "".join(
            "sample pid=8 time=%d misc=2 period=1 ip=%#x %s\n" %
            (1000 + i, LIBX, stack) for i in range(40)))
for first, second, judged in (("chain", "more", 80), ("chain", "bare", None),
                              ("bare", "chain", None),
                              ("chain", "branched", None),
                              ("branched", "chain", None)):
    rep = report(MERGED[second], "quality", MERGED[first])
    tap.ok(scalars(rep, "chains").get("user_chains") == judged,
           "added up: %s and %s" % (first, second), scalars(rep, "chains"))

# A pipe tells its events after the analyses began.
HEAD = "container pipe\n" + HEAD
rep = report(capture("piped", CHAINS), "quality", *options)
HEAD = HEAD.partition("\n")[2]
tap.ok(scalars(rep, "chains") == got, "and those of a pipe are the same",
       scalars(rep, "chains"))

rep = report(capture("whole", CHAINS[:7]), "unwind", *options)
tap.ok(section(rep, "broken") is None and
       "broken" not in notes(rep),
       "whole chains are not blamed", notes(rep))

# Chains of another kind: branch stacks and dumped stacks end anywhere.
text = HEAD.replace("CALLCHAIN", "CALLCHAIN|BRANCH_STACK") \
    .replace("flags=", "branch_sample_type=0x800 flags=")
rep = report(build("lbr", text + "sample pid=8 time=1 misc=2 ip=%#x "
                   "chain=user,%#x\n" % (LIBX, LIBX)), "quality")
tap.ok("broken" not in notes(rep) and section(rep, "broken") is None,
       "chains of branch stacks are not judged", notes(rep))

# ------------------------------------- all samples have a symbol, not callers
SOURCE = "int main(void) { for (;;) ; }\n"
program = os.path.join(made.work.name, "prog")


def run(*command, text=None):
    return subprocess.run(command, stdout=subprocess.PIPE, input=text,
                          stderr=subprocess.DEVNULL, text=True, check=False)


def check_callers():
    if run("gcc", "-Wl,--build-id=sha1", "-x", "c", "-o", program, "-",
           text=SOURCE).returncode != 0:
        tap.skip("gcc cannot compile it")
        return
    build_id = re.search("Build ID: ([0-9a-f]+)",
                         run("readelf", "-n", program).stdout)
    start = [line.split() for line in run("nm", program).stdout.splitlines()
             if line.endswith(" main")]
    load = re.search(r"LOAD +0x(\w+) 0x(\w+) 0x\w+ 0x(\w+) 0x\w+ R E",
                     run("readelf", "-lW", program).stdout)
    if build_id is None or not start or load is None:
        tap.skip("the program's build ID, code or main is not found")
        return
    at, vaddr, size = (int(w, 16) for w in load.groups())
    base = 0x10000000
    ip = base + int(start[0][0], 16) - vaddr + at + 4
    head = HEAD.replace("flags=", "flags=mmap2|") + \
        "mmap2_build_id pid=8 addr=%#x len=%#x pgoff=%#x id=%s name=%s\n" % (
            base + (at & ~0xfff), ((at & 0xfff) + size + 0xfff) & ~0xfff,
            at & ~0xfff, build_id.group(1), program)
    for callers, said in (((NOTHING,), "; of their callers 100 % have none"),
                          ((ip,), ", and so have their callers"), ((), "")):
        chain = ",".join("%#x" % a for a in (ip,) + callers)
        rep = report(build("verified", head + "sample pid=8 time=5 misc=2 "
                           "ip=%#x chain=user,%s\n" % (ip, chain)),
                     "report", local=True)
        line = [s for s in notes(rep).splitlines()
                if s.startswith("all samples have a symbol")]
        tap.ok(line == ["all samples have a symbol from a file whose build ID "
                        "is the recorded one" + said],
               "all samples have a symbol%s" % said, notes(rep))


if all(shutil.which(tool) for tool in ("gcc", "readelf", "nm")):
    check_callers()
else:
    tap.skip("gcc or binutils are not installed")
tap.done()
