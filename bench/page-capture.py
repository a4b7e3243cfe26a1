#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""bench/page-capture.py MKPERF FOLDER [SAMPLES [NODES]]: a capture of scale,
made up.

Writes FOLDER/scale.data and FOLDER/perf-8.map: SAMPLES (default a million)
of two events, as many or NODES stack nodes, 100,000 functions, 2,000 threads
and 8 CPUs in 100 seconds.  mkperf writes what comes before the samples.  The same
numbers every time.
"""
import random
import struct
import subprocess
import sys

FUNCTIONS, THREADS, CPUS, DEEPEST = 100_000, 2_000, 8, 60
SECOND = 10**9
BASE = 0x10000000
HEAD = f"""
layout no-event-desc
attr cycles type=0 config=0 period=1000000 ids=1 \\
	sample_type=IDENTIFIER|IP|TID|TIME|CPU|PERIOD|CALLCHAIN \\
	flags=sample_id_all|mmap|comm|task
attr instructions type=0 config=1 period=1000000 ids=2 \\
	sample_type=IDENTIFIER|IP|TID|TIME|CPU|PERIOD|CALLCHAIN \\
	flags=sample_id_all
mmap pid=8 tid=8 addr={BASE:#x} len=0x10000000 pgoff=0 name="//anon"
"""
USER = 2**64 - 512  # PERF_CONTEXT_USER


def head(mkperf, path):
    text = HEAD + "".join(f'comm 8 {8 + t} "worker-{t // 50}"\n'
                          for t in range(THREADS))
    with open(path + ".mkperf", "w") as f:
        f.write(text)
    subprocess.run([mkperf, path + ".mkperf", path], check=True)


def stacks(rng, n):
    """Frames of each stack, innermost first; each is another one's callee."""
    made = []
    for i in range(n):
        parent = made[int(i * rng.random() ** 0.6)] if i > 50 else ()
        if len(parent) >= DEEPEST:
            parent = parent[-(DEEPEST // 2):]
        f = int(FUNCTIONS * rng.random() ** 1.5) if i >= FUNCTIONS else i
        made.append((BASE + 64 * f + 16 * (i & 1), *parent))
    return made


def record(rng, i, n, stack):
    event = 2 if i % 8 == 0 else 1
    thread = int(THREADS * rng.random() ** 3)
    when = SECOND + i * (100 * SECOND // n) + rng.randrange(50)
    body = struct.pack(f"=QQIIQIIQQQ{len(stack)}Q", event, stack[0], 8,
                       8 + thread, when, rng.randrange(CPUS), 0,
                       10**6 + rng.randrange(1000), len(stack) + 1, USER,
                       *stack)
    return struct.pack("=IHH", 9, 2, 8 + len(body)) + body


def main():
    mkperf, folder = sys.argv[1:3]
    n = int(sys.argv[3]) if len(sys.argv) > 3 else 1_000_000
    nodes = int(sys.argv[4]) if len(sys.argv) > 4 else n
    rng, path = random.Random(14), folder + "/scale.data"
    head(mkperf, path)
    # Each stack is a node; more than half of them call another one, and a
    # frame that calls has an address of its own.
    made = stacks(rng, nodes * 20 // 31)
    made += rng.choices(made, k=n - len(made))
    rng.shuffle(made)
    with open(path, "r+b") as f:
        start = struct.unpack("=QQ", (f.seek(40), f.read(16))[1])
        f.seek(sum(start))
        f.truncate()
        for i, stack in enumerate(made):
            f.write(record(rng, i, n, stack))
        size = f.tell() - start[0]
        f.seek(48)
        f.write(struct.pack("=Q", size))
    with open(folder + "/perf-8.map", "w") as f:
        for i in range(FUNCTIONS):
            f.write(f"{BASE + 64 * i:x} 40 area{i % 97}::Class{i % 1009}::"
                    f"method_{i}(int, char const*)\n")


main()
