#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Stacks beside those of `perf script --no-inline`, on captures made here and
# now, user frame by user frame:
#
#	equal	the same frames.  perf takes one from the address of a signal
#		trampoline too, which nobody has called; that much is known.
#	part	perf's frames are the beginning of ours: it adds -1 where it
#		could not go on, never reads the last word of the dump, and
#		knows one frame of a static program.
#	exec	in a process that was another program before, perf takes the
#		unwind table of a library from the lowest place that the library
#		ever had there.  So its frames count up to the first one of a
#		library that had two places, and what it makes of that is not
#		compared.
#	other	everything else, and this must not be.
#
# Programs that perf itself executes had no maps before: there nearly all must
# be equal.
import atexit
import collections
import functools
import os
import re
import shutil
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

if tap.sanitized:
    tap.skip_all("perf is asked without sanitizers")

scratch = tempfile.mkdtemp(prefix="coldperf-unwind.")
atexit.register(shutil.rmtree, scratch, True)
data = os.path.join(scratch, "perf.data")
KERNEL = 1 << 63
NONE = 2 ** 64 - 1
FRAME = re.compile(r"\s+([0-9a-f]+) (.*) \((.*)\)$")
MAP = re.compile(r"PERF_RECORD_MMAP2? (\d+)/\d+: \[0x(\w+)\(0x\w+\) @ (\w+).*?"
                 r"\]: \S*x\S* (/.*)")
FORK = re.compile(r"PERF_RECORD_FORK\((\d+):\d+\):\((\d+):\d+\)")

FUNCTION = """int NAME(int *a, int n) { int r = 0;
    for (int i = 0; i < n; i++) switch ((a[i] ^ i) & 3) {
    case 0: r += a[i] * n; break; case 1: r ^= a[r & 7] + i; break;
    case 2: for (int q = 0; q < r; q++) a[q & 7] += r * q; break;
    default: r = r * 3 + i; } return r; }
"""


def run(command):
    p = subprocess.run(command, cwd=scratch, stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE)
    return p.returncode, p.stdout.decode("utf-8", "replace"), \
        p.stderr.decode("utf-8", "replace")


def record(command, extra=()):
    return run(["perf", "record", "-q", "-e", "cpu-clock", "-F", "999",
                "--call-graph", "dwarf,16384", "-o", data, *extra, "--",
                *command])


@functools.lru_cache(maxsize=None)
def trampolines(name):
    """Where in their pages an object's returns from signals begin: by their
    code, mov $15, %rax; syscall, as only debug packages have their names."""
    code = b"\x48\xc7\xc0\x0f\0\0\0\x0f\x05"
    try:
        with open(name, "rb") as f:
            return {m.start() % 4096 for m in re.finditer(code, f.read())}
    except OSError:
        return set()


def stacks(command):
    """(head, [(place in the page, object)]) of user frames; perf prints
    offsets in files where we print addresses."""
    out = []
    for line in run(command + ["-F", "comm,pid,tid,time,ip,sym,dso"])[1] \
            .splitlines():
        frame = FRAME.match(line)
        if frame and out:
            ip = int(frame[1], 16)
            if ip == NONE:
                out[-1][1].append((None, ""))
            elif ip < KERNEL:
                trampoline = ip % 4096 in trampolines(frame[3])
                out[-1][1].append(((ip - trampoline) % 4096, frame[3]))
        elif line.strip():
            out.append((line.split(), []))
    return out


def moved():
    """The objects of each process that had more than one place in it."""
    places = collections.defaultdict(lambda: collections.defaultdict(set))
    for line in run(["perf", "script", "--show-mmap-events",
                     "--show-task-events", "-i", data, "-F",
                     "comm,pid,tid,time"])[1].splitlines():
        m, fork = MAP.search(line), FORK.search(line)
        if m:
            places[m[1]][m[4]].add(int(m[2], 16) - int(m[3], 0))
        elif fork and fork[1] != fork[2]:
            for name, at in places[fork[2]].items():
                places[fork[1]][name] |= at
    return {pid: {name for name, at in objects.items() if len(at) > 1}
            for pid, objects in places.items()}


def classify(perf, ours, strange):
    if perf and perf[-1][0] is None:
        perf = perf[:-1]
    same = 0
    while same < min(len(perf), len(ours)) and \
            perf[same][0] == ours[same][0]:
        same += 1
    if same == len(perf):
        return "equal" if same == len(ours) else "part"
    return "exec" if strange & {name for _, name in ours[:same]} else "other"


def compare(name, command, least, equal):
    """So many samples at least, and so many of 100 equal."""
    status, _, err = record(command)
    if not os.path.exists(data):
        tap.skip("%s: %s" % (name, err.strip()[-100:]))
        return
    perf = stacks(["perf", "script", "--no-inline", "--max-stack", "1000",
                   "-i", data])
    ours = stacks([tap.coldperf, "script", "--inline", "no", data])
    strange = moved()
    count = collections.Counter()
    for p, o in zip(perf, ours):
        pid = o[0][-2].split("/")[0]
        kind = classify(p[1], o[1], strange.get(pid, set())) \
            if p[0] == o[0] else "head"
        count[kind] += 1
        if kind in ("other", "head") and count[kind] <= 3:
            tap.diag("%s %s: perf %s ours %s" % (name, p[0], p[1], o[1]))
    wrong = count["other"] + count["head"]
    tap.ok(len(perf) == len(ours) and len(perf) >= least and
           wrong <= 1 + len(perf) // 1000 and
           count["equal"] * 100 >= equal * len(perf),
           "%s: %s" % (name, dict(count)))
    os.remove(data)


work = os.path.join(os.environ["top_srcdir"], "tests", "unwind", "work")
if not shutil.which("perf"):
    tap.skip_all("perf is not installed")
if record(["true"])[0] != 0:
    tap.skip_all("perf cannot record here")
for name, options, equal in (("frames", ["-O2"], 95),
                             ("static", ["-O2", "-static"], 0)):
    program = os.path.join(scratch, name)
    if run(["gcc", "-pthread", "-o", program, os.path.join(work, "frames.c")] +
           options)[0] == 0:
        compare(name, [program], 100, equal)
source = os.path.join(scratch, "source.c")
with open(source, "w") as f:
    for i in range(150):
        f.write(FUNCTION.replace("NAME", "f%d" % i))
if shutil.which("gcc"):
    options = ["-O2", "-o", "/dev/null", source]
    compare("gcc and its children", ["gcc", "-S"] + options, 20, 0)
    cc1 = run(["gcc", "-print-prog-name=cc1"])[1].strip()
    if cc1.startswith("/"):
        compare("cc1", [cc1, "-quiet"] + options, 20, 95)
if shutil.which("openssl"):
    compare("openssl", ["openssl", "speed", "-seconds", "1", "-bytes", "1024",
                        "sha256", "ecdsap256"], 20, 95)
tap.done()
