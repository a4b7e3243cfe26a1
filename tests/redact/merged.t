#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Redaction of snapshots that have tables alone: two captures with secrets in
# each place for a text are added up, and then every output of the sum with a
# policy is dug through.
import os
import re
import sys
import tarfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
sys.path.insert(0, os.environ["top_srcdir"] + "/tests/redact")
import dig
import plant
import tap
from scratch import bytes_of, capture, mkperf, path, run, write

dig.SECRET = re.compile(rb"[x-z]q\d\dle?a?k?|queenie", re.I)
# What `share' keeps; all else must be gone.
SHARE_KEEPS = ("comm", "path", "system", "event", "symbol")
FORMATS = ("text", "json", "html", "pprof", "speedscope", "callgrind", "dot",
           "firefox", "perfetto", "otlp", "ndjson", "samples-csv", "snapshot")
TABLES = ("samples", "frames", "symbols", "threads", "objects", "events",
          "contexts", "facts")
POLICIES = ("share", "public", "hashed")
HASHED = "[rules]\n" + "".join("%s = %s\n" % x for x in (
    ("host", "hash"), ("command-line", "drop"), ("system", "drop"),
    ("comm", "hash"), ("path", "hash"), ("cgroup", "hash"),
    ("event", "generalize"), ("symbol", "hash"), ("payload", "drop"),
    ("stack", "drop"), ("data-address", "drop"), ("source", "drop")))


class Another(plant.Plant):
    """Its secrets are others than those of the first capture."""

    def __init__(self, letter):
        super().__init__()
        self.letter = letter

    def __call__(self, what, rule):
        secret = "%sq%02dLeak" % (self.letter, len(self.places) + 10)
        self.places[secret] = (what, rule)
        return secret


def ways(cold, other):
    for f in FORMATS:
        yield ["flame", "-f", f, cold]
        yield ["report", "-f", f, cold]
    for f in ("svg", "folded"):
        yield ["flame", "-f", f, cold]
    yield ["report", "-f", "csv", cold]
    for f in ("html", "json", "text"):
        yield ["diff", "-f", f, cold, other]
    for command in ("hotspots", "quality", "unwind"):
        yield [command, "-f", "json", cold]
    for table in TABLES:
        yield ["sql", cold, "SELECT * FROM " + table]
    yield ["sql", cold, "SELECT substr(name, 2) FROM symbols"]
    yield ["merge", "-o", path("x"), cold]
    yield ["merge", "-o", path("x"), cold, other]
    yield ["snapshot", "-o", path("x"), cold]
    yield ["redact", "-o", path("x"), cold]


def check(policy, hidden, cold, other):
    rule = path("hashed.ini") if policy == "hashed" else policy
    wrong = []
    for words in tap.share(ways(cold, other), POLICIES.index(policy), 3):
        name = " ".join(words[:3])
        data, said = bytes_of([words[0], "--redact", rule, *words[1:]])
        if not data:
            wrong.append("%s: nothing written: %s" % (name, said))
        for s in {x.decode()[:4].lower() for x in dig.dig(data)}:
            if s in hidden:
                wrong.append("%s: %s: %s" % (name, s, hidden[s]))
    tap.ok(not wrong, "%s: nothing leaks" % policy, "\n".join(wrong))


def planted(cold):
    with open(cold, "rb") as f:
        return {x.decode()[:4].lower() for x in dig.dig(f.read())}


def same_numbers(cold):
    """Identities and counts are those of the sum without a policy."""
    asked = ("SELECT event, thread, stack, context, count(*), sum(weight) "
             "FROM samples GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4")
    plain = run("sql", cold, asked).stdout.split(b"Answer")[-1]
    for policy in ("share", "public"):
        r = run("sql", "--redact", policy, cold, asked)
        tap.ok(plain.count(b"\n") > 5 and
               r.stdout.split(b"Answer")[-1] == plain,
               policy + ": all samples, stacks and threads are there",
               (plain, r.stdout))


def is_whole(cold):
    """The redacted sum is a snapshot like any other."""
    run("merge", "--redact", "public", "-o", path("y.cold"), cold)
    r = run("verify", path("y.cold"))
    tap.ok(r.returncode == 0, "the redacted sum is whole", r.stderr)
    r = run("report", path("y.cold"))
    tap.ok(r.returncode in (0, 3) and b"first capture-1: " in r.stderr,
           "its captures have numbers", r.stderr)


def members(cold):
    """But for those that name the command."""
    if not os.path.exists(cold):
        return {}
    with tarfile.open(cold) as tar:
        return {m.name: tar.extractfile(m).read() for m in tar
                if m.name.endswith((".parquet", ".zst"))}


def as_by_merge(cold):
    """redact and snapshot write the sum as merge does."""
    for policy in [], ["--redact", "public"]:
        run("merge", *policy, "-o", path("y.cold"), cold)
        want = members(path("y.cold"))
        for command in ["redact"] if policy else [], ["snapshot"]:
            if not command:
                continue
            r = run(*command, *policy, "-o", path("v.cold"), cold)
            got = members(path("v.cold"))
            tap.ok(len(want) >= 13 and got == want and r.returncode in (0, 3),
                   " ".join([*command, *policy]) + ": as merge writes it",
                   ([n for n in want if want[n] != got.get(n)], r.stderr))
            if got:
                os.unlink(path("v.cold"))


def symbols(first, second):
    """Of JIT code; the second names a user whom nothing else does."""
    os.makedirs(path("symbols"))
    write("symbols/perf-20.map", "700000 100 %s /home/%s/app.js:1\n"
          % (first("name of JIT code", "symbol"),
             first("a user in the name of JIT code", "share"))
          + "700100 100 %s /home/queenie/app.js:1\n"
          % second("name of other JIT code", "symbol"))


def sums():
    first, second, third = plant.Plant(), Another("Y"), Another("X")
    one = capture("Zq08Leak.data", plant.fp(first))
    two = capture("Yq08Leak.data", plant.tracepoints(second))
    three = capture("Xq08Leak.data", plant.dwarf(third))
    symbols(first, second)
    run("merge", "--symbols", path("symbols"), "-o", path("Zq09Leak.cold"),
        one, two)
    run("merge", "-o", path("Yq09Leak.cold"), one, three)
    secrets = {**first.places, **second.places, **third.places}
    secrets.update({"%sq%02dLeak" % (c, n): ("name of a capture", "share")
                    for c in "XYZ" for n in (8, 9)})
    secrets["queenie"] = ("another user there", "share")
    return path("Zq09Leak.cold"), path("Yq09Leak.cold"), secrets


if not os.access(mkperf, os.X_OK):
    tap.skip_all("mkperf was not built")
write("key", "0123456789abcdef0123456789abcdef")
write("hashed.ini", HASHED)
cold, other, secrets = sums()
found = planted(cold)
tap.ok(len(found) >= 25, "secrets are in the sum", sorted(found))
for policy in POLICIES:
    check(policy, {s[:4].lower(): what for s, (what, rule) in secrets.items()
                   if policy != "share" or rule not in SHARE_KEEPS},
          cold, other)
same_numbers(cold)
is_whole(cold)
as_by_merge(cold)
r = run("unpack", "--redact", "share", "-o", path("z"), cold)
tap.ok(r.returncode == 2 and b"only-tables" in r.stderr and
       not os.path.exists(path("z/perf.data")), "unpack needs records",
       r.stderr)
r = run("redact", "--redact", "share", "-o", path("w.cold"),
        path("Zq08Leak.data"))
tap.ok(r.returncode == 2 and not os.path.exists(path("w.cold")),
       "redact makes no snapshot of a capture", r.stderr)
tap.done()
