#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Tables at 80, 120 and 200 columns and in a pipe: the function is what stays.
# tests/cli/widths/CASE.text has what a person read; UPDATE=1 writes it anew.
import difflib
import os
import re
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

scratch = tempfile.TemporaryDirectory(prefix="coldperf-widths.")
goldens = os.path.join(tap.top_srcdir, "tests/cli/widths")
CASES = ["good-fp", "good-sched", "good-waits"]
# Recorded programs, the heaviest functions of each, as perf script prints them.
KINDS = ["cpp", "rust", "go", "java", "node", "python", "kernel", "c"]
CHAR = "std::__cxx11::basic_string<char, std::char_traits<char>, " \
    "std::allocator<char> >"
NAMES = [
    "std::_Rb_tree<%s, std::pair<%s const, int>, std::_Select1st<std::pair<"
    "%s const, int> >, std::less<%s > >::_M_lower_bound" % ((CHAR,) * 4),
    "void std::__unguarded_linear_insert<__gnu_cxx::__normal_iterator<%s*, "
    "std::vector<%s > >, __gnu_cxx::__ops::_Val_less_iter>" % (CHAR, CHAR),
    "%s::compare" % CHAR,
    "rocksdb::BlockBasedTable::NewDataBlockIterator<rocksdb::DataBlockIter>",
    "(anonymous namespace)::Parser::parse_object(char const*)",
    "<alloc::vec::Vec<T,A> as core::ops::drop::Drop>::drop",
    "core::slice::sort::merge_sort::h0123456789abcdef",
    "java.lang.Object java.util.TreeMap.merge(java.lang.Object, "
    "java.lang.Object, java.util.function.BiFunction)",
    "github.com/prometheus/prometheus/tsdb.(*headAppender).Append",
    "__x64_sys_sched_setaffinity",
]


def run(capture, *arguments):
    p = subprocess.run([os.path.abspath(tap.coldperf), *arguments,
                        "--no-local", "--cache", "", "--color", "never",
                        capture], cwd=scratch.name, stdin=subprocess.DEVNULL,
                       env=dict(os.environ, LC_ALL="C", TZ="UTC"),
                       stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return p.stdout.decode("utf-8", "replace")


def tables(out):
    """The tables that have functions, without what is the same at any width.
    """
    parts = [part for part in out.split("\n\n")
             if re.search(r"^ .* Symbol|^ .* Function", part, re.M)]
    return "\n\n".join("\n".join(p.split("\n")[:11]) for p in parts[:2])


def equals(out):
    """Rows of one table that have one object and name; callers excepted."""
    found, seen = [], set()
    for line in out.split("\n"):
        if " Symbol" in line:
            seen = set()
            at = min(line.index(word) for word in ("Object", "Command")
                     if word in line)
        elif line.startswith(" ") and seen is not None:
            row = line[at:]
            if re.search(r"(^| )[<>] ", row) or "Heaviest" in out:
                continue
            found += [row] if row in seen else []
            seen.add(row)
    return found


def shown(capture, options):
    text = ""
    for width in ("80", "120", "200", "0"):
        for command in (["hotspots", "--top", "10"], ["report"]):
            if command[0] == "report" and width in ("200", "0"):
                continue
            out = tables(run(capture, *command, "--width", width, *options))
            text += "== %s, %s\n%s\n\n" % (
                command[0], "pipe" if width == "0" else width, out)
            if width not in ("0", "200"):
                wide = [line for line in out.split("\n")
                        if len(line) > int(width)]
                tap.ok(not wide, "%s fits in %s columns" %
                       (command[0], width), wide)
            tap.ok(not equals(out), "%s, %s, %s: no two look equal" %
                   (capture, command[0], width), equals(out))
    return text


def check(case, text):
    path = os.path.join(goldens, case + ".text")
    if os.environ.get("UPDATE"):
        os.makedirs(goldens, exist_ok=True)
        with open(path, "w") as f:
            f.write(text)
    with open(path) as f:
        want = f.read()
    tap.ok(text == want, case, "".join(difflib.unified_diff(
        want.splitlines(True), text.splitlines(True), "golden", "now")))


def languages():
    """Names of several languages, each called by the next, by a perf map."""
    os.mkdir(os.path.join(scratch.name, "maps"))
    with open(os.path.join(scratch.name, "maps/perf-8.map"), "w") as f:
        for i, name in enumerate(NAMES):
            f.write("%x 100 %s\n" % (0x10000 + 0x1000 * i, name))
    text = ["attr cycles type=0 config=0 period=1 "
            "sample_type=IP|TID|TIME|PERIOD|CALLCHAIN flags=mmap",
            "comm 8 8 server",
            "mmap pid=8 addr=0x10000 len=0x10000 pgoff=0 name=\"//anon\""]
    for i in range(len(NAMES)):
        for _ in range(len(NAMES) - i):
            chain = [0x10010 + 0x1000 * k for k in range(i, len(NAMES))][:4]
            text.append("sample cycles pid=8 time=%d period=1 ip=%d chain=%s"
                        % (len(text), chain[0], ",".join(map(str, chain))))
    source = os.path.join(scratch.name, "in.mkperf")
    with open(source, "w") as f:
        f.write("\n".join(text) + "\n")
    subprocess.run([os.path.join(tap.top_builddir, "tests/tools/mkperf"),
                    source, os.path.join(scratch.name, "languages")],
                   check=True)
    options = ["--symbols", "maps"]
    check("languages", shown("languages", options))
    full = run("languages", "hotspots", "--demangle", "full", *options)
    tap.ok(all(name in full for name in NAMES),
           "--demangle full has whole names", full)
    some = run("languages", "hotspots", "--columns", "share,Symbol", *options)
    tap.ok(re.search("^ +Share +95 % +Symbol$", some, re.M),
           "--columns chooses", some)
    bare = run("languages", "hotspots", "--interval", "none", *options)
    tap.ok("95 %" not in bare and "Share  Samples" in bare,
           "--interval none has none", bare)
    bare = run("languages", "diff", "--interval", "none", *options,
               "languages")
    tap.ok(" Change  Cost before" in bare and "95 %" not in bare,
           "diff --interval none has none", bare)
    p = subprocess.run([os.path.abspath(tap.coldperf), "hotspots", "--columns",
                        "Share,Symbl", "languages"], cwd=scratch.name,
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                       check=True)
    tap.ok(b"no-effect): --columns Symbl; there are: Symbol" in p.stderr,
           "a column that no table has is said", p.stderr)


for case in CASES:
    recorded = os.path.abspath(tap.capture(case, scratch.name))
    name = os.path.join(scratch.name, case)
    os.symlink(recorded, name)
    symbols = os.path.join(os.path.abspath(tap.top_srcdir), "corpus", case,
                           "symbols")
    more = []
    if os.path.isdir(symbols):
        os.symlink(symbols, name + ".symbols")
        more = ["--symbols", case + ".symbols"]
    check(case, shown(case, more))
for kind in KINDS:
    os.symlink(os.path.abspath(os.path.join(goldens, kind + ".script")),
               os.path.join(scratch.name, kind))
    check(kind, shown(kind, []))
languages()
tap.done()
