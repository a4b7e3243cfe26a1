#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Instructions of every machine: they begin where llvm-objdump has them begin,
# and jump to where it says they jump.
import os
import re
import shutil
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

DISASM = os.path.join(tap.top_builddir, "tests/symbolize/disasm")
# Constants between the instructions are another matter.
PLAIN = ["-fno-pic", "-fno-pie"]
MACHINES = (("x86_64", []), ("i386", []), ("aarch64", []),
            ("armv7a", ["-mfloat-abi=soft"] + PLAIN),
            ("thumb", ["--target=armv7a-linux-gnu", "-mthumb",
                       "-mfloat-abi=soft"] + PLAIN),
            ("powerpc64le", []), ("powerpc64", []), ("s390x", []),
            ("riscv64", []))
SOURCE = """
extern unsigned other(unsigned);
unsigned table[64];
unsigned loops(unsigned n, const unsigned char *s)
{
	unsigned h = 5381;
	for (unsigned i = 0; i < n; i++) {
		if (s[i] == 'x')
			h ^= other(h);
		else if (s[i] > 100)
			h = h * 33 + s[i];
		table[h & 63] += h >> 3;
	}
	while (h > 1000)
		h -= table[h % 61] + 1;
	return h;
}
double sums(const double *a, int n)
{
	double s = 0;
	for (int i = 0; i < n; i++)
		s += a[i] < 0 ? -a[i] : a[i] * 2;
	return s;
}
"""
LINE = re.compile(r"^ *([0-9a-f]+):\s+(\S.*)$")
JUMP = re.compile(r"(?:\b|#)0x([0-9a-f]+)(?: <[^>]*>)?(?:\s*@.*)?\s*$")
# Calls are not filled in before linking; other addresses are of data.
BRANCH = re.compile(r"^(j(?!al)|b(?!l$|lx$|ras)|cb|tb|c\w*[gi]*j)")
if not shutil.which("clang") or not shutil.which("llvm-objdump"):
    tap.skip_all("clang and llvm-objdump are needed")


def theirs(path):
    p = subprocess.run(["llvm-objdump", "-dz", "--no-show-raw-insn",
                        "--section=.text"] + (["--mcpu=z14"] if "s390x" in path
                                              else []) + [path], text=True,
                       stdout=subprocess.PIPE, check=True)
    found = {}
    for m in map(LINE.match, p.stdout.splitlines()):
        if m:
            jump = JUMP.search(m.group(2))
            found[int(m.group(1), 16)] = int(jump.group(1), 16) \
                if jump and BRANCH.match(m.group(2).split()[0]) else None
    return found


def check(machine, flags, scratch):
    path = os.path.join(scratch, machine + ".o")
    p = subprocess.run(["clang", "--target=%s-linux-gnu" % machine, "-O2",
                        "-c", "-x", "c", "-ffreestanding", "-o", path, "-"] +
                       flags, input=SOURCE, text=True,
                       stderr=subprocess.PIPE)
    if p.returncode != 0:
        return tap.skip("%s: this clang does not compile for it" % machine)
    p = subprocess.run([DISASM, path] + ["thumb"] * machine.startswith("thumb"),
                       text=True, stdout=subprocess.PIPE)
    if p.returncode == 3:
        told = "RISC-V takes Capstone 5" if machine == "riscv64" else "\0"
        if told in p.stdout:
            tap.ok(True, machine + ": says what it takes: " + p.stdout.strip())
        elif "not installed" in p.stdout:
            tap.skip(machine + ": " + p.stdout.strip())
        else:
            tap.ok(False, machine + ": is known", p.stdout)
        return
    want, got, text = theirs(path), {}, {}
    for line in p.stdout.splitlines():
        addr, _, target, text[int(addr, 16)] = line.split("\t")
        got[int(addr, 16)] = int(target, 16) if target != "-" else None
    odd = [hex(a) for a in sorted(set(want) ^ set(got))]
    tap.ok(len(want) > 30 and not odd,
           "%s: %d instructions begin where they do" % (machine, len(want)),
           "only one has %s\n%s" % (" ".join(odd[:20]), p.stdout[:1500]))
    jumps = {a: t for a, t in want.items() if t is not None}
    wrong = ["%x: %s, not %x: %s" % (a, got.get(a), t, text.get(a))
             for a, t in sorted(jumps.items()) if got.get(a) != t]
    tap.ok(len(jumps) > 3 and not wrong,
           "%s: %d jumps lead where they do" % (machine, len(jumps)),
           "\n".join(wrong[:10]))


with tempfile.TemporaryDirectory(prefix="coldperf-disasm.") as scratch:
    for machine, flags in MACHINES:
        check(machine, flags, scratch)
tap.done()
