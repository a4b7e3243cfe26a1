#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# What comes out is the same for any number of threads that load names, and
# whether stacks are unwound when they are read or at delivery, byte by byte:
# of captures with many stacks whose processes fork, exec, exit and map other
# code, in files, pipes and folders, compressed, damaged or not; in reports,
# lists of samples and bundles.
import os
import random
import struct
import subprocess
import sys
sys.path[:0] = [os.environ["top_srcdir"] + "/tests" + d
                for d in ("", "/unwind")]
import made
import tap
from made import TEXT, path

SAMPLES = 800 if tap.sanitized else 4000
OBJECTS = 6
KERNEL = 2 ** 64 - 0x7f000000
COMMANDS = (["flame", "-f", "folded"], ["unwind"], ["report"], ["script"])
DAMAGED = ("flame", "unwind")
OTHER_JOBS = (3,)


def objects():
    """The last one has no table; one of the others no search table."""
    for i in range(OBJECTS):
        made.elf("o%d" % i, [] if i == OBJECTS - 1 else
                 [(TEXT, 0x800, b"", False),
                  (TEXT + 0x800, 0x400, b"\x0e\x18\x86\x02", False),
                  # Rules that do not fit 32 bits, each of another size.
                  (TEXT + 0xc00, 0x200,
                   b"\x0c\x00" + bytes([16 + 8 * i]), False)],
                 code=bytes(dice.getrandbits(8) for i in range(0x1000)),
                 hdr=None if i == 1 else "before")


class Process:
    def __init__(self, pid, maps):
        self.pid, self.maps = pid, dict(maps)


def address(p):
    if not p.maps or dice.random() < .01:
        return dice.getrandbits(47)
    base = dice.choice(list(p.maps))
    return base + TEXT + dice.randrange(0, 0x1000)


def one_sample(p, at, bare):
    """bare: how often there is no stack, which nobody can unwind early."""
    words = []
    for i in range(dice.randrange(dice.random() >= bare, 40)):
        words.append(dice.getrandbits(64) if dice.random() < .05
                     else address(p))
    chain = ""
    if dice.random() < .2:
        chain = "kernel,%d,%d" % (KERNEL, KERNEL + 8 * dice.randrange(9))
    top = made.TOP
    return made.sample(words, pid=p.pid, time=at, chain=chain, ip=address(p),
                       ax=top + 8 * dice.randrange(8),
                       bp=top + 8 * dice.randrange(-2, 40))


def map_one(p, at):
    base = dice.randrange(1, 9) << 20
    p.maps[base] = True
    return made.text_map(path("o%d" % dice.randrange(OBJECTS)), base=base,
                         pid=p.pid, time=at)


def other(at):
    """A record that changes what addresses mean."""
    p, what = dice.choice(running), dice.random()
    if what < .5:
        return [map_one(p, at)]
    if what < .7:
        p.maps = {}
        return (["comm %d %d \"c%d\" time=%d misc=0x2000" %
                 (p.pid, p.pid, dice.randrange(5), at)] +
                [map_one(p, at) for i in range(2)])
    if what < .9 or len(running) < 4:
        child = Process(len(pids) + 10, p.maps)
        pids.append(child.pid)
        running.append(child)
        return ["fork pid=%d ppid=%d time=%d" % (child.pid, p.pid, at)]
    running.remove(p)
    return ["exit pid=%d ppid=1 time=%d" % (p.pid, at)]


def lines(changes, rounds):
    """Late by as much as the buffer of a CPU is read late."""
    out, rest, at = [], [], 1000
    for i in range(SAMPLES):
        at += dice.randrange(1, 50)
        if dice.random() < changes:
            out.append((at, other(at)))
        else:
            out.append((at, [one_sample(dice.choice(running), at,
                                        changes)]))
        if dice.random() < changes / 5:  # of a process nobody heard of
            out.append((at, [one_sample(Process(9999, {}), at, 0)]))
        if rounds and i % 30 == 29:
            late = [x for x in out if dice.random() < .1]
            now = [x for x in out if x not in late]
            dice.shuffle(now)
            rest += sum((x for t, x in now), []) + ["finished_round"]
            out = late
    return rest + sum((x for t, x in sorted(out)), [])


ATTR = ("attr a type=1 period=1 sample_type=IP|TID|TIME|PERIOD|CALLCHAIN|"
        "REGS_USER|STACK_USER sample_regs_user=511 sample_stack_user=65528 "
        "flags=sample_id_all|mmap|comm|task|comm_exec\n")
ARCH = "feature arch \"x86_64\"\n"


def mkperf(text, name):
    with open(path("in"), "w") as f:
        f.write(text + "\n")
    subprocess.run([os.path.join(tap.top_builddir, "tests/tools/mkperf"),
                    path("in"), path(name)], check=True)
    return path(name)


def records(changes, rounds=True):
    global running, pids
    running = [Process(7 + i, {}) for i in range(3)]
    pids = [7, 8, 9]
    first = sum(([map_one(p, 1) for i in range(3)] for p in running), [])
    return first + lines(changes, rounds)


def in_file(text, name):
    return mkperf(ATTR + ARCH + text, name)


def in_pipe(text, name):
    return mkperf("container pipe\n" + ATTR + ARCH + text, name)


def compressed(text, name):
    return mkperf(ATTR + ARCH + "compress begin chunk=60000\n" + text +
                  "\ncompress end", name)


def make(name, changes, rounds=True):
    return in_file("\n".join(records(changes, rounds)), name)


def make_folder(name, changes):
    """Records of each of three files are those of another processor."""
    files = [[], [], []]
    for i, record in enumerate(records(changes, rounds=False)):
        files[dice.randrange(3)].append(record)
    os.mkdir(path(name))
    mkperf(ATTR + ARCH + files[0][0], name + "/data")
    for i, part in enumerate(files):
        mkperf("container stream\n" + ATTR + "\n".join(part),
               "%s/data.%d" % (name, i))
    return path(name)


def run(command, capture, jobs, through=False):
    """through: the capture comes through a pipe."""
    command = [os.path.abspath(tap.coldperf), *command, "--jobs", str(jobs),
               "-" if through else capture]
    cat = (subprocess.Popen(["cat", capture], stdout=subprocess.PIPE)
           if through else None)
    p = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                       stdin=cat.stdout if through else None)
    if through:
        cat.stdout.close()
        cat.wait()
    return p.returncode, p.stdout, p.stderr


def judge(what, one, others):
    """others: what came out by number of threads."""
    bad = [n for n, other in others.items() if other != one]
    tap.ok(one[1] and not bad, what,
           "other with --jobs %s: %s" % (bad, one[2][-300:]))


def same(what, capture, commands=COMMANDS, through=False):
    for command in commands:
        judge("%s: %s" % (command[0], what), run(command, capture, 1, through),
              {n: run(command, capture, n, through) for n in OTHER_JOBS})


def packed(capture, jobs):
    """A bundle without stacks: its bytes in the place of the output."""
    out = path("out")
    status, _, said = run(["pack", "--unwound", "-o", out], capture, jobs)
    content = b""
    if os.path.exists(out):
        with open(out, "rb") as f:
            content = f.read()
        os.rename(out, path("out.tar.zst"))
    return status, content, said


def same_bundle(what, capture):
    judge("pack: " + what, packed(capture, 1),
          {n: packed(capture, n) for n in OTHER_JOBS})
    text, bundled = (run(["script"], c, 2)[1]
                     for c in (capture, path("out.tar.zst")))
    tap.ok(text and text == bundled, "and its samples have the same stacks")


def damage(capture, name, seed):
    spoil = random.Random(seed)
    data = bytearray(open(capture, "rb").read())
    at, size = struct.unpack_from("<QQ", data, 40)
    for i in range(40):
        data[at + spoil.randrange(size)] ^= 1 << spoil.randrange(8)
    with open(path(name), "wb") as f:
        f.write(data)
    return path(name)


dice = random.Random(4)
objects()
quiet = make("quiet.data", .0008)
same("few mappings change", quiet)
busy = make("busy.data", .1)
same("many do", busy)
same("no rounds are told", make("rounds.data", .02, rounds=False))
same("stacks are scanned", busy, [["unwind", "--stack-scan"]])
same("one thread is looked at", busy, [["hotspots", "--tid", "8"]])
for seed in range(3):
    same("bits are wrong, %d" % seed, damage(quiet, "bad.data", seed),
         [c for c in COMMANDS if c[0] in DAMAGED])
with open(busy, "rb") as f:
    whole = f.read()
with open(path("cut.data"), "wb") as f:
    f.write(whole[:len(whole) * 2 // 3])
same("cut off", path("cut.data"),
     [c for c in COMMANDS if c[0] in DAMAGED])
for name in ("good-dwarf", "good-vdso", "good-jit"):
    capture = os.path.join(tap.top_srcdir, "corpus", name, "perf.data")
    if os.path.exists(capture):
        same(name, capture)
# Files are unwound as they are read, what waits in its turn: of the same
# records the same stacks.
flame = ["flame", "-f", "folded"]
mixed = "\n".join(records(.02))
in_turn = run(flame, in_file(mixed, "mixed.data"), 1)[1]
for name, maker in (("pipe", in_pipe), ("zstd", compressed)):
    capture = maker(mixed, name + ".data")
    same(name, capture)
    same(name + " through a pipe", capture, through=True)
    same_bundle(name, capture)
    tap.ok(run(flame, capture, 1)[1] == in_turn, name + ": as in a file")
folder = make_folder("folder.data", .02)
same("folder", folder)
same_bundle("folder", folder)
same_bundle("many mappings change", busy)
tap.done()
