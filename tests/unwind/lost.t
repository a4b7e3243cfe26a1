#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Callers that chains of frame pointers lack.  Samples have the kernel's chain,
# registers and stack of the same moment: what the unwind tables make of the
# stack tells which caller is missing in the chain, and who it is.
#
# At night, or with TEN=1: ten programs in C, C++, Rust and Go.
import os
import re
import shutil
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

work = tempfile.TemporaryDirectory(prefix="coldperf-lost.")
SOURCE = r"""
#include <stdlib.h>
#include <string.h>
#define APART __attribute__((noinline))
static char text[1 << 16], copy[1 << 16];
volatile size_t sink;
APART int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
APART void length(void) { for (int i = 0; i < 40; i++) sink += strlen(text); }
APART void search(void) { sink += (size_t)memchr(text, 'y', sizeof(text)); }
APART unsigned hash(const char *p, size_t n)
{ unsigned h = 0; for (size_t i = 0; i < n; i++) h = h * 31 + p[i]; return h; }
APART void key(void) { sink += hash(text, 9000); }
APART void both(void) { memmove(copy, text, 9000); sink += strlen(text + 9); }
APART void request(void)
{ length(); search(); key(); both(); sink += fib(14); }
int main(void)
{ memset(text, 'x', sizeof(text) - 1);
  for (int i = 0; i < 3000; i++) request(); return 0; }
"""
MARK = "[caller not recorded]"


def script(path, *options):
    out, all = subprocess.run(
        [tap.coldperf, "script", "--ns", "--inline", "no", "--cache",
         work.name + "/none", "-F", "time,ip,sym,guess", *options, path],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout, []
    for line in out.decode().splitlines():
        frame = re.match(r"\t *([0-9a-f]+) (.*?)( \[guess: (.*)\])?$", line)
        if frame:
            all[-1].append((int(frame[1], 16), frame[2], frame[4]))
        elif line:
            all.append([])
    return all


def judge(chains, stacks):
    n = dict.fromkeys(("lacks", "marked", "has", "false", "inferred",
                       "wrong"), 0)
    for chain, stack in zip(chains, stacks):
        if len(chain) < 2 or len(stack) < 2 or stack[1][2]:
            continue
        marked = chain[1][1] == MARK or chain[1][2] == "only call"
        rest, k = chain[1 + marked:], 1
        while k < min(len(rest), len(stack) - 1) and \
                rest[k - 1][1] == chain[0][1]:
            k += 1  # a recursion is the same for some frames
        has = rest and all(abs(a[0] - b[0]) <= 1
                           for a, b in zip(rest[:k], stack[1:]))
        n["has" if has else "lacks"] += 1
        n["false" if has else "marked"] += marked
        if chain[1][2] == "only call":
            n["inferred"] += 1
            n["wrong"] += chain[1][1] != stack[1][1]
    return n


def built(compiler, source, name, *options):
    """A program of lost/, or None where there is no such compiler."""
    program = work.name + "/" + name
    r = subprocess.run(
        [*compiler.split(), *options, "-o", program, source],
        env=dict(os.environ, GOCACHE=work.name + "/go"),
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) \
        if shutil.which(compiler.split()[0]) else None
    return program if r and r.returncode == 0 else None


def ten():
    """(name, program)"""
    here = os.environ["top_srcdir"] + "/tests/unwind/lost/"
    for c, cxx in (("gcc", "g++"), ("clang", "clang++")):
        for opt in ("-O1", "-O2"):
            for compiler, source in (c, "text.c"), (cxx, "shapes.cc"):
                name = "%s %s %s" % (source, compiler, opt)
                yield name, built(compiler, here + source, name, opt, "-g",
                                  "-fno-omit-frame-pointer")
    yield "words.rs", built("rustc", here + "words.rs", "words", "-O", "-g",
                            "-Cforce-frame-pointers=yes")
    yield "lines.go", built("go build", here + "lines.go", "lines")


def check(name, program):
    data = work.name + "/both.data"
    recorded = subprocess.run(
        [os.environ["top_builddir"] + "/tests/unwind/record-both", data,
         program], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if recorded.returncode != 0:
        tap.skip_all("cannot record: " + recorded.stdout.decode())
    n = judge(script(data, "--callchain=fp", "--lost-callers=mark"),
              script(data, "--callchain=dwarf"))
    tap.diag("%s: %s" % (name, n))
    tap.ok(n["lacks"] > 50 and n["marked"] >= 0.98 * n["lacks"],
           name + ": where a caller is missing it is said", n)
    tap.ok(n["false"] <= 0.005 * n["has"] + 0.5,
           name + ": no other place is marked", n)
    tap.ok(n["wrong"] <= 0.01 * n["inferred"],
           name + ": who is inferred was the caller", n)
    return data, n


def check_own(opt):
    program = work.name + "/program"
    built = subprocess.run(
        ["gcc", "-g", opt, "-fno-omit-frame-pointer",
         "-fno-optimize-sibling-calls", "-xc", "-", "-o", program],
        input=SOURCE.encode(), stderr=subprocess.DEVNULL)
    if built.returncode != 0:
        tap.skip_all("no compiler")
    data, n = check(opt, program)
    tap.ok(n["inferred"] > 20, opt + ": some are inferred", n)
    hidden = script(data, "--callchain=fp")
    tap.ok(hidden and not any(f[1] == MARK or f[2] for c in hidden for f in c),
           opt + ": script has what was recorded")


FORMS = [["hotspots", "--children", "-f", "csv"], ["report", "-f", "json"],
         ["flame", "-f", "ndjson"], ["quality"],
         ["flame", "-f", "folded"], ["script", "--lost-callers", "mark"],
         ["hotspots", "--children", "-f", "csv", "--lost-callers", "hide"]]


def check_views():
    """All views have the marks, those of a snapshot, which has no code, too."""
    data, cold, bad = work.name + "/fp.data", work.name + "/fp.cold", []
    recorded = subprocess.run(
        ["perf", "record", "-q", "-N", "-e", "cpu-clock:u", "-F", "1999",
         "-g", "-o", data, work.name + "/program"], stderr=subprocess.DEVNULL)
    if recorded.returncode != 0:
        return
    subprocess.run([tap.coldperf, "snapshot", "-o", cold, data],
                   stderr=subprocess.DEVNULL, check=True)
    for form in FORMS:
        got = [re.sub(rb"fp\.(data|cold)", b"", subprocess.run(
            [tap.coldperf, *form, path], stdout=subprocess.PIPE,
stderr=subprocess.DEVNULL).stdout)
            for path in (data, cold)]
        marked = (b"lost_callers" if form == ["quality"] else
                  MARK.encode()) in got[0]
        if got[0] != got[1] or marked != ("hide" not in form and
                                          "folded" not in form):
            bad.append((form, marked, got[0] == got[1]))
    tap.ok(not bad, "all views have the marks, of a snapshot too", bad)


try:
    check_own("-O1")
    check_own("-O2")
    check_views()
    if tap.nightly or "TEN" in os.environ:
        for name, program in ten():
            if program:
                check(name, program)
            else:
                tap.skip(name + ": it cannot be built here")
except FileNotFoundError as e:
    tap.skip_all(str(e))
tap.done()
