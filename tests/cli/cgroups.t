#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Control groups: a number that is used again, a path with several numbers,
# numbers without a path, and paths that the recorder told last.
import csv
import os
import subprocess
import sys
import tarfile
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

scratch = tempfile.TemporaryDirectory(prefix="coldperf-cgroups.")
ATTR = ("attr cycles type=0 config=0 period=1 sample_type=IP|TID|TIME|PERIOD|"
        "CGROUP flags=sample_id_all|mmap|comm|cgroup")


def path(name):
    return os.path.join(scratch.name, name)


def capture(name, *lines, container="file"):
    """A capture of these lines, each a second after the one before."""
    text = ["container " + container, ATTR, "comm 7 7 w time=1"] + [
        "%s time=%d" % (line, (i + 1) * 10**9) for i, line in enumerate(lines)]
    with open(path("in"), "w") as f:
        f.write("\n".join(text) + "\n")
    subprocess.run([os.path.join(tap.top_builddir, "tests/tools/mkperf"),
                    path("in"), path(name)], check=True)


def coldperf(*arguments, stdin=None):
    p = subprocess.run([tap.coldperf, *arguments], stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, cwd=scratch.name, input=stdin)
    return p.stdout.decode(), p.stderr.decode()


def groups(*arguments, stdin=None):
    """Samples by control group."""
    out, err = coldperf("hotspots", "--by", "cgroup", "-f", "csv", *arguments,
                        stdin=stdin)
    rows = list(csv.DictReader(out.splitlines()))
    return sorted((row["cgroup"], int(row["samples"])) for row in rows) or err


def sample(cgroup):
    return "sample cycles pid=7 ip=0x1000 cgroup=%d" % cgroup


tap.coldperf = os.path.abspath(tap.coldperf)
capture("again", 'cgroup 5 "/old"', sample(5), 'cgroup 5 "/new"', sample(5),
        'cgroup 6 "/new"', sample(6), sample(9), sample(0))
WANT = [("-", 1), ("/new", 2), ("/old", 1), ("9", 1)]
got = groups("again")
tap.ok(got == WANT, "each sample has the path of its time, each path a row",
       got)
out = coldperf("script", "-F", "cgroup", "again")[0].split()
tap.ok(out == ["/old", "/new", "/new", "unknown", "unknown"],
       "script, too", out)
for name, samples in WANT[1:]:
    got = groups("again", "--cgroup", name)
    tap.ok(got == [(name, samples)], "--cgroup %s" % name, got)
for kind in ("snapshot", "merge"):
    coldperf(kind, "-o", kind + ".cold", "again")
    got = groups(kind + ".cold")
    tap.ok(got == WANT, "the same in a %s" % kind, got)
    got = groups(kind + ".cold", "--cgroup", "/old")
    tap.ok(got == [("/old", 1)], "and of it --cgroup /old", got)
got = coldperf("sql", "-f", "csv", "again",
               "select cgroup, count(*) from samples join contexts on "
               "contexts.id = context group by 1 order by 1")[0].split()
tap.ok(got[1:] == ["/new,2", "/old,1", "9,1"], "sql", got)

# A number has the path of the first record that comes after its samples.
LATE = (sample(5), sample(5), 'cgroup 5 "/late"', sample(5), sample(6),
        'cgroup 5 "/next"', sample(5), 'cgroup 6 "/six"')
WANT = [("/late", 3), ("/next", 1), ("/six", 1)]
capture("late", *LATE)
got = groups("late")
tap.ok(got == WANT, "records after the samples", got)
for name, samples in WANT:
    got = groups("late", "--cgroup", name)
    tap.ok(got == [(name, samples)], "--cgroup %s" % name, got)
with tarfile.open(path("late.tar"), "w") as tar:
    tar.add(path("late"), "perf.data")
got = groups("late.tar", "--cgroup", "/late")
tap.ok(got == [("/late", 3)], "in a bundle", got)
with open(path("policy"), "w") as f:
    f.write("[rules]\ncgroup = generalize\n")
got = groups("--redact=policy", "late")
tap.ok(len(got) == 3 and sorted(n for _, n in got) == [1, 1, 3] and
       not any("late" in name for name, _ in got), "redacted", got)
capture("pipe", *LATE, container="pipe")
got = groups("pipe")
tap.ok(got == WANT, "a pipe's bytes in a file", got)
with open(path("pipe"), "rb") as f:
    piped = f.read()
got = groups("-", stdin=piped)
tap.ok(got == [("/late", 1), ("/next", 1), ("5", 2), ("6", 1)],
       "a pipe is read once", got)
got = coldperf("hotspots", "--by", "cgroup", "-", stdin=piped)[1]
tap.ok("(late-cgroup)" in got and "2 samples of 5, which is /late" in got,
       "and says so", got)

# Of several captures: one number with two paths, one path with two numbers.
capture("a", 'cgroup 5 "/x"', sample(5), 'cgroup 6 "/y"', sample(6))
capture("b", 'cgroup 5 "/y"', sample(5), sample(5), 'cgroup 7 "/z"', sample(7))
got = groups("a", "b")
tap.ok(got == [("/x", 1), ("/y", 3), ("/z", 1)], "several captures", got)
got = groups("a", "b", "--cgroup", "/y")
tap.ok(got == [("/y", 3)], "several captures, --cgroup /y", got)

# Names of containers that can be read.
ID = "0123456789abcdef" * 4
LABELS = {
    "/system.slice/docker-%s.scope" % ID: "docker:0123456789ab",
    "/docker/" + ID: "docker:0123456789ab",
    "/machine.slice/libpod-%s.scope/container" % ID: None,
    "/machine.slice/libpod-%s.scope" % ID: "podman:0123456789ab",
    "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-podfeed1234_"
    "ab.slice/cri-containerd-%s.scope" % ID:
        "podfeed1234 containerd:0123456789ab",
    "/kubepods/besteffort/podfeed1234-ab-12/" + ID:
        "podfeed1234 container:0123456789ab",
    "/system.slice/nginx.service": None,
}
capture("containers", *sum((('cgroup %d "%s"' % (i + 5, name), sample(i + 5))
                            for i, name in enumerate(LABELS)), ()))
got = {row["cgroup"]: row["control_group"] for row in csv.DictReader(
    coldperf("hotspots", "--by", "cgroup", "-f", "csv",
             "containers")[0].splitlines())}
tap.ok(got == {name: label or name for name, label in LABELS.items()},
       "containers have short names, and their paths", got)
out = coldperf("hotspots", "--by", "cgroup", "containers")[0]
tap.ok(ID not in out.replace("libpod-%s.scope/" % ID, ""),
       "text has the names only", out)
tap.done()
