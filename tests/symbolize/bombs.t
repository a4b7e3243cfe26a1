#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Objects that inflate to a thousand times their size: sections of debug
# information and .gnu_debugdata, one object and several, and modules.  The capture is
# reported without those names, the limit named, and memory stays bounded.
import lzma
import os
import resource
import shutil
import struct
import subprocess
import sys
import tarfile
import tempfile
import zlib
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

MIB = 1 << 20
ID = "00112233445566778899aabbccddeeff00112233"
scratch = tempfile.TemporaryDirectory(prefix="coldperf-bombs.")
PROGRAM = """volatile int sink;
static inline __attribute__((always_inline)) void inner(int n) { sink = n; }
__attribute__((noinline)) void hot(int n) { inner(n); }
int main(int c, char **v) { (void)v; hot(c); return 0; }
"""


def path(*names):
    return os.path.join(scratch.name, *names)


def run(*command):
    p = subprocess.run(command, cwd=scratch.name, stdin=subprocess.DEVNULL,
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return (p.returncode, p.stdout.decode("utf-8", "replace"),
            p.stderr.decode("utf-8", "replace"))


def need(*command):
    status, _, err = run(*command)
    if status:
        tap.skip_all("%s failed: %s" % (command[0], err[:300]))


def zeros(before, size):
    """zlib of these bytes and so many zeros."""
    z = zlib.compressobj(6)
    out = [z.compress(before)]
    for _ in range(size // MIB):
        out.append(z.compress(bytes(MIB)))
    out.append(z.flush())
    return b"ZLIB" + struct.pack(">Q", len(before) + size // MIB * MIB) + \
        b"".join(out)


def section(program, name):
    need("objcopy", "-O", "binary", "--only-section=" + name,
         "--set-section-flags", name + "=alloc", program, path("section"))
    with open(path("section"), "rb") as f:
        return f.read()


def bomb(n, mib):
    """PROGRAM<n>, in which these sections inflate to so much each."""
    program = path("bomb%d" % n)
    shutil.copy(path("prog"), program)
    for name in (".debug_str", ".debug_line"):
        with open(path("packed"), "wb") as f:
            f.write(zeros(section(path("prog"), name), mib * MIB))
        need("objcopy", "--remove-section=" + name, "--add-section",
             ".z%s=%s" % (name[1:], path("packed")), program)
    return program


def capture(name, programs):
    lines = ["attr cycles type=0 config=0 period=1 "
             "sample_type=IP|TID|TIME|PERIOD flags=sample_id_all|mmap"]
    for i, p in enumerate(programs):
        lines.append('mmap pid=%d addr=0x400000 len=0x400000 pgoff=0 name="%s"'
                     % (i + 5, p))
        lines.append('build_id %s "%s"' % (ID, p))
    for i, p in enumerate(programs):
        for line in run("nm", p)[1].splitlines():
            if line.endswith(" hot"):
                lines.append("sample cycles pid=%d time=%d period=1 ip=%d" %
                             (i + 5, i + 1, int(line.split()[0], 16)))
    with open(path(name + ".mkperf"), "w") as f:
        f.write("\n".join(lines) + "\n")
    subprocess.run([os.path.join(tap.top_builddir, "tests/tools/mkperf"),
                    path(name + ".mkperf"), path(name)], check=True)
    return path(name)


def report(data):
    """Status, output, messages, MiB of the largest child so far."""
    r = run(os.path.abspath(tap.coldperf), "flame", "-f", "folded",
            "--no-cache", data)
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    return r + (peak,)


def held(data, names, what):
    status, out, err, peak = report(data)
    tap.ok(status == 4 and "(limit)" in err and "CP_INFLATE_RATIO" in err,
           what + ": the limit is named", "%d %s" % (status, err))
    tap.ok(sum(int(line.rsplit(" ", 1)[1]) for line in out.splitlines()) ==
           names, "... all samples are reported", out)
    if not tap.sanitized:
        tap.ok(peak < 450, "... in less than 450 MiB", "%d MiB" % peak)


def mini(mib):
    """A stripped program with a bomb for its symbols."""
    shutil.copy(path("prog"), path("full"))
    need("objcopy", "--only-keep-debug", path("full"), path("symbols"))
    with open(path("symbols"), "rb") as f:
        text = f.read()
    x = lzma.LZMACompressor(preset=0)
    packed = x.compress(text)
    for _ in range(mib):
        packed += x.compress(bytes(MIB))
    with open(path("symbols.xz"), "wb") as f:
        f.write(packed + x.flush())
    need("strip", "-s", "-o", path("mini"), path("full"))
    need("objcopy", "--add-section", ".gnu_debugdata=" + path("symbols.xz"),
         path("mini"))
    data = capture("mini.data", [path("prog")])
    os.rename(path("mini"), path("prog"))
    return data


def module():
    """A capture of a module, and a bomb of its name."""
    with open(path("module.mkperf"), "w") as f:
        f.write("attr cycles type=0 config=0 period=1 "
                "sample_type=IP|TID|TIME|PERIOD flags=sample_id_all|mmap\n"
                "mmap pid=-1 misc=1 addr=0x400000 len=0x400000 pgoff=0 "
                'name="/lib/modules/1/bomb.ko.xz"\n'
                "sample cycles misc=1 pid=5 time=1 period=1 ip=0x401106\n")
    subprocess.run([os.path.join(tap.top_builddir, "tests/tools/mkperf"),
                    path("module.mkperf"), path("module.data")], check=True)
    os.mkdir(path("modules"))
    with open(path("prog"), "rb") as f:
        text = f.read()
    x = lzma.LZMACompressor(preset=0)
    packed = x.compress(text)
    for _ in range(192):
        packed += x.compress(bytes(MIB))
    with open(path("modules/bomb.ko.xz"), "wb") as f:
        f.write(packed + x.flush())


def held_module(symbols, what):
    status, out, err = run(os.path.abspath(tap.coldperf), "flame", "-f",
                           "folded", "--no-cache", "--no-local", "--symbols",
                           path(symbols), path("module.data"))
    tap.ok(status == 4 and "(limit)" in err and "CP_INFLATE_RATIO" in err and
           out.count("\n") == 1, what + ": the limit is named",
           "%d %s%s" % (status, out, err))


if not all(map(shutil.which, ("gcc", "objcopy", "nm", "strip"))):
    tap.skip_all("no compiler")
with open(path("prog.c"), "w") as f:
    f.write(PROGRAM)
need("gcc", "-g", "-O1", "-no-pie", "-fno-pie", path("prog.c"), "-o",
     path("prog"), "-Wl,--build-id=0x" + ID)
status, out, err, peak = report(capture("fair.data", [bomb(0, 1)]))
tap.ok(status == 0 and "inner_[i]" in out, "sections that inflate to little",
       "%d %s %s" % (status, out, err))
held(capture("one.data", [bomb(1, 160)]), 1, "two sections of 160 MiB")
held(capture("all.data", [bomb(n, 48) for n in range(2, 8)]), 6,
     "six objects of 96 MiB")
module()
held_module("modules", "a module of 192 MiB")
with tarfile.open(path("modules.tar"), "w") as t:
    t.add(path("modules"), "modules")
held_module("modules.tar", "... in a bundle")
held(mini(192), 1, "symbols of 192 MiB")
tap.done()
