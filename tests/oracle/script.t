#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# coldperf script prints every sample as perf script does.
#
# Compared sample for sample, with runs of blanks as one (column widths are not
# part of the promise).  The address of a user frame in a chain is left out:
# perf prints the offset in the file before 6.12 and the address since.
import itertools
import os
import re
import sys
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
sys.path.insert(0, os.environ["top_srcdir"] + "/tests/oracle")
import oracle
import tap

FIELDS = "comm,pid,tid,cpu,time,period,event,trace,ip,sym,symoff,dso"
LACKING = re.compile(r"Cannot print '(\w+)' field")
FRAME = re.compile(r"\t\s*([0-9a-f]+) (.*)$")
KERNEL = 1 << 63
# capture: (samples that differ, reason)
ALLOWED = {
    "good-exec":
        (1, "perf keeps what was mapped before the exec"),
    "good-group-inherit":
        (10, "perf before 6.13 counts threads together"),
    "good-lbr":
        (1, "perf takes other frames from the branch stack"),
    "shared/KDAB-perfparser/vector_static_gcc.perf.lbr.data":
        (6, "perf takes other frames from the branch stack"),
    "good-offcpu-time":
        (4, "perf before 6.16 does not look into the raw data"),
    "odd-attr-size-zero":
        (1, "perf makes its own name of the event"),
    "odd-guest-chain":
        (4, "perf drops the samples of guests"),
    "odd-guest-kernel":
        (6, "perf drops the samples of guests; perf kvm has these names"),
    "odd-names":
        (5, "perf prints control characters as they are"),
    "good-vdso":
        (3, "perf has no names for the vsyscall page"),
    "shared/jbeich-platform_system_extras/perf_display_bitmaps.data":
        (525, "perf does not know simpleperf's kernel map and symbols"),
    "shared/openharmony-developtools_hiperf/fp.uncompress.data":
        (497, "perf does not know hiperf's names of events"),
    "shared/openharmony-developtools_hiperf/perf.data.libreport":
        (1000, "perf does not know hiperf's names of events"),
}


# Of captures of everything on a machine: whose samples are compared.
COMM = os.environ.get("ORACLE_COMM")


def without_wild(got, want):
    """Where a word of a chain is no address (-1, say), perf drops the chain,
    and coldperf keeps what came before the word."""
    return [g[:1] if len(w) == 1 and w[0].endswith(":") else g
            for g, w in zip(got, want)] + got[len(want):]


def perf_script(path):
    """Fields that perf accepts for this capture, and what it printed."""
    fields = FIELDS.split(",")
    while True:
        status, out, err = oracle.run(
            ["perf", "script", "-f", "--no-inline", "--no-itrace",
             "--max-stack", "8192", "-F", ",".join(fields), "-i", path] +
            (["--comms", COMM] if COMM else []))
        m = LACKING.search(err)
        if not m or m.group(1) not in fields:
            reason = oracle.refused(status, err)
            if out.startswith("CPU ") and "THREAD" in out[:40]:
                reason = "perf prints the counts of perf stat"
            return ",".join(fields), reason, out
        fields.remove(m.group(1))


class Samples:
    """The samples of an output, each a tuple of lines that can be compared.

    of_perf: where a capture tells nothing of its kernel, perf takes the one
    that runs here, and a shorter one leaves addresses without an object.
    """

    def __init__(self, text, kernel_named, user_frames, of_perf=False):
        self.no_object = of_perf and not kernel_named
        self.kernel_named = kernel_named
        self.user_frames = user_frames
        self.all = []
        for line in text.splitlines():
            self.add(line)

    def add(self, line):
        m = FRAME.match(line)
        if m and self.all:
            self.all[-1] += self.frame(int(m.group(1), 16), m.group(2))
        elif line:
            # perf prints a CPU even where none was recorded.
            line = line.replace(" [-01] ", " ")
            line = oracle.stub_alike(" ".join(line.split()))
            self.all.append((line if self.kernel_named
                             else self.unnamed(line),))

    @staticmethod
    def unnamed(text):
        """A name of a kernel that was not the recorded one, or its vDSO."""
        return re.sub(r"(?<= )\S+ (\(\[(kernel\.kallsyms|vdso)\]\))$",
                      r"[unknown] \1", text)

    @staticmethod
    def no_vdso(text):
        """perf names the vDSO from its cache only, which may hold none."""
        return re.sub(r"^\S+ (\(\[vdso\]\))$", r"[unknown] \1", text)

    def frame(self, address, text):
        if address < KERNEL and "[kernel" not in text:
            return self.named(text) if self.user_frames else ()
        if self.no_object and text == "[unknown] ([unknown])":
            text = "[unknown] ([kernel.kallsyms])"
        return ("%x %s" % ((address,) + self.named(text)),)

    def named(self, text):
        text = self.no_vdso(oracle.stub_alike(text))
        return (text if self.kernel_named else self.unnamed(" " + text)[1:],)


oracle.need_perf()
allowed = oracle.Allowed(ALLOWED)
for name, path in oracle.captures(0):
    fields, reason, theirs = perf_script(path)
    if reason:
        tap.skip("%s: %s" % (name, reason))
        continue
    status, ours, messages = oracle.run(
        [tap.coldperf, "script", "--inline=no", "-F", fields, path] +
        (["--comm", COMM] if COMM else []))
    rules = not oracle.kernel_unnamed(messages), \
        not oracle.has_user_stacks(path)
    got = Samples(ours, *rules).all
    want = Samples(theirs, *rules, of_perf=True).all
    if name.startswith("live/"):
        got = without_wild(got, want)
    differing, why = oracle.report_differences(
        itertools.zip_longest(got, want, fillvalue=("nothing",)))
    # A command that has no samples is an error for us, an empty list for perf.
    none = status == 2 and not want and "(no-match)" in messages
    if status not in (0, 3) and not none:
        why = "exit status %d: %s\n%s" % (status, messages, why)
        differing = max(differing, 1)
    allowed.judge(name, differing, "%s: %d samples equal perf script" %
                  (name, len(want)), why)
tap.done()
