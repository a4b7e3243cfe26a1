#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# The programs that exports are for open them and show the same totals.
# What is not installed is skipped.  bench/EXPORTS.md has those that are no
# packages of Debian.
import os
import re
import shutil
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
sys.path.insert(0, os.environ["top_srcdir"] + "/tests/exports")
import decode
import tap

scratch = tempfile.TemporaryDirectory(prefix="coldperf-exports.")
tmp = scratch.name
# Go keeps what it has compiled in the user's cache.
environment = {k: v for k, v in os.environ.items() if k != "XDG_CACHE_HOME"}
FP = tap.top_srcdir + "/corpus/good-events"
PATHS = {name: "%s/x%s" % (tmp, suffix) for name, suffix in (
    ("pprof", ".pb.gz"), ("callgrind", ".callgrind"), ("dot", ".dot"))}


def run(*args, seconds=120):
    try:
        done = subprocess.run(
            args, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            timeout=seconds, cwd=tmp, universal_newlines=True,
            env=dict(environment, GOPROXY="off", GOTOOLCHAIN="local"))
    except subprocess.TimeoutExpired:
        return None, "it took longer than %d s" % seconds
    return done.returncode, done.stdout


def totals(name):
    with open(PATHS[name], "rb") as f:
        return decode.READERS[name](f.read())


def check_pprof():
    """Debian's Go has pprof; it may have to be compiled first."""
    if shutil.which("pprof"):
        tool = ["pprof"]
    elif shutil.which("go") and run("go", "tool", "pprof", "-h")[0] in (0, 2):
        tool = ["go", "tool", "pprof"]
    else:
        tap.skip("there is no pprof")
        return
    status, out = run(*tool, "-symbolize=none", "-top", "-nodefraction=0",
                      "-sample_index=samples", PATHS["pprof"])
    with open(PATHS["pprof"], "rb") as f:
        want = decode.Pprof(f.read()).tally()["samples"]
    got = {m.group(2).replace(" (inline)", ""): int(m.group(1))
           for m in re.finditer(
               r"^ *(\d+) +[\d.]+% +[\d.]+% +\d+ +[\d.]+%  (.*)$", out, re.M)
           if int(m.group(1))}
    named = {k: v for k, v in got.items() if not k.startswith("[")}
    tap.ok(status == 0 and named and
           named == {k: v for k, v in want.items() if k and v},
           "pprof -top shows the samples of each function",
           "%r\n%r\n%s" % (got, want, out))


def check_callgrind():
    if not shutil.which("callgrind_annotate"):
        tap.skip("there is no callgrind_annotate")
        return
    status, out = run("callgrind_annotate", "--threshold=100",
                      "--show=cpu-clock", "--sort=cpu-clock",
                      PATHS["callgrind"])
    got = {m.group(2): int(m.group(1).replace(",", "")) for m in re.finditer(
        r"^ *([\d,]+) \([ \d.]+%\)  \S*?:([^\s\[]\S*)", out, re.M)}
    want = totals("callgrind")["cpu-clock"]
    tap.ok(status == 0 and got and
           got == {k: v for k, v in want.items() if k and v},
           "callgrind_annotate shows each function's own cost",
           "%r\n%r\n%s" % (got, want, out))
    status, out = run("callgrind_annotate", "--tree=both", "--inclusive=yes",
                      PATHS["callgrind"])
    tap.ok(status == 0 and re.search(r"^242 \(100", out, re.M),
           "callgrind_annotate adds calls up", out)


def check_dot():
    if not shutil.which("dot"):
        tap.skip("there is no Graphviz")
        return
    status, out = run("dot", "-Tsvg", PATHS["dot"])
    tap.ok(status == 0 and "<svg" in out, "dot draws the graph", out[:500])


args = [x for path in PATHS.values() for x in ("-o", path)]
subprocess.run([tap.coldperf, "flame", "--symbols",
                tap.top_srcdir + "/corpus/good-fp/symbols", *args,
                FP + "/perf.data"], stderr=subprocess.DEVNULL, check=True)
check_pprof()
check_callgrind()
check_dot()
tap.done()
