#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# --weight field:NAME: sums by symbol and by stack are those of the numbers in
# the payload; what has no number, or a negative one, is left out and said.
import collections
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

MKPERF = os.path.join(tap.top_builddir, "tests/tools/mkperf")
work = tempfile.TemporaryDirectory(prefix="coldperf-weight.")
FORMAT = """format %s <<END
name: %s
ID: %d
format:
	field:unsigned short common_type;	offset:0;	size:2;	signed:0;
	field:unsigned char common_flags;	offset:2;	size:1;	signed:0;
	field:unsigned char common_preempt_count;	offset:3;	size:1;	signed:0;
	field:int common_pid;	offset:4;	size:4;	signed:1;

%s
print fmt: "x"
END
"""
ALLOC = """	field:unsigned long call_site;	offset:8;	size:8;	signed:0;
	field:size_t bytes;	offset:16;	size:8;	signed:0;
	field:int delta;	offset:24;	size:4;	signed:1;
	field:char name[8];	offset:28;	size:8;	signed:0;
"""
FREE = "	field:unsigned long call_site;	offset:8;	size:8;	signed:0;\n"


def coldperf(*words):
    p = subprocess.run([tap.coldperf] + list(words), stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
    return p.returncode, p.stdout.decode("utf-8", "replace"), \
        p.stderr.decode("utf-8", "replace")


def capture(order, container):
    """The capture, and its samples as (event, symbol, bytes, delta)."""
    rng = random.Random(order + container)
    text = ["container " + container, "byte_order " + order]
    for name, config in (("kmem:free", 800), ("kmem:alloc", 801),
                         ("cycles", 0)):
        text.append("attr %s type=%d config=%d period=1 ids=%d sample_type="
                    "IP|TID|TIME|ID|PERIOD|CALLCHAIN%s flags=sample_id_all|"
                    "mmap|comm" % (name, 2 if config else 0, config,
                                   config + 1, "|RAW" if config else ""))
    text += ['tracing cmdlines="8 one\\n"',
             FORMAT % ("kmem", "free", 800, FREE),
             FORMAT % ("kmem", "alloc", 801, ALLOC)]
    if container == "pipe":
        text.append("tracing_data")
        text += ["event_update_name id=%d name=%s" % (c + 1, n)
                 for n, c in (("kmem:free", 800), ("kmem:alloc", 801))]
    text += ['comm 8 8 "prog"',
             'mmap pid=8 addr=0x400000 len=0x10000 pgoff=0 name="/bin/prog"']
    samples = []
    for i in range(500):
        event = rng.choice(("kmem:free", "kmem:alloc", "kmem:alloc",
                            "cycles"))
        symbol, size = rng.randrange(4), rng.randrange(1, 1 << 40)
        delta = rng.randrange(-1 << 20, 1 << 20)
        if rng.randrange(50) == 0:
            size = (1 << 64) - rng.randrange(1, 100)
        raw = "u2:801 u2:0 u4:8 u8:%d u8:%d u4:%d c8:\"x\"" % (
            i, size, delta % (1 << 32))
        if event == "kmem:free":
            raw = "u2:800 u2:0 u4:8 u8:1"
        elif rng.randrange(50) == 0:
            raw, size, delta = "u2:801 u2:0 u4:8 u8:1", None, None
        samples.append((event, symbol, size, delta))
        ip = 0x400000 + 16 * symbol
        text.append("sample %s ip=%#x pid=8 time=%d chain=user,%#x,0x400f00 "
                    "id=%d%s" %
                    (event, ip, 1000 * (i + 1), ip,
                     {"kmem:free": 801, "kmem:alloc": 802, "cycles": 1}[event],
                     "" if event == "cycles" else " raw=%s" % raw.replace(' ', ',')))
    source = os.path.join(work.name, order + container)
    with open(source, "w") as f:
        f.write("\n".join(text) + "\n")
    p = subprocess.run([MKPERF, source, source + ".data"],
                       stderr=subprocess.PIPE)
    if p.returncode != 0:
        tap.diag(p.stderr.decode())
    return source + ".data", samples


def check(path, samples, name, value):
    good = [s for s in samples if s[0] == "kmem:alloc" and value(s) is not None
            and 0 <= value(s) < 1 << 63]
    negative = sum(s[0] == "kmem:alloc" and value(s) is not None
                   for s in samples) - len(good)
    what = os.path.basename(path) + ": " + name
    want = collections.Counter()
    for s in good:
        want["0x%016x" % (16 * s[1])] += value(s)
    status, out, err = coldperf("hotspots", "--addresses", "-f", "json",
                                "--by", "symbol", "--weight", "field:" + name, path)
    rep = json.loads(out)
    tables = [s for s in rep["sections"] if s.get("slug") == "hotspots"]
    columns = [c["name"] for c in tables[0]["columns"]]
    rows = [dict(zip(columns, r["values"])) for r in tables[0]["rows"]]
    total = sum(want.values())
    tap.ok(len(tables) == 1 and
           {r["Symbol"] for r in rows} == set(want) and
           all(abs(r["Share"]["value"] - want[r["Symbol"]] / total) < 1e-12
               for r in rows) and rep["weight"] == name,
           what + ": shares by symbol", out[:1000])
    tap.ok("%d without %s, %d with a negative one; %d count" %
           (len(samples) - len(good) - negative, name, negative,
            len(good)) in err and "no-weight" in err,
           what + ": what is left out is said", err)
    status, out, err = coldperf("flame", "-f", "json", "--weight",
                                "field:" + name, path)
    tree = [s for s in json.loads(out)["sections"] if s["type"] == "tree"]
    tap.ok(tree and tree[0]["nodes"][0]["total"] == total,
           what + ": the flame graph weighs as much", out[:1000])


for order in ("little", "big"):
    for container in ("file", "pipe"):
        path, samples = capture(order, container)
        check(path, samples, "bytes", lambda s: s[2])
        check(path, samples, "delta", lambda s: s[3])
status, out, err = coldperf("hotspots", "--weight", "field:none", path)
tap.ok(status == 2 and "free has call_site; alloc has call_site bytes delta"
       in err, "a field that no event has: those that there are", err)
status, out, err = coldperf("hotspots", "--weight", "field:name", path)
tap.ok(status == 2 and "no sample has a number name" in err,
       "a text is no number", err)
for bad in ("field:", "field", "fields:x"):
    status, out, err = coldperf("hotspots", "--weight", bad, path)
    tap.ok(status == 2 and "unknown value" in err, "--weight " + bad, err)
status, out, err = coldperf("quality", "--weight", "field:bytes", path)
tap.ok(status == 0, "analyses that need no payload weigh by it, too", err)


def made(name, text):
    path = os.path.join(work.name, name)
    with open(path + ".text", "w") as f:
        f.write(text)
    subprocess.run([MKPERF, path + ".text", path], check=True)
    return path


# A sum near 2^63 and times near 2^64, whose doubles are these.
SAMPLE = "sample ip=0x1000 pid=1 time=%d period=%d\n"
HUGE = "attr cycles type=0 config=0 sample_type=IP|TID|TIME|PERIOD\n" \
    "feature sample_time 0 %d\n" % (2 ** 64 - 2)
path = made("huge-period", HUGE + SAMPLE % (100, 2 ** 63 - 24))
status, out, err = coldperf("diff", "-f", "json", path, path)
table = [s for s in json.loads(out)["sections"] if s["slug"] == "captures"][0]
tap.ok([r["values"][2] for r in table["rows"]] == [2 ** 63] * 2,
       "diff of a weight near 2^63", (table, err))
path = made("long", HUGE + SAMPLE % (0, 1) + SAMPLE % (2 ** 62, 20) +
            SAMPLE % (2 ** 64 - 2, 300))
for span, wanted in (("0,100%", 321), ("0,50%", 21)):
    status, out, err = coldperf("flame", "-f", "folded", "--time", span, path)
    tap.ok(sum(int(x.split()[-1]) for x in out.splitlines()) == wanted,
           "--time %s of 2^64 ns" % span, (out, err))

recorded = os.path.join(tap.top_srcdir, "corpus/good-tracepoints/perf.data")
if shutil.which("perf"):
    p = subprocess.run(["perf", "script", "-f", "-i", recorded],
                       stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    numbers = list(map(int, re.findall(r"target_cpu=(\d+)",
                                       p.stdout.decode())))
    status, out, err = coldperf("flame", "-f", "json", "--weight",
                                "field:target_cpu", recorded)
    tree = [s for s in json.loads(out)["sections"] if s["type"] == "tree"]
    tap.ok(numbers and tree[0]["nodes"][0]["total"] == sum(numbers),
           "a recording: the sum of what perf prints")
else:
    tap.skip("perf is not installed")

# --weight latency, --by parallelism: three threads go on and off the CPU, with
# and without CPUs in the capture; how many ran at once is counted here.
for cpus in ("", "|CPU"):
    rng = random.Random("parallel" + cpus)
    running, time, want, part = {}, 1000, {}, {}
    tids = [5, 6, 7]
    text = ['attr cycles type=0 config=0 period=7 sample_type=IP|TID|TIME|ID'
            '%s flags=sample_id_all|mmap|comm|context_switch|task ids=1' % cpus,
            'comm 5 5 "prog"',
            'mmap pid=5 addr=0x400000 len=0x10000 pgoff=0 name="/bin/prog"']
    for _ in range(400):
        time += 1000
        cpu = rng.randrange(3)
        tid = tids[cpu]
        if rng.randrange(9) == 0:  # another CPU is idle: it weighs nothing
            n = max(len(running), 1)
            want[n] = want.get(n, 0) + 1
            text.append("sample cycles ip=0x400010 pid=0 tid=0 time=%d%s" % (
                time - 500, cpus and " cpu=7"))
        at = ".pid=5 .tid=%d time=%d .cpu=%d" % (tid, time, cpu)
        if tid not in running:
            running[tid] = cpu
            text.append("switch " + at)
        elif rng.randrange(20) == 0:  # it exits, and no switch follows
            del running[tid]
            tids[cpu] += 10
            text.append("exit pid=5 ppid=5 tid=%d ptid=5 " % tid + at)
        elif rng.randrange(3) == 0:
            del running[tid]
            text.append("switch misc=0x2000 " + at)
        else:
            n = len(running)
            want[n] = want.get(n, 0) + 1
            part[n] = part.get(n, 0) + 7 / n
            text.append("sample cycles ip=0x400010 pid=5 tid=%d time=%d"
                        "%s" % (tid, time, cpus and " cpu=%d" % cpu))
    if not cpus:
        text = [re.sub(r" \.cpu=\d+", "", x) for x in text]
    with open(work.name + "/in", "w") as f:
        f.write("\n".join(text) + "\n")
    path = work.name + "/parallel.data"
    subprocess.run([MKPERF, work.name + "/in", path], check=True)
    tables = []
    for words in ((), ("--weight", "latency")):
        report = json.loads(coldperf("hotspots", "--by", "parallelism", "-f",
                                     "json", *words, path)[1])
        rows = [r["values"] for r in next(
            s for s in report["sections"] if s["slug"] == "hotspots")["rows"]]
        tables.append({int(r[2]): (r[1], r[0]["value"]) for r in rows})
    tap.ok({n: r[0] for n, r in tables[0].items()} == want,
           "samples by the threads that ran at once%s" % cpus,
           "%s\n%s" % (tables[0], want))
    whole = sum(part.values())
    tap.ok(all(abs(r[1] - part[n] / whole) < .01
               for n, r in tables[1].items()) and len(part) == 3,
           "latency is the period's part by them%s" % cpus,
           "%s\n%s" % (tables[1], part))
status, _, err = coldperf("hotspots", "--weight", "latency", os.path.join(
    os.environ["top_srcdir"], "corpus/good-fp/perf.data"))
tap.ok(status == 2 and "no switches were recorded" in err,
       "without switches latency is refused", "%s %s" % (status, err))
tap.done()
