#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Inlined functions and lines are those of llvm-symbolizer and addr2line.

Programs are compiled in the ways that debug information comes in, and asked
for addresses all over their functions.  Where a tool cannot read a form, it
is asked about a copy of the same program in a form that it can.

What may differ, and is counted:
  symbol  the function itself, outermost: llvm-symbolizer takes its name from
          the symbol table (with .cold, .isra.0, C1 for C4), we from DWARF;
          addr2line gives that name to inlined ones without linkage name, too;
  scope   functions without a linkage name: we add the scopes they stand in;
  table   no line at all: llvm-symbolizer gives the file of the symbol table.
Anything else may be one address in a thousand.

At night each compiler's every form is asked, and more addresses.
"""
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter

sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

if tap.sanitized:
    tap.skip_all("elfutils are asked without sanitizers")

OURS = os.path.abspath(tap.top_builddir + "/tests/symbolize/inlines")
SOURCES = [os.path.join(os.path.abspath(tap.top_srcdir), "tests/symbolize", s)
           for s in ("inlined.cc", "inlined2.cc")]
MOST = 10000 if tap.nightly else 2000  # addresses of a program
tmp = tempfile.mkdtemp(prefix="coldperf-inlines.")


def run(*words, **more):
    if "input" not in more:
        more["stdin"] = subprocess.DEVNULL
    return subprocess.run(words, stdout=subprocess.PIPE, timeout=60,
                          stderr=subprocess.PIPE, cwd=tmp, **more)


def works(*words):
    try:
        return run(*words).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def addresses(path):
    """Every byte of the functions, or MOST of them."""
    found = set()
    out = run("nm", "-S", "--defined-only", path).stdout.decode()
    for line in out.splitlines():
        w = line.split()
        if len(w) >= 4 and w[2] in "tTwW":
            start, size = int(w[0], 16), int(w[1], 16)
            found.update(range(start, start + size))
    found = sorted(found)
    if len(found) > MOST:
        found = sorted(random.Random(1).sample(found, MOST))
    return found


def frames(block):
    lines = block.strip("\n").split("\n")
    return [(lines[i], lines[i + 1]) for i in range(0, len(lines) - 1, 2)]


def ask(words, addrs):
    text = "".join("0x%x\n" % a for a in addrs).encode()
    p = run(*words, input=text)
    if p.returncode != 0:
        return None
    out = p.stdout.decode(errors="replace").split("\n\n")
    return [frames(b) for b in out[:len(addrs)]]


def ask_addr2line(path, addrs):
    """Blocks that begin with the address."""
    p = run("addr2line", "-a", "-i", "-f", "-e", path,
            input="".join("0x%x\n" % a for a in addrs).encode())
    out = []
    for line in p.stdout.decode(errors="replace").splitlines():
        if re.match("0x[0-9a-f]{16}$", line):
            out.append([])
        else:
            out[-1].append(re.sub(r" \(discriminator.*", "", line))
    return [[(b[i], b[i + 1]) for i in range(0, len(b) - 1, 2)] for b in out]


def place(text, columns):
    file, line, column = text.rsplit(":", 2)
    return (os.path.normpath(file), line) + ((column,) if columns else ())


def compare_frames(ours, theirs, columns):
    if len(ours) != len(theirs):
        return "depth"
    seen = set()
    for i, ((n, p), (m, q)) in enumerate(zip(ours, theirs)):
        outermost = i == len(ours) - 1
        if not columns:
            q += ":0"
        if n != m:
            if n.endswith("::" + m):
                seen.add("scope")
            elif outermost or (not columns and m == theirs[-1][0]):
                seen.add("symbol")
            else:
                return "name"
        if place(p, columns) != place(q, columns):
            if outermost and p == "??:0:0":
                seen.add("table")
            else:
                return "place"
    return "+".join(sorted(seen)) or "same"


def judge(name, tool, addrs, ours, theirs, columns=True):
    if ours is None or theirs is None or len(theirs) != len(addrs):
        tap.ok(False, "%s: %s answers" % (name, "coldperf" if ours is None
                                          else tool))
        return
    kinds, bad = Counter(), []
    for a, x, y in zip(addrs, ours, theirs):
        kind = compare_frames(x, y, columns)
        kinds[kind] += 1
        if kind in ("depth", "name", "place"):
            bad.append("0x%x %s\n  ours   %s\n  theirs %s" % (a, kind, x, y))
    inlined = sum(len(x) > 1 for x in ours)
    tap.ok(len(bad) * 1000 <= len(addrs) and inlined * 20 > len(addrs),
           "%s: %d addresses as %s (%s)" % (name, len(addrs), tool, ", ".join(
               "%s %d" % k for k in kinds.most_common())),
           "\n".join(bad[:6]))


def check(name, path, plain=None):
    """path by us; plain, the same program, by the tools."""
    plain = plain or path
    addrs = addresses(plain)
    if not addrs:
        tap.ok(False, name + ": has functions")
        return
    ours = ask([OURS, path], addrs)
    judge(name, "llvm-symbolizer", addrs, ours, ask(
        ["llvm-symbolizer", "--inlines", "--no-demangle", "--obj=" + plain],
        addrs))
    tap.ok(ask([OURS, "-j", "3", path], addrs) == ours,
           name + ": the same by three threads")


def check_addr2line(name, path):
    addrs = addresses(path)[::5]
    ours = ask([OURS, path], addrs)
    # It prints a name for each line of the table, ours has both at once.
    judge(name, "addr2line", addrs, ours, ask_addr2line(path, addrs), False)


def check_singly(name, path):
    """As script once asked: each look-up reads a unit again."""
    addrs = addresses(path)[::9]
    tap.ok(ask([OURS, path], addrs) == ask([OURS, "-1", path], addrs),
           "%s: %d addresses asked one by one" % (name, len(addrs)))


def build(compiler, out, flags):
    return works(compiler, "-g", "-O2", *flags, *SOURCES, "-o", out)


def variants(compiler):
    rare = (["-gdwarf-2"], ["-gdwarf-5", "-gdwarf64"],
            ["-gdwarf-4", "-fdebug-types-section"],
            ["-gdwarf-5", "-fdebug-types-section", "-ffunction-sections",
             "-Wl,--gc-sections"],
            ["-gdwarf-5", "-flto"])
    common = (["-gdwarf-5"],) if compiler != "g++" and not tap.nightly \
        else (["-gdwarf-4"], ["-gdwarf-5"])
    for flags in common + (rare if tap.nightly else ()):
        out = "%s%s" % (compiler, "".join(flags).replace("/", ""))
        name = "%s %s" % (compiler, " ".join(flags))
        if build(compiler, out, flags):
            check(name, out)
        else:
            tap.skip(name + " does not work")


def packed(compiler):
    plain = compiler + "-gdwarf-5"
    for how in ("zlib", "zlib-gnu", "zstd"):
        out = "%s-%s" % (plain, how)
        if works("objcopy", "--compress-debug-sections=" + how, plain, out):
            check("%s, %s" % (compiler, how), out, plain)
        else:
            tap.skip("objcopy cannot " + how)


def split(compiler, version):
    objects, name = [], "%s split DWARF %s" % (compiler, version)
    for i, source in enumerate(SOURCES):
        objects.append("%s-s%s-%d.o" % (compiler, version, i))
        if not works(compiler, "-g", "-gdwarf-" + version, "-gsplit-dwarf",
                     "-O2", "-c", source, "-o", objects[-1]):
            tap.skip(name + " does not work")
            return
    out = "%s-split%s" % (compiler, version)
    if not works(compiler, *objects, "-o", out):
        tap.skip(name + " does not link")
        return
    # llvm-symbolizer 14 loses some inlined functions of split units.
    plain = "%s-gdwarf-%s" % (compiler, version)
    if run("nm", out).stdout != run("nm", plain).stdout:
        plain = None
    check(name + ", .dwo", out, plain)
    if compiler == "g++" and not tap.nightly:
        return
    # Version 14 does not come back from some of GCC's objects: 2 s of CPU.
    if not works("prlimit", "--cpu=2", "llvm-dwp", "-e", out, "-o",
                 out + ".dwp"):
        tap.skip(name + ": llvm-dwp does not work")
        return
    for o in objects:
        os.remove(os.path.join(tmp, o[:-2] + ".dwo"))
    check(name + ", .dwp", out, plain)


def dwz(compiler, version):
    plain = "%s-gdwarf-%s" % (compiler, version)
    if not shutil.which("dwz"):
        tap.skip("no dwz")
        return
    for n in ("a", "b", "c"):
        shutil.copy(os.path.join(tmp, plain), os.path.join(tmp, "dwz-" + n))
    if works("dwz", "dwz-a"):
        check("%s DWARF %s, dwz" % (compiler, version), "dwz-a", plain)
    if works("dwz", "-m", "dwz.common" + version, "dwz-b", "dwz-c"):
        check("%s DWARF %s, dwz -m" % (compiler, version), "dwz-b", plain)
    else:
        tap.skip("dwz -m does not work with DWARF " + version)


def rust():
    source = os.path.join(tmp, "r.rs")
    with open(source, "w") as f:
        f.write("""
fn main() {
    let mut v: Vec<u64> = (0..std::env::args().count() as u64 * 100)
        .map(|x| x.wrapping_mul(0x9e3779b97f4a7c15)).collect();
    v.sort();
    let s: String = v.iter().filter(|x| **x % 3 == 0)
        .map(|x| x.to_string()).collect::<Vec<_>>().join(",");
    println!("{}", s.len());
}
""")
    if works("rustc", "-g", "-O", source, "-o", "rust"):
        check("Rust", "rust")
    else:
        tap.skip("no rustc")


def main():
    if not shutil.which("llvm-symbolizer") or not shutil.which("nm"):
        tap.skip_all("no llvm-symbolizer or nm")
    compilers = [c for c in ("g++", "clang++") if shutil.which(c)]
    for c in compilers:
        variants(c)
        if c == "g++" or tap.nightly:
            packed(c)
        for version in ("4", "5") if tap.nightly else ("5",):
            split(c, version)
    if "g++" in compilers:
        for version in ("4", "5") if tap.nightly else ("5",):
            dwz("g++", version)
        check_addr2line("g++", "g++-gdwarf-4")
        check_singly("g++", "g++-gdwarf-5")
    rust()
    shutil.rmtree(tmp, ignore_errors=True)
    tap.done()


main()
