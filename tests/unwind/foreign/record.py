#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""record.py BUILD-FOLDER ARCH...: makes ARCH.tar.xz and ARCH.stacks anew.

work/foreign.c, cross-compiled and run by qemu-user, dumps registers and stacks
of itself.  The archive holds the capture that mkperf makes of them and the
program, of which only the tables and the code near the frames are left.  The
other file says what the stacks are, never by our word: a line has the time, a
word, and the addresses from the innermost on.

	whole  libdwfl's stack, which reached the outermost frame
	begin  libdwfl's stack, which ended early
	frames the chain of frame records (arm64 that signs return addresses,
	       which libdwfl does not know of): may lack the second frame

libdwfl does not read .ARM.exidx, so gdb-multiarch unwinds those of 32-bit ARM,
from cores made of the samples and the whole program: debug information, and
what it makes of a function's first instructions.  So its stack is cut, and
called a beginning, behind the first frame that has neither a table nor the
frame pointer R7 ("thumb", by clang, without tables of its own); and left out
where the innermost function has not set up its frame yet, which .ARM.exidx
does not describe.

Left out are stacks that lead into no mapping: libdwfl's in code without a
table, and through qemu's own signal trampoline, which no file holds.
"""
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile

here = os.path.dirname(os.path.abspath(__file__))
PAC = ["-O1", "-mbranch-protection=standard"]
ARCHS = {
    "arm64": ("aarch64-linux-gnu-", "qemu-aarch64", ["-O2"]),
    "arm64pac": ("aarch64-linux-gnu-", "qemu-aarch64", PAC),
    "ppc64le": ("powerpc64le-linux-gnu-", "qemu-ppc64le", ["-O2"]),
    "riscv64": ("riscv64-linux-gnu-", "qemu-riscv64",
                ["-O2", "-fasynchronous-unwind-tables"]),
    "s390x": ("s390x-linux-gnu-", "qemu-s390x", ["-O2"]),
    "arm": ("arm-linux-gnueabihf-", "qemu-arm", ["-O2", "-funwind-tables"]),
    "thumb": ("arm-linux-gnueabihf-", "qemu-arm",
              ["-O1", "-mthumb", "-fno-omit-frame-pointer",
               "-mno-omit-leaf-frame-pointer", "-fno-unwind-tables",
               "-fno-asynchronous-unwind-tables", "-Wno-unknown-attributes"]),
    "i386": ("i686-linux-gnu-", None, ["-O2"]),
}
COMPILER = {"thumb": ["clang", "--target=arm-linux-gnueabihf"]}
NEAR = 1024
PROLOGUE = 6
TOP = 0x1000000 # of a static program


def out(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE,
                          env=dict(os.environ, QEMU_CPU="max")
                          if "aarch64" in command[0] else None).stdout


def slim(tool, path, pcs):
    """Nothing but headers, tables and code within NEAR bytes of a frame."""
    out(tool + "strip", "-s", path)
    with open(path, "r+b") as f:
        data = bytearray(f.read())
        for line in out(tool + "readelf", "-WS", path).decode().splitlines():
            m = re.match(r" *\[ *\d+\] (\S+) +(PROGBITS|\w*_ARRAY) +(\w+) "
                         r"(\w+) (\w+)", line)
            if not m or m[1].startswith((".eh_frame", ".debug", ".ARM")):
                continue
            addr, offset, size = (int(m[i], 16) for i in (3, 4, 5))
            keep = bytearray(size)
            for pc in pcs:
                a = max(pc - NEAR - addr, 0)
                b = min(pc + NEAR - addr, size)
                if a < b:
                    keep[a:b] = data[offset + a:offset + b]
            data[offset:offset + size] = keep
        f.seek(0)
        f.write(data)


def frame_records(line):
    """x29 -> (next, return address)."""
    regs = [int(r, 16) for r in
            re.search(r"regs_user=2,(\S+)", line)[1].split(",")]
    stack = bytes.fromhex(re.search(r"stack=h:(\w+)", line)[1])
    chain, fp, sp = [regs[32]], regs[29], regs[31]
    while fp and sp <= fp and fp + 16 <= sp + len(stack):
        fp, ra = struct.unpack_from("<QQ", stack, fp - sp)
        if ra == 0:
            break
        chain.append((ra & 0xffffffffff) - 1)
    return chain


def by_libdwfl(lines):
    """{time: (word, addresses)}, and every address of both."""
    stacks, pcs = {}, set()
    for line in lines:
        m = re.match(r"(\w+) at (\d+), (\w+): ours(.*) \| libdwfl(.*)", line)
        if not m:
            continue
        theirs = [int(a, 16) for a in m[5].split()]
        pcs.update(theirs, (int(a, 16) for a in m[4].split()))
        if m[1] == "equal" and m[3] == "complete":
            stacks[int(m[2])] = ("whole", theirs)
        elif m[1] in ("equal", "stopped"):
            stacks[int(m[2])] = ("begin", theirs)
    return stacks, pcs


# ------------------------------------------------------------- 32-bit ARM

BACKTRACES = """
import gdb
gdb.execute("set backtrace past-main on")
for time in %s:
    gdb.execute("core-file %s/%%d.core" %% time, to_string=True)
    frame, stack = gdb.newest_frame(), []
    while frame and len(stack) < 200:
        stack.append(frame.pc() - bool(stack))
        frame = frame.older()
    print("STACK", time, *["%%x" %% pc for pc in stack])
"""


def core(line):
    """A core file of a sample: registers, and the piece of stack."""
    regs = [int(r, 16) for r in
            re.search(r"regs_user=1,(\S+)", line)[1].split(",")]
    stack = bytes.fromhex(re.search(r"stack=h:(\w+)", line)[1])
    status = struct.pack("<72x18Ii", *regs, 0x30, 0, 0) # cpsr: Thumb
    note = struct.pack("<III8s", 5, len(status), 1, b"CORE") + status
    head = struct.pack("<16sHHIIIIIHHHHHH", b"\x7fELF\1\1\1", 4, 40, 1, 0, 52,
                       0, 0x5000000, 52, 32, 2, 40, 0, 0)
    head += struct.pack("<8I", 4, 116, 0, 0, len(note), 0, 0, 0)
    head += struct.pack("<8I", 1, 116 + len(note), regs[13], 0, len(stack),
                        len(stack), 6, 1)
    return head + note + stack


def described(tool, program, thumb):
    """A function: is there a table for that address, or R7?  It says None
    where a function with a table has not set up its frame yet."""
    tables, own = [], []
    for m in re.finditer(r"(?m)^0x(\w+) <[^>]*>: (.*)$",
                         out(tool + "readelf", "-u", program).decode()):
        tables.append((int(m[1], 16), "cantunwind" not in m[2]))
    names = re.findall(r"(?m)^(\w+)\(", open(here + "/../work/foreign.c").read())
    for m in re.finditer(r"(?m)^(\w+) (\w+) [tT] (\w+)$",
                         out(tool + "nm", "-S", program).decode()):
        if m[3] in names:
            own.append((int(m[1], 16) & ~1, int(m[2], 16)))

    def at(pc):
        if thumb and any(a <= pc < a + size for a, size in own):
            return True
        start, table = max((t for t in tables if t[0] <= pc),
                           default=(pc, False))
        return None if table and pc - start < PROLOGUE else table
    return at


def by_gdb(tool, program, lines, folder, thumb):
    """As by_libdwfl."""
    at, times = described(tool, program, thumb), []
    for line in lines:
        times.append(int(re.search(r" time=(\w+)", line)[1], 16))
        with open("%s/%d.core" % (folder, times[-1]), "wb") as f:
            f.write(core(line))
    with open(folder + "/gdb.py", "w") as f:
        f.write(BACKTRACES % (times, folder))
    text = out("gdb-multiarch", "-q", "-batch", "-nx", "-ex",
               "file " + program, "-x", folder + "/gdb.py").decode()
    stacks, pcs = {}, set()
    for m in re.finditer(r"(?m)^STACK (\d+) (.*)$", text):
        stack = [int(a, 16) for a in m[2].split()]
        known = [at(a) for a in stack]
        pcs.update(stack)
        if known[0] is None or max(stack) >= TOP:
            continue
        n = (known + [False]).index(False) + 1
        stacks[int(m[1])] = ("whole" if n >= len(stack) else "begin",
                             stack[:n])
    return stacks, pcs


def record(build, arch, folder):
    tool, qemu, options = ARCHS[arch]
    program = os.path.join(folder, "opt", "foreign-" + arch)
    data = os.path.join(folder, "perf.data")
    os.mkdir(os.path.dirname(program))
    out(*COMPILER.get(arch, [tool + "gcc"]), "-g", "-static",
        "-Wl,--build-id", *options, "-o", program,
        here + "/../work/foreign.c")
    text = out(*([qemu] if qemu else []), program).decode().replace(folder + "/opt", "/opt")
    with open(data + ".mkperf", "w") as f:
        f.write(text)
    out(build + "/tests/tools/mkperf", data + ".mkperf", data)
    samples = [s for s in text.splitlines() if s.startswith("sample")]
    dwfl = build + "/tests/unwind/dwfl-stacks"
    if tool.startswith("arm"):
        want, pcs = by_gdb(tool, program, samples, folder, arch == "thumb")
        slim(tool, program, pcs)
    else:
        want, pcs = by_libdwfl(out(dwfl, "-a", data, folder).decode()
                               .splitlines())
        slim(tool, program, pcs)
        slimmed = by_libdwfl(out(dwfl, "-a", data, folder).decode()
                             .splitlines())
        assert slimmed[0] == want, "libdwfl needs more of the program"
    if arch == "arm64pac":
        want = {int(re.search(r" time=(\w+)", s)[1], 16):
                ("frames", frame_records(s)) for s in samples}
        want = {t: w for t, w in want.items() if max(w[1]) < TOP}
    with open("%s/%s.stacks" % (here, arch), "w") as f:
        for time, (word, stack) in sorted(want.items()):
            print(time, word, *["%x" % a for a in stack], file=f)
    out("tar", "--sort=name", "--owner=0", "--group=0", "--numeric-owner",
        "--mtime=@0", "-C", folder, "-cJf", "%s/%s.tar.xz" % (here, arch),
        "perf.data", "opt")


for name in sys.argv[2:]:
    scratch = tempfile.mkdtemp()
    record(os.path.abspath(sys.argv[1]), name, scratch)
    shutil.rmtree(scratch)
