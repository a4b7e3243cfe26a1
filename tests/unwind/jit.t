#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Code made at run time that uses the frame pointer for something else, and
# what its jitdump tells to unwind it: with the table the caller is found,
# without it nobody can.
import os
import struct
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

scratch = tempfile.TemporaryDirectory(prefix="coldperf-unwind-jit.")
CODE, MAPPED, TOP = 0x7f0000001000, 100 * 10**9, 0x7ffe00000000
# push %rbx; push %rbp; sub $0x28,%rsp; mov %rdi,%rbp; 1: dec %rbp; jnz 1b;
# add $0x28,%rsp; pop %rbp; pop %rbx; ret
BODY = bytes.fromhex("53554883ec284889fd48ffcd75fb4883c4285d5bc3")
LOOP = 9
# Where in the function the sample fell, and words from sp to the CFA there.
PLACES = {0: 1, 1: 2, 2: 3, 6: 8, LOOP: 8, 18: 3, 19: 2, 20: 1}


def path(name):
    return os.path.join(scratch.name, name)


def eh_frame(order, *starts):
    """starts: of the code, from where the table begins."""
    cie = bytes.fromhex("00000000 01 7a5200 01 78 10 01 1b 0c0708 9001 0000")
    cie = struct.pack(order + "I", len(cie)) + cie
    rows = (b"\x41\x0e\x10\x83\x02"  # behind push %rbx
            b"\x41\x0e\x18\x86\x03"  # push %rbp
            b"\x44\x0e\x40"  # sub
            b"\x4c\x0e\x18"  # add, 12 bytes on
            b"\x41\x0e\x10\xc6\x41\x0e\x08\xc3")
    for start in starts:
        body = struct.pack(order + "IiIB", len(cie) + 4,
                           start - len(cie) - 8, len(BODY), 0) + rows
        body += b"\0" * (-len(body) % 8 + 4)
        cie += struct.pack(order + "I", len(body)) + body
    return cie


def record(order, kind, after, body):
    return struct.pack(order + "IIQ", kind, 16 + len(body),
                       MAPPED + after) + body


def load(order, at, number, name=b"jitted\0"):
    return record(order, 0, 10**9, struct.pack(
        order + "IIQQQQ", 7, 7, at, at, len(BODY), number) + name + BODY)


def dump_llvm(order, frame_at):
    """A table of two functions, and one that has a table of its own."""
    frame = eh_frame(order, CODE - frame_at, CODE + 64 - frame_at)
    hdr = b"\x01\x0c\xff\xff" + struct.pack(order + "Q", frame_at)
    own = eh_frame(order, CODE + 128 - frame_at)
    data = struct.pack(order + "IIIIIIQQ", 0x4a695444, 1, 40, 62, 0, 7, 0,
                       0x74696a2f67750103)  # LLVM 18 leaves them as they were
    data += record(order, 4, 10**9, struct.pack(
        order + "QQQ", len(hdr + frame), len(hdr), 0) + hdr + frame)
    data += load(order, CODE + 64, 1) + load(order, CODE, 2)
    data += record(order, 4, 10**9, struct.pack(
        order + "QQQ", len(hdr + own), len(hdr), 0) + hdr + own)
    with open(path("jit-7.dump"), "wb") as f:
        f.write(data + load(order, CODE + 128, 3) + load(order, CODE + 192, 4))


def dump(order="<", table=True, spoil=None, move=None):
    data = struct.pack(order + "IIIIIIQQ", 0x4a695444, 1, 40, 62, 0, 7, 0, 0)
    frame = eh_frame(order, -((len(BODY) + 7) & ~7))
    hdr = b"\x01\x1b\x03\x3b" + b"\0" * 16  # nobody needs it
    sizes = [len(frame + hdr), len(hdr), 0]
    if spoil is not None:
        sizes[spoil[0]] = spoil[1]
    if table:
        data += record(order, 4, 10**9,
                       struct.pack(order + "QQQ", *sizes) + frame + hdr)
    data += load(order, CODE, 1)
    if move is not None:
        data += record(order, 1, 10**9 + 5, struct.pack(
            order + "IIQQQQQ", 7, 7, move, CODE, move, len(BODY), 1))
    with open(path("jit-7.dump"), "wb") as f:
        f.write(data)


def capture(at, words, order="little", code=CODE):
    """The caller, of a file that is not at hand, has a frame pointer."""
    fp = TOP + 8 * (words + 2)
    stack = [0x1111 * i for i in range(1, words)] + [0x400204]
    if words >= 3:
        stack[-3] = fp
    stack += [0, 0, 0, 0x400305, 0]
    rbp = fp if words < 3 or at == 2 else 12345
    lines = ["byte_order " + order,
             "attr a type=1 period=1 sample_type=IP|TID|TIME|PERIOD|CALLCHAIN"
             "|REGS_USER|STACK_USER sample_regs_user=0x1c0 "
             "sample_stack_user=1024 flags=sample_id_all|mmap|use_clockid "
             "clockid=1", 'feature arch "x86_64"']
    for addr, size, name in ((code, 4096, "//anon"),
                             (0x400000, 0x1000, "/bin/none"),
                             (4096, 4096, "/x/jit-7.dump")):
        lines.append('mmap pid=7 addr=%d len=%d pgoff=0 name="%s" time=%d'
                     % (addr, size, name, MAPPED))
    lines.append("sample a ip=%d pid=7 time=%d chain= regs_user=2,%d,%d,%d "
                 "stack_size=1024 stack_dyn=%d stack=%s"
                 % (code + at, MAPPED + 2 * 10**9, rbp, TOP, code + at,
                    8 * len(stack), ",".join("u8:%d" % w for w in stack)))
    with open(path("in"), "w") as f:
        f.write("\n".join(lines) + "\n")
    subprocess.run([os.path.join(tap.top_builddir, "tests/tools/mkperf"),
                    path("in"), path("capture")], check=True)


def stack(*options):
    p = subprocess.run([os.path.abspath(tap.coldperf), "script", "-F",
                        "ip,sym,guess", "--no-local", *options,
                        path("capture")],
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    global guessed
    guessed = p.stdout.count(b"[guess: ")
    return [(int(line.split()[0], 16), line.split()[1])
            for line in p.stdout.decode().splitlines() if line.strip()]


CALLERS = [(0x400203, "[unknown]"), (0x400304, "[unknown]")]
for place, depth in PLACES.items():
    capture(place, depth)
    dump()
    got = stack()
    # The caller has no table, the jitted function has.
    tap.ok(got == [(CODE + place, "jitted")] + CALLERS and guessed == 1,
           "by the table, at byte %d" % place, got)
capture(LOOP, 8)
dump(table=False)
tap.ok(stack() == [(CODE + LOOP, "jitted")], "not without one", stack())
capture(LOOP, 8, "big")
dump(">")
tap.ok(stack() == [(CODE + LOOP, "jitted")] + CALLERS, "other byte order",
       stack())
for field, value in ((0, 1 << 40), (0, 0), (0, 30), (1, 1 << 63), (1, 90)):
    capture(LOOP, 8)
    dump(spoil=(field, value))
    tap.ok(stack()[:1] == [(CODE + LOOP, "jitted")] and len(stack()) <= 2,
           "size %d of %d is not believed" % (field, value), stack())
capture(LOOP, 8, code=CODE + 0x800)
dump(move=CODE + 0x800)
tap.ok(stack() == [(CODE + 0x800 + LOOP, "jitted")] + CALLERS,
       "moved code takes its table along", stack())
# As LLVM writes it: the header first, and one table of a module's functions.
for order, name, frame_at in (("<", "little", CODE - 0x1000),
                              (">", "big", CODE + 0x2000)):
    for number in range(4):
        capture(LOOP, 8, name, CODE + 64 * number)
        dump_llvm(order, frame_at)
        # Its table has not the last one.
        want = [(CODE + 64 * number + LOOP, "jitted")]
        want += CALLERS if number < 3 else []
        tap.ok(stack() == want, "function %d of LLVM's, %s endian" % (
            number, name), stack())
tap.done()
