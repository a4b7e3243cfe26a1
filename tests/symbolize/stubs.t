#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Stubs of indirect functions: named after what their caller calls.

Each to_fN calls fN, which the linker sends through a stub; the disassembler
tells which.  Their order is not that of the functions, stubs of static
programs have no header, and in a static position independent one there are
stubs without a relocation.
"""
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

ORDER = [4, 2, 5, 1, 3]
BASE = 0x555500000000


def source():
    text = ".text\nplain: ret\n"
    text += ".globl _start\n_start: call nowhere@PLT\ncall nobody@PLT\nret\n"
    text += ".weak nowhere\n.weak nobody\n"
    for n in range(1, 6):
        text += (".globl f%d\n.type f%d, @gnu_indirect_function\n"
                 "f%d: lea plain(%%rip), %%rax\nret\n"
                 ".size f%d, . - f%d\n" % ((n,) * 5))
    for n in ORDER:
        text += ".type to_f%d, @function\nto_f%d: call f%d@PLT\nret\n" % (
            (n,) * 3)
    return text


def lines(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    return done.stdout.splitlines() if done.returncode == 0 else []


def calls(path):
    """(function, offset in the file of the stub that leads to it)"""
    loads = [line.split() for line in lines("readelf", "-lW", path)
             if line.split()[:1] == ["LOAD"]]
    at = None
    for line in lines("objdump", "-d", path):
        start = re.match(r"[0-9a-f]+ <to_(f\d)>:", line)
        call = re.search(r"\bcall\w* +([0-9a-f]+)", line)
        if start:
            at = start[1]
        elif call and at:
            addr = int(call[1], 16)
            for _, offset, vaddr, _, size, *_ in loads:
                if 0 <= addr - int(vaddr, 16) < int(size, 16):
                    yield at, addr - int(vaddr, 16) + int(offset, 16)
            at = None


def check(folder, name, *options):
    path = os.path.join(folder, "program")
    made = subprocess.run(["gcc", "-nostdlib", "-o", path, *options,
                           os.path.join(folder, "s.s")], capture_output=True)
    stubs = list(calls(path)) if made.returncode == 0 else []
    if not stubs:
        return tap.skip("no " + name)
    # The addresses of a static program are absolute.
    base = 0x400000 if "-static" in options else BASE
    text = "attr cycles type=0 config=0 period=1 sample_type=IP|TID|TIME " \
        "flags=sample_id_all|mmap|mmap2\nmmap2 pid=5 addr=%d len=0x10000 " \
        "pgoff=0 name=\"%s\"\n" % (base, path)
    for i, (_, at) in enumerate(stubs):
        text += "sample cycles pid=5 time=%d misc=2 ip=%d\n" % (i + 1,
                                                              base + at)
    with open(os.path.join(folder, "in"), "w") as f:
        f.write(text)
    capture = os.path.join(folder, "perf.data")
    subprocess.run([tap.top_builddir + "/tests/tools/mkperf",
                    os.path.join(folder, "in"), capture], check=True)
    got = lines(tap.coldperf, "script", "-F", "ip,sym", "--symbols", path,
                "--no-cache", "--debuginfod=off", capture)
    want = [f + "@plt" for f, _ in stubs]
    return tap.ok([g.split()[-1] for g in got] == want, name,
                  "%s, wanted %s" % (got, want))


if os.uname().machine != "x86_64":
    tap.skip_all("stubs of x86-64")
with tempfile.TemporaryDirectory() as scratch:
    with open(os.path.join(scratch, "s.s"), "w") as f:
        f.write(source())
    check(scratch, "static program", "-static")
    check(scratch, "static, position independent", "-static-pie")
    check(scratch, "dynamic program", "-pie")
    check(scratch, "dynamic program, bound at once", "-pie", "-Wl,-z,now")
    check(scratch, "static program with endbr64", "-static",
          "-Wl,-z,ibtplt")
    check(scratch, "dynamic program with endbr64", "-pie", "-Wl,-z,ibtplt")
    check(scratch, "library", "-shared")
tap.done()
