#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Frames found without an unwind table are marked in the trees of every
# analysis.  Captures are made in which they are marked as `pack --unwound`
# does, by the marker of user frames, several times: thrice is the frame
# pointer, four times a scan, five times the instructions at hand.
import json
import os
import subprocess
import sys
sys.path[:0] = [os.environ["top_srcdir"] + "/tests" + d
                for d in ("", "/analyses")]
import made
import tap
from made import BASE, build, report, section

MS = 1000000
POINTER, SCAN, EDGE = (",".join(["user"] * n) + "," for n in (3, 4, 5))


def text_of(case):
    with open(os.path.join(tap.top_srcdir, "corpus", case,
                           "input.mkperf")) as f:
        return f.read()


def nodes(tree):
    """[(path, total, guessed)], in which the root's path is empty."""
    paths, out = [], []
    for n in tree["nodes"]:
        up = () if n["parent"] is None else paths[n["parent"]]
        paths.append(() if n["parent"] is None else up + (n["name"],))
        out.append((paths[-1], n["total"], n.get("guessed", {})))
    return out


def tree(path, command, slug, *options):
    t = section(report(path, command, *options), slug)
    return nodes(t) if t else []


def guesses(path, command, slug, *options):
    return {"/".join(p): g for p, _, g in
            tree(path, command, slug, *options) if g}


def marks_hold(path, command, slug, *options):
    """What is guessed of a node is what --guess-suffix sets apart of it."""
    whole, apart = {}, {}
    for p, total, guess in tree(path, command, slug, *options):
        whole[p] = (total, sum(guess.values()))
    for p, total, guess in tree(path, command, slug, "--guess-suffix",
                                *options):
        plain = tuple(name.replace("_[g]", "") for name in p)
        marked = p and p[-1].endswith("_[g]")
        sums = apart.setdefault(plain, [0, 0])
        sums[0] += total
        sums[1] += total if marked else 0
        if sum(guess.values()) != (total if marked else 0):
            return False, (p, total, guess)
    want = {p: tuple(v) for p, v in apart.items()}
    return whole == want and any(g for _, g in whole.values()), (whole, want)


# alpha waits for a futex from 2 to 6 ms, the last of them for the CPU, where
# its outermost frame was guessed, and for the disk, where it was not.  It is
# beta that wakes it at first, with an outermost frame that was scanned for.
waits = build("waits", text_of("good-waits")
              .replace("user,0x401008,", "user,0x401008," + POINTER)
              .replace("user,0x401108,", "user,0x401108," + SCAN))
W, K = "[waits]", "[kernel.kallsyms]"
got = guesses(waits, "offcpu", "offcpu")
tap.ok(got == {"alpha/" + W: {"frame_pointer": 4 * MS}},
       "offcpu: of the time off the CPU", got)
got = guesses(waits, "offcpu", "wakers", "--tree", "wakers")
tap.ok(got == {"beta/" + W: {"stack_scan": 3 * MS}},
       "its wakers: of the time that those woken had waited", got)
got = guesses(waits, "offcpu", "offwake", "--tree", "offwake")
low = [g for p, g in got.items() if p == "alpha/" + W]
high = [(p, g) for p, g in got.items() if p.endswith(W + "/" + W)]
tap.ok(low == [{"frame_pointer": 3 * MS}] and len(got) == 2 and
       [g for _, g in high] == [{"stack_scan": 3 * MS}] and
       "/[unknown]/" + K in high[0][0],
       "both, one on the other", got)
for which in ("offcpu", "wakers", "offwake"):
    good, why = marks_hold(waits, "offcpu", which, "--tree", which)
    tap.ok(good, "offcpu --tree " + which +
           ": --guess-suffix sets the same apart", why)


def show(command, path, *options):
    return subprocess.run([tap.coldperf, command, "--no-local", *options,
                           path], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL).stdout.decode()


text = show("offcpu", waits)
picture = show("offcpu", waits, "-f", "svg")
folded = show("offcpu", waits, "-f", "folded")
marked = show("offcpu", waits, "-f", "folded", "--guess-suffix")
part = "%.2f%% of it guessed: frame pointer" % (4 / 9.5 * 100)
tap.ok("[" + part + "]" in text and part in picture and
       "_[g]" not in folded and
       marked.count("alpha;" + W + "_[g];" + W + ";") == 2,
       "as text, as a picture, as folded stacks", (text, marked))

# Calls, waits for a futex and a lock, faults; each event with a call chain
# whose outermost frame was guessed in the first of each.
source = text_of("good-latencies").replace("PERIOD|RAW", "PERIOD|RAW|CALLCHAIN")
seen, lines = set(), []
for line in source.splitlines():
    if line.startswith("sample "):
        name = line.split()[1]
        # One that ends, or begins again, says nothing of a stack.
        how = "" if name in seen else EDGE
        seen.add(name)
        line = line.replace(" id=", " chain=user,0x401008,%s0x401608 id=" %
                            how, 1)
    lines.append(line)
late = build("late", "\n".join(lines) + "\n")
got = guesses(late, "faults", "fault-stacks")
tap.ok(got == {W: {"instructions": 1}}, "faults: one of three", got)
got = guesses(late, "syscalls", "syscall-stacks")
tap.ok(got == {W: {"instructions": 10000}},
       "syscalls: of the time in calls", got)
got = guesses(late, "locks", "lock-stacks")
tap.ok(got == {"alpha/" + W: {"instructions": 4000}},
       "locks: of the time waited", got)
for command, slug in (("faults", "fault-stacks"), ("locks", "lock-stacks"),
                      ("syscalls", "syscall-stacks")):
    good, why = marks_hold(late, command, slug)
    tap.ok(good, command + ": --guess-suffix sets the same apart", why)


# Cycles and instructions, by the frame below: guessed in one of two stacks.
def counts(first, second=""):
    out = ["attr cycles type=0 config=0 period=1000 ids=1 sample_type="
           "IP|TID|TIME|PERIOD|CALLCHAIN|IDENTIFIER "
           "flags=sample_id_all|mmap|comm",
           "attr instructions type=0 config=1 period=1000 ids=2 sample_type="
           "IP|TID|TIME|PERIOD|CALLCHAIN|IDENTIFIER flags=sample_id_all",
           'comm 7 7 "work" time=1',
           'mmap pid=7 addr=%d len=0x10000 pgoff=0 name="/bin/waits" time=2' %
           BASE]
    for i in range(40):
        for event in ("cycles", "instructions"):
            out.append("sample %s ip=%d pid=7 time=%d id=%d period=1000 "
                       "chain=user,%d,%s%d,%s%d" %
                       (event, BASE + 0x10, 10 + i, 1 + (event != "cycles"),
                        BASE + 0x10, (first, second)[i % 2], BASE + 0x20,
                        "user," if (first, second)[i % 2] else "",
                        BASE + 0x30))
    return "\n".join(out) + "\n"


cpi = build("cpi", counts(POINTER))
got = guesses(cpi, "cpi", "cpi-flame")
tap.ok(got == {"work/%s/%s" % (W, W): {"frame_pointer": 20000}},
       "cpi: of the cycles", got)
good, why = marks_hold(cpi, "cpi", "cpi-flame")
tap.ok(good, "cpi: --guess-suffix sets the same apart", why)

# Of captures that are compared each in the tree that is as wide as it is.
both = [build("before", counts(SCAN, SCAN)), build("after", counts(POINTER))]
p = subprocess.run([tap.coldperf, "diff", "-f", "json", "--no-local",
                    "--event", "cycles", *both],
                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
doc = json.loads(p.stdout)
got = [{"/".join(path): (total, guess)
        for path, total, guess in nodes(section(doc, slug)) if guess}
       for slug in ("flame", "flame-before")]
totals = [next(iter(g.values()))[0] for g in got]
tap.ok(got == [{W + "/" + W: (totals[0], {"frame_pointer": totals[0] / 2})},
               {W + "/" + W: (totals[1], {"stack_scan": totals[1]})}] and
       min(totals) > 0, "diff: of what each tree is as wide as", got)
tap.done()
