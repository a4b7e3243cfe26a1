#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Which file may name a mapping: more than a build ID decides.
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

MKPERF = os.path.join(os.path.abspath(tap.top_builddir), "tests/tools/mkperf")
SOURCE = "".join(
    "__attribute__((noinline,aligned(1024))) int f%d(int n)"
    "{ int s = 0; for (int i = 0; i < n; i++) s += i * %d; return s; }\n"
    % (i, i + 2) for i in range(30)) + \
    "int main(int c, char **v) { return %s; }\n" % "+".join(
        "f%d(c)" % i for i in range(30))
GAP = 0x2000
for tool in ("gcc", "objcopy", "strip", "readelf", "nm"):
    if not shutil.which(tool):
        tap.skip_all(tool + " is not installed")
scratch = tempfile.TemporaryDirectory(prefix="coldperf-identity.")


def at(name):
    return os.path.join(scratch.name, name)


def run(*words):
    return subprocess.run(words, stdout=subprocess.PIPE, check=False,
                          stderr=subprocess.PIPE, text=True)


def must(*words):
    p = run(*words)
    if p.returncode != 0:
        tap.skip_all("%s does not work here: %s" % (words[0], p.stderr))
    return p.stdout


def build(name, source, *options):
    with open(at("a.c"), "w", encoding="ascii") as f:
        f.write(source)
    must("gcc", "-O1", "-g", "-Wl,-z,noseparate-code" if "old" in name else
         "-Wl,-z,separate-code", *options, "-o", at(name), at("a.c"))
    must("objcopy", "--only-keep-debug", at(name), at(name + ".debug"))
    must("strip", "-o", at(name + ".stripped"), at(name))


def move(name, vaddr=0):
    """As patchelf: GAP bytes after the first page; as LIEF: in memory, too."""
    with open(at(name), "rb") as f:
        b = bytearray(f.read())
    phoff, shoff = struct.unpack_from("<QQ", b, 32)
    phsize, phnum, shsize, shnum = struct.unpack_from("<4H", b, 54)
    for p in range(phoff, phoff + phnum * phsize, phsize):
        offset, v = struct.unpack_from("<QQ", b, p + 8)
        if offset >= 0x1000:
            struct.pack_into("<QQ", b, p + 8, offset + GAP, v + vaddr)
    for s in range(shoff, shoff + shnum * shsize, shsize):
        v, offset = struct.unpack_from("<QQ", b, s + 16)
        if offset >= 0x1000:
            struct.pack_into("<QQ", b, s + 16, v + vaddr if v else 0,
                             offset + GAP)
    struct.pack_into("<Q", b, 40, shoff + GAP)
    b[0x1000:0x1000] = bytes(GAP)
    with open(at(name + ".moved"), "wb") as f:
        f.write(b)


def code(name):
    """(offset, address, size) of its code's pages, and where functions are."""
    load = re.search(r"LOAD +0x(\w+) 0x(\w+) 0x\w+ 0x(\w+) 0x\w+ R E",
                     must("readelf", "-lW", at(name)))
    offset, vaddr, size = (int(w, 16) for w in load.groups())
    where = {w[2]: int(w[0], 16) for w in (
        line.split() for line in must("nm", at(name)).splitlines())
             if len(w) == 3}
    return offset, vaddr, (size + 0xfff) & ~0xfff, where


def identifier(name):
    return re.search("Build ID: ([0-9a-f]+)",
                     must("readelf", "-n", at(name))).group(1)


def capture(*lines):
    with open(at("in"), "w", encoding="ascii") as f:
        f.write("attr cycles period=1 sample_type=IP|TID|TIME ids=1 "
                "flags=sample_id_all|mmap|mmap2|comm\ncomm 8 8 a\n" +
                "\n".join(lines) + "\n")
    must(MKPERF, at("in"), at("perf.data"))


def mapped(start, size, offset, build_id="", name="/opt/prog", prot=5,
           time=None):
    when = "" if time is None else " time=%d" % time
    if build_id:
        return ("mmap2_build_id pid=8 addr=%#x len=%#x pgoff=%#x id=%s "
                'prot=%d name="%s"%s'
                % (start, size, offset, build_id, prot, name, when))
    return 'mmap2 pid=8 addr=%#x len=%#x pgoff=%#x prot=%d name="%s"%s' % (
        start, size, offset, prot, name, when)


def sample(ip, time=5, misc=2):
    return "sample ip=%#x pid=8 time=%d misc=%d" % (ip, time, misc)


def ask(command, *where, more=()):
    words = [tap.coldperf, command, "--no-local", "--no-cache", *more]
    for w in where:
        words += ["--symbols", at(w)]
    p = run(*words, at("perf.data"))
    return p.stdout, p.stderr


def names(*where, more=()):
    out, err = ask("script", *where, more=("-F", "ip,sym", *more))
    return [line.split()[-1] for line in out.splitlines()], err


def same(got, want, what):
    tap.ok(got == want, what, "got %s\nwant %s" % (got, want))


# ------------------------------------------------ same build ID, other layout

def check_moved(kind, base, vaddr, *options):
    name = "prog-" + kind
    build(name, SOURCE, "-Wl,--build-id", *options)
    offset, first, size, where = code(name)
    move(name, vaddr)
    must("strip", "-o", at(name + ".moved.stripped"), at(name + ".moved"))
    want = ["f%d" % i for i in range(30)]
    ips = [base + vaddr + where[f] + 5 for f in want]
    capture(mapped(base + vaddr + first, size, offset + GAP, identifier(name)),
            *(sample(ip) for ip in ips))
    for files in ([name + ".debug"], [name],
                  [name + ".moved.stripped", name + ".debug"],
                  [name + ".moved.stripped", name],
                  [name + ".moved"])[:4 if vaddr else 5]:
        got, err = names(*files)
        same(got, want, "%s: code that was moved, by %s" % (
            kind, " and ".join(files)))
    capture(mapped(base + first, size, offset, identifier(name)),
            *(sample(base + where[f] + 5) for f in want))
    for files in ([name + ".debug"], [name]):
        same(names(*files)[0], want, "%s: code that was not, by %s" % (
            kind, files[0]))


check_moved("exec", 0, 0, "-no-pie", "-fno-pie")
check_moved("pie", 0x555500000000, 0, "-pie", "-fpie")
check_moved("lief", 0x555500000000, GAP, "-pie", "-fpie")


def check_other():
    """Two programs that were given the same build ID."""
    given = "-Wl,--build-id=0x0102030405060708"
    build("one", SOURCE, "-no-pie", "-fno-pie", given)
    more = "".join("int g%d(int n) { return f%d(n) * n; }\n" % (i, i % 30)
                   for i in range(400))
    build("two", SOURCE.replace("int main", more + "int main"), "-no-pie",
          "-fno-pie", given)
    offset, first, size, where = code("one")
    capture(mapped(first, size, offset, "0102030405060708"),
            sample(where["f7"] + 5))
    for files in (["two"], ["two.debug"], ["one.stripped", "two.debug"]):
        got, err = names(*files)
        tap.ok(got == ["[unknown]"] and "same build ID" in err,
               "same build ID, another program: %s" % " and ".join(files),
               (got, err))
    same(names("two", "one.debug")[0], ["f7"], "the right one is used")
    for files, want in ((["one"], ("proven", "build ID")),
                        (["two"], ("contradicted", "same build ID, but it was "
                                   "mapped otherwise"))):
        said = json.loads(ask("quality", *files, more=("-f", "json"))[0])
        rows = [tuple(row["values"][2:]) for s in said["sections"]
                if s["slug"] == "identity" for row in s["rows"]]
        same(rows, [("/opt/prog", *want)], "quality has the reason: " + want[0])


check_other()

# ------------------------------------------------------------ no build ID


def check_none():
    build("prog", SOURCE, "-Wl,--build-id=none", "-pie", "-fpie")
    offset, first, size, where = code("prog")
    base = 0x555500000000
    mapping = base + first, size, offset
    os.makedirs(at("dir/sub"))
    os.makedirs(at("dbg"))
    shutil.copy(at("prog"), at("dir/sub/prog"))
    shutil.copy(at("prog.debug"), at("dbg/prog.debug"))
    ip = sample(base + where["f3"] + 5)
    for deleted in ("", " (deleted)"):
        capture(mapped(*mapping, name="/opt/prog" + deleted), ip)
        for files in ("prog", "dir", "dir/sub/prog", "prog.debug", "dbg"):
            same(names(files)[0], ["f3"], "no build ID%s: by %s" % (
                deleted, files))
    capture(mapped(base + first, size + 0x1000, offset), ip)
    got, err = names("dir")
    tap.ok(got == ["[unknown]"] and "mapped otherwise" in err,
           "not if more of it was mapped", (got, err))
    # On the host, the file that is there replaced the one that was deleted.
    os.makedirs(at("opt"))
    shutil.copy(at("prog"), at("opt/prog"))
    capture(mapped(*mapping, name=at("opt/prog") + " (deleted)"), ip)
    for when, want in ((1 << 31, "[unknown]"), (1 << 20, "f3")):
        os.utime(at("perf.data"), (when, when))
        got = run(tap.coldperf, "script", "--no-cache", "-F", "ip,sym",
                  at("perf.data"))
        tap.ok(got.stdout.split()[1:] == [want],
               "a deleted file: what is at its path is %s" % (
                   "another" if want == "[unknown]" else "put back"),
               got.stdout + got.stderr)
    build("zero", SOURCE, "-Wl,--build-id=0x" + "00" * 20, "-pie", "-fpie")
    capture(mapped(*mapping, build_id="00" * 20), ip)
    shutil.copy(at("zero"), at("dir/sub/prog"))
    got, err = names("dir")
    tap.ok(got == ["f3"] and "mismatch" not in err, "a build ID of zeros",
           (got, err))


check_none()

# ------------------------------------------------- text on anonymous pages


def check_copied():
    offset, first, size, where = code("prog")
    base = 0x555500000000
    text = mapped(base + first, size, offset)
    page = (base + where["f9"]) & ~0xfff
    ip = sample(page + 0x405, 9)
    owner = max((a, f) for f, a in where.items() if a <= page + 0x405 - base)
    anon = "//anon"
    copies = {
        "a page": [mapped(page, 0x1000, page, name=anon, prot=7)],
        "a page, writable first": [
            mapped(page, 0x1000, page, name=anon, prot=3),
            mapped(page, 0x1000, page, name=anon)],
        "page by page": [
            mapped(page + i * 0x1000, 0x1000, page, name=anon)
            for i in (-1, 0, 1)] + [
                mapped(page - 0x1000, 0x3000, page, name=anon)],
        "all of it": [mapped(base + first, size, 0, name=anon)],
        "huge pages": [mapped(page, 0x1000, 0,
                              name="/anon_hugepage (deleted)")],
    }
    for what, lines in copies.items():
        capture(text, *lines, ip)
        got, err = names("prog")
        tap.ok(got == [owner[1]] and "perf-" not in err,
               "text copied in place: " + what, (got, err, owner))
    # A running process has what is left of the file around the copy.
    at_page = page - base - first
    capture(mapped(base + first, at_page, offset, time=0),
            mapped(page, 0x1000, 0, name=anon, time=0),
            mapped(page + 0x1000, size - at_page - 0x1000,
                   offset + at_page + 0x1000, time=0), ip)
    same(names("prog")[0], [owner[1]], "... of a running process")
    # Run-time code where a library may have been is none of it.
    capture(mapped(0x400000, 0x1000, 0x1000, name="/opt/main"),
            text, mapped(page, 0x1000, page, name=anon), ip)
    same(names("prog")[0], ["[unknown]"], "not in a library's place")


check_copied()

# ------------------------------------------------------------ kernel modules


def module(name, build_id, symbol):
    """An object file as a module is."""
    with open(at("m.c"), "w", encoding="ascii") as f:
        f.write('__attribute__((section(".modinfo"),used,aligned(1))) static '
                'const char n[] = "license=GPL\\0name=%s";\n'
                'int %s(int n) { return n + 1; }\n' % (name, symbol))
    with open(at("m.s"), "w", encoding="ascii") as f:
        f.write('.section .note.gnu.build-id,"a",@note\n.long 4,%d,3\n'
                '.asciz "GNU"\n%s\n' % (len(build_id) // 2, "\n".join(
                    ".byte 0x" + build_id[i:i + 2]
                    for i in range(0, len(build_id), 2))))
    must("gcc", "-O1", "-c", "-o", at("m1.o"), at("m.c"))
    must("gcc", "-c", "-o", at("m2.o"), at("m.s"))
    must("ld", "-r", "-o", at("ko/%s.ko" % name), at("m1.o"), at("m2.o"))


def check_modules():
    """perf 6.18 gave all modules the build ID of the first."""
    os.makedirs(at("ko"))
    one, two = "11" * 20, "22" * 20
    module("aesni_intel", one, "aesni_enc")
    module("r8169", two, "rtl8169_poll")
    lines = ["mmap2_build_id pid=-1 tid=0 misc=0x4001 addr=%#x len=0x4000 "
             'pgoff=0 id=%s name="/lib/modules/6/%s.ko"' % (start, one, name)
             for start, name in ((0xffffffffc0000000, "aesni_intel"),
                                 (0xffffffffc0100000, "r8169"))]
    capture(*lines, sample(0xffffffffc0000001, misc=1),
            sample(0xffffffffc0100001, misc=1))
    got, err = names("ko")
    same(got, ["aesni_enc", "rtl8169_poll"], "one build ID on two modules")
    capture(lines[1], sample(0xffffffffc0100001, misc=1))
    os.remove(at("ko/r8169.ko"))
    got, err = names("ko")
    tap.ok(got == ["[unknown]"] and "it is the module aesni_intel" in err,
           "a module's name is not another's", (got, err))


check_modules()
tap.done()
