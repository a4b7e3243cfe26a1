#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Exact addresses (PEBS, IBS) of samples with call chains: annotate has them at
# the instructions where perf annotate has them, not where the interrupt came,
# which may be in the next instruction or in the next function.
import collections
import csv
import io
import os
import re
import shutil
import subprocess
import sys
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
sys.path.insert(0, os.environ["top_srcdir"] + "/tests/oracle")
import oracle
import tap

SOURCE = """#include <stdint.h>
volatile uint64_t sink;
__attribute__((noinline)) void hot(uint64_t n)
{
	for (uint64_t i = 0; i < n; i++)
		sink = sink * 3 + i;
}
__attribute__((noinline)) void other(uint64_t n)
{
	sink += n;
}
int main(void)
{
	hot(100);
	other(3);
	return 0;
}
"""
HEAD = """attr cycles type=0 config=0 period=1000 \
flags=sample_id_all|mmap|comm|precise_ip_2 \
sample_type=IP|TID|TIME|PERIOD|CALLCHAIN
comm 8 8 "work"
mmap pid=8 addr=0x400000 len=0x10000 pgoff=0 name="%s"
"""
EXACT_USER = 0x4002  # misc
INSTRUCTION = re.compile(r"^ +([0-9a-f]+):\t")
SHOWN = re.compile(r"^ +([\d.]+) +: +([0-9a-f]+): ")
path = os.path.join(oracle.scratch.name, "work")


def tools():
    for tool in "perf", "objdump", "gcc":
        if not shutil.which(tool):
            tap.skip_all(tool + " is not installed")
    with open(path + ".c", "w") as f:
        f.write(SOURCE)
    # Code lies in the file where it lies in memory.
    if subprocess.run(["gcc", "-O1", "-fPIE", "-pie", "-o", path,
                       path + ".c"]).returncode != 0:
        tap.skip_all("gcc does not compile here")


def instructions(name):
    text = subprocess.run(["objdump", "-d", "--no-show-raw-insn",
                           "--disassemble=" + name, path],
                          capture_output=True, text=True, check=True).stdout
    found = (INSTRUCTION.match(line) for line in text.splitlines())
    return [int(m.group(1), 16) for m in found if m]


def capture(counts, skid):
    """counts: exact samples by address; skid: where the interrupt came."""
    text, time = HEAD % path, 1000
    for at, n in counts.items():
        for _ in range(n):
            time += 1
            text += ("sample ip=0x%x pid=8 time=%d period=1000 misc=0x%x "
                     "chain=user,0x%x,0x40f000\n" %
                     (0x400000 + at, time, EXACT_USER, 0x400000 + skid[at]))
    with open(path + ".mkperf", "w") as f:
        f.write(text)
    subprocess.run([os.path.join(tap.top_builddir, "tests/tools/mkperf"),
                    path + ".mkperf", path + ".data"], check=True)


def of_perf(name):
    """{address: percent} of the instructions with samples."""
    out = oracle.run(["perf", "annotate", "-f", "--stdio", "--stdio-color",
                      "never", "-i", path + ".data", name])[1]
    rows = (SHOWN.match(line) for line in out.splitlines())
    return {int(m.group(2), 16): float(m.group(1)) for m in rows if m}


def of_coldperf():
    """{function: {address: percent of the function}}."""
    out = subprocess.run([tap.coldperf, "annotate", "-f", "csv", "--by",
                          "address", "--show", "asm", path + ".data"],
                         capture_output=True, text=True).stdout
    shares, name = collections.defaultdict(dict), None
    for row in csv.DictReader(io.StringIO(out)):
        if row["depth"] == "0":
            name = row["code"].split()[0]
        elif row["depth"] == "2":
            shares[name][int(row["address"], 16)] = 100 * float(row["local"])
    return shares


tools()
hot, other = instructions("hot"), instructions("other")
counts = {at: i * i + 1 for i, at in enumerate(hot)}
counts.update({at: 5 for at in other})
skid = dict(zip(hot, hot[1:] + other[:1]))
skid.update(zip(other, other[1:] + hot[:1]))
capture(counts, skid)
ours = of_coldperf()
for name, code in ("hot", hot), ("other", other):
    theirs = of_perf(name)
    if not theirs:
        tap.skip_all("perf annotate shows no instructions here")
    whole = sum(counts[at] for at in code)
    want = {at: 100 * counts[at] / whole for at in code}
    tap.ok(len(code) > 2 and all(abs(theirs.get(at, 0) - want[at]) < 0.006
                                 for at in code),
           "%s: perf annotate counts exact addresses" % name, (theirs, want))
    tap.ok(set(ours[name]) == set(code) and
           all(abs(ours[name][at] - want[at]) < 1e-6 for at in code),
           "%s: and so does coldperf" % name, (ours[name], want))
tap.done()
