#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# What the overview says first of samples alone: the program's own function
# that costs most, not the library's that it calls; the widest one below main;
# code without names as ranges; what the file is; what other events are of.
import os
import re
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
sys.path.insert(0, os.environ["top_srcdir"] + "/tests/analyses")
from made import build, report, rows
import tap

MAPS = tempfile.TemporaryDirectory(prefix="coldperf-hot.")
NAMES = ("main", "handle", "Index::add", "parse", "write_out", "memcpy",
         "unused::helper",
         "std::_Hashtable<int, int>::find(int const&) const",
         "std::__detail::_Hash_node<int>::next()", "malloc", "_int_malloc",
         "free", "encoding/json.(*decoder).object", "encoding/json.unquote",
         "serde_json::de::parse_str", "serde_json::value::get",
         "app::Index::find(int)", "app::Index::grow()", "app::run()",
         "py::load:/srv/model.py", "py::apply:/srv/model.py", "f.isra.0",
         "f.part.1")
AT = {name: 0x400000 + 0x1000 * i for i, name in enumerate(NAMES)}
with open(os.path.join(MAPS.name, "perf-8.map"), "w", encoding="ascii") as f:
    for name, at in AT.items():
        f.write("%x 800 %s\n" % (at, name))
ATTR = "attr %s type=%d config=%d period=1000 ids=%d sample_type=ID|IP|TID|" \
    "TIME|CPU|PERIOD|CALLCHAIN flags=sample_id_all|mmap|mmap2|comm\n"
JIT = 'comm 8 8 "prog"\nmmap2 pid=8 addr=0x400000 len=0x200000 pgoff=0 ' \
    'name="//anon"\n'
HEAD = ATTR % ("cycles", 0, 0, 1) + JIT


def sample(i, chain, event="cycles", pid=8, ids=1):
    """Frames are innermost first, by name or by address."""
    frames = [AT[f] + 0x10 if f in AT else f for f in chain]
    return "sample %s ip=%#x pid=%d tid=%d cpu=0 id=%d time=%d period=1000 " \
        "chain=user,%s\n" % (event, frames[0], pid, pid, ids,
                            10**9 + i * 10**6, ",".join("%#x" % f for f in frames))


def mixed(parts, n=400, **more):
    """Samples of (chain, parts of 100), well mixed; + before and after."""
    of = [c for c, share in parts for _ in range(share)]
    return "".join(sample(i, of[i * 37 % 100], **more) for i in range(n))


def found(name, text, *options):
    rep = report(build(name, text), "report", "--symbols", MAPS.name, *options)
    f = [(r["About"], r["Finding"]) for r in rows(rep, "findings")]
    return f, rep


OWN = [(("memcpy", "Index::add", "handle", "main"), 24),
       (("Index::add", "handle", "main"), 8),
       (("parse", "handle", "main"), 22), (("write_out", "main"), 16),
       (("handle", "main"), 30)]
f, _ = found("own", HEAD + mixed(OWN))
tap.ok(re.match(r"Index::add took 32.00 % of cycles \([\d.–]+ %\), 75.0 % of it "
                r"in memcpy; handle calls it; next is handle with 30.0 %$",
                f[0][1]) and
       f[0][0] == "hot function",
       "own function first, with the library's part and its caller", f)
tap.ok(f[1][0] == "wide function" and f[1][1].startswith(
    "handle and what it calls took 84.00 % of cycles (") and
    f[1][1].endswith("): Index::add 32.0 %, parse 22.0 %"),
    "the widest below main, with what it calls", f)

# Without a caller the library's function stands for itself.
f, _ = found("leaf", HEAD + mixed([(("memcpy",), 60), (("parse",), 40)]))
tap.ok(f[0][1].startswith("memcpy took 60.00 % of cycles ("),
       "no caller: what was sampled", f)

# Nothing costs much: that is said, after what is wide.
FLAT = [((0x500000 + 0x1000 * i, "handle", "main"), 5) for i in range(20)]
f, _ = found("flat", HEAD + mixed(FLAT))
tap.ok(not any(a.startswith("hot") for a, _ in f) and
       ("flat", "no function took more than 5.00 % of cycles: the heaviest is "
        "perf-8.map+0x500000") in f, "a flat profile", f)

# Two functions without names, 40 bytes apart, are told apart by their callers;
# without callers by the gap.
FILE = 'mmap2 pid=8 addr=0x10000 len=0x10000 pgoff=0 ino=1 name="/no/such/prog"\n' \
    'mmap2 pid=8 addr=0x30000 len=0x10000 pgoff=0 ino=2 name="/no/such/lib%s.so.1"\n'


def nameless(name, far, callers, lib="x"):
    """21 % at six places, 9 % at three, the rest everywhere."""
    at = [((0x11000 + 4 * (i % 6),) + callers[0], 21 - i) for i in range(1)]
    text = HEAD + FILE % lib
    for i in range(400):
        k = i * 37 % 100
        frames = (0x11000 + 4 * (i % 6),) + callers[0] if k < 21 else \
            (0x11014 + far + 4 * (i % 3),) + callers[1] if k < 30 else \
            (0x30000 + 0x100 * (i % 97),) if k < 60 else \
            (0x12000 + 0x90 * (i % 89),)
        text += sample(i, frames)
    return found(name, text)


f, rep = nameless("ranges", 0x200, ((), ()))
shares = {r["Symbol"]: 100 * (r["Self"][0] if isinstance(r["Self"], list) else
                              r["Self"]["value"] if isinstance(r["Self"], dict)
                              else r["Self"]) for r in rows(rep, "symbols")}
tap.ok(abs(shares.get("0x1000…0x1014", 0) - 21) < 0.3 and
       abs(shares.get("0x1214…0x121c", 0) - 9) < 0.3,
       "neighbours are one range", shares)
tap.ok(f[0][0] == "hot code" and re.match(
    r"prog\+0x1000…0x1014 took 21.00 % of cycles \([\d.–]+ %\)$", f[0][1]),
    "the heaviest range is said", f)
_, rep = nameless("callers", 0x20, ((0x13000,), (0x13100,)))
names = [r["Symbol"] for r in rows(rep, "symbols")]
tap.ok({"0x1000…0x1014", "0x1034…0x103c"} <= set(names),
       "what two places call is two functions", names)
f, _ = nameless("openmp", 0x20, ((), ()), "gomp")
tap.ok(any(a == "hot object" and re.match(
    r"libgomp.so.1 \(the OpenMP runtime: threads spin, waiting\) "
    r"took 30.00 % of cycles", t) for a, t in f), "a library's role", f)
tap.ok([a for a, _ in f[-2:]] == ["no names", "callers"] and
       f[-2][1].startswith("100 % of cycles is in"),
       "missing names come last", f)

# Other events than time.
EVENTS = ATTR % ("cycles", 0, 0, 1) + ATTR % ("cache-misses", 0, 3, 2) + \
    JIT + mixed(OWN) + mixed(
        [(("parse", "handle", "main"), 52), (("handle", "main"), 48)],
        event="cache-misses", ids=2)
f, _ = found("misses", EVENTS)
tap.ok(any(a == "cache-misses" and re.match(
    r"parse has 52.00 % of cache-misses \([\d.–]+ %\) and 22.00 % of cycles$", t)
    for a, t in f), "misses that are elsewhere than time", f)
f, _ = found("misses", EVENTS, "--event", "cache-misses")
tap.ok(f[0][1].startswith("parse has 52.00 % of cache-misses ("),
       "an event alone", f)

# Several commands, and CPUs without work.
IDLE = 'comm 9 9 "rustc"\ncomm 11 11 "rust-lld"\n'
for i in range(400):
    k = i * 37 % 100
    IDLE += sample(i, (AT["parse"],), pid=0 if k < 60 else 9 if k < 90 else 11) \
        if k >= 60 else \
        "sample cycles ip=0xffffffff81000010 pid=0 tid=0 cpu=0 id=1 time=%d " \
        "period=1000 misc=1 chain=kernel,0xffffffff81000010\n" % (
            10**9 + i * 10**6)
f = dict(found("commands", HEAD + IDLE)[0])
tap.ok(f.get("idle", "").startswith("CPUs had no work for 60.00 % of cycles (") and
       re.match(r"rustc has 30.00 % of cycles \([\d.–]+ %\), rust-lld 10.0 %$",
                f.get("command", "")), "who was recorded", f)

# 16 threads for a second in parse, then one for four in write_out: the longer
# is said first.  Threads that always run together say nothing.
CLOCK = "attr cpu-clock type=1 config=0 period=1000000 ids=1 sample_type=ID|IP|" \
    "TID|TIME|CPU|PERIOD|CALLCHAIN flags=sample_id_all|mmap|mmap2|comm\n" + JIT


def threads(spans):
    for ms in range(sum(s[0] for s in spans)):
        at = ms
        for length, n, name in spans:
            if at < length:
                break
            at -= length
        for t in range(n):
            yield "sample cpu-clock ip=%#x pid=8 tid=%d cpu=%d id=1 time=%d " \
                "period=1000000 chain=user,%#x,%#x\n" % (
                    AT[name] + 16, 8 + t, t, 10**9 + ms * 10**6 + t,
                    AT[name] + 16, AT["main"] + 16)


f, _ = found("parallel", CLOCK + "".join(threads(
    [(1000, 16, "parse"), (4000, 1, "write_out")])))
m = re.match(r"one thread ran alone for ([\d.]+) % of the time that any ran, for "
             r"([\d.]+) % in write_out, which has 20.00 % of cpu-clock; "
             r"([\d.]+) CPUs were busy on average$", f[0][1])
tap.ok(f[0][0] == "parallelism" and m and abs(float(m[1]) - 80) < 1 and
       abs(float(m[2]) - 80) < 1 and abs(float(m[3]) - 4) < 0.1 and
       f[1][1].startswith("parse took 80.00 %"),
       "what one thread does alone takes the time", f)
for n in 1, 4:
    f, _ = found("together%d" % n, CLOCK + "".join(threads([(2000, n, "parse")])))
    tap.ok(not any(a == "parallelism" for a, _ in f),
           "%d threads all the time: nothing to say" % n, f)

# What counts user code only says nothing of modes.
f, rep = found("user", CLOCK.replace("cpu-clock", "cpu-clock:u") + "".join(
    threads([(100, 1, "parse")])).replace("cpu-clock", "cpu-clock:u"))
tap.ok(any(a == "user only" for a, _ in f) and not rows(rep, "modes"),
       "user code only", f)

# A broken period: one of 1001 samples outweighs all.
f, _ = found("broken", HEAD + mixed(OWN, 1000) + sample(
    1000, ("write_out", "main")).replace("period=1000", "period=10000000000000"))
tap.ok(f[0][0] == "few heavy samples" and "1.0 of equal weight" in f[0][1],
       "one sample that is all the weight is said first", f)

f, _ = found("few", HEAD + mixed(OWN, 11))
tap.ok(f[0] == ("few samples", "11 samples are too few to tell shares; 11 in "
                "perf-8.map"), "few samples: where they are", f)

def family(name, *parts):
    """The finding of samples of functions; main has the rest, in 30 places."""
    rest = 100 - sum(share for _, share in parts)
    f, _ = found(name, HEAD + mixed(
        [((f, "main"), share) for f, share in parts] +
        [(("main",), rest // 2), (("write_out", "main"), rest - rest // 2)]))
    return [x for about, x in f if about == "family"]


for members, of in (
        (NAMES[7:9], "std::unordered_map"),
        (("malloc", "_int_malloc", "free"), "the memory allocator"),
        (NAMES[12:14], "encoding/json"), (NAMES[14:16], "serde_json"),
        (NAMES[16:18], "app::Index"), (NAMES[19:21], "/srv/model.py")):
    f = family("family", *[(m, 15 * 3 // len(members)) for m in members])
    tap.ok(len(f) == 1 and f[0].startswith(
        of + ", %d functions added up, took 4" % len(members)),
        "functions that are small each and large together: " + of, f)
rep = report(build("by", HEAD + mixed(
    [((m, "main"), 10) for m in NAMES[7:9] + NAMES[12:14]] +
    [(("parse", "main"), 60)])), "hotspots", "--by", "family", "--symbols",
    MAPS.name)
got = [(r["Family"], r["Share"]["value"]) for r in rows(rep, "hotspots")]
tap.ok([(f, round(v, 2)) for f, v in got] ==
       [("[perf-8.map]", 0.6), ("encoding/json", 0.2),
        ("std::unordered_map", 0.2)], "rows by family", got)
tap.ok(family("first", (NAMES[7], 5), (NAMES[8], 5)) == [],
       "a family with less than one function is none")
tap.ok(family("parts", ("f.isra.0", 22), ("f.part.1", 23)) == [],
       "what compilers add to a name is no package")
tap.done()
