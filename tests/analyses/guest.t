#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Samples of a KVM guest on its host: the kernel marks both parts of the chain
# and writes no address, so that level and address are the sample's own.  They
# are not code of the host that has these addresses.
import csv
import io
import os
import subprocess
import sys
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
sys.path.insert(0, os.environ["top_srcdir"] + "/tests/analyses")
import made
import tap

KERNEL, GUEST_KERNEL, GUEST_USER, EXACT = 1, 4, 5, 0x4000
TEXT = """attr cycles type=0 config=0 period=1000 \
sample_type=IP|TID|TIME|CALLCHAIN flags=sample_id_all|mmap|comm|precise_ip_2
comm pid=7 comm=qemu
mmap pid=7 addr=0x400000 len=0x10000 pgoff=0 name=/nowhere/qemu
mmap pid=-1 tid=0 misc=1 addr=0xffffffff81000000 len=0x1000000 \
pgoff=0xffffffff81000000 name="[kernel.kallsyms]_text"
"""
K, U = 0xffffffff81001000, 0x400100
SAMPLES = [  # misc, chain, ip, level and object
    (GUEST_KERNEL, "kernel,user", K, ("guest kernel", "")),
    (GUEST_KERNEL | EXACT, "kernel,user", K + 4, ("guest kernel", "")),
    (GUEST_KERNEL, "kernel", K + 8, ("guest kernel", "")),
    (GUEST_USER, "kernel,user", U, ("guest user", "")),
    (GUEST_USER | EXACT, "kernel,user", U + 4, ("guest user", "")),
    (KERNEL, "kernel,user", K + 12, ("kernel", "[kernel.kallsyms]")),
]
text = TEXT
for i, (misc, chain, ip, _) in enumerate(SAMPLES):
    text += "sample ip=%d pid=7 time=%d misc=%d chain=%s\n" % (
        ip, 1000 + i, misc, chain)
p = subprocess.run([tap.coldperf, "profile", "-f", "samples-csv", "--no-local",
                    made.build("guest", text)], capture_output=True, text=True)
rows = list(csv.DictReader(io.StringIO(p.stdout)))
for row, (misc, chain, ip, want) in zip(rows, SAMPLES):
    got = (row["level"], row["object"])
    tap.ok(got == want and int(row["addr"], 16) == ip,
           "%s, chain of %s: %s" % (hex(misc), chain, want[0]), row)
tap.ok(len(rows) == len(SAMPLES), "all samples are there", p.stderr)
tap.done()
