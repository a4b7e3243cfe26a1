#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Control groups, and how the unwinding of stacks ended, are in the tables of
# snapshots: what is read of tables alone, of sums and of sums of sums is what
# the capture says.  The first snapshots do not have them, and are read as well.
import base64
import collections
import gzip
import json
import lzma
import os
import re
import subprocess
import sys
sys.path[:0] = [os.environ["top_srcdir"] + "/tests" + d
                for d in ("", "/unwind", "/exports")]
import decode
import tap
from made import BASE, TEXT, at, path

MKPERF = os.path.join(tap.top_builddir, "tests/tools/mkperf")
GROUPS = tap.capture("good-containers", path(""))
DUMPS = """attr a type=1 period=1 sample_type=IP|TID|TIME|PERIOD|CALLCHAIN|\
REGS_USER|STACK_USER|CGROUP sample_regs_user=0x1ff sample_stack_user=16 \
flags=sample_id_all|mmap|comm|cgroup
feature arch "x86_64"
cgroup id=%d path="/system.slice/%s"
mmap pid=7 addr=%d len=4096 pgoff=4096 name=/nowhere/prog
repeat %d as i {
sample a ip=%d pid=7 time=50+i chain= regs_user=2,0,0,0,0,0,0,0,1,%d \
stack_size=16 stack_dyn=16 stack=%s cgroup=%s misc=2
}
"""


def coldperf(*words):
    p = subprocess.run([os.path.abspath(tap.coldperf), *words],
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return p.returncode, p.stdout.decode(), p.stderr.decode()


def dump(name, group, number, count, in_group):
    with open(path("in"), "w") as f:
        f.write(DUMPS % (number, group, BASE + TEXT, count, at(0x10), at(0x10),
                         "10" * 16, in_group))
    subprocess.run([MKPERF, path("in"), path(name)], check=True)
    return path(name)


def same(what, captures, of, *commands):
    """Each command says of the snapshot what it says of the captures."""
    for words in commands:
        got, want = coldperf(*words, of), coldperf(*words, *captures)
        texts = [re.sub(r"\S*(\.cold|\.data|perf\.data|\d captures)", "N", t)
                 for t in (got[1], want[1])]
        tap.ok(got[0] == want[0] == 0 and texts[0] == texts[1] and texts[1],
               "%s: %s" % (what, " ".join(words)), (texts, got[2], want[2]))


BY = "hotspots", "-f", "csv", "--by", "cgroup"
ONE = "quality", "--cgroup", "/docker/abc"
SQL = "sql", "-f", "csv"
QUERY = "SELECT c.cgroup, c.unwound, o.name AS object, count(*) AS n FROM " \
    "samples s LEFT JOIN contexts c ON c.id = s.context LEFT JOIN objects o " \
    "ON o.id = c.object GROUP BY 1, 2, 3 ORDER BY 1, 2, 3"


def groups():
    coldperf("merge", "-o", path("g.cold"), GROUPS)
    coldperf("flame", "-o", path("f.cold"), GROUPS)
    coldperf("merge", "-o", path("gg.cold"), path("g.cold"))
    for name in "g", "f", "gg":
        same("control groups of %s.cold" % name, [GROUPS],
             path(name + ".cold"), BY, ONE)
    out = coldperf(*BY, path("g.cold"))[1]
    tap.ok("/docker/abc" in out and "/docker/new" in out and
           re.search(r"\b99\b", out), "they have paths, or a number", out)
    want = "cgroup,unwound,object,n\n/,,,1\n/docker/abc,,,1\n" \
        "/docker/new,,,1\n99,,,1\n"
    for of in GROUPS, path("g.cold"), path("gg.cold"):
        got = coldperf(*SQL, of, QUERY)
        tap.ok(got[1] == want, "SQL of " + os.path.basename(of), got)


def hosts():
    """One group has another number on each host, one number is two groups."""
    a = dump("a.data", "web", 5, 3, "5*(i%2)")
    b = dump("b.data", "web", 6, 4, "6")
    c = dump("c.data", "db", 5, 5, "5")
    coldperf("merge", "-o", path("ab.cold"), a, b)
    coldperf("merge", "-o", path("abc.cold"), path("ab.cold"), c)
    want = "cgroup,unwound,object,n\n,no table,/nowhere/prog,2\n" \
        "/system.slice/db,no table,/nowhere/prog,5\n" \
        "/system.slice/web,no table,/nowhere/prog,5\n"
    for what, captures in ("captures", [a, b, c]), \
            ("sum of sums", [path("abc.cold")]), \
            ("sum and capture", [path("ab.cold"), c]):
        got = coldperf(*SQL, *captures, QUERY)
        tap.ok(got[1] == want, "SQL of three hosts: " + what, got)
    same("three hosts", [a, b, c], path("abc.cold"), BY, ("unwind",),
         ("quality",))


def of_old():
    """A sum of the time when the tables did not tell."""
    name = tap.top_srcdir + "/tests/exports/snapshots/v1-sums.good-dwarf.b64"
    with open(name, "rb") as f, open(path("old.cold"), "wb") as to:
        to.write(lzma.decompress(base64.b64decode(f.read())))
    status, out, err = coldperf("unwind", path("old.cold"))
    tap.ok(status == 0 and re.search(r"%.* 60 +complete\b", out) and
           "no sample has a copy" not in out, "unwind has the sum", (out, err))
    status, out, err = coldperf("hotspots", "-f", "json", path("old.cold"))
    tap.ok(status == 0 and json.loads(out) and "bad-snapshot" not in err,
           "hotspots reads it", err)
    got = coldperf(*SQL, path("old.cold"), QUERY)
    tap.ok(got[1] == "cgroup,unwound,object,n\n,,,60\n",
           "SQL knows that nothing is known", got)


def labels():
    """pprof has the control group of each sample; equal ones are one row."""
    subprocess.run([tap.coldperf, "flame", "-q", "--no-local", "-o",
                    path("p.pb.gz"), GROUPS], check=True)
    with open(path("p.pb.gz"), "rb") as f:
        rows = decode.Pprof(f.read()).samples
    got, keys = collections.Counter(), []
    for values, locations, row in rows:
        got[row.get("cgroup", "")] += values[0]
        keys.append((tuple(locations), tuple(sorted(row.items()))))
    _, out, err = coldperf(*SQL, GROUPS, "SELECT c.cgroup, count(*) AS n FROM "
                           "samples s LEFT JOIN contexts c ON c.id = s.context"
                           " GROUP BY 1")
    want = {name: int(n) for name, n in (
        line.rsplit(",", 1) for line in out.splitlines()[1:])}
    tap.ok(len(want) > 1 and got == want,
           "pprof has the control groups that SQL has", (got, want, err))
    tap.ok(len(keys) == len(set(keys)), "samples with equal labels are one")
    redacted = subprocess.run(
        [tap.coldperf, "flame", "-q", "--no-local", "--redact", "share", "-f",
         "pprof", GROUPS], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    text = gzip.decompress(redacted.stdout) if redacted.stdout else b""
    tap.ok(b"cgroup" in text and not any(
        name.strip("/").encode() in text for name in want if
        len(name.strip("/")) > 3), "--redact share leaves out their names",
           redacted.stderr)


groups()
hosts()
of_old()
labels()
tap.done()
