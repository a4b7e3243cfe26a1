#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Functions without a name: a stripped program has a row for each, by the
# bounds that its unwind tables tell; without tables it has one row.  No share
# of names grows by that.  The oracle are the symbols before stripping.
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

scratch = tempfile.TemporaryDirectory(prefix="coldperf-bounds.")
SOURCE = """
volatile int v;
static __attribute__((noinline)) void alpha(void)
{ v++; v += 2; v *= 3; v++; v += 2; v *= 3; }
static __attribute__((noinline)) void beta(void)
{ v--; v -= 2; v /= 3; v--; v -= 2; v /= 3; alpha(); v++; }
int main(void) { beta(); return v; }
"""
FUNCTIONS = ("alpha", "beta")


def path(name):
    return os.path.join(scratch.name, name)


def run(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, cwd=scratch.name,
                          stderr=subprocess.PIPE, text=True, check=False)


def report(command, *options):
    done = run(os.path.abspath(tap.coldperf), command, "--debuginfod=off",
               "--no-cache", "--lost-callers=hide", "-f", "json", path("data"),
               *options)
    if done.returncode not in (0, 3):
        tap.diag(done.stderr)
        return {"sections": []}
    return json.loads(done.stdout)


def table(rep, slug):
    """Rows of the table, as text by column."""
    for s in rep["sections"]:
        if s["slug"] == slug:
            names = [c["name"] for c in s["columns"]]
            return [dict(zip(names, r["values"]))
                    for r in s["rows"]]
    return []


def build(name, *options):
    """A stripped program: where in the file its functions begin and end."""
    file = path(name)
    with open(path("a.c"), "w", encoding="ascii") as f:
        f.write(SOURCE)
    built = run("gcc", "-O1", *options, "-o", file, path("a.c"))
    if built.returncode != 0:
        tap.skip_all("gcc cannot compile it")
    where = {}
    for line in run("nm", "-S", file).stdout.splitlines():
        words = line.split()
        if words[-1] in FUNCTIONS:
            where[words[-1]] = int(words[0], 16), int(words[1], 16)
    load = re.search(r"LOAD +0x(\w+) 0x(\w+) 0x\w+ 0x(\w+) 0x\w+ R E",
                     run("readelf", "-lW", file).stdout)
    run("strip", file)
    if load is None or set(where) != set(FUNCTIONS):
        tap.skip_all("its functions are not found")
    at, vaddr, length = (int(w, 16) for w in load.groups())
    code = at & ~0xfff, ((at & 0xfff) + length + 0xfff) & ~0xfff
    return {f: (start, start - vaddr + at, size)
            for f, (start, size) in where.items()}, code


def record(file, samples, code=(0x1000, 0x1000)):
    """samples: (offset in the file, offset of the caller or None)."""
    start, size = code
    lines = ["attr cycles type=0 config=0 period=1 sample_type=IP|TID|TIME|"
             "PERIOD|CALLCHAIN flags=sample_id_all|mmap|mmap2",
             'mmap2 pid=5 addr=%#x len=%#x pgoff=%#x name="%s"'
             % (0x10000000 + start, size, start, file)]
    for i, (at, caller) in enumerate(samples):
        chain = "user,%#x" % (0x10000000 + at)
        if caller is not None:
            chain += ",%#x" % (0x10000000 + caller)
        lines.append("sample cycles pid=5 time=%d period=1 misc=2 ip=%#x "
                     "chain=%s" % (i + 1, 0x10000000 + at, chain))
    with open(path("in"), "w", encoding="ascii") as f:
        f.write("\n".join(lines) + "\n")
    subprocess.run([os.path.join(os.path.abspath(tap.top_builddir),
                                 "tests/tools/mkperf"),
                    path("in"), path("data")], check=True)


def hot(*options):
    return [(r["Symbol"], r["Samples"])
            for r in table(report("hotspots", "--top", "0", *options),
                           "hotspots")]


def check_stripped():
    where, code = build("prog")
    name = {f: "prog+0x%x" % where[f][0] for f in FUNCTIONS}
    _, alpha, size = where["alpha"]
    _, beta, longer = where["beta"]
    in_alpha = [(alpha + i, beta + longer - 1) for i in range(size)]
    in_beta = [(beta + i, None) for i in range(longer)]
    record(path("prog"), in_alpha + in_beta, code)
    want = sorted([(name["alpha"], size), (name["beta"], longer)],
                  key=lambda r: (-r[1], r[0]))
    got = hot()
    tap.ok(got == want, "hotspots: a row for each function", (got, want))
    got = hot("--addresses")
    tap.ok(len(got) == size + longer and
           all(re.match("0x[0-9a-f]{16}$", s) for s, _ in got),
           "--addresses: for each address", got)
    got = [(r["Symbol"], r["Level"]) for r in
           table(report("report"), "symbols") if r["Object"]]
    tap.ok([r for r, _ in got] == [s for s, _ in want],
           "report: the same rows", got)
    got = [r["Symbol"] for r in
           table(report("hotspots", "--callers", name["alpha"]), "callers")]
    tap.ok(got == [name["beta"]], "callers: it can be asked for", got)
    got = [r["Symbol"] for r in
           table(report("hotspots", "--callees", name["beta"]), "callees")]
    tap.ok(sorted(got) == sorted([name["alpha"], "(itself)"]),
           "callees: the same", got)
    got = table(report("annotate", name["alpha"]), "annotate")
    tap.ok(got and sum(r["Samples"] or 0 for r in got[1:]) == size and
           name["alpha"] in got[0]["Code"],
           "annotate: its instructions have all its samples", got)
    out = run(os.path.abspath(tap.coldperf), "flame", "-f", "folded",
              "--debuginfod=off", "--no-cache", path("data")).stdout
    tap.ok(sorted(line.rsplit(";", 1)[1] for line in out.splitlines()) ==
           ["[prog] %d" % longer, "[prog] %d" % size] and
           len(out.splitlines()) == 2,
           "flame: siblings without a name are one, called as ever", out)
    out = run(os.path.abspath(tap.coldperf), "quality", "--debuginfod=off",
              "--no-cache", path("data")).stdout
    tap.ok(re.search(r"share_unnamed: +100", out),
           "quality: bounds are no names", out)
    out = run(os.path.abspath(tap.coldperf), "hotspots", "--debuginfod=off",
              "--no-cache", path("data")).stdout
    tap.ok("--by dso" in out, "hotspots offers --by dso", out)
    check_exports()


def check_exports():
    """Bounds tell functions apart on the page; exports have no name."""
    for fmt in "speedscope", "ndjson", "callgrind", "dot":
        out = run(os.path.abspath(tap.coldperf), "report", "--debuginfod=off",
                  "--no-cache", "-f", fmt, path("data")).stdout
        tap.ok("prog" in out and "prog+0x" not in out,
               "%s: bounds are no names" % fmt, out[:2000])
    out = run(os.path.abspath(tap.coldperf), "profile", "--debuginfod=off",
              "--lost-callers=hide", "--no-cache", path("data")).stdout
    tap.ok(re.search(r"symbols: +0$", out, re.M),
           "profile: bounds are not counted as symbols", out)


def check_sizeless():
    """A name of size 0 is not that of the local function behind it."""
    source = SOURCE.replace("volatile int v;", """volatile int v;
__asm__(".text\\n.globl bare\\n.type bare,%function\\nbare: .byte 0x55");
""", 1)
    with open(path("a.c"), "w", encoding="ascii") as f:
        f.write(source)
    if run("gcc", "-O1", "-fno-toplevel-reorder", "-shared", "-fPIC", "-o",
           path("lib.so"), path("a.c")).returncode != 0:
        return tap.skip("gcc cannot compile it")
    where = {line.split()[-1]: int(line.split()[0], 16) for line in
             run("nm", "--defined-only", path("lib.so")).stdout.splitlines()}
    if where["alpha"] - where["bare"] > 16 or where["alpha"] < where["bare"]:
        return tap.skip("the compiler puts it elsewhere")
    run("strip", path("lib.so"))
    record(path("lib.so"), [(where[f], None) for f in ("bare", *FUNCTIONS)])
    got = sorted(hot())
    return tap.ok(got == sorted([("bare", 1)] + [
        ("lib.so+0x%x" % where[f], 1) for f in FUNCTIONS]),
        "a name of size 0 ends where the next function begins", got)


def check_bare():
    """No unwind table covers the functions."""
    where, code = build("bare", "-fno-asynchronous-unwind-tables",
                  "-fno-unwind-tables")
    ips = [where[f][1] + i for f in FUNCTIONS for i in range(4)]
    record(path("bare"), [(ip, None) for ip in ips], code)
    got = hot()
    tap.ok(got == [("[8 addresses]", 8)],
           "without tables the object has one row", got)
    record(path("bare"), [(ips[0], None)] * 3, code)
    got = hot()
    tap.ok(got == [("0x%016x" % ips[0], 3)], "a single address is shown", got)


def arm_object():
    """32-bit ARM: code at 0x1000, three functions of .ARM.exidx."""
    starts, exidx = (0x1000, 0x1010, 0x1040), 0x1100
    table = b""
    for i, start in enumerate(starts):
        place = exidx + 8 * i
        table += struct.pack("<II", (start - place) & 0x7fffffff, 0x80b0b0b0)
    names = b"\0.text\0.ARM.exidx\0.shstrtab\0"
    body = b"\0" * 0x1000 + b"\1" * 0x100 + table
    at_names = len(body)
    body += names
    sections = [(0, 0, 0, 0, 0, 0), (1, 1, 6, 0x1000, 0x1000, 0x100),
                (7, 0x70000001, 2, exidx, exidx, len(table)),
                (18, 3, 0, 0, at_names, len(names))]
    at_sections = (len(body) + 3) & ~3
    body += b"\0" * (at_sections - len(body))
    for name, kind, flags, addr, offset, size in sections:
        body += struct.pack("<10I", name, kind, flags, addr, offset, size, 0,
                            0, 4, 0)
    head = b"\x7fELF\1\1\1" + b"\0" * 9 + struct.pack(
        "<HHIIIIIHHHHHH", 3, 40, 1, 0x1000, 52, at_sections, 0x5000000, 52,
        32, 1, 40, len(sections), 3)
    head += struct.pack("<8I", 1, 0, 0, 0, at_sections, at_sections, 5, 0x1000)
    return head + body[len(head):]


def check_arm():
    with open(path("libarm.so"), "wb") as f:
        f.write(arm_object())
    record(path("libarm.so"), [(0x1000, None), (0x100c, None), (0x1010, None),
                               (0x1030, None), (0x103f, None)])
    got = hot()
    tap.ok(got == [("libarm.so+0x1010", 3), ("libarm.so+0x1000", 2)],
           ".ARM.exidx tells bounds", got)


if not all(shutil.which(tool) for tool in ("gcc", "nm", "readelf", "strip")):
    tap.skip("gcc or binutils are not installed")
else:
    check_stripped()
    check_sizeless()
    check_bare()
check_arm()
tap.done()
