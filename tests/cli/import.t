#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Profiles of other tools are read: stacks and counts are those of goldens and of
# the capture that an export was made of; damage is said and never fatal.
import collections
import csv
import glob
import gzip
import io
import json
import os
import re
import struct
import subprocess
import sys
import tarfile
import tempfile
import zipfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
sys.path.insert(0, os.environ["top_srcdir"] + "/tests/exports")
import decode
import tap

scratch = tempfile.TemporaryDirectory(prefix="coldperf-import.")
tmp = scratch.name
SHARED = tap.top_srcdir + "/../shared/corpus/script-text"
CORPUS = tap.top_srcdir + "/corpus/"
SEEDS = tap.top_srcdir + "/tests/fuzz/seeds/import-"


def run(*args, data=None):
    return subprocess.run([tap.coldperf, *args], input=data,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def written(name, data):
    path = os.path.join(tmp, name)
    with open(path, "wb") as f:
        f.write(data if isinstance(data, bytes) else data.encode())
    return path


def rows(path, *options, by="comm,dso,symbol"):
    """{keys: (samples, share)} of hotspots, or None."""
    r = run("hotspots", "--by", by, "--top", "0", "-f", "csv",
            "--demangle", "no", *options, path)
    if r.returncode != 0:
        return r.stderr.decode()
    found = collections.Counter()
    for row in csv.DictReader(io.StringIO(r.stdout.decode())):
        key = tuple(v for k, v in row.items()
                    if not k.startswith("share") and k != "samples")
        found[key] += int(row["samples"])
    return dict(found)


# ------------------------------------------------- goldens of other projects

def folded(path, *options):
    r = run("flame", "-f", "folded", "--demangle", "no", *options, path)
    found = collections.Counter()
    for line in r.stdout.decode().splitlines():
        stack, count = line.rsplit(" ", 1)
        found[plain(stack)] += int(count)
    return found


def plain(stack):
    """Without annotations and arguments, which scripts write as they like."""
    names = [re.sub(r"_\[[kij]\]$", "", n).replace("[[", "[").replace("]]", "]")
             for n in stack.split(";")]
    # Rust's, which inferno makes readable itself.
    for a, b in (("$LT$", "<"), ("$GT$", ">"), ("$u7b$", "{"), ("$u7d$", "}")):
        names = [n.replace(a, b) for n in names]
    names = [re.sub("::h[0-9a-f]{16}$", "", n) for n in names]
    names = [n if re.search(r"\.\(.*\)\.", n) else
             re.sub(r"\((?!anonymous namespace\)).*", "", n) for n in names]
    return ";".join(re.sub("^L(?=[^:]*/)", "", n).replace("'", "")
                    .replace('"', "") for n in names)


def first_event(text):
    return re.search(r"^[^\n#]*?:?\s(?:\d+ )?(\S+): ?$", text, re.M)


def check_golden(path):
    golden = path[:-4] + "-collapsed.txt"
    if not os.path.exists(golden):
        golden = path[:-4] + "-collapsed-all.txt"
    want = collections.Counter()
    with open(golden, encoding="utf-8") as f:
        for line in f.read().splitlines():
            stack, count = line.rsplit(" ", 1)
            want[plain(stack)] += int(count)
    with open(path, encoding="utf-8") as f:
        text = f.read()
    event = first_event(text)
    options = ["-e", event.group(1)] if event else []
    found = folded(path, *options)
    # FlameGraph's script leaves out a last sample that no empty line ends.
    if "/flamegraph/" in path and not text.endswith("\n\n"):
        more = found - want
        tap.ok(len(more) == 1 and sum(more.values()) in (1, 10101010),
               "%s: the last sample, too" % os.path.basename(path)[:-4], more)
        found -= more
    # Two events of another privilege, whose samples inferno adds up.
    if "single-line" in path:
        found = folded(path, "-e", "cycles:u") + folded(path, "-e", "cycles")
    tap.ok(found == want, "%s: stacks and counts of its golden"
           % os.path.basename(path)[:-4],
           "more %s\nless %s" % (found - want, want - found))


def goldens():
    inputs = [p for p in sorted(glob.glob(SHARED + "/*/*.txt"))
              if "-collapsed" not in p]
    if not inputs:
        tap.skip("inputs of FlameGraph and inferno are not here")
    for path in inputs:
        check_golden(path)


# -------------------------------------------------------------- perf script

FRAMES = "\t    7f001234 work+0x4 (/opt/a b/prog (deleted))\n" \
    "\t    7f000010 main+0x10 (/opt/a b/prog (deleted))\n"
HEADS = {
    "prog 12/13 [001] 5.000001:  250000 cycles:u: ": ("prog", "12", "13", "1"),
    "prog 13 [001]  5.000001:  250000 cycles:u: ": ("prog", "", "13", "1"),
    "prog 13 [001] 18446744069.414584: cycles: ": ("prog", "", "13", "1"),
    "          Web Content 13 5.000001: cycles: ":
        ("Web Content", "", "13", ""),
    "a: b 1 13 5.000001123:  1 sched:sched_switch: prev_comm=a prev_pid=1":
        ("a: b 1", "", "13", ""),
    "prog 13 cycles: ": ("prog", "", "13", ""),
    "prog 13 [001] 250000 cycles: ": ("prog", "", "13", "1"),
    "prog 13 ": ("prog", "", "13", ""),
    "prog 13 5.000001: ": ("prog", "", "13", ""),
    "5.000001:     250000 cycles: ": ("", "", "", ""),
    "prog\t12/13 [001] 5.000001: 250000 cpu-clock:u:":
        ("prog", "12", "13", "1"),
    ":-1 -1 [000] 5.000001: 1 cycles: ": (":-1", "", "", "0"),
    ":-1 12/-1    [000] 5.000001: 1 cycles: ": (":-1", "12", "", "0"),
    "a (b) c 13 K       5.000001:   cpu-clock: ": ("a (b) c", "", "13", ""),
    "a (b) c ": ("a (b) c", "", "", ""), "12345 ": ("", "", "12345", ""),
    "a (b) c   cpu-clock: ": ("a (b) c", "", "", ""),
    "a (b) c   467.092496: ": ("a (b) c", "", "", ""),
    "load er    2004008 ": ("load er", "", "", ""), "[001] ": ("", "", "", "1"),
    "   2004008 ": ("", "", "", ""), "12/13      5.000001: ":
        ("", "12", "13", ""),
}
# Lines of other fields and of records, which are neither samples nor frames.
MORE = """swapper 0 0.000000: PERF_RECORD_MMAP -1/0: [0xf(0x1) @ 0xf]: x [kernel]
prog 13 5.0: PERF_RECORD_NAMESPACES 1/1 - nr_namespaces: 2
\t\t[0/net: 3/0xf0000098, 1/uts: 3/0xeffffffe]
prog 13 5.0: PERF_RECORD_EXIT(1:13):(1:1)
prog 13 5.0: PERF_RECORD_LOST lost 12
prog 13 5.000001: 250000 cycles:     7ffe12345678 |OP LOAD|LVL L1 hit|LCK No 9
\t    7f001234 work+0x8 (inlined)
\t    7f001234 deep+0x4
  deep.h:74 (inlined)
\t    7f001234 outer+0x4 (/opt/prog)
  outer.c:7
\t    7f000010 main+0x10 (/opt/prog)
  prog[10]
 ABI:2    AX:0xaaaa    IP:0x401234         12345678 4K 2M
 insn: 89 c2
0x401234/0x401250/P/-/-/0 0x401250/0x401234/M/X/A/2
      BPF output: 0000: 64 00 00 00 64 00 00 00  d...d...
                  0008: 40 4b 4c 00 00 00 00 00  @KL.....

"""


def heads():
    for head, want in HEADS.items():
        path = written("head.txt", (head + "\n" + FRAMES + "\n") * 3)
        found = rows(path, by="comm,pid,tid,cpu,symbol")
        keys = [tuple(x if x not in ("-", "4294967295") else "" for x in k)
                for k in found] if isinstance(found, dict) else found
        tap.ok(keys and len(keys) == 1 and list(found.values()) == [3] and
               tuple(x for x in keys[0] if x != "[.]") in
               (want + ("work",), tuple(x for x in want if x) + ("work",)),
               "perf script: %r" % head, found)


def forms():
    path = written("more.txt", MORE * 2)
    r = run("report", path)
    tap.ok(folded(path) == {"prog;main;outer;deep;work": 500000} and
           r.returncode == 0 and b"24 records were lost" in r.stdout,
           "-F srcline, brstack, iregs, insn and --show-*-events",
           "%s\n%s" % (folded(path), r.stdout + r.stderr))
    for name, frame in (
            ("work", "%17s work" % "7f001234"),
            ("f(a, b)", "%17s %16s f(a, b)+0x1 (/opt/a) => 7f0 g+0x2 (/opt/b)" %
             ("dead00", "7f001234")),
            ("add", "%17s add (/opt/prog)" % "7f001234")):
        path = written("one.txt", "   %s 13 5.000001: cycles: %s\n" * 2 %
                       (name[:3], frame, name[:3], frame))
        found = rows(path, by="symbol")
        tap.ok([k[-1] for k in found] == [name] and
               list(found.values()) == [2], "without a chain: " + frame, found)
    r = run("report", written("d.txt", "0x1 [0x8]: event: 9\n.\n"
                              ". ... raw event: size 8 bytes\n"))
    tap.ok(r.returncode == 2 and b"perf script -D" in r.stderr,
           "a dump of records is none", r.stderr)
    for text in ("heap profile: 13: 5 [4: 2] @ heap/1048576\n1: 5 [3: 7] @ 0x1"
                 "\n", "--- contentionz 1 ---\ncycles/second = 3\na b 1\n",
                 "Showing nodes accounting for 3, 100% of 3 total\n"
                 "       120 80.00% 80.00%        150   100%  new (inline)\n"):
        r = run("report", written("o.txt", text))
        tap.ok(r.returncode == 2 and b"go tool pprof -proto" in r.stderr,
               "text of pprof is none: " + text[:20], r.stderr)
    path = written("inl.txt", "a 1 1.0: cycles: \n\t10 x (inlined)\n"
                   "\t10 y (/bin/a)\n\t20 main (/bin/a)\n\n")
    tap.ok(folded(path) == {"a;main;y;x": 1}, "inlined functions are placed",
           folded(path))
    path = written("cut.txt", "a 1 1.0: cycles: \n\t10 x (/b)\n\n"
                   "a 1 2.0: cycles: \n\t10 x (/b)\n")
    r = run("report", path)
    tap.ok(folded(path) == {"a;x": 2} and b"may lack callers" in r.stdout,
           "a sample that the text may cut is there, and that is said")
    path = written("only.txt", ("            10 x (/b)\n"
                                "            20 y (/b)\n\n") * 3)
    tap.ok(folded(path) == {";y;x": 3} or folded(path) == {"y;x": 3} or
           sum(folded(path).values()) == 3, "-F ip,sym,dso", folded(path))
    path = written("k.txt", "".join(
        "a 1 1.0: cycles: \n\t10 x (%s)\n\n" % name for name in
        ("[kernel.kallsyms]_text", "/usr/lib/debug/boot/vmlinux-6.1.0-1",
         "vmlinux", "[kernel.kallsyms]")))
    tap.ok(list(rows(path)) == [("a", "[kernel.kallsyms]", "[k]", "x")],
           "all names of the kernel are one", rows(path))
    path = written("s.txt", "a 1 1.0: cycles: \n\t10 x (/b)\n\n" * 5)
    with open(path, "rb") as f:
        data = f.read()
    zipped = written("any.name", gzip.compress(data))
    tap.ok(rows(zipped) == rows(path), "compressed text, whatever its name")
    r = run("hotspots", "-f", "csv", "-", data=data)
    tap.ok(r.returncode == 0 and b",x" in r.stdout, "from a pipe", r.stderr)
    tap.ok(b"names by others" in run("report", path).stdout,
           "the label says that names are by others")
    r = run("dump", path)
    tap.ok(r.returncode == 2 and b"samples alone" in r.stderr,
           "what needs records says so", r.stderr)


def script_flat():
    """Without call chains, each line is a sample, whatever -F has."""
    def text(fields, n):
        out = ""
        for i in range(n):
            name, addr = (("leaf", "55f702d9a1aa"), ("do_exit", "ffffffff81000010"),
                          ("f(int, a b)", "401ab0055"))[i % 3]
            part = {"comm": "%16s" % ("x y", "kworker/0:1-ev", "add")[i % 3],
                    "tid": "%5d" % (13 + i % 3), "cpu": "[%03d]" % (i % 2),
                    "time": "%5d.%06d:" % (5 + i, i), "period": "   1001001",
                    "event": "cpu-clock:", "ip": "%16s" % addr, "sym": name,
                    "symoff": "+0x1f", "dso": "(/opt/a b/prog)",
                    "flags": " " * 19, "insn": "insn: 48 01 c8", "srcline": "\n  t2.c:6"}
            out += "".join(part[f] + ("" if f == "sym" and "symoff" in fields
                                      else " ") for f in fields).replace(
                "  \n", "\n").replace(" \n", "\n").replace(
                part["ip"], " " + part["ip"]).rstrip() + "\n"
        return out
    bad = []
    for fields in (
            "ip,sym", "ip,sym,dso", "tid,time,period,event,ip,sym,symoff,dso",
            "comm,tid,time,period,event,ip,sym,symoff,dso,srcline",
            "comm,tid,period,event,ip,sym,symoff,dso", "time,ip,sym",
            "comm,tid,period,event,ip,sym", "comm,period,event,ip,sym",
            "comm,tid,time,event,ip,sym,symoff,dso,insn", "comm,ip,sym",
            "comm,tid,ip,sym", "tid,ip,sym", "event,ip,sym", "period,ip,sym",
            "comm,event,ip,sym", "comm,tid,cpu,ip,sym,symoff",
            "comm,flags,ip,sym"):
        part = fields.split(",")
        path = written("flat.txt", text(part, 30))
        want = {"leaf": 10, "do_exit": 10, "f(int, a b)": 10}
        found = rows(path, by="symbol")
        names = {k[-1]: n for k, n in found.items()} \
            if isinstance(found, dict) else found
        comms = set(rows(path, by="comm")) if "comm" in part else \
            {("x y",), ("kworker/0:1-ev",), ("add",)}
        if names != want or \
                comms != {("x y",), ("kworker/0:1-ev",), ("add",)} or \
                run("report", path).returncode != 0:
            bad.append((fields, found, comms))
    tap.ok(not bad, "without call chains, all samples have their leaf",
           "\n".join(map(str, bad)))
    bad = [f for f in ("ip", "comm,ip", "tid,ip", "period,ip") if sum(
        rows(written("flat.txt", text(f.split(","), 30))).values()) != 30]
    tap.ok(not bad, "nor need it names", bad)
    bad = []
    for head in "", "t2 ", "25624 ", "   1001001 ":
        path = written("ip.txt", (head + "\n\t%16s\n\n" % "9069" + head +
                                  "\n\t%16s\n\t%16s\n\n" %
                                  ("ffffffff816f857c", "7f001234")) * 5)
        r = run("report", path)
        if r.returncode != 0 or sum(rows(path).values()) != 10:
            bad.append((head, r.stdout, r.stderr))
    tap.ok(not bad, "addresses alone have call chains, too", bad)
    path = written("cut.txt", text(["comm", "tid", "time", "event", "ip", "sym"],
                                   20) + "             x y    1")
    r = run("hotspots", path)
    tap.ok(r.returncode == 3 and b"bad-profile" in r.stderr and
           re.search(rb"samples: +20\b", run("report", path).stdout) is not None,
           "a line that is cut is no sample", r.stderr)


def simpleperf():
    """The text of report-sample; of the second sample nothing has a name."""
    frame = "vaddr_in_file: %s\n%sfile: %s\n%ssymbol: %s\n"

    def sample(time, count, tid, comm, frames):
        out = "sample:\n  event_type: cpu-clock:u\n  time: %d\n" \
            "  event_count: %d\n  thread_id: %d\n  thread_name: %s\n" % (
                time, count, tid, comm)
        for i, (addr, path, name) in enumerate(frames):
            blank = "  " if i == 0 else "    "
            out += ("  callchain:\n" if i == 1 else "") + blank + \
                frame % (addr, blank, path, blank, name)
        return out + "  unwinding_result:\n    error_code: 0\n"
    main = ("10", "/system/bin/sh", "main")
    text = "".join((
        sample(5, 40, 7, "sh x", [("aa", "/lib/libc.so", "a::b(int)"),
                                  ("bb", "/lib/libc.so", "a::b(int)"), main]),
        "context_switch:\n  switch_on: true\n  time: 6\n  thread_id: 7\n",
        sample(7, 60, 8, "w", [("1f0", "/lib/libc.so", "libc.so[+1f0]"),
                               ("c6c", "linker64", "*linker64[+c6c]")]),
        sample(9, 50, 7, "sh x", [("ffff", "[kernel.kallsyms]", "do_exit"),
                                  main])))
    path = written("simpleperf.txt", text)
    tap.ok(folded(path) == {"sh x;main;a::b;a::b": 40, "w;[linker64];[libc.so]":
                            60, "sh x;main;do_exit": 50} or folded(path),
           "simpleperf report-sample: stacks", folded(path))
    found = rows(path, by="comm,tid,dso,symbol", *["-e", "cpu-clock:u"])
    tap.ok(len(found) == 3, "and threads, objects", found)
    r = run("report", path)
    tap.ok(r.returncode == 0 and b"simpleperf report-sample" in r.stdout,
           "its label says what it is", r.stdout)


def simpleperf_proto():
    """The same as protobuf: files and threads follow what refers to them."""
    def number(v):
        out = b""
        while v > 127:
            out += bytes([v & 127 | 128])
            v >>= 7
        return out + bytes([v])

    def message(*parts):
        return b"".join(number(n << 3 | 2) + number(len(v)) + v
                        if isinstance(v, bytes) else number(n << 3) + number(v)
                        for n, v in parts)

    def frame(addr, file, symbol):
        return message((1, addr), (2, file), (3, symbol))
    none = 2 ** 64 - 1
    chain = [(3, frame(16, 0, 1)), (3, frame(32, 0, 0))]
    records = [
        message((1, message((1, 5), (2, 7), *chain, (4, 40), (5, 0)))),
        message((1, message((1, 6), (2, 8), (3, frame(9, 1, none)),
                            (3, frame(32, 0, 0)), (4, 60), (5, 0)))),
        message((2, message((1, 9), (2, 4)))),
        message((3, message((1, 0), (2, b"/bin/sh"), (3, b"main"),
                            (3, b"work")))),
        message((3, message((1, 1), (2, b"[kernel.kallsyms]")))),
        message((4, message((1, 7), (2, 7), (3, b"sh x")))),
        message((4, message((1, 8), (2, 7), (3, b"w")))),
        message((5, message((1, b"cpu-clock"))))]
    data = b"SIMPLEPERF\1\0" + b"".join(
        struct.pack("<I", len(r)) + r for r in records) + b"\0\0\0\0"
    path = written("simpleperf.proto", gzip.compress(data))
    found = rows(path, by="event,comm,pid,tid,dso,symbol")
    tap.ok(found == {
        ("cpu-clock", "sh x", "7", "7", "sh", "[.]", "work"): 1,
        ("cpu-clock", "w", "7", "8", "[kernel.kallsyms]", "[k]",
         "0x0000000000000009"): 1}, "simpleperf's protobuf", found)
    tap.ok(sum(folded(path).values()) == 100 and
           b"4 samples were lost" in run("report", path).stdout,
           "its counts, and what it says of losses", folded(path))
    bad = [n for n in range(12, len(data)) if run(
        "hotspots", written("cut", data[:n])).returncode not in (0, 2, 3)]
    tap.ok(not bad, "cut anywhere", bad)


def gecko():
    """What Firefox writes before its page processes it: tables by rows."""
    def table(columns, rows):
        return {"schema": {c: i for i, c in enumerate(columns)}, "data": rows}
    thread = {
        "name": "GeckoMain", "pid": 12, "tid": 13,
        "samples": table(["stack", "time", "eventDelay"],
                         [[2, 1.5, 0], [1, 2.5], [None, 3], [2, 4]]),
        "stackTable": table(["prefix", "frame"],
                            [[None, 0], [0, 1], [1, 2]]),
        "frameTable": table(["location", "relevantForJS", "line"],
                            [[0], [1, False, 7], [2]]),
        "stringTable": ["root", "main", "work"]}
    path = written("gecko.json", json.dumps(
        {"meta": {"version": 24}, "libs": [], "threads": [thread],
         "processes": [{"threads": [dict(thread, name="Web", pid=15)]}]}))
    tap.ok(folded(path) == {
        "GeckoMain;root;main;work": 2, "GeckoMain;root;main": 1,
        "Web;root;main;work": 2, "Web;root;main": 1},
        "what Firefox writes itself", folded(path))
    path = written("none.json", '{"threads": [{"samples": []}]}')
    tap.ok(b"no samples are in it" in run("report", path).stdout,
           "no samples: that is said", run("report", path).stdout)


# ------------------------------------------------------------------- folded

def folded_forms():
    path = written("f.folded", "a;b;c 3\na;b 2\nd 1\n")
    tap.ok(folded(path) == {"a;b;c": 3, "a;b": 2, "d": 1} and
           sum(rows(path).values()) == 6, "folded: counts are samples")
    path = written("k.folded", "a;main;read_[k] 3\na;[libc.so];x_[j] 1\n")
    found = rows(path)
    tap.ok(any("[kernel.kallsyms]" in k for k in found) and
           any("[JIT]" in k for k in found), "annotations name objects", found)
    path = written("p.folded", "a b-12/13;f 3\na b-12/14;f 1\nperf-?/1;f 2\n")
    found = rows(path, by="comm,pid,tid")
    tap.ok(found.get(("a b", "12", "13")) == 3, "commands with numbers", found)
    path = written("o.folded", "a;f+0x1f;g+0x2_[k] 3\na;f+0x20;g+0x9_[k] 2\n")
    tap.ok(folded(path) == {"a;f;g": 5}, "offsets are no part of a name",
           folded(path))
    path = written("w.folded", "a;f 4000000\na;g 8000000\n")
    tap.ok(sum(rows(path).values()) == 3, "a common divisor is a period")
    path = written("d.folded", "a;f 4 6\na;g 8 2\n")
    tap.ok(sum(rows(path, "-e", "after").values()) == 8 and
           sum(rows(path, "-e", "before").values()) == 12,
           "two counts are two events")
    r = run("diff", path, path)
    tap.ok(r.returncode == 0, "and can be compared", r.stderr)


def shares(path, *options, by="symbol"):
    r = run("hotspots", "--by", by, "-f", "csv", "--top", "0", *options, path)
    return {row[by]: round(float(row["share"]), 4) for row in
            csv.DictReader(io.StringIO(r.stdout.decode()))} or r.stderr


def folded_counts():
    path = written("r.folded", "a;f 3.5\na;g 2.25\n")
    tap.ok(shares(path) == {"f": 0.6087, "g": 0.3913} and
           b"in hundredths" in run("report", path).stdout,
           "counts with fractions are in hundredths, and that is said",
           shares(path))
    path = written("r.folded", "a;f 0.4\na;g 0.3\na;h 0.2\na;i 1e-1\n")
    tap.ok(folded(path) == {"a;f": 4, "a;g": 3, "a;h": 2, "a;i": 1},
           "below one, too", folded(path))
    path = written("e.folded", "a;f 1e3\na;g 2.5E2\na;h 1e400\n")
    tap.ok(folded(path) == {"a;f": 1000, "a;g": 250}, "exponents",
           folded(path))
    path = written("b.folded", "a;f 9000000.123\na;g 3000000.5\n")
    tap.ok(folded(path) == {"a;f": 9000000, "a;g": 3000001} and
           b"2 stacks are rounded" in run("report", path).stdout,
           "large ones are rounded, and that is said", folded(path))
    path = written("p.folded", "a;idle 12 30\n" + "a;b 5\n" * 9)
    tap.ok(folded(path) == {"a;idle 12": 30, "a;b": 45},
           "one line with two numbers is no difference", folded(path))
    austin = "# austin: 3.6.0\n# interval: 100\n# mode: %s\n\n" \
        "P1;T0:2;a.py:foo:12;b.py:bar:3 %s\nP1;T0:2;a.py:foo:12 %s\n\n" \
        "# duration: 3322\n# saturation: 1/2\n"
    for mode, counts in (("wall", ("100", "200")),
                         ("full", ("100,1,2048", "200,0,-10"))):
        path = written("austin.txt", austin % ((mode,) + counts))
        r = run("sql", path, "-f", "csv",
                "SELECT event, sum(weight) FROM samples GROUP BY 1")
        tap.ok(shares(path) == {"b.py:bar:3": 0.3333, "a.py:foo:12": 0.6667}
               and b"of Austin, wall" in run("report", path).stdout,
               "Austin, mode " + mode, "%s\n%s" % (shares(path), r.stdout))
        tap.ok(run("report", path).returncode == 0,
               "its metadata is no stack: " + mode)
    path = written("rbspy.txt", "<main> - a.rb:1;foo - a.rb:3;sleep - "
                   "(unknown) 4\n<main> - a.rb:1 6\n")
    tap.ok(shares(path) == {"<main> - a.rb:1": 0.6, "sleep - (unknown)": 0.4},
           "a first part that is a frame", shares(path))
    path = written("n.folded", "main;foo 3\nmain 5\n")
    tap.ok(b"1 stack without a frame" in run("report", path).stdout,
           "or could be one")


def other_text():
    """Lines that end in numbers are no stacks yet."""
    log = "".join('10.0.0.%d - - [1/Jan/2026] "GET /%d HTTP/1.1" 200 %d\n' %
                  (i, i, 500 + i) for i in range(9))
    for what, text in (("a log", log), ("prose", "hello world 5\n"),
                       ("sizes", "/etc/a 4\n/etc/b 8\n/etc 12\n"),
                       ("uptime", " 13:00 up 1:41, 0 user, load average: "
                                  "3.62, 8.23, 11.43\n"),
                       ("syslog", "Jan 1 12:00:00 app[123]: error 5\n"),
                       ("a script", "x=1;y=2\nexport A;B 4\n"),
                       ("nm -S", "0000000000001139 000000000000002a T main\n"
                                 "0000000000001170 00000000000000ab T f\n"),
                       ("readelf -s", "    12: 0000000000001139    43 FUNC\n"
                                      "    13: 00000000000011ab    43 FUNC\n"),
                       ("memory", "Dirty:               123 kB\n"
                                  "Mapped:            123456 kB\n"
                                  "MemTotal:       16311308 kB\n")):
        r = run("hotspots", written("text.log", text))
        tap.ok(r.returncode == 2 and b"folded stacks" in r.stderr,
               "no profile: " + what, r.stdout + r.stderr)
    r = run("hotspots", written("text.log", log))
    tap.ok(b"NAME.folded" in r.stderr, "what to do is said", r.stderr)
    path = written("single.folded", "idle 5\nwork 3\n")
    tap.ok(sum(rows(path).values()) == 8, "the name of the file may say it")
    path = written("mix.txt", "a 1 1.0: cycles: \n\t10 x (/b)\n\n" * 9 +
                   "a;b c 3\nd;e 4\n")
    r = run("hotspots", "-f", "csv", path)
    tap.ok(r.returncode == 3 and b"bad-profile" in r.stderr and
           b",9,a,b,[.],x" in r.stdout, "folded stacks after perf script",
           r.stdout + r.stderr)
    mark = "\ufeff"
    path = written("bom.folded", mark + "a;b 3\na;c 1\n")
    tap.ok(folded(path) == {"a;b": 3, "a;c": 1}, "a byte order mark",
           folded(path))
    path = written("bom.json", mark + json.dumps({
        "shared": {"frames": [{"name": "f"}]}, "profiles": [
            {"type": "sampled", "name": "t", "unit": "none", "startValue": 0,
             "endValue": 2, "samples": [[0], [0]], "weights": [1, 1]}]}))
    tap.ok(shares(path) == {"f": 1}, "before JSON, too", shares(path))
    for order in "utf-16-le", "utf-16-be":
        r = run("hotspots", written("u16.txt", (mark + "a;b 3\n").encode(
            order)))
        tap.ok(r.returncode == 2 and b"iconv -f UTF-16 -t UTF-8" in r.stderr,
               order + " is refused", r.stderr)


# ------------------------------------------------------------- round trips

def round_trips():
    for case, formats in (("good-fp", "pprof otlp"), ("good-period", "pprof otlp"),
                          ("good-jit", "pprof firefox"),
                          ("good-containers", "pprof otlp"),
                          ("good-all-records", "pprof otlp"),
                          ("good-cpi", "pprof otlp"),
                          ("good-mem", "pprof otlp"),
                          ("good-events", "pprof firefox")):
        symbols = ["--symbols", CORPUS + "good-fp/symbols", "--symbols",
                   CORPUS + "good-jit/symbols", "--inline=no"]
        path = tap.capture(case, tmp)
        want = rows(path, *symbols)
        for fmt in formats.split():
            out = os.path.join(tmp, "out." + fmt)
            run("profile", "-f", fmt, *symbols, "-o", out, path)
            found = rows(out)
            tap.ok(found == want, "%s: %s and back" % (case, fmt),
                   "%s\n%s" % (found, want))


def heads_of_protobuf():
    """The first field ends anywhere near the end of the bytes looked at."""
    path = os.path.join(tmp, "out.otlp")
    with open(path, "rb") as f:
        data = f.read()
    bad = []
    for n in range(480, 520):
        pad = b"\x1a" + bytes((n & 127 | 128, n >> 7)) + b"x" * n
        if rows(written("pad.otlp", b"\x0a" + pad[1:] + data)) != rows(path):
            bad.append(n)
    tap.ok(not bad, "a first field of any length", bad)


def plain_round_trips():
    """Formats without numbers of threads or objects: what they do have.  Folded
    stacks have sums of weights: of equal ones the shares are left."""
    symbols = ["--symbols", CORPUS + "good-fp/symbols", "--symbols",
               CORPUS + "good-jit/symbols", "--inline=no"]

    def shares(path):
        out = collections.Counter()
        for key, n in rows(path, *symbols, by="comm,symbol").items():
            out[key[0], key[-1]] += n
        return {k: n / sum(out.values()) for k, n in out.items()}, \
            sum(out.values())
    for case in "good-fp", "good-jit", "good-period", "good-containers":
        path = tap.capture(case, tmp)
        want, samples = shares(path)
        for fmt, words in (("speedscope", ("profile", "-f", "speedscope")),
                           ("folded", ("flame", "-f", "folded")),
                           ("script", ("script",))):
            found, n = shares(written("plain." + fmt, run(
                *words, *symbols, path).stdout))
            tap.ok(all(abs(found.get(k, 0) - share) < 1e-9
                       for k, share in want.items() if k[1][0] not in "[0")
                   and (fmt == "folded" or n == samples),
                   "%s: %s and back" % (case, fmt), "%s\n%s" % (found, want))


# ------------------------------------------------------------------- damage

def damage():
    inputs = glob.glob(SEEDS + "*") + [os.path.join(tmp, "out.pprof"),
                                       os.path.join(tmp, "out.otlp")]
    bad = []
    for path in inputs:
        with open(path, "rb") as f:
            data = f.read()
        if data[:2] == b"\x1f\x8b":
            data = gzip.decompress(data)
        for cut in {1, 2, 3, 30, len(data) // 3, len(data) // 2,
                    len(data) - 2}:
            r = run("hotspots", written("cut", data[:cut]))
            if r.returncode not in (0, 2, 3):
                bad.append((path, cut, r.returncode, r.stderr))
    tap.ok(not bad, "cut profiles give what can be read", bad)
    deep = written("deep", '{"threads":' + "[" * 100000)
    tap.ok(run("hotspots", deep).returncode in (2, 3), "a deep JSON")
    path = written("bad.txt", ("a 1 1.0: cycles: \n\t10 x (/b)\n\n" * 50)
                   + "what is this?\n")
    r = run("hotspots", path)
    tap.ok(r.returncode == 3 and b"bad-profile" in r.stderr and
           b"50" in r.stdout, "lines that are none are said", r.stderr)
    r = run("hotspots", written("notes", "Dear all,\nsee you at 5 o'clock\n"))
    tap.ok(r.returncode == 2 and b"not-perf-data" in r.stderr,
           "other text is no profile", r.stderr)


# ------------------------------------------- what JSON lacks, events apart

def said(path):
    """{event: weight}, samples, exit code and what was said of the input."""
    r = run("hotspots", path)
    return dict((k, int(w.replace(",", ""))) for k, w in re.findall(
        r"^(.+): .* \(approx\.\) ([0-9,]+)$", r.stdout.decode(), re.M)), \
        sum(int(n.replace(",", "")) for n in re.findall(
            r"^.+: ([0-9,]+) samples?, event", r.stdout.decode(), re.M)), \
        r.returncode, r.stdout.decode() + r.stderr.decode()


def speedscope(profiles, frames="ab", **more):
    return json.dumps(dict({"shared": {"frames": [{"name": f} for f in frames]},
                            "profiles": profiles}, **more))


def sampled(samples, weights, **more):
    return dict({"type": "sampled", "name": "t", "unit": "none",
                 "startValue": 0, "endValue": 9, "samples": samples,
                 "weights": weights}, **more)


def field(n, v):
    """A field of a protobuf message: a number, bytes or a text."""
    def number(v):
        v &= 2 ** 64 - 1
        out = b""
        while v > 127:
            out += bytes([v & 127 | 128])
            v >>= 7
        return out + bytes([v])
    if isinstance(v, int):
        return number(n << 3) + number(v)
    v = b"".join(field(*f) for f in v) if isinstance(v, list) else \
        v.encode() if isinstance(v, str) else v
    return number(n << 3 | 2) + number(len(v)) + v


def pprof(types, samples, more=()):
    """Functions f1, f2 ...; samples: ([locations], [values], [labels])."""
    texts = [""]

    def text(s):
        if s not in texts:
            texts.append(s)
        return texts.index(s)

    def pair(t):
        return [(1, text(t[0])), (2, text(t[1]))]
    out = b"".join(field(1, pair(t)) for t in types)
    for stack, values, *labels in samples:
        out += field(2, [(1, i) for i in stack] + [(2, v) for v in values] +
                     [(3, pair(label)) for of in labels for label in of])
    for i in 1, 2, 3:
        out += field(4, [(1, i), (4, [(1, i)])])
        out += field(5, [(1, i), (2, text("f%d" % i))])
    for n, v in more:
        out += field(n, pair(v) if isinstance(v, tuple) else v)
    return out + b"".join(field(6, t) for t in texts)


def parts_of_json():
    good = speedscope([sampled([[0], [0, 1]], [5, 4], name="u"),
                       sampled([[0], [1]], [3, 2])])
    cut = good[:good.rindex('"weights": [3')]
    for name, text, weight, words in (
            ("whole", good + "\n\n", 14, ["everything read, nothing lost"]),
            ("cut before weights", cut, 9,
             ["the input ends in the middle", "2 samples without a weight"]),
            ("cut in weights", cut + '"weights": [3, ', 12,
             ["the input ends in the middle", "1 sample without a weight"]),
            ("two documents", good + good, 14,
             ["%d bytes skipped" % len(good), "after the end of the profile"]),
            ("a frame that is none", speedscope([sampled([[0, 7]], [5])]), 5,
             ["1 frame of stacks by a number that the table"]),
            ("weights that are none", speedscope([sampled(
                [[0]] * 3, [5, None, -2])]), 5, ["2 weights that cannot be"]),
            ("more weights", speedscope([sampled([[0]], [5, 1])]), 5,
             ["1 weight without a sample"])):
        events, _, rc, text = said(written("p.json", text))
        tap.ok(events == {"samples": weight} and
               rc == (0 if name == "whole" else 3) and
               all(w in text for w in words), "speedscope: " + name, text)

    def event(kind, frame, at):
        return {"type": kind, "frame": frame, "at": at}
    text = speedscope([{"type": "evented", "name": "t", "unit": "milliseconds",
                        "events": [event("O", 0, 0), event("O", 1, 2),
                                   event("C", 0, 5), event("C", 1, 6)]}])
    events, _, rc, text = said(written("e.json", text))
    tap.ok(events == {"time": 5000000} and rc == 3 and
           "2 frames opened and not closed" in text, "unbalanced events", text)
    text = speedscope([sampled([[0], [0, 1], [1]], [.5, .25, .2])])
    events, n, rc, text = said(written("f.json", text))
    tap.ok(events == {"samples": 95} and n == 3 and rc == 0 and
           "in parts of 1/100" in text and "52.63%" in text,
           "weights with fractions", text)
    firefox = os.path.join(tmp, "f.firefox.json")
    run("hotspots", "-f", "firefox", "-o", firefox,
        tap.capture("good-fp", tmp))
    data = gzip.decompress(open(firefox, "rb").read())
    r = run("hotspots", written("f.json", data[:len(data) * 6 // 10]))
    tap.ok(r.returncode == 2 and b"before the stacks" in r.stderr,
           "a profile for Firefox cut before its stacks", r.stderr)


def events_apart():
    """Events of exports come back as they were, none by a thread's name."""
    text = speedscope([sampled([[0]], [5]), sampled([[0]], [6], unit="bytes"),
                       sampled([[0]], [7], unit="milliseconds")])
    events, _, rc, text = said(written("u.json", text))
    tap.ok(events == {"samples": 5, "bytes": 6, "time": 7000000} and rc == 0,
           "speedscope: units are events", text)
    # Two values of one stack, as of Go's mutexes; threads have no names.
    for types in ([("contentions", "count"), ("delay", "nanoseconds")],
                  [("a", "bytes"), ("b", "bytes")]):
        path = written("two.pb", pprof(types, [([1], [4, 6]), ([2], [8, 2])]))
        names = [t for t, _ in types]
        for fmt in "speedscope", "firefox":
            out = os.path.join(tmp, "two." + fmt)
            run("hotspots", "-f", fmt, "-o", out, path)
            tap.ok(said(out)[:3] == (dict(zip(names, (12, 8))), 4, 0) ==
                   said(path)[:3], "%s: %s and back" % (" ".join(names), fmt),
                   "%s\n%s" % (said(out), said(path)))
    for events in ["cycles"], ["cycles", "cs"]:
        path = written("x.txt", "".join(
            "%s %d %d.5: 7 %s: \n\t10 x (/b)\n\n" % (comm, i, i, event)
            for i, comm in enumerate(("x (12)", "n (cs)", "y (worker)"), 1)
            for event in events))
        out = os.path.join(tmp, "x.firefox")
        run("hotspots", "-f", "firefox", "-o", out, path)
        tap.ok(rows(out, by="comm,event") == rows(path, by="comm,event") and
               said(out)[0] == dict.fromkeys(events, 21),
               "names of threads are no events: " + " ".join(events),
               "%s\n%s" % (rows(out, by="comm,event"), said(out)))


def parts_of_pprof():
    cpu = [("samples", "count"), ("cpu", "nanoseconds")]
    good = pprof(cpu, [([1], [2, 20]), ([2], [1, 10])], [(9, 7)])
    tap.ok(said(written("p.pb", good))[:3] == ({"cpu": 30}, 3, 0),
           "pprof: the number of samples is no event", said("p.pb"))
    for name, data, words in (
            ("a difference", pprof(cpu, [([1], [2, 20]), ([2], [-1, -10])]),
             "2 values below 0: a difference of two profiles.  Give coldperf"),
            ("two in one file", good + good, "give each as a file"),
            ("two in one file, compressed", gzip.compress(good) * 2,
             "give each as a file")):
        r = run("hotspots", written("p.pb", data))
        tap.ok(r.returncode == 2 and words in r.stderr.decode() and
               not r.stdout, "pprof: " + name, r.stderr)
    cut = good[:good.index(b"samples") + 3]
    events, n, rc, text = said(written("p.pb", cut))
    tap.ok(events == {"type 0": 3, "type 1": 30} and rc == 3 and
           "2 types of samples whose name is lost" in text and
           "3 bytes skipped" in text, "pprof: cut before its texts", text)
    path = written("p.pb", pprof(
        [("objects", "count"), ("objects", "bytes")],
        [([1], [4, 64], [("req", "a")]), ([2], [1, 8], [("req", "b")])]))
    events, n, rc, text = said(path)
    tap.ok(events == {"objects": 5, "objects (bytes)": 72} and rc == 0 and
           "without its labels on samples: req (2)" in text,
           "pprof: types of one name, and labels that are left out", text)


def pprof_as_it_was():
    """Types, units, period and times, which -diff_base compares."""
    def head(data):
        out = decode.fields(data)
        texts = [t.decode() for t in out[6]]

        def pair(message):
            of = decode.fields(message)
            return texts[of[1][0]], texts[of[2][0]]
        return [pair(t) for t in out[1]], [pair(t) for t in out[11]], \
            out[9], out[10], out[12], [texts[i] for i in out[14]], \
            sorted(tuple(decode.packed(decode.fields(m), 2)) for m in out[2])
    for types, values, period in (
            ([("samples", "count"), ("cpu", "nanoseconds")],
             [[2, 20], [1, 10]], ("cpu", "nanoseconds")),
            ([("alloc_objects", "count"), ("alloc_space", "bytes"),
              ("inuse_objects", "count")],
             [[0, 64, 0], [3, 0, 0], [0, 0, 1]], ("space", "bytes"))):
        data = pprof(types, [([i + 1], v) for i, v in enumerate(values)],
                     [(9, 7 * 10 ** 18 // 4), (10, 5), (11, period), (12, 10)])
        out = os.path.join(tmp, "was.pb.gz")
        run("hotspots", "-o", out, written("was.pb", data))
        found = head(gzip.decompress(open(out, "rb").read()))
        tap.ok(found == head(data), "pprof and back: " + types[-1][0],
               "%s\n%s" % (found, head(data)))


def parts_of_otlp():
    """Times of samples, the service's name, and what a cut one still has."""
    def data(samples, end):
        texts = ["", "cpu", "nanoseconds", "f1"]
        profile = [(1, [(1, 1), (2, 2)])] + [(2, s) for s in samples]
        table = [(2, b""), (2, [(3, [(1, 1)])]), (3, b""), (3, [(1, 3)]),
                 (7, b""), (7, [(1, 1)])] + [(5, t) for t in texts]
        resource = [(1, [(1, [(1, "service.name"), (2, [(1, "shop")])])])]
        return field(1, resource + [(2, [(2, profile)])]) + \
            field(2, table)[:end]
    times = [(1, 1), (4, bytes((5, 7))), (5, struct.pack("<QQ", 10, 20))]
    found = rows(written("t.otlp", data([times], None)), by="comm,symbol")
    tap.ok([k[0] for k in found] == ["shop"], "OTLP: the service", found)
    events, n, rc, text = said(os.path.join(tmp, "t.otlp"))
    tap.ok(events == {"cpu": 12} and n == 2 and rc == 0 and
           "no times" not in text, "OTLP: each time has its value", text)
    events, n, rc, text = said(written("t.otlp", data([times], -20)))
    tap.ok(events == {"type 1": 12} and n == 2 and rc == 3 and
           "1 profile whose type's name is lost" in text and
           "the input ends in the middle" in text, "OTLP: cut", text)


# ---------------------------------------------------------- other containers

def containers():
    capture = CORPUS + "good-fp/perf.data"
    path = os.path.join(tmp, "any.zip")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as z:
        z.writestr("readme.txt", "a text\n")
        z.write(capture, "run/perf.data")
    tap.ok(rows(path) == rows(capture), "a capture in a zip", rows(path))
    written("perf.data", open(capture, "rb").read())
    path = os.path.join(tmp, "perf.data.tar.bz2")
    with tarfile.open(path, "w:bz2") as t:
        t.add(SEEDS + "script", ".build-id/00/11")
    r = run("hotspots", path)
    tap.ok(r.returncode == 2 and b"lies beside it" in r.stderr,
           "an archive of perf archive: which capture to give", r.stderr)
    for data in (b"QPERFSTREAM\0\0\1", gzip.compress(b"QPERFSTREAM\0")):
        r = run("hotspots", written("x.perfparser", data))
        tap.ok(r.returncode == 2 and b".perfparser of Hotspot" in r.stderr,
               "a .perfparser is said by name", r.stderr)


goldens()
heads()
forms()
script_flat()
simpleperf()
simpleperf_proto()
gecko()
folded_forms()
folded_counts()
other_text()
round_trips()
heads_of_protobuf()
plain_round_trips()
damage()
parts_of_json()
parts_of_pprof()
pprof_as_it_was()
parts_of_otlp()
events_apart()
containers()
tap.done()
