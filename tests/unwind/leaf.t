#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# perf record -g on arm64: the kernel's chain of frame records, which lacks the
# caller of a leaf, and the link register.  Made of the registers and stacks of
# foreign/arm64, and compared with what libdwfl unwound of them.
import os
import shutil
import struct
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

folder = os.path.join(tap.top_srcdir, "tests", "unwind", "foreign")
FP, LR, SP, PC = 29, 30, 31, 32
HEAD = """byte_order little
attr clock type=1 config=0 period=1000000 ids=1 \
sample_type=IP|TID|TIME|PERIOD|CALLCHAIN|REGS_USER \
sample_regs_user=0x40000000 flags=sample_id_all|mmap|mmap2|comm|task
feature arch "aarch64"
comm 7 7 "foreign"
mmap2 pid=7 tid=7 addr=0x400000 len=0x8f000 pgoff=0x0 prot=5 \
name="/opt/foreign-arm64"
"""


def samples(data):
    """{time: (registers, stack)}"""
    at, size = struct.unpack_from("<QQ", data, 40)
    end, out = at + size, {}
    while at < end:
        kind, _, n = struct.unpack_from("<IHH", data, at)
        if kind == 9:
            time, = struct.unpack_from("<Q", data, at + 24)
            regs = struct.unpack_from("<33Q", data, at + 48)
            out[time] = (regs, data[at + 320:at + n - 8])
        at += n
    return out


def records(regs, stack):
    """What the kernel finds."""
    chain, fp = [regs[PC]], regs[FP]
    while regs[SP] <= fp <= regs[SP] + len(stack) - 16:
        fp, ra = struct.unpack_from("<QQ", stack, fp - regs[SP])
        if ra == 0:
            break
        chain.append(ra)
    return chain


def script(scratch, *options):
    p = subprocess.run(
        [tap.coldperf, "script", "--ns", "--inline", "no", "--no-local",
         "--cache", scratch + "/none", *options, "-F", "time,ip",
         scratch + "/leaf.data"], stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL)
    out = {}
    for line in p.stdout.decode().splitlines():
        if line.startswith("\t"):
            out[time].append(int(line, 16))
        elif line:
            time = int(line.strip(" :").replace(".", ""))
            out[time] = []
    return out


scratch = tempfile.mkdtemp(prefix="coldperf-unwind.")
subprocess.run("xz -dc '%s/arm64.tar.xz' | tar -C '%s' -xf -" %
               (folder, scratch), shell=True, check=True)
with open(scratch + "/perf.data", "rb") as f:
    raw = samples(f.read())
with open(scratch + "/leaf.mkperf", "w") as f:
    f.write(HEAD)
    for time, (regs, stack) in raw.items():
        f.write("sample clock pid=7 tid=7 ip=0x%x time=%d chain=user,%s "
                "regs_user=2,0x%x\n" % (
                    regs[PC], time, ",".join("0x%x" % ip for ip in
                                             records(regs, stack)), regs[LR]))
subprocess.run([os.path.join(tap.top_builddir, "tests/tools/mkperf"),
                scratch + "/leaf.mkperf", scratch + "/leaf.data"], check=True)
got = script(scratch, "--symbols", scratch)
blind = script(scratch)
plain = script(scratch, "--symbols", scratch, "--callchain", "fp")
subprocess.run([os.path.abspath(tap.coldperf), "pack", "--slim", "--unwound",
                "--symbols", scratch, "-o", scratch + "/packed.tar.zst",
                scratch + "/leaf.data"], stderr=subprocess.DEVNULL)
subprocess.run([os.path.abspath(tap.coldperf), "unpack", "-o",
                scratch + "/packed", scratch + "/packed.tar.zst"],
               stderr=subprocess.DEVNULL)
os.replace(scratch + "/packed/perf.data", scratch + "/leaf.data")
packed = script(scratch, "--callchain", "fp")
shutil.rmtree(scratch)

whole, lacks, mended, wrong = 0, 0, 0, 0
with open(folder + "/arm64.stacks") as f:
    for line in f:
        time, _, *want = line.split()
        time, want = int(time), [int(ip, 16) for ip in want]
        # Of frame records we have the return address itself.
        mine = got[time][:2] + [ip - 1 for ip in got[time][2:]]
        usual = got[time][:1] + [ip - 1 for ip in got[time][1:]]
        added = got[time] != plain[time]
        if (mine if added else usual) == want:
            whole += 1
            mended += added
        elif not added and usual == want[:1] + want[2:]:
            lacks += 1
        else:
            wrong += 1
            tap.diag("%s: ours %s" % (line.strip(), " ".join(
                "%x" % ip for ip in got[time])))
tap.ok(whole >= 250 and not wrong,
       "%d whole, %d lack the second frame, %d other" % (whole, lacks, wrong))
tap.ok(mended >= 50, "%d by the link register" % mended)
tap.ok(packed == got, "pack --unwound keeps them, without the registers")
tap.ok(blind == plain, "without the program nothing is added")
tap.done()
