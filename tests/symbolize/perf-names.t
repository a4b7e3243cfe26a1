#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Whole libraries, named as perf names them.

A capture is made up in which a library is mapped once and every one of its
functions is hit at its start, in the middle, at its last byte and past its
end, and its code at even distances.  coldperf and perf then must print the
same symbol and offset for each.  Skipped where there is no perf.
"""
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

BASE = 0x10000000
SAMPLE_TYPE = 1 | 2 | 4  # IP, TID, TIME
FLAGS = 1 << 8 | 1 << 9 | 1 << 18 | 1 << 23  # mmap, comm, sample_id, mmap2


def lines(*command):
    done = subprocess.run(command, capture_output=True, text=True,
                          errors="replace",
                          env=dict(os.environ, HOME="/nonexistent",
                                   LC_ALL="C"))
    return done.stdout.splitlines()


def loads(path):
    for line in lines("readelf", "-lW", path):
        word = line.split()
        if word and word[0] == "LOAD":
            yield (int(word[1], 16), int(word[2], 16), int(word[4], 16),
                   "E" in word[6:-1])


def offsets(path):
    segments = list(loads(path))
    found = set()
    for line in lines("readelf", "-sW", path):
        word = line.split()
        if len(word) < 8 or not re.match(r"\d+:$", word[0]) or \
           word[6] == "UND":
            continue
        value, size = int(word[1], 16), int(word[2], 0)
        for offset, vaddr, filesz, _ in segments:
            if vaddr <= value < vaddr + filesz:
                at = value - vaddr + offset
                found.update(at + d for d in
                             (0, size // 2, max(size - 1, 0), size))
    for offset, _, filesz, code in segments:
        if code:
            found.update(range(offset, offset + filesz, filesz // 3000 + 1))
    return sorted(found)


def record(kind, misc, body):
    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body


def text(s):
    raw = s.encode() + b"\0"
    return raw + b"\0" * (-len(raw) % 8)


def build_id(path):
    """In the place of device and inode."""
    for line in lines("readelf", "-n", path):
        if "Build ID:" in line:
            raw = bytes.fromhex(line.split()[-1])[:20]
            return struct.pack("<BBH20s", len(raw), 0, 0, raw)
    return struct.pack("<IIQQ", 8, 1, 0, 0)


def write_capture(out, path, hits):
    attr = struct.pack("<IIQQQQQ", 1, 112, 0, 1000, SAMPLE_TYPE, 0, FLAGS)
    attrs = attr.ljust(112, b"\0") + struct.pack("<QQ", 0, 0)
    trailer = struct.pack("<IIQ", 100, 100, 1)
    size = hits[-1] + 0x2000 & ~0xfff
    data = [
        record(3, 0, struct.pack("<II", 100, 100) + text("x") + trailer),
        # With its build ID: no library is mapped whole.
        record(10, 2 | 1 << 14,
               struct.pack("<IIQQQ", 100, 100, BASE, size, 0) + build_id(path) +
               struct.pack("<II", 5, 2) + text(path) + trailer),
    ]
    data += [record(9, 2, struct.pack("<QIIQ", BASE + at, 100, 100, 10 + i))
             for i, at in enumerate(hits)]
    data = b"".join(data)
    header = b"PERFILE2" + struct.pack(
        "<8Q", 104, len(attrs), 104, len(attrs), 104 + len(attrs), len(data),
        0, 0) + b"\0" * 32
    with open(out, "wb") as f:
        f.write(header + attrs + data)


def names(output, path):
    """(address, symbol+offset) in the order of the samples."""
    sample = re.compile(r"cpu-clock\S* +([0-9a-f]+) (.*) \((?:\S+|%s)\)$" %
                        re.escape(path))
    for line in output:
        found = sample.search(line)
        if found:
            yield int(found[1], 16), found[2].strip()


def stubs(path):
    """{offset in the file: name}, as objdump has it.

    perf before 6.3 takes the stubs of a library with indirect functions for
    one another, their head for the function before it, and has no names for
    those of .plt.got.
    """
    found, segments = {}, list(loads(path))
    for line in lines("objdump", "-d", "-j", ".plt", "-j", ".plt.sec",
                      "-j", ".plt.got", path):
        m = re.match(r"([0-9a-f]+) <(.*@plt)>:$", line)
        for offset, vaddr, filesz, _ in segments if m else ():
            if vaddr <= int(m[1], 16) < vaddr + filesz:
                found[int(m[1], 16) - vaddr + offset] = m[2][:-4]
    short = lines("c++filt", "-p", "-i", *found.values()) if found else []
    return {at: name + "@plt" for at, name in zip(found, short)}


def same(theirs, ours, known):
    name, distance = (ours[1].rsplit("+", 1) + ["0"])[:2]
    start = ours[0] - BASE - int(distance, 16)
    if name == ".plt":
        return start + 16 in known and start not in known
    want = known.get(start, "no stub")
    if not name.endswith("@plt"):
        return theirs == ours
    # objdump has no names of indirect functions.
    return theirs[0] == ours[0] and \
        (want == name or want.startswith("*ABS*+"))


def compare(path, folder):
    capture = os.path.join(folder, "perf.data")
    known = stubs(path)
    hits = sorted(set(offsets(path)) | set(known))
    write_capture(capture, path, hits)
    theirs = list(names(lines("perf", "script", "--no-inline", "-i",
                              capture), path))
    ours = list(names(lines(tap.coldperf, "script", "--demangle=full",
                            capture), path))
    wrong = [(a, b) for a, b in zip(theirs, ours) if not same(a, b, known)]
    tap.ok(len(theirs) == len(ours) == len(hits) and not wrong,
           "%d addresses of %s as perf, %d stubs as objdump" %
           (len(hits), path, len(known)),
           "%d of perf, %d of coldperf, %d differ: %s" %
           (len(theirs), len(ours), len(wrong), wrong[:5]))


def library(name):
    compiler = os.environ.get("CC", "cc").split()
    found = lines(*compiler, "-print-file-name=" + name)
    path = os.path.realpath(found[0]) if found else name
    return path if os.path.isabs(path) and os.path.isfile(path) else None


# perf has no names of D, takes "<init>" for no word of its own, and forgets
# the brackets of an array of objects.
MANGLED = """camlStdlib__List__map_123
camlFoo__$2b$2b_77
caml_alloc
Ljava/lang/StringLatin1;equals([B[B)Z
La/B$C;f(La/D;IJ[[ILjava/lang/String;)V
Lcom/foo/Bar;lambda$main$0(JDFSCZB[[I)V
Ljava/lang/Broken
github.com/foo/bar.(*T).Method
main.main
_Z3foov.cold
_ZN3Foo3barEi.isra.0
_ZN3Foo3barEi.llvm.1234
_ZN4core3fmt9Formatter3pad17h0123456789abcdefE
_RNvC6_123foo3bar
$s4main3fooyyF
a__b__c""".splitlines()


def mangled(folder):
    """A library of such functions, or None."""
    source, out = folder + "/names.s", folder + "/names.so"
    with open(source, "w") as f:
        f.write(".text\n")
        for name in MANGLED:
            f.write('.globl "%s"\n.type "%s",@function\n"%s":\n'
                    '.fill 32,1,0x90\n.size "%s",32\n' % ((name,) * 4))
    compiler = os.environ.get("CC", "cc").split()
    lines(*compiler, "-shared", "-nostdlib", "-Wl,--build-id", "-o", out,
          source)
    return out if os.path.exists(out) else None


if not all(map(shutil.which, ("perf", "readelf", "objdump", "c++filt"))):
    tap.skip_all("no perf or binutils")
with tempfile.TemporaryDirectory() as folder:
    for name in ("libc.so.6", "libstdc++.so.6", "libm.so.6",
                 "ld-linux-x86-64.so.2"):
        path = library(name)
        if path:
            compare(path, folder)
        else:
            tap.skip("no " + name)
    path = mangled(folder)
    if path:
        compare(path, folder)
    else:
        tap.skip("no compiler for names of other languages")
tap.done()
