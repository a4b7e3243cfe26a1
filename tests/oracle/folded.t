#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Folded stacks equal those that the published rules of stackcollapse-perf.pl
# make of perf script's output, by samples and by period; and those of
# inferno-collapse-perf where it is installed.
import collections
import os
import re
import shutil
import subprocess
import sys
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
sys.path.insert(0, os.environ["top_srcdir"] + "/tests/oracle")
import oracle
import tap

HEADER = re.compile(r"(\S.*?)\s+(\d+)(?:/(\d+))?\s+(?:\[\d+\]\s+)?")
EVENT = re.compile(r":\s*(\d+)?\s+(\S+):\s*$")
FRAME = re.compile(r"\s*(\w+)\s+(.+) \((.*)\)$")
# Without the payload of tracepoints, whose text is not of fixed form.
FIELDS = "comm,pid,tid,time,period,event,ip,sym,symoff,dso"
LBR = "perf takes other frames from the branch stack"
EXACT = "perf script begins chains where the interrupt came"
GUEST = "perf drops the samples of guests"
CONTROL = "perf prints control characters as they are"
# A caller that perf names by a return address where another function begins:
# the call is in the function before, and coldperf names that one.
AFTER_CALL = "*"
# capture and weight: (stacks that differ, reason)
ALLOWED = {
    (case, weight): allowed for weight in ("samples", "period")
    for case, allowed in (
        ("good-exact-ip", (2, EXACT)),
        ("good-lbr", (2, LBR)),
        ("shared/KDAB-perfparser/vector_static_gcc.perf.lbr.data", (4, EXACT)),
        ("odd-guest-chain", (1, GUEST)),
        ("odd-names", (6, CONTROL)))
}


def frame_name(symbol, module, vdso_unnamed):
    """Unknown names become [module]; what looks like arguments goes.

    Where a capture tells no build ID of the vDSO (--buildid-mmap), perf takes
    the one of this machine, and coldperf none.
    """
    if module == "[vdso]" and vdso_unnamed:
        symbol = "[unknown]"
    symbol = re.sub(r"\+0x[0-9a-f]+$", "", symbol)
    if symbol == "[unknown]":
        known = module != "[unknown]"
        symbol = "[%s]" % (module.split("/")[-1] if known else "unknown")
    symbol = oracle.stub_alike(symbol.replace(";", ":"))
    if not re.search(r"\.\(.*\)\.", symbol):
        symbol = re.sub(r"\((?!anonymous namespace\)).*", "", symbol)
    return symbol.replace('"', "").replace("'", "")


def collapse(script, vdso_unnamed):
    """{stack: (samples, period)} of the first event; its name."""
    folded = collections.defaultdict(lambda: [0, 0])
    wanted = comm = None
    period, stack = 1, []
    for line in script.splitlines() + [""]:
        if line.startswith("#"):
            continue
        if not line:
            if comm is not None:
                row = folded[";".join([comm] + stack[::-1])]
                row[0] += 1
                row[1] += period
            comm, stack = None, []
        elif line[0] == "\t":
            # The pattern of stackcollapse takes "(deleted)" for the object.
            m = FRAME.match(line.replace(" (deleted))", ")"))
            # stackcollapse drops names in parentheses as those of processes,
            # and with them all of C++'s "(anonymous namespace)"; not wanted.
            if m and comm is not None and not re.match(
                    r"\((?!anonymous namespace\))", m.group(2)):
                stack += [AFTER_CALL if stack and oracle.BEGINS.search(
                    m.group(2)) else
                    frame_name(m.group(2), m.group(3), vdso_unnamed)]
        else:
            m, e = HEADER.match(line.strip()), EVENT.search(line)
            if m and e:
                wanted = wanted or e.group(2)
                if e.group(2) == wanted:
                    comm = m.group(1).replace(" ", "_").replace(";", ":")
                    period = int(e.group(1) or 1)
    return folded, wanted


def parse(text):
    rows = {}
    for line in text.splitlines():
        stack, _, count = line.rpartition(" ")
        stack = ";".join(map(oracle.stub_alike, stack.replace(
            " (deleted)]", "]").split(";")))
        rows[stack] = rows.get(stack, 0) + int(count)
    return rows


def bare_alike(got, want):
    """A sample with no chain is one function high, with perf none: where perf
    has a command alone, both are compared without such functions."""
    bare = {stack for stack in want if ";" not in stack}

    def without(rows):
        merged = collections.Counter()
        for stack, count in rows.items():
            parts = stack.split(";")
            short = len(parts) <= 2 and parts[0] in bare
            merged[parts[0] if short else stack] += count
        return merged
    return without(got), without(want)


def after_call_alike(got, want):
    """Our stacks with the frames unnamed that perf names after the call."""
    open_stacks = [s.split(";") for s in want if AFTER_CALL in s]
    rows = collections.Counter()
    for stack, count in got.items():
        frames = stack.split(";")
        for other in open_stacks if stack not in want else []:
            if len(other) == len(frames) and all(
                    b in (a, AFTER_CALL) for a, b in zip(frames, other)):
                stack = ";".join(other)
        rows[stack] += count
    return rows


def compare(name, path, event, weight, want, by):
    status, out, messages = oracle.run(
        [tap.coldperf, "flame", "--split-threads", "--inline=no",
         "-f", "folded", "--weight", weight,
         "--event", event, path])
    got, want = bare_alike(after_call_alike(parse(out), want), want)
    differing, why = oracle.report_differences(
        ("%s %s" % (stack, got.get(stack)), "%s %s" % (stack, want.get(stack)))
        for stack in sorted(set(got) | set(want)))
    if status not in (0, 3):
        differing, why = max(1, differing), messages + why
    allowed.judge((name, weight), differing, "%s: %d stacks equal "
                  "those of %s, by %s" % (name, len(want), by, weight), why)


oracle.need_perf()
allowed = oracle.Allowed(ALLOWED)
inferno = shutil.which("inferno-collapse-perf")
if not inferno:
    tap.skip("inferno-collapse-perf is not installed")
for name, path in oracle.captures(1):
    status, script, messages = oracle.run(
        ["perf", "script", "-f", "--no-inline", "--no-itrace",
         "--max-stack", "8192", "-F", FIELDS, "-i", path])
    reason = oracle.refused(status, messages)
    ours = oracle.run([tap.coldperf, "flame", "--inline=no", "-f", "folded",
                       path])
    folded, event = collapse(script, "[[vdso]]" in ours[1])
    if reason:
        tap.skip("%s: %s" % (name, reason))
        continue
    if not folded:
        tap.skip(name + " holds no call chains")
        continue
    if oracle.has_user_stacks(path):
        tap.skip(name + ": perf unwinds the dumped stacks")
        continue
    if oracle.kernel_unnamed(ours[2]):
        tap.skip(name + ": perf names another kernel")
        continue
    if "[unknown] ([vdso])" in script:
        tap.skip(name + ": perf has no vDSO in its cache, coldperf has one")
        continue
    compare(name, path, event, "samples",
            {s: row[0] for s, row in folded.items()}, "stackcollapse")
    compare(name, path, event, "period",
            {s: row[1] for s, row in folded.items()}, "stackcollapse")
    if inferno and (name, "period") not in ALLOWED:
        p = subprocess.run([inferno, "--event-filter", event], text=True,
                           input=script, stdout=subprocess.PIPE,
                           stderr=subprocess.DEVNULL)
        if p.stdout:
            compare(name, path, event, "period", parse(p.stdout), "inferno")
tap.done()
