#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# A flame chart (flame --order time) has the frames that neighbours merged by
# hand have, each where it began and as wide as its samples: of made captures,
# of a recorded one as perf script prints it, and of more samples than can be
# drawn.  No weight is lost.
import json
import os
import random
import re
import shutil
import subprocess
import sys
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
sys.path.insert(0, os.environ["top_srcdir"] + "/tests/analyses")
from made import build
import tap

HEAD = "attr cpu-clock type=1 config=0 period=1000 ids=1 " \
    "sample_type=IP|TID|TIME|CPU|PERIOD|CALLCHAIN " \
    "flags=sample_id_all|mmap|comm\n"
NARROW = "(narrow frames)"
OBJECTS = 8


def run(*arguments):
    return subprocess.run([tap.coldperf, "flame", "--no-local", "--cache", "",
                           *arguments], capture_output=True, text=True)


def chart(path, *options):
    """The picture; its frames: (depth, name, start, width, samples)."""
    p = run("--order", "time", "-f", "svg", *options, path)
    if p.returncode not in (0, 3):
        return "", []
    picture = p.stdout
    data = json.loads(re.search(r'class="data">(.*?)</script>', picture,
                                re.S)[1])
    flat, names = data["frames"], data["symbols"]
    return picture, [
        (flat[i], names[flat[i + 1]][0], start, int(flat[i + 2]), flat[i + 4])
        for i, start in zip(range(0, len(flat), 5), data["starts"])]


def by_hand(samples, threads, reverse):
    """samples: (comm, pid, tid, frames from the outermost on, weight)."""
    order = {}
    for comm, pid, tid, _, _ in samples:
        order.setdefault((comm, pid, tid), len(order))
    rows = {key: [] for key in order}
    for comm, pid, tid, stack, weight in samples:
        rows[comm, pid, tid].append((stack[::-1] if reverse else stack, weight))
    out, at, groups = [], 0, {}
    for key in sorted(order, key=lambda k: (k[0], order[k])):
        begin, path, starts = at, [], []
        for stack, weight in rows[key] + [([], 0)]:
            same = 0
            while same < min(len(path), len(stack)) and \
                    path[same] == stack[same]:
                same += 1
            for k in range(len(path) - 1, same - 1, -1):
                out.append((k, path[k], starts[k][0], at - starts[k][0],
                            starts[k][1]))
            starts = starts[:same] + [[at, 0] for _ in stack[same:]]
            path = stack
            for s in starts:
                s[1] += 1
            at += weight
        for level in (key[:1], key) if threads else (key[:1],):
            g = groups.setdefault(level, [begin, 0, 0])
            g[1] += at - begin
            g[2] += len(rows[key])
    levels = 2 if threads else 1
    out = [(k + 1 + levels, *rest) for k, *rest in out]
    for level, group in groups.items():
        out.append((2, "%d/%d" % level[1:], *group) if len(level) > 1 else
                   (1, level[0], *group))
    return sorted(out + [(0, "all", 0, at, len(samples))])


def equal(path, samples, text, *options):
    want = by_hand(samples, "--threads" in options, "--reverse" in options)
    got = sorted(chart(path, *options)[1])
    tap.ok(got == want, "%s%s: %d frames as by hand" % (
        text, "".join(" " + o for o in options), len(want)),
        (sorted(set(got) - set(want))[:9], sorted(set(want) - set(got))[:9]))


def made(name, samples):
    text = HEAD
    pids = sorted({pid for _, pid, *_ in samples})
    for pid in pids:
        for i in range(OBJECTS):
            text += 'mmap pid=%d addr=0x%x len=0x1000 pgoff=0 ' \
                'name="/opt/f%d"\n' % (pid, 0x400000 + i * 0x10000, i)
    for pid, tid, comm in sorted({(s[1], s[2], s[0]) for s in samples}):
        text += 'comm %d %d "%s"\n' % (pid, tid, comm)
    for i, (_, pid, tid, stack, weight) in enumerate(samples):
        at = ["0x%x" % (0x400010 + int(f[2]) * 0x10000) for f in stack[::-1]]
        text += "sample ip=%s pid=%d tid=%d cpu=0 time=%d period=%d " \
            "chain=user,%s\n" % (at[0], pid, tid, 1000 + i, weight,
                                 ",".join(at))
    return build(name, text)


def stack(word):
    return ["[f%s]" % c for c in word]


# Two threads of a program take turns; the caller's own time is between its
# callees; another program begins with what the first ended with.
SMALL = [("app", 10, 11, stack("01"), 5), ("app", 10, 12, stack("01"), 7),
         ("app", 10, 11, stack("0"), 2), ("app", 10, 11, stack("01"), 3),
         ("app", 10, 12, stack("012"), 1), ("bee", 20, 20, stack("01"), 4),
         ("app", 10, 11, stack("02"), 6), ("bee", 20, 20, stack("1"), 8)]
path = made("small", SMALL)
picture, frames = chart(path)
tap.ok(frames == [
    (0, "all", 0, 36, 8), (1, "app", 0, 24, 6),
    (2, "[f0]", 0, 16, 4), (3, "[f1]", 0, 5, 1), (3, "[f1]", 7, 3, 1),
    (3, "[f2]", 10, 6, 1),
    (2, "[f0]", 16, 8, 2), (3, "[f1]", 16, 8, 2), (4, "[f2]", 23, 1, 1),
    (1, "bee", 24, 12, 2), (2, "[f0]", 24, 4, 1), (3, "[f1]", 24, 4, 1),
    (2, "[f1]", 28, 8, 1)], "threads are apart, neighbours are one", frames)
tap.ok("flame chart  ·  cpu-clock, in order of time" in picture.replace(
    '</tspan>', "").replace('<tspan class="item">', "") and
    'aria-roledescription="flame chart"' in picture and NARROW not in picture,
    "it says what it is")
rects = re.findall(r'<rect class="[a-zA-Z]\d" x="([\d.]+)" y="[\d.]+" '
                   r'width="([\d.]+)"[^>]*><title>\[f1\]', picture)
pixel = 1180 / 36
tap.ok([round(float(x) - 10) for x, _ in rects] ==
       [round(s * pixel) for s in (0, 7, 16, 24, 28)],
       "and without a script frames are where they began", rects)
for options in ((), ("--threads",), ("--reverse",), ("--reverse", "--threads")):
    equal(path, SMALL, "few samples", *options)

rng = random.Random(14)
walk, RANDOM = {}, []
for _ in range(240):
    tid = rng.choice((31, 32, 41))
    word = walk.get(tid, "0")
    word = word[:rng.randint(1, len(word))] + "".join(
        rng.choice("01234567") for _ in range(rng.randint(0, 30)))
    walk[tid] = word[:60]
    RANDOM.append(("cat" if tid < 40 else "dog", tid // 10, tid, stack(word[:60]),
                   rng.randint(1, 99)))
path = made("random", RANDOM)
for options in ((), ("--threads",), ("--reverse",)):
    equal(path, RANDOM, "random stacks", *options)
tap.ok(run("--order", "time", "-f", "svg", "-j1", path).stdout ==
       run("--order", "time", "-f", "svg", "-j2", path).stdout,
       "the same for any number of workers")

# More than can be drawn.
MANY = []
for i in range(30000):
    word = "0" if i % 10000 < 5000 else "01"
    MANY.append(("many", 50, 50, stack(word + "".join(
        rng.choice("01234567") for _ in range(rng.randint(0, 3)))), 1000))
path = made("many", MANY)
for options in ((), ("--reverse",)):
    picture, frames = chart(path, *options)
    want = set(by_hand(MANY, False, "--reverse" in options))
    shown = [f for f in frames if f[1] != NARROW]
    narrow = [f for f in frames if f[1] == NARROW]
    left = want - set(shown)
    least = min(f[3] for f in shown)
    text = "many samples %s: " % " ".join(options)
    tap.ok(narrow and len(shown) <= 8003 and set(shown) <= want and
           all(f[3] < least for f in left),
           text + "the widest frames are there as by hand",
           (len(shown), len(left), least, sorted(set(shown) - want)[:5]))
    dropped = int(re.search(r'data-dropped="(\d+)"', picture)[1])
    tap.ok(dropped == len(left) and
           "{:,} narrow frames are drawn as one with neighbours".format(
               dropped) in picture,
           text + "the others are told", (dropped, len(left)))
    ends, lost = [], []
    for depth, name, start, width, _ in frames:
        # Where the neighbour before it and the caller end.
        if start < (ends[depth:depth + 1] or [0])[0] or \
                depth > 0 and start + width > ends[depth - 1]:
            lost.append((depth, name, start, width))
        del ends[depth:]
        ends.append(start + width)
    tap.ok(not lost and frames[0][3:] == (30000000, 30000),
           text + "frames are within their callers", lost[:5])
    tap.ok(len(picture) < 4000000, text + "the file is small", len(picture))

# Commands and threads are boxes as well.
path = made("commands", [("c%05d" % i, i, i, stack("01"), 9 if i < 3 else 1)
                         for i in range(1, 9001)])
for options in ((), ("--threads",)):
    picture, frames = chart(path, *options)
    tap.ok([f[1] for f in frames if f[1][0] == "c"] == ["c00001", "c00002"] and
           frames[0][3:] == (9016, 9000) and
           frames[-1][1:] == (NARROW, 18, 8998, 8998),
           "many commands %s: those that are wide" % " ".join(options),
           frames[-3:])

for words in (["-f", "folded"], ["-f", "json"], []):
    p = run("--order", "time", *words, path)
    tap.ok(p.returncode == 2 and p.stdout == "" and
           "these formats do: svg, html" in p.stderr,
           "refused: " + " ".join(words), p.stderr)
for words in (["-f", "speedscope"], ["-f", "samples-csv"]):
    tap.ok(run("--order", "time", *words, path).stdout ==
           run(*words, path).stdout, "the samples: " + " ".join(words))
p = run("--order", "weight", "-f", "svg", path)
tap.ok(p.returncode == 2 and "none of name, time" in p.stderr,
       "an order that is none is refused", p.stderr)
tap.ok(run("--order", "name", "-f", "svg", path).stdout ==
       run("-f", "svg", path).stdout, "by name is as without")


def recorded(path):
    """The samples that perf script prints, with objects for names: those of
    functions would be what this machine has."""
    script = subprocess.run(
        ["perf", "script", "-f", "--no-inline", "-F",
         "comm,pid,tid,period,ip,sym,dso", "-i", path], capture_output=True,
        text=True, env=dict(os.environ, LC_ALL="C")).stdout
    out = []
    for block in script.strip().split("\n\n"):
        head, *lines = block.splitlines()
        comm, pid, tid, period = re.match(
            r"\s*(\S.*?)\s+(\d+)/(\d+)\s+(\d+)", head).groups()
        names = ["[%s]" % os.path.basename(re.search(r"\((.*)\)$", x)[1]).strip(
            "[]") for x in lines]
        out.append((comm, int(pid), int(tid), names[::-1], int(period)))
    return out


for case in "good-fp", "good-switch", "good-system", "good-zstd":
    path = os.path.join(tap.top_srcdir, "corpus", case, "perf.data")
    if shutil.which("perf") is None:
        tap.skip("perf is not installed")
        continue
    equal(path, recorded(path), case + ", as perf script has it", "--threads")
tap.done()
