#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Profiles that are known beforehand: corpus/workloads/known.c is recorded,
# and the true share must lie within the interval that coldperf states.
#
# A 95 % interval may miss one time in twenty: a share that is outside is
# given two more recordings.  Three misses are no bad luck.
import csv
import io
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

TRIES = 3
CFLAGS = ["-O1", "-g", "-fno-omit-frame-pointer",
          "-fno-optimize-sibling-calls", "-pthread"]


def build(folder):
    program = os.path.join(folder, "known")
    source = tap.top_srcdir + "/corpus/workloads/known.c"
    # Not with clang, which unrolls the recursion, nor with sanitizers.
    cc = ["gcc"] if shutil.which("gcc") else \
        shlex.split(os.environ.get("CC", "cc"))
    if subprocess.call(cc + CFLAGS + [source, "-o", program]) != 0:
        tap.skip_all("the workload does not compile")
    return program


def record(capture, command):
    """What the workload printed; None when nothing could be recorded."""
    p = subprocess.run(["perf", "record", "-q", "-e", "cpu-clock", "-F", "999",
                        "-g", "-o", capture] + command,
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                       universal_newlines=True)
    if p.returncode != 0:
        tap.diag(p.stderr)
        return None
    return p.stdout


def hotspots(capture, by, options=()):
    p = subprocess.run([tap.coldperf, "hotspots", "-f", "csv", "--by", by,
                        "--top", "0"] + list(options) + [capture],
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                       universal_newlines=True)
    if p.returncode != 0:
        tap.diag(p.stderr)
    column = {"comm": "command", "dso": "object"}.get(by, by)
    return {r[column]: r for r in csv.DictReader(io.StringIO(p.stdout))}


def interval(row):
    return tuple(float(row["share" + end]) for end in ("", "_lo", "_hi"))


def misses(mode, by):
    """What of that which the program measured is not in the intervals."""
    capture = os.path.join(folder, mode + ".data")
    said = record(capture, [program, mode, "1"])
    if said is None:
        return ["no recording"]
    words = said.split()
    wanted = dict(zip(words[::2], map(float, words[1::2])))
    rows, bad = hotspots(capture, by), []
    for name, truth in wanted.items():
        if name not in rows:
            bad += ["%s: no row" % name]
            continue
        share, lo, hi = interval(rows[name])
        tap.diag("%s: %s is %.4f, coldperf says %.4f [%.4f, %.4f]" %
                 (mode, name, truth, share, lo, hi))
        if not lo <= truth <= hi or not lo < hi:
            bad += ["%s: %.4f is not in [%.4f, %.4f]" % (name, truth, lo, hi)]
    return bad


def check_recursion(program):
    """A function on the chain twenty times counts once."""
    capture = os.path.join(folder, "recurse.data")
    record(capture, [program, "recurse", "0.5"])
    rows = hotspots(capture, "symbol", ["--children"])
    shares = [float(rows.get(name, {"children": 0})["children"])
              for name in ("leaf", "descend", "main")]
    tap.ok(all(0.95 < share <= 1 for share in shares),
           "a function under 20 calls of itself counts once", shares)


def check_children(program):
    """Each child is a process of its own; nearly all is in child_work()."""
    capture = os.path.join(folder, "children.data")
    said = record(capture, [program, "children", "0.5"]) or "children 0"
    rows = hotspots(capture, "symbol", ["--children", "--comm", "known"])
    share = float(rows.get("child_work", {"children": 0})["children"])
    tap.ok(share > 0.9, "short-lived children are attributed", share)
    pids = hotspots(capture, "pid", ["--comm", "known"])
    children = int(said.split()[1])
    tap.ok(0.9 * children <= len(pids) <= children + 1,
           "each of %d children has its row" % children, len(pids))


def known(text, mode, by):
    for _ in range(TRIES):
        bad = misses(mode, by)
        if not bad:
            break
    tap.ok(not bad, text, "\n".join(bad))


if not shutil.which("perf"):
    tap.skip_all("perf is not installed")
if tap.sanitized:
    tap.skip_all("what takes how long is judged without sanitizers")
folder = tempfile.mkdtemp(prefix="coldperf-known.")
try:
    program = build(folder)
    if record(os.path.join(folder, "probe"), ["true"]) is None:
        tap.skip_all("perf cannot record here")
    known("shares of functions", "shares", "symbol")
    known("shares of threads", "threads", "comm")
    check_recursion(program)
    check_children(program)
finally:
    shutil.rmtree(folder)
tap.done()
