#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# The answers of docs/SQL.md, which tests/cli/sql.t holds against coldperf, are
# those that Python calculates from perf script's samples.
import collections
import os
import re
import shutil
import sys
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
sys.path.insert(0, os.environ["top_srcdir"] + "/tests/oracle")
import oracle
import tap

case = os.path.join(tap.top_srcdir, "corpus/good-fp")
KNOWN = "/usr/local/lib/coldperf-corpus/known"
Sample = collections.namedtuple("Sample", "comm pid tid time weight stack")
Frame = collections.namedtuple("Frame", "ip symbol offset object")
HEAD = re.compile(r"(.*?) +(\d+)/(\d+) +(\d+)\.(\d{9}): +(\d+)")
FRAME = re.compile(r"\s+([0-9a-f]+) (.*?)(?:\+0x([0-9a-f]+))? \((.*)\)$")


def samples():
    root = os.path.join(oracle.scratch.name, "root")
    os.makedirs(root + os.path.dirname(KNOWN))
    shutil.copy(os.path.join(case, "symbols/known"), root + KNOWN)
    status, out, err = oracle.run(
        ["perf", "script", "-f", "--ns", "--no-inline", "--symfs", root,
         "--kallsyms", "/dev/null", "-i", os.path.join(case, "perf.data"),
         "-F", "comm,pid,tid,time,period,ip,sym,symoff,dso"])
    if oracle.refused(status, err):
        tap.skip_all(oracle.refused(status, err))
    found = []
    for line in out.splitlines():
        head, frame = HEAD.match(line), FRAME.match(line)
        if head:
            comm, pid, tid, s, ns, weight = head.groups()
            found.append(Sample(comm, int(pid), int(tid), int(s + ns),
                                int(weight), []))
        elif frame:
            ip, symbol, offset, path = frame.groups()
            found[-1].stack.append(Frame(
                int(ip, 16), None if symbol == "[unknown]" else symbol,
                int(offset or "0", 16), path))
    return found


def count(keys):
    """Rows of (key, number), most first; None is left out."""
    c = collections.Counter(k for k in keys if k is not None)
    return sorted(c.items(), key=lambda row: (-row[1], row[0]))


def hottest(all):
    rows = count(s.stack[0].symbol for s in all)
    weight = collections.Counter()
    for s in all:
        weight[s.stack[0].symbol] += s.weight
    return [(k, n, weight[k]) for k, n in rows][:5]


def on_stack(all):
    return count(k for s in all for k in {f.symbol for f in s.stack})[:5]


def shares(all):
    weight = collections.Counter()
    for s in all:
        weight[s.stack[0].object] += s.weight
    return [(k, "%.1f" % (100.0 * w / sum(weight.values())))
            for k, w in weight.most_common()]


def threads(all):
    return [(pid, tid, comm, n) for (tid, pid, comm), n in
            count((s.tid, s.pid, s.comm) for s in all)]


def tenths(all):
    start = min(s.time for s in all)
    return sorted(count((s.time - start) // 10 ** 8 for s in all))


def callers(all):
    return count(above.symbol for s in all
                 for f, above in zip(s.stack, s.stack[1:])
                 if f.symbol == "leaf")


def heaviest(all):
    stacks = count(tuple((f.symbol or "", f.offset, f.object)
                         for f in s.stack) for s in all)
    return [(i, symbol, path) for i, (symbol, _, path) in
            enumerate(stacks[0][0])]


def recursive(all):
    most = collections.Counter()
    for s in all:
        for k, n in count(f.symbol for f in s.stack):
            most[k] = max(most[k], n)
    return [(k, n) for k, n in most.most_common() if n > 1]


def offsets(all):
    return count(s.stack[0].offset for s in all
                 if s.stack[0].symbol == "heavy")[:3]


def levels(all):
    return count("kernel" if s.stack[0].ip >> 63 else "user" for s in all)


QUESTIONS = {1: hottest, 2: on_stack, 3: shares, 4: threads, 6: tenths,
             7: callers, 8: heaviest, 10: recursive, 11: offsets, 12: levels}
oracle.need_perf()
with open(os.path.join(tap.top_srcdir, "docs/SQL.md")) as f:
    page = {int(n): (title, answer.split("\n")[1:-1]) for n, title, answer in
            re.findall(r"^### (\d+)\. (.*?)\n.*?```text\n(.*?)```", f.read(),
                       re.M | re.S)}
every = samples()
for number, calculate in sorted(QUESTIONS.items()):
    want = [",".join(map(str, row)) for row in calculate(every)]
    title, answer = page[number]
    tap.ok(answer == want, title, (answer, want))
tap.ok(page[9][1][0].split(",")[0] == str(max(len(s.stack) for s in every)),
       page[9][0])
tap.done()
