#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Lengths of x86-64 instructions: those of whole programs and libraries as
# objdump disassembles them, and of every opcode with every ModRM byte as
# the assembler's disassembler knows it.
import os
import re
import shutil
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

LENGTHS = os.path.join(tap.top_builddir, "tests/symbolize/x86-lengths")
LINE = re.compile(r"^ *([0-9a-f]+):\t((?:[0-9a-f]{2} )+) *(?:\t(.*))?$")
PREFIXES = re.compile(
    r"^(?:(?:rex\S*|data16|addr32|lock|repz?|repnz|[cdefgs]s|bnd|notrack|"
    r"xacquire|xrelease)\s*)+(?:$|\()")
if not shutil.which("objdump"):
    tap.skip_all("objdump is not installed")


def disassembly(arguments):
    """(bytes, text) of every instruction."""
    p = subprocess.run(["objdump", "-w", "--insn-width=16"] + arguments,
                       stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    for m in map(LINE.match, p.stdout.decode("utf-8", "replace").splitlines()):
        if m:
            yield m.group(2).replace(" ", ""), (m.group(3) or "").strip()


def lengths(hexes):
    p = subprocess.run([LENGTHS], input="\n".join(hexes) + "\n", text=True,
                       stdout=subprocess.PIPE)
    return list(map(int, p.stdout.split()))


# objdump takes a wait and what follows for one; processors do not.  Whether
# 0x66 shortens a branch is not the same with Intel, whom we follow, and AMD.
ELSEWHERE = re.compile(r"^(9b.|66(?:[0-9a-f]{2})*(e8|e9|0f8))")


def odd(code, text):
    """Not an instruction: prefixes alone, or nothing that objdump knows."""
    return not text or ELSEWHERE.match(code) or "(bad)" in text or text.startswith(".") or \
        PREFIXES.match(text)


def check(what, found):
    found = [(h, t) for h, t in found if not odd(h, t)]
    # What follows an instruction must not matter.
    got = lengths([h + "90" * 16 for h, _ in found])
    wrong = ["%s %s: %d" % (h, t, n) for (h, t), n in zip(found, got)
             if n != len(h) // 2]
    tap.ok(found and not wrong, "%s: %d instructions" % (what, len(found)),
           "%d\n%s" % (len(wrong), "\n".join(wrong[:20])))
    # Cut short it is none.
    got = lengths([h[:-2] for h, _ in found[:20000] if len(h) > 2])
    tap.ok(not any(got), what + ": none that is cut")


any_ = False
PROGRAMS = ("/lib/x86_64-linux-gnu/libm.so.6", "/lib64/libm.so.6",
            "/lib/x86_64-linux-gnu/libc.so.6", "/usr/lib64/libc.so.6",
            "/lib/x86_64-linux-gnu/libcrypto.so.3", tap.coldperf)
# What is made up below is the rest for a sanitizer.
for path in PROGRAMS[:2] if tap.sanitized else PROGRAMS:
    if not os.path.exists(path):
        continue
    with open(path, "rb") as f:
        head = f.read(20)
    if head[:4] != b"\x7fELF" or head[4] != 2 or head[18:20] != b"\x3e\0":
        continue
    any_ = True
    check(os.path.basename(path), disassembly(["-d", path]))
if not any_:
    tap.skip("no programs of x86-64 are here")

# Every opcode of every map, with ModRM bytes of all addressing modes.
MODRM = (0x00, 0x04, 0x05, 0x40, 0x44, 0x80, 0x84, 0xc0, 0xc8, 0xd1, 0x0c,
         0x15, 0x38)
maps = {
    "one byte": ("", "48", "66", "67", "6648"),
    "0f": ("0f", "480f", "660f", "f30f"),
    "0f38": ("0f38", "660f38"),
    "0f3a": ("660f3a",),
    "vex": ("c5f8", "c5fd", "c4e27d", "c4e37d", "c4e1f9"),
    "evex": ("62f17c48", "62f27d48", "62f37d48", "62f1fd48"),
}
with tempfile.TemporaryDirectory(prefix="coldperf-x86.") as tmp:
    for what, heads in maps.items():
        blob, pieces = os.path.join(tmp, "blob"), []
        for head in heads:
            for opcode in range(256):
                for m in MODRM:
                    piece = bytes.fromhex(head) + bytes((opcode, m, 0x25)) + \
                        bytes((0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18))
                    pieces.append(piece + b"\x90" * (32 - len(piece)))
        with open(blob, "wb") as f:
            f.write(b"".join(pieces))
        p = subprocess.run(["objdump", "-D", "-w", "--insn-width=16", "-b",
                            "binary", "-m", "i386:x86-64", blob],
                           stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        starts = {}
        for m in map(LINE.match,
                     p.stdout.decode("utf-8", "replace").splitlines()):
            if m and int(m.group(1), 16) % 32 == 0:
                starts[int(m.group(1), 16) // 32] = (
                    m.group(2).replace(" ", ""), (m.group(3) or "").strip())
        good = [(i, h, t) for i, (h, t) in sorted(starts.items())
                if not odd(h, t)]
        if not good:
            tap.skip(what + ": this objdump does not know x86-64")
            continue
        got = lengths([pieces[i].hex() for i, _, _ in good])
        wrong = ["%s %s: %d" % (h, t, n) for (_, h, t), n in zip(good, got)
                 if n not in (0, len(h) // 2)]
        missed = ["%s %s" % (h, t) for (_, h, t), n in zip(good, got)
                  if n == 0]
        tap.ok(not wrong, "%s: %d made up" % (what, len(good)),
               "\n".join(wrong[:30]))
        tap.ok(len(missed) * 100 <= len(good),
               what + ": 99 of 100 that objdump knows are known",
               "%d\n%s" % (len(missed), "\n".join(missed[:20])))
tap.done()
