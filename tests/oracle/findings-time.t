#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# What `report' says of saturated CPUs, of waits for locks and for CPUs, and of
# broken call chains is counted again from what perf script prints.
import collections
import os
import re
import sys
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
sys.path.insert(0, os.environ["top_srcdir"] + "/tests/oracle")
import oracle
import tap

MS = 10 ** 6
LINE = re.compile(r"^\s*(?P<comm>\S.*?)\s+(?P<pid>-?\d+)/(?P<tid>-?\d+)\s+"
                  r"\[(?P<cpu>\d+)\]\s+(?P<s>\d+)\.(?P<ns>\d{9}):\s+"
                  r"(?P<event>\S+):(?P<rest>.*)$")
CLOCK = """
attr cpu-clock type=1 config=0 %s ids=1 flags=%ssample_id_all|mmap|comm|ksymbol|bpf_event \\
    sample_type=IP|TID|TIME|ID|CPU|PERIOD
mmap pid=-1 tid=0 addr=0xffffffff81000000 len=0x1000000 \\
    pgoff=0xffffffff81000000 misc=1 name="[kernel.kallsyms]_text"
comm 10 10 app
ksymbol addr=0xffffffffc0001000 len=0x100 name="bpf_prog_aa_parse" time=100
ksymbol addr=0xffffffffc0002000 len=0x100 name="bpf_prog_bb_other" time=100
"""


def ok(held, what, *details):
    return tap.ok(held, what, details)


def saturated(how, flags, busy):
    """CPU 1 has a sample each ms in `busy', else one in 4 ms."""
    text = CLOCK % (how, flags)
    for ms in range(0, 5000):
        inside = ms in busy
        if inside or ms % 4 == 0:
            parse = ms % 100 < (61 if inside else 18)
            text += "sample ip=%#x misc=1 pid=10 time=%d cpu=1 period=%d\n" % (
                0xffffffffc0001010 if parse else 0xffffffffc0002010,
                10 ** 9 + ms * MS, MS)
        if ms % 3 == 0:
            text += "sample ip=0x1000 pid=0 time=%d cpu=0 period=%d\n" % (
                10 ** 9 + ms * MS + 7, MS)
    return text


def slow(case, times):
    """A case of the corpus whose times are longer."""
    with open(os.path.join(tap.top_srcdir, "corpus", case,
                           "input.mkperf")) as f:
        return re.sub(r"time=(\d+)", lambda m: "time=%d" % (
            times * int(m[1]) - (times - 1) * 10 ** 9), f.read())


CHAINS = """
attr cycles type=0 config=0 period=1000 flags=sample_id_all|mmap|comm \\
    sample_type=IP|TID|TIME|PERIOD|CALLCHAIN
comm 8 8 app
mmap pid=8 addr=0x400000 len=0x100000 pgoff=0 name="/opt/lib.so"
repeat 30 as i {
sample ip=0x400010 pid=8 time=1000+i period=1000 chain=user,0x400010,0x400020
}
repeat 20 as i {
sample ip=0x400010 pid=8 time=2000+i period=1000 chain=user,0x400010,0x400020,0x900000,0x400030
}
repeat 10 as i {
sample ip=0x400010 pid=8 time=3000+i period=1000 chain=user,0x400010,0x40
}
repeat 7 as i {
sample ip=0x10 pid=8 time=4000+i period=1000 chain=user,0x10
}
repeat 11 as i {
sample ip=0xffffffff81000010 pid=8 time=5000+i period=1000 misc=1 \\
    chain=kernel,0xffffffff81000010,0xffffffff81000020
}
"""


def made():
    texts = {
        "saturated": saturated("period=1000000", "", range(2400, 3700)),
        "saturated-freq": saturated("period=1000", "freq|",
                                    range(900, 1500)),
        "saturated-early": saturated("period=1000000", "", range(0, 777)),
        "slow-waits": slow("good-waits", 10),
        "slower-waits": slow("good-waits", 31),
        "slow-locks": slow("good-latencies", 3),
        "chains": CHAINS}
    for name, text in texts.items():
        yield "made " + name, oracle.made(name, text)


def script(path, fields):
    """The matches of perf's lines, in order of time."""
    out = oracle.run(["perf", "script", "-G", "--ns", "-F", "comm,pid,tid,cpu,"
                      "time,event," + fields, "-i", path])[1]
    return [m for m in map(LINE.match, out.splitlines()) if m]


def time_of(m):
    return int(m["s"]) * 10 ** 9 + int(m["ns"])


def unit(text):
    """"3.004 ms" in ns, and half of its last digit."""
    number, word = text.split()
    size = {"ns": 1, "us": 1000, "ms": MS, "s": 10 ** 9}[word]
    digits = len(number.split(".")[1]) if "." in number else 0
    return float(number) * size, size * 0.5000001 * 10 ** -digits


# ------------------------------------------------------------------ saturation

def interval_of(path):
    """ns that a sample of cpu-clock stands for."""
    for line in oracle.run(["perf", "evlist", "-v", "-i", path])[1] \
            .splitlines():
        m = re.match(r"(?:cpu|task)-clock.*?sample_freq }: (\d+)", line)
        if m:
            return 10 ** 9 / int(m[1]) if re.search(r", freq: 1", line) \
                else int(m[1])
    return None


def spans(rows, interval):
    """(slices, CPU, first): the longest spans of busy slices of each CPU."""
    base, last = time_of(rows[0]), max(map(time_of, rows))
    width = 10 * MS
    while (last - base) // width >= 64:
        width *= 2
    count = collections.Counter((int(m["cpu"]), (time_of(m) - base) // width)
                                for m in rows)
    slices = (last - base) // width
    found = []
    for cpu in sorted({c for c, _ in count}):
        run = 0
        for i in range(slices):
            run = run + 1 if count[cpu, i] >= 0.95 * width / interval else 0
            found.append((run, -cpu, -(i - run + 1)))
    return base, width, slices, max(found, default=(0, 0, 0))


def check_busy(name, path, event, sentence):
    interval = interval_of(path)
    if interval is None:
        return tap.skip(name + ": saturation by another event than a clock")
    rows = [m for m in script(path, "ip,sym")
            if m["event"] == event and m["pid"] != "0"]
    base, width, slices, (n, cpu, first) = spans(rows, interval)
    want = "CPU %d was saturated " % -cpu
    if n == slices:
        want += "all the time"
    else:
        want += "from +%.2f s to +%.2f s" % (
            -first * width / 1e9, (n - first) * width / 1e9)
    ok(n and sentence.split(";")[0] == want,
           name + ": " + want, sentence)
    said = re.search(r"; (\S+) took (\S+) % there \((\S+)–(\S+) %\), (\S+) % "
                     r"elsewhere \((\S+)–(\S+) %\)", sentence)
    if said is None:
        return None
    parts = {True: [0, 0], False: [0, 0]}
    for m in rows:
        slice_ = (time_of(m) - base) // width
        inside = int(m["cpu"]) == -cpu and -first <= slice_ < n - first
        parts[inside][0] += m["rest"].split()[1:2] == [said[1]]
        parts[inside][1] += 1
    for inside, (share, lo, hi) in ((True, said.groups()[1:4]),
                                    (False, said.groups()[4:7])):
        of, all_ = parts[inside]
        ok(share == "%.2f" % (100 * of / max(1, all_)) and
               float(lo) <= float(share) <= float(hi),
               "%s: %s %s %% %s" % (name, said[1], share,
                                    "there" if inside else "elsewhere"),
               "%d of %d" % (of, all_), sentence)
    return None


# ----------------------------------------------------------------------- waits

def lock_waits(rows):
    """ns of each wait: system calls futex, and the kernel's own locks."""
    began, futex, waits = {}, {}, []
    for m in rows:
        tid, t, words = m["tid"], time_of(m), m["rest"].split()
        if m["event"] == "lock:contention_begin":
            began.setdefault(tid, t)
        elif m["event"] == "lock:contention_end" and tid in began:
            waits.append(t - began.pop(tid))
        elif m["event"] == "raw_syscalls:sys_enter" and words[1] == "202":
            if int(words[3].strip("(,)"), 16) & 0x7f in (0, 6, 9, 11, 13):
                futex[tid] = t
        elif m["event"] == "raw_syscalls:sys_exit" and words[1] == "202" and \
                tid in futex:
            waits.append(t - futex.pop(tid))
    return waits


def check_locks(name, path, event, sentence):
    said = re.match(r"threads waited (\S+ \S+) for locks, (\S+) % of the "
                    r"capture's length, in (\S+) waits", sentence)
    rows = script(path, "trace")
    waits = lock_waits(rows)
    length = max(map(time_of, rows)) - min(map(time_of, rows))
    value, near = unit(said[1])
    ok(abs(sum(waits) - value) <= near and
           said[2] == "%.2f" % (100 * sum(waits) / length) and
           said[3] == "%d" % len(waits),
           "%s: locks, %s in %s waits" % (name, said[1], said[3]),
           waits, length, sentence)


def cpu_waits(rows):
    """(ns, begin, thread) of each time that a thread was ready."""
    ready, names, waits = {}, {}, []
    for m in rows:
        t = time_of(m)
        pairs = dict(re.findall(r"(\w+)=(.*?)(?= \w+=| ==>|$)", m["rest"]))
        if m["event"] == "sched:sched_switch":
            tid = pairs["next_pid"]
            names[tid] = pairs["next_comm"].strip()
            if tid in ready:
                waits.append((t - ready[tid], ready.pop(tid), names[tid]))
            if pairs["prev_state"][0] == "R" and pairs["prev_pid"] != "0":
                ready[pairs["prev_pid"]] = t
        elif m["event"] in ("sched:sched_waking", "sched:sched_wakeup"):
            ready.setdefault(pairs["pid"], t)
    return waits


def check_wait(name, path, event, sentence):
    said = re.match(r"(\S+) was ready and waited (\S+ \S+) for a CPU, from "
                    r"\+(\S+ \S+):", sentence)
    rows = script(path, "trace")
    wait, began, comm = max(cpu_waits(rows))
    value, near = unit(said[2])
    at, at_near = unit(said[3])
    start = min(map(time_of, rows))
    ok(said[1] == comm and abs(wait - value) <= near and
           abs(began - start - at) <= at_near,
           "%s: %s waited %s from +%s" % (name, *said.groups()),
           wait, began - start, comm)


# --------------------------------------------------------------------- callers

EXACT = "good-exact-ip"  # perf leaves the exact address out of the chain
STARTS = ("_start", "main", "clone", "__libc_start_", "start_thread")


def is_broken(chain):
    """Frames are (address, name, object), the innermost first."""
    user = [f for f in chain if f[0] < 1 << 63]
    if not user:
        return None
    if any(f[2] == "[unknown]" for f in user[1:]):
        return True
    last = user[-1]
    if len(chain) >= 124 or last[2] == "[unknown]" or \
            any(f[1].startswith(STARTS) for f in user[-2:]):
        return False
    base = os.path.basename(last[2])
    return not (last[1] == "[unknown]" and len(user) > 1 and
                (".so" not in base or
                 base.startswith(("libc.", "libc-", "libpthread", "ld"))))


def check_callers(name, path, event, sentence):
    said = re.match(r"(\S+) % of the call chains of user code are broken",
                    sentence)
    if said is None or name == EXACT:
        return tap.skip(name + ": other stacks than perf prints")
    out = oracle.run(["perf", "script", "--no-inline", "--max-stack", "65535",
                      "-F", "misc,event,ip,sym,dso", "-i", path])[1]
    broken, all_ = 0, 0
    for block in out.split("\n\n"):
        head, *lines = block.strip("\n").splitlines() or [""]
        frames = [re.match(r"\s*([0-9a-f]+) (.*) \((.*)\)$", l) for l in lines]
        of = re.match(r"\s*(\w+)\s+" + re.escape(event) + r":\w*:?\s*$", head)
        if of is None or not all(frames):
            continue
        verdict = is_broken([(int(f[1], 16), f[2], f[3]) for f in frames])
        if not frames and of[1] == "U":
            verdict = True  # not even a caller
        all_ += verdict is not None
        broken += bool(verdict)
    if all_ == 0:
        return tap.skip(name + ": perf calls the event otherwise")
    share = 100 * broken / max(1, all_)
    ok(abs(float(said[1]) - share) <= 0.0501,
           "%s: %s %% of the chains are broken" % (name, said[1]),
           "%d of %d" % (broken, all_))
    return None


def checker(about):
    if re.match(r"CPU \d+$", about):
        return "saturation", check_busy
    return {"locks": ("locks", check_locks),
            "CPU wait": ("waits", check_wait),
            "callers": ("callers", check_callers)}.get(about)


def main():
    oracle.need_perf()
    seen = collections.Counter()
    for name, path in [*made(), *oracle.all_captures()]:
        event, found = oracle.findings(path)
        for about, sentence in found:
            if checker(about) is None:
                continue
            refused = oracle.refused(*oracle.run(
                ["perf", "script", "-F", "ip", "-i", path])[::2])
            if refused:
                tap.skip("%s, %s: %s" % (name, about, refused))
                continue
            kind, check = checker(about)
            check(name, path, event, sentence)
            seen[kind] += name.startswith("made")
    ok(seen["saturation"] == 3 and seen["locks"] == 1 and
           seen["waits"] == 2 and seen["callers"] == 1,
           "each kind was counted on made captures", dict(seen))
    tap.done()


main()
