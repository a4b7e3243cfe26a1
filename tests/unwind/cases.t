#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Stacks that are hard to follow, one case each: registers and dumps that are
# made up, and objects of a few instructions with the tables they need.  Each
# case says what perf 6.1 (libunwind) makes of its kind.
import os
import struct
import sys
sys.path[:0] = [os.environ["top_srcdir"] + "/tests" + d
                for d in ("", "/unwind")]
import tap
from made import (BASE, TEXT, TOP, at, capture, coldperf, elf, path, sample,
                  stacks, text_map)

def expect(what, got, want):
    tap.ok(got == want, what, None if got == want else
           "got %s want %s" % ([hex(x) for x in sum(got, [])][:40],
                               [hex(x) for x in sum(want, [])][:40]))


# f at 0: nothing pushed, CFA = rsp + 8.  g at 0x100: 16 bytes of frame.
# last at 0x800: no caller.
LEAF, FRAME = b"", b"\x0e\x18"
LAST = b"\x07\x10"
PLAIN = [(TEXT, 0x100, LEAF, False), (TEXT + 0x100, 0x100, FRAME, False),
         (TEXT + 0x800, 0x100, LAST, False)]
WORDS = [at(0x110), 1, 2, at(0x120), 3, 4, at(0x810)]
WANT = [at(0x10), at(0x10f), at(0x11f), at(0x80f)]

elf("plain", PLAIN, hdr="before")
# perf: never reads the last word, so the outermost frame is lost.
expect("the return address is the last word of the dump",
       stacks([text_map(path("plain")), sample(WORDS, ip=at(0x10))]), [WANT])
# perf: one frame a sample.
elf("static", PLAIN)
expect("no .eh_frame_hdr, as in static programs",
       stacks([text_map(path("static")), sample(WORDS, ip=at(0x10))]), [WANT])
# perf: right; libdw makes an index of its own, slowly.
elf("order", PLAIN, hdr="behind")
expect(".eh_frame before .eh_frame_hdr",
       stacks([text_map(path("order")), sample(WORDS, ip=at(0x10))]), [WANT])

# A library whose first segment is code is mapped all of it as code first, and
# has no build ID in the capture where it is but a caller.
elf("first", PLAIN, hdr="before", data_at=0x25000)
for what, size, want in (("as far as it reaches", 0x26000, WANT),
                         ("further", 0x2a000, [at(0x10)])):
    first = 'mmap pid=7 addr=%d len=%d pgoff=0 name="%s" time=1' % (
        BASE, size, path("first"))
    expect("no build ID, and mapped " + what,
           stacks([first, sample(WORDS, ip=at(0x10), bp=1)]), [want])

# perf: takes the table of the lowest mapping that the process ever had.
low = BASE - 0x100000
lines = [text_map(path("plain"), base=low),
         'comm pid=7 tid=7 comm="new" misc=0x2000 time=2',
         text_map(path("plain"), time=3), sample(WORDS, ip=at(0x10))]
expect("the old image lay lower than that after exec", stacks(lines), [WANT])
old = low + TEXT
expect("and nothing of it is left after another exec",
       stacks(lines[:2] + [lines[1].replace("=2", "=3")] +
              lines[2:-1] + [sample([old + 0x110, 1, 2, at(0x810)], bp=1,
                                   ip=at(0x10))]),
       [[at(0x10), old + 0x10f]])

# perf: right where libunwind keeps rax; framehop loses the frame.
elf("rax", [PLAIN[0], (TEXT + 0x100, 0x100, b"\x0c\x00\x10", False), PLAIN[2]],
    hdr="before")
expect("a CFA that counts from rax, in the middle of a stack",
       stacks([text_map(path("rax")),
               sample([at(0x110), 5, 6, 7, at(0x810), 8], ax=TOP + 24,
                      ip=at(0x10))]), [[at(0x10), at(0x10f), at(0x80f)]])

# perf: right; libdwfl stops, for the slot lies below the stack already.
elf("epilogue", [(TEXT, 0x100, b"\x86\x02", False),
                 (TEXT + 0x100, 0x100, b"\x0c\x06\x10", False), PLAIN[2]],
    hdr="before")
expect("rbp was restored, and its slot is below the stack",
       stacks([text_map(path("epilogue")),
               sample([at(0x110), 1, 2, at(0x810)], bp=TOP + 16,
                      ip=at(0x10))]), [[at(0x10), at(0x10f), at(0x80f)]])

# perf: right where it knows the trampoline; framehop skips frames.  The CFA is
# behind what the kernel pushed, the address that was interrupted at CFA - 8.
elf("signal", [PLAIN[0], (TEXT + 0x100, 0x100, b"\x0e\x20", True), PLAIN[2],
               (TEXT + 0x400, 0x100, LEAF, False)], hdr="before")
expect("a signal came at the first instruction of a function",
       stacks([text_map(path("signal")),
               sample([at(0x101), 1, 2, 3, at(0x400), at(0x810)],
                      ip=at(0x10))]),
       [[at(0x10), at(0x101), at(0x400), at(0x80f)]])

# perf and libdwfl: stop there.
expect("and the kernel is about to return from it, behind the trampoline",
       stacks([text_map(path("signal")),
               sample([1, 2, 3, at(0x400), at(0x810)], ip=at(0x200))]),
       [[at(0x200), at(0x400), at(0x80f)]])

# A trampoline without a table, as musl's and Go's are.  perf: right; libdwfl
# stops.
code = b"\x90" * 0x300 + bytes.fromhex("48c7c00f0000000f05") # sigreturn
elf("musl", [PLAIN[0], PLAIN[2], (TEXT + 0x400, 0x100, LEAF, False)], code,
    hdr="before")
for what, ip, words in (("from a handler", 0x10, [at(0x300)]),
                        ("at its first instruction", 0x300, []),
                        ("in the middle", 0x307, []),
                        ("and behind it", 0x309, [])):
    # ucontext: flags, link, stack; 15 registers, rsp, rip; others.
    frame = [0] * 20 + [TOP + 8 * (len(words) + 24), at(0x400), 0, 0]
    expect("a trampoline without a table, " + what,
           stacks([text_map(path("musl")),
                   sample(words + frame + [at(0x810)], ip=at(ip))]),
           [[at(ip)] + words + [at(0x400), at(0x80f)]])
    expect("and what was interrupted is not in the dump, " + what,
           stacks([text_map(path("musl")),
                   sample(words + frame[:21], ip=at(ip))]),
           [[at(ip)] + words])

# perf and libdwfl: one frame more, of the code before.
elf("made", [PLAIN[0], (TEXT + 0x310, 0x100, LEAF, False)],
    b"\x90" * 0x500 + b"\xe8\x0b\xfb\xff\xff", hdr="before")
lines = [text_map(path("made")), sample([at(0x310), 7], ip=at(0x10))]
expect("a return to the start of a function that nobody has called",
       stacks(lines), [[at(0x10), at(0x310)]])
tap.ok("complete" in coldperf("unwind", "-f", "csv"),
       "which is the outermost frame", coldperf("unwind", "-f", "csv"))
elf("called", [PLAIN[0], (TEXT + 0x505, 0x100, LEAF, False)],
    b"\x90" * 0x500 + b"\xe8\x0b\xfb\xff\xff", hdr="before")
expect("and to one that lies behind a call",
       stacks([text_map(path("called")), sample([at(0x505), 7], ip=at(0x10))]),
       [[at(0x10), at(0x504)]])

# Without a table, by the instructions of a function's first and last bytes.
code = bytearray(b"\x90" * 0x100)
code[0x10:0x14] = b"\x55\x48\x89\xe5" # push %rbp; mov %rsp, %rbp
code[0x20:0x22] = b"\x5d\xc3" # pop %rbp; ret
elf("edges", [PLAIN[2]], bytes(code), hdr="before")
for what, ip, words in (("before it saves the frame pointer", 0x10, []),
                        ("behind that", 0x11, [7]),
                        ("before it takes it back", 0x20, [7]),
                        ("as it returns", 0x21, [])):
    expect("without a table, " + what,
           stacks([text_map(path("edges")),
                   sample(words + [at(0x810), 9], bp=1, ip=at(ip))]),
           [[at(ip), at(0x80f)]])
# And by what it would do yet, without a frame pointer: down the branches, past
# calls, not into a trap or a jump that leads nobody knows where.
code = bytearray(b"\x90" * 0x900)
code[0x10:0x16] = b"\x53\x48\x83\xec\x10\x90" # push %rbx; sub $16, %rsp
code[0x16:0x18] = b"\x74\x20" # je 0x38
code[0x18:0x1a] = b"\x75\x04" # jne 0x1e
code[0x1a:0x1c] = b"\x0f\x0b" # ud2
code[0x1e:0x23] = b"\xe8\x00\x01\0\0" # call 0x123
code[0x23:0x25] = b"\xff\xe0" # jmp *%rax
code[0x38:0x3e] = b"\x48\x83\xc4\x10\x5b\xc3" # add $16, %rsp; pop; ret
code[0x410:0x412] = b"\xeb\xfe" # jmp to itself
code[0x80b:0x810] = b"\xe8\x00\xf8\xff\xff" # call 0x10
elf("ways", [PLAIN[2]], bytes(code), hdr="before")
for what, ip, words in (("at its first instruction", 0x10, []),
                        ("before it makes room", 0x11, [7]),
                        ("at a branch", 0x16, [1, 2, 7]),
                        ("before a trap", 0x18, [1, 2, 7]),
                        ("before a jump to nobody knows where", 0x23,
                         [at(0x300), 2, 7]),
                        ("before it gives room back", 0x38, [1, 2, 7]),
                        ("before it pops", 0x3c, [7]),
                        ("before it returns", 0x3d, [])):
    expect("without a table, " + what,
           stacks([text_map(path("ways")),
                   sample(words + [at(0x810), 9], bp=1, ip=at(ip))]),
           [[at(ip), at(0x80f)]])
expect("a way that does not end is none",
       stacks([text_map(path("ways")),
               sample([at(0x810), 9], bp=1, ip=at(0x410))]), [[at(0x410)]])
expect("a frame pointer below the frame leads nowhere",
       stacks([text_map(path("plain")),
               sample([at(0x510), at(0x20), 5, at(0x810)], bp=TOP,
                      ip=at(0x10))]), [[at(0x10), at(0x50f)]])

# The search table is in no order: what it does not find may be there all the
# same.
elf("unsorted", PLAIN, hdr="before",
    search=[(TEXT + 0x900, 0), (TEXT, 0), (TEXT + 0x901, 0)])
expect("a search table in no order",
       stacks([text_map(path("unsorted")), sample(WORDS, ip=at(0x10))]),
       [WANT])

# A PLT stub has pushed a number from its byte 11 on: an expression of its own.
stub = b"\x0f\x0b\x77\x08\x80\x00\x3f\x1a\x3b\x2a\x33\x24\x22"
elf("plt", [(TEXT, 0x100, stub, False)] + PLAIN[1:], hdr="before")
expect("a PLT stub before it pushes",
       stacks([text_map(path("plt")), sample(WORDS, ip=at(0x1a))]),
       [[at(0x1a)] + WANT[1:]])
expect("and behind that",
       stacks([text_map(path("plt")), sample([5] + WORDS, ip=at(0x1b))]),
       [[at(0x1b)] + WANT[1:]])

# Registers are carried from frame to frame: rbp that the leaf has saved, by a
# rule that takes all registers, is what the caller counts from.
elf("carry", [(TEXT, 0x100, b"\x0c\x00\x10\x86\x02", False),
              (TEXT + 0x100, 0x100, b"\x0c\x06\x10", False), PLAIN[2],
              (TEXT + 0x200, 0x100, b"\x0c\x03\x10", False)], hdr="before")
expect("rbp is carried from a rule of all registers to one of three",
       stacks([text_map(path("carry")),
               sample([TOP + 24, at(0x110), 7, 8, at(0x810)], ax=TOP, bp=1,
                      ip=at(0x10))]), [[at(0x10), at(0x10f), at(0x80f)]])
# The leaf changes the registers, a plain frame forgets all but three, and the
# next needs rbx: all begins anew.
expect("all begins anew where a register is needed that was not followed",
       stacks([text_map(path("carry")),
               sample([TOP + 24, at(0x110), 7, 8, at(0x210), 9, at(0x810)],
                      ax=TOP, bx=TOP + 40, ip=at(0x10))]),
       [[at(0x10), at(0x10f), at(0x20f), at(0x80f)]])

# --------------------------------------------------------------- the limits

# As many words as a record holds: kernel, markers, and a frame for each word.
KERNEL = 2 ** 64 - 0x7f000000
ROOM = (65528 - 8 * 20) // 8
elf("deep", [(TEXT, 0x1000, LEAF, False)], hdr="before")
for kernel in (0, 1, 100, 4000, 4094, 4095, 5000):
    chain = ["kernel"] + [str(KERNEL + i) for i in range(kernel)]
    words = [at(0x20)] * (ROOM - len(chain))
    got = stacks([text_map(path("deep")),
                  sample(words, chain=",".join(chain) if kernel else "",
                         ip=at(0x10))])
    user = sum(ip < 2 ** 63 for ip in got[0])
    # Of a longer kernel part nothing is made, as long as one chain may be.
    tap.ok(len(got[0]) == kernel + user and
           user == (len(words) + 1 if kernel < 4095 else 0),
           "%d kernel frames and %d of the user" % (kernel, user))
# Where every other frame is guessed, there is a marker for each: three words
# of the stack, the pair of the one and the other's, make four of the chain.
elf("mixed", [(TEXT, 0x100, LEAF, False)], hdr="before")
words = []
while len(words) + 3 <= ROOM:
    words += [TOP + 8 * len(words) + 24, at(0x10), at(0x210)]
got = stacks([text_map(path("mixed")), sample(words, ip=at(0x210), bp=TOP)])
tap.ok(4000 < len(got[0]) <= 4096, "a chain as long as one may be: %d frames"
       % len(got[0]))

# ------------------------------------------------------- what is joined

# perf: the deferred part is taken, the copy of the stack is not (6.18).
deferred = ["callchain_deferred cookie=0x51 ips=0x500010,0x500020 .pid=7 "
            ".tid=7 time=60"]
kernel = "kernel,%d,%d" % (KERNEL, KERNEL + 8)
expect("a kernel's chain goes on with the unwound part",
       stacks([text_map(path("plain")),
               sample(WORDS, chain=kernel, ip=at(0x10))]),
       [[KERNEL, KERNEL + 8] + WANT])
expect("that has more to say than what the kernel walked",
       stacks([text_map(path("plain")),
               sample(WORDS, chain=kernel + ",user,%d" % at(0x10),
                      ip=at(0x10))]), [[KERNEL, KERNEL + 8] + WANT])
expect("also where the user part was deferred",
       stacks([text_map(path("plain")),
               sample(WORDS, chain=kernel + ",deferred,0x51", ip=at(0x10))] +
              deferred), [[KERNEL, KERNEL + 8] + WANT])
expect("which alone is joined with --callchain fp",
       stacks([text_map(path("plain")),
               sample(WORDS, chain=kernel + ",deferred,0x51", ip=at(0x10))] +
              deferred, "--callchain", "fp"),
       [[KERNEL, KERNEL + 8, 0x500010, 0x500020]])
expect("and with a marker of its own is the same",
       stacks([text_map(path("plain")),
               sample(WORDS, chain=kernel + ",deferred,0x51", ip=at(0x10))] +
              [deferred[0].replace("ips=", "ips=user,")],
              "--callchain", "fp"),
       [[KERNEL, KERNEL + 8, 0x500010, 0x500020]])

in_user = sample(WORDS, chain="deferred,0x51", ip=at(0x10))
expect("a sample taken in user code: the deferred part is all there is",
       stacks([text_map(path("plain")), in_user] + deferred,
              "--callchain", "fp"), [[0x500010, 0x500020]])
for what, lines, want in (
        ("a deferred part that never comes leaves the sample's address",
         [in_user], ":7;[plain] 1"),
        ("one that comes has the address",
         [in_user] + deferred, ":7;[unknown];[unknown] 1"),
        ("an exact address replaces that one",
         [in_user.replace("misc=2", "misc=0x4002")] + deferred,
         ":7;[unknown];[plain] 1")):
    capture([text_map(path("plain"))] + lines)
    got = coldperf("flame", "-f", "folded", "--no-local", "--callchain", "fp")
    tap.ok(got.strip() == want, what, got)

# ------------------------------------------------------------ odd records

# The kernel copies no more of a 32-bit process's stack than up to where its
# addresses end, and the stack pointer is a multiple of 4: so are records.
I386 = 1 << 6 | 1 << 7 | 1 << 8


def i386(words):
    data = b"".join(struct.pack("<I", w) for w in words)
    return ("sample a ip=65796 pid=7 time=50 chain= regs_user=1,%d,%d,65796 "
            "stack_size=%d stack_dyn=%d stack=%s" %
            (0x7f000004, 0x7f000000, len(data), len(data), data.hex()))


lines = ['mmap pid=7 addr=65536 len=65536 pgoff=0 name="/bin/none" time=1',
         i386([5, 0, 0x10204]), i386([5, 0, 0x10208, 7]),
         i386([5, 0, 0x10214]), i386([5, 0, 0x10218]), i386([5, 0, 0x10224])]
WANT = [[65796, 0x10203], [65796, 0x10207], [65796, 0x10213],
        [65796, 0x10217], [65796, 0x10223]]
expect("stacks of an odd number of words of 4 bytes",
       stacks(lines, arch="i686", mask=I386), WANT)
with open(path("capture"), "rb") as f:
    data = f.read()
hit = data.index(struct.pack("<3I", 5, 0, 0x10208)) # of the second one
begin = data.rindex(struct.pack("<I", 9), 0, hit)
with open(path("capture"), "wb") as f:
    f.write(data[:begin] + b"\0" * 8 + data[begin + 8:])
text = coldperf("script", "-F", "ip")
expect("and what is behind a damaged one is found",
       [[int(ip.split()[0], 16) for ip in one.split("\n") if ip.strip()]
        for one in text.split("\n\n") if one.strip()], WANT[:1] + WANT[2:])

# ------------------------------------------------------------ without tables

# ARM without .ARM.exidx: R11 is the frame pointer; R13, R14, R15 are bits 13
# to 15 of the mask, 11 before them.
MASK = 1 << 11 | 1 << 13 | 1 << 14 | 1 << 15


def arm(words, fp, sp, lr, pc):
    data = b"".join(struct.pack("<I", w) for w in words)
    return ("sample a ip=%d pid=7 time=50 chain= regs_user=1,%d,%d,%d,%d "
            "stack_size=64 stack_dyn=%d stack=%s" %
            (pc, fp, sp, lr, pc, len(data), data.hex()))


ANON = 'mmap pid=7 addr=65536 len=65536 pgoff=0 name="/bin/none" time=1'
SP = 0x7f000000
# gcc: fp -> return address, the caller's fp below it.
expect("ARM without tables, as gcc builds frames",
       stacks([ANON, arm([7, SP + 16, 0x10204, 9, 0, 0],
                         SP + 8, SP, 0, 0x10104)], arch="armv7l", mask=MASK),
       [[0x10104, 0x10203]])
expect("and a longer one",
       stacks([ANON, arm([7, SP + 20, 0x10204, 9, SP + 28, 0x10305, 0, 0x10404],
                         SP + 8, SP, 0, 0x10104)], arch="armv7l", mask=MASK),
       [[0x10104, 0x10203, 0x10303, 0x10403]])
# clang: fp -> the caller's fp, the return address above it.
expect("ARM without tables, as clang builds frames",
       stacks([ANON, arm([7, 8, SP + 20, 0x10204, 9, 0, 0x10304],
                         SP + 8, SP, 0, 0x10104)], arch="armv7l", mask=MASK),
       [[0x10104, 0x10203, 0x10303]])
expect("a leaf has its caller in the link register",
       stacks([ANON, arm([7, SP + 20, 0x10204], SP + 8, SP, 0x10180, 0x10104)],
              arch="armv7l", mask=MASK), [[0x10104, 0x1017f, 0x10203]])

# Thumb code has its frame pointer in R7, bit 7 of the mask.
THUMB = MASK | 1 << 7


def thumb(words, r7, *rest):
    return arm(words, *rest).replace("regs_user=1,", "regs_user=1,%d," % r7)


# r7 -> the caller's r7, the return address above it, bit 0 set.
expect("Thumb code without tables, by its frame pointer R7",
       stacks([ANON, thumb([5, SP + 12, 0x10205, SP + 24, 0x10305, 6, 0,
                            0x10405], SP + 4, 1, SP, 0, 0x10104)],
              arch="armv7l", mask=THUMB),
       [[0x10104, 0x10203, 0x10303, 0x10403]])
expect("called by code that has it in R11",
       stacks([ANON, thumb([5, 2, 0x10205, 6, SP + 28, 0x10304, 7, 0, 0x10404],
                           SP + 4, SP + 16, SP, 0, 0x10104)],
              arch="armv7l", mask=THUMB),
       [[0x10104, 0x10203, 0x10303, 0x10403]])
expect("and that which calls such code",
       stacks([ANON, thumb([5, SP + 28, 0x10205, 6, SP + 24, 0x10305, 7, 0, 8],
                           SP + 16, SP + 4, SP, 0, 0x10104)],
              arch="armv7l", mask=THUMB), [[0x10104, 0x10203, 0x10303]])
expect("what does not return to Thumb code is no frame of it",
       stacks([ANON, thumb([5, SP + 12, 0x10204, SP + 24, 0x10305],
                           SP + 4, 1, SP, 0, 0x10104)],
              arch="armv7l", mask=THUMB), [[0x10104]])

# arm64: a stub without a table, to which a function has jumped as its last act.
# Where the link register leads is behind the call of that function, which does
# not lead to the stub.
A64 = 1 << 29 | 1 << 30 | 1 << 31 | 1 << 32


def arm64(words, fp, lr, pc):
    data = b"".join(struct.pack("<Q", w) for w in words)
    return ("sample a ip=%d pid=7 time=50 chain= regs_user=2,%d,%d,%d,%d "
            "stack_size=%d stack_dyn=%d stack=%s" %
            (pc, fp, lr, SP, pc, len(data), len(data), data.hex()))


code = struct.pack("<5I", 0xd503245f, 0x90000510, 0xf9400611, 0x91002210,
                   0xd61f0220) # bti c; adrp, ldr, add, br x17
code = b"\x1f\x20\x03\xd5" * 4 + code
code += b"\x1f\x20\x03\xd5" * ((0x10c - len(code)) // 4)
code += struct.pack("<I", 0x94000100) # bl, to the function at 0x500
elf("stub", [(TEXT + 0x100, 0x100, b"\x0c\x1f\x10", False), PLAIN[2]], code,
    hdr="before", machine=183)
for ip in range(0x10, 0x24, 4):
    expect("arm64: %d bytes into a stub that a function has jumped to" %
           (ip - 0x10),
           stacks([text_map(path("stub")),
                   arm64([SP + 16, at(0x810), 0, 0], SP, at(0x110), at(ip))],
                  arch="aarch64", mask=A64), [[at(ip), at(0x10f), at(0x80f)]])

code = b"\x1f\x20\x03\xd5" * 0xc0
code += struct.pack("<2I", 0xd2801168, 0xd4000001) # mov x8, #139; svc #0
elf("musl64", [PLAIN[2], (TEXT + 0x400, 0x100, b"\x0c\x1f\x10", False)], code,
    hdr="before", machine=183)
context = [0] * 39 + [0] * 31 + [SP + 8 * 74, at(0x400), 0, 0]
expect("arm64: a trampoline without a table",
       stacks([text_map(path("musl64")),
               arm64(context + [SP + 16, at(0x810), 0, 0], SP, 0, at(0x304))],
              arch="aarch64", mask=A64), [[at(0x304), at(0x400), at(0x80f)]])

# arm64 by its frame pointer, into code that has a table.  A leaf at 0x20; from
# 0x60 on a function with a frame, variables above its record, calls the leaf at
# 0x80 and was called at 0x10c, by one whose table counts from the stack pointer.
code = {0x5c: 0xd65f03c0, 0x60: 0xa9be7bfd, 0x64: 0x910003fd, 0x80: 0x97ffffe8,
        0x10c: 0x97ffffd5} # ret; stp; mov; two times bl
code = b"".join(struct.pack("<I", code.get(i, 0xd503201f))
                for i in range(0, 0x200, 4))
elf("record", [(TEXT + 0x100, 0x100, b"\x0c\x1f\x30\x9d\x06\x90\x05", False),
               PLAIN[2]], code, hdr="before", machine=183)
words = [SP + 32, at(0x110), 7, 8, 9, at(0x810), 1, 2, 3, 4]
for what, ip, lr in (("has called nobody yet", 0x70, 0x110),
                     ("has called a function nearby", 0x90, 0x84)):
    expect("arm64: a function with a frame " + what,
           stacks([text_map(path("record")),
                   arm64(words, SP, at(lr), at(ip))],
                  arch="aarch64", mask=A64), [[at(ip), at(0x10f), at(0x80f)]])
expect("arm64: and a leaf that it has called",
       stacks([text_map(path("record")),
               arm64(words, SP, at(0x84), at(0x40))],
              arch="aarch64", mask=A64),
       [[at(0x40), at(0x83), at(0x10f), at(0x80f)]])

# --stack-scan: a call at 0x10b (e8) and one at 0x20e (ff d0); 0x300 is none.
code = bytearray(b"\x90" * 0x1000)
code[0x10b:0x110] = b"\xe8\0\0\0\0"
code[0x20e:0x210] = b"\xff\xd0"
elf("bare", [(TEXT + 0x800, 0x100, LAST, False)], bytes(code), hdr="before")
words = [5, at(0x300), BASE + 16, at(0x110), TOP, at(0x210), 6, at(0x1000) + 8,
         at(0x110), 7]
lines = [text_map(path("bare")),
         sample(words, ip=at(0x10), bp=1)]
expect("nothing leads on", stacks(lines), [[at(0x10)]])
expect("--stack-scan takes what a call has left",
       stacks(lines, "--stack-scan"),
       [[at(0x10), at(0x10f), at(0x20f), at(0x10f)]])
out = coldperf("unwind", "--stack-scan", "-f", "json")
tap.ok("frames_scanned" in out and "stacks_scanned" in out,
       "unwind counts such frames", out[:2000])
out = coldperf("flame", "--stack-scan", "-f", "json")
tap.ok(out.count("bare") >= 3 and "inlined" not in out,
       "they are callers, not inlined ones", out)
os.remove(path("bare"))
expect("where the file is gone, what is mapped as code",
       stacks(lines, "--stack-scan"),
       [[at(0x10), at(0x2ff), at(0x10f), at(0x20f), at(0x10f)]])
tap.done()
