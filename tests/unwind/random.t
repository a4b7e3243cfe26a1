#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Whole captures whose registers, whose stacks or both make no sense: random,
# or words that lead into the program and back into the stack, round and round.
# Every stack ends with a reason, in bounded time.
import glob
import os
import random
import resource
import shutil
import struct
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

folder = os.path.join(tap.top_srcdir, "tests", "unwind", "foreign")
# Of CPU time, a thousand times what it takes: who needs it hangs.
SECONDS = 100
BEFORE = 40  # bytes of a sample: header, ip, tid, time, period
SAMPLE, DATA = 9, 40  # type of the record; where the head has the data's place


def limits():
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))


def samples(data):
    """(registers, stack) of each, as (offset, words)."""
    at, size = struct.unpack_from(order + "QQ", data, DATA)
    end = at + size
    while at < end:
        kind, _, n = struct.unpack_from(order + "IHH", data, at)
        if kind == SAMPLE:
            # ABI, registers, size of the stack, stack, size that is used
            stack = n - BEFORE - 8
            for regs in range(8, 40):
                size, = struct.unpack_from(order + "Q", data,
                                           at + BEFORE + 8 + 8 * regs)
                if size == stack - 16 - 8 * regs and size % 8 == 0:
                    yield ((at + BEFORE + 8, regs),
                           (at + BEFORE + 16 + 8 * regs, size // 8))
                    break
        at += n


def anything(dice, old):
    return dice.getrandbits(64)


def sense(dice, old):
    """A word from elsewhere on the stack, or one that points there."""
    return dice.choice(old) + dice.choice((0, 0, 0, 8, 16, -8, 1))


def spoil(data, what, word):
    dice, count = random.Random(1), 0
    for regs, stack in samples(data):
        old = struct.unpack_from("%s%dQ" % (order, regs[1]), data, regs[0]) + \
            struct.unpack_from("%s%dQ" % (order, min(stack[1], 256)), data,
                               stack[0])
        for offset, n in [p for p, name in ((regs, "registers"),
                                            (stack, "stack")) if name in what]:
            struct.pack_into("%s%dQ" % (order, n), data, offset, *(
                word(dice, old) % 2 ** 64 for _ in range(n)))
        count += 1
    return count


def unwind(scratch, data):
    """How the command ended, and how many stacks it has an end of."""
    with open(os.path.join(scratch, "spoilt.data"), "wb") as f:
        f.write(data)
    p = subprocess.run([tap.coldperf, "unwind", "-f", "csv", "--no-local",
                        "--symbols", scratch, "--cache", scratch + "/none",
                        scratch + "/spoilt.data"], preexec_fn=limits,
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    lines = p.stdout.decode().splitlines()[1:]
    return p.returncode, sum(int(line.split(",")[3]) for line in lines
                             if line.count(",") > 4), p.stderr.decode()


for path in sorted(glob.glob(folder + "/*.tar.xz")):
    name = os.path.basename(path)[:-len(".tar.xz")]
    scratch = tempfile.mkdtemp(prefix="coldperf-unwind.")
    subprocess.run("xz -dc '%s' | tar -C '%s' -xf -" % (path, scratch),
                   shell=True, check=True)
    with open(os.path.join(scratch, "perf.data"), "rb") as f:
        whole = f.read()
    order = "<" if whole.startswith(b"PERFILE2") else ">"
    for what in ("registers", "stack", "registers and stack"):
        for how, word in (("random", anything), ("cyclic", sense)):
            data = bytearray(whole)
            count = spoil(data, what, word)
            status, ends, err = unwind(scratch, data)
            tap.ok(count >= 100 and status == 0 and ends == count,
                   "%s: %s %s, %d of %d stacks ended" % (name, how, what, ends,
                                                         count), err)
    shutil.rmtree(scratch)
tap.done()
