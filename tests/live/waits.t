#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Waits that are known beforehand: corpus/workloads/waits.c is recorded, and
# each of its threads must appear with its class, its waker and its time off
# the CPU, within 2 % or a tick of the kernel of what it measured itself.
#
# A busy machine may disturb a recording, and some kernels drop events of
# idle CPUs without a word (so idle tasks of lowest priority keep them busy):
# what does not fit is recorded twice more.
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

TRIES = 3
COLD = 32 << 20  # bytes of the cold file
# Of this kernel, in ns: what CLOCK_MONOTONIC_COARSE (6) moves by; and what
# threads do before and after they measure themselves.
TICK = max(round(time.clock_getres(6) * 1e9), 2000000)
# The kernel charges a thread with a switch, and with its recording, for some
# microseconds before the tracepoint's time: `perf sched timehist` sees as
# little of that as we do.
SWITCH = 10000
EVENTS = "sched:sched_switch,sched:sched_waking,sched:sched_wakeup_new"
CFLAGS = ["-O1", "-g", "-fno-omit-frame-pointer",
          "-fno-optimize-sibling-calls", "-pthread"]


def build():
    program = os.path.join(folder, "waits")
    cc = "gcc" if shutil.which("gcc") else os.environ.get("CC", "cc")
    if subprocess.call([cc] + CFLAGS + [
            tap.top_srcdir + "/corpus/workloads/waits.c", "-o",
            program]) != 0:
        tap.skip_all("the workload does not compile")
    return program


def record(name, command, options=("-e", EVENTS, "-g", "-a")):
    """What the workload says of its threads: name -> (tid, wall, cpu)."""
    p = subprocess.run(["perf", "record", "-q", "-m", "2048", "-o",
                        os.path.join(folder, name)] + list(options) + command,
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                       universal_newlines=True)
    if p.returncode != 0:
        tap.diag(p.stderr)
        return None
    said = [line.split() for line in p.stdout.splitlines()]
    return {w[0]: (w[1], int(w[3]), int(w[5])) for w in said if len(w) == 6}


def tables(name, *options):
    """slug -> rows, each a dictionary."""
    p = subprocess.run(
        [tap.coldperf, options[0], "-f", "json", "--top", "0"] +
        list(options[1:]) +
        ["--symbols", os.path.join(folder, "kallsyms"),
         os.path.join(folder, name)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        universal_newlines=True)
    if p.returncode != 0:
        tap.diag(p.stderr)
    report = json.loads(p.stdout)
    return {s["slug"]: [dict(zip([c["name"] for c in s["columns"]],
                                 r["values"])) for r in s["rows"]]
            for s in report["sections"] if s["type"] == "table"}


def near(got, want, what, slack=TICK, unknown=0):
    """Time of events that the kernel dropped must be shown as unknown."""
    limit = max(0.02 * want, slack)
    tap.diag("%s: %.3f ms, %.3f unknown, measured %.3f ms" %
             (what, got / 1e6, unknown / 1e6, want / 1e6))
    if got > want + limit or got + unknown < want - limit:
        return ["%s: %d ns, measured %d ns" % (what, got, want)]
    return []


def conserved(rows):
    """On CPU + runnable + blocked + unknown = lifetime, of each thread."""
    return ["%s %s" % (r["Command"], r["TID"]) for r in rows
            if r["On CPU"] + r["Runnable"] + r["Blocked"] + r["Unknown"] !=
            r["Lifetime"]]


def class_of(name, comm):
    """The class with most time of the threads of that name."""
    rows = tables(name, "offcpu", "--comm", comm)["offcpu-classes"]
    return max(rows, key=lambda r: r["Time"])["Wait"] if rows else None


def misses(mode, argument, expect):
    """What of that which is expected is not there."""
    name = mode + ".data"
    said = record(name, [program, mode, argument])
    if not said:
        return ["no recording"]
    found = tables(name, "offcpu")
    bad = ["not conserved: %s" % t for t in conserved(found["offcpu-threads"])]
    wakes = found["offcpu-wakers"]
    for comm, (kind, waker) in expect.items():
        rows = [r for r in found["offcpu-threads"]
                if r["TID"] == said[comm][0] and r["Command"] == comm]
        if len(rows) != 1:
            bad += ["%s: %d rows" % (comm, len(rows))]
            continue
        off = rows[0]["Runnable"] + rows[0]["Blocked"]
        hidden = rows[0]["Unknown"]
        slack = max(TICK, SWITCH * rows[0]["Waits"])
        bad += near(off, said[comm][1] - said[comm][2], comm + " off CPU",
                    slack, hidden)
        bad += near(rows[0]["On CPU"], said[comm][2], comm + " on CPU",
                    slack, hidden)
        if kind == "runnable":
            if rows[0]["Runnable"] < 0.9 * off:
                bad += ["%s: blocked" % comm]
            continue
        if class_of(name, comm) != kind:
            bad += ["%s: class %s" % (comm, class_of(name, comm))]
        if not any(w["Woken"] == comm and w["Waker"] == waker and
                   w["Wait"] == kind for w in wakes):
            bad += ["%s: not woken by %s" % (comm, waker)]
    return bad


def check(text, *what):
    for _ in range(TRIES):
        bad = misses(*what)
        if not bad:
            break
        tap.diag("\n".join(bad))
    tap.ok(not bad, text, "\n".join(bad))


def check_records():
    """Context-switch records tell the same times, without classes."""
    bad = ["no recording"]
    for _ in range(TRIES):
        said = record("records.data", [program, "futex", "100"],
                      ["-e", "cpu-clock", "-g", "--switch-events"])
        if not said:
            break
        rows = tables("records.data", "offcpu")["offcpu-threads"]
        bad = conserved(rows)
        for comm in ("ping", "pong"):
            row = [r for r in rows if r["TID"] == said[comm][0]]
            bad += near(row[0]["Runnable"] + row[0]["Blocked"],
                        said[comm][1] - said[comm][2], comm) \
                if row else [comm + ": no row"]
        if not bad:
            break
    tap.ok(not bad, "context-switch records: the times of a hand-over",
           "\n".join(bad))


def check_syscalls():
    bad = ["no recording"]
    for _ in range(TRIES):
        said = record("calls.data", [program, "sleep", "10"], [
            "-e", "raw_syscalls:sys_enter,raw_syscalls:sys_exit"])
        if not said:
            break
        rows = tables("calls.data", "syscalls")["syscalls"]
        calls = [r for r in rows if "nanosleep" in r["Call"]]
        if len(calls) != 1 or calls[0]["Calls"] != 10:
            bad = ["%d rows of nanosleep" % len(calls)]
            continue
        bad = near(calls[0]["Time"], said["sleeper"][1], "in nanosleep")
        if not 50e6 <= calls[0]["p50"] <= 60e6:
            bad += ["median %d" % calls[0]["p50"]]
        if not bad:
            break
    tap.ok(not bad, "system calls: ten sleeps of 50 ms", "\n".join(bad))


def check_disk():
    """All that the reader read came in requests that it issued."""
    bad = ["no recording"]
    for _ in range(TRIES):
        said = record("disk.data", [program, "cold", cold],
                      ["-e", "block:block_rq_issue,block:block_rq_complete",
                       "-a"])
        if not said:
            break
        rows = [r for r in tables("disk.data", "blockio")["blockio-commands"]
                if r["Command"] == "reader"]
        tap.diag(rows)
        bad = near(rows[0]["Bytes"], COLD, "bytes", 0) if rows else ["no row"]
        if rows and not 0 < rows[0]["p50"] <= rows[0]["Max"]:
            bad += ["latencies"]
        if not bad:
            break
    if bad and not said:
        tap.skip("requests to disks cannot be recorded here")
    elif bad == ["no row"]:
        tap.skip("the folder for temporary files is on no disk")
    else:
        tap.ok(not bad, "a cold file: the bytes that were read",
               "\n".join(bad))


def in_memory(path):
    """Nobody waits for a disk there."""
    return subprocess.run(["stat", "-f", "-c", "%T", path],
                          stdout=subprocess.PIPE).stdout.strip() in \
        (b"tmpfs", b"ramfs")


if not shutil.which("perf"):
    tap.skip_all("perf is not installed")
if tap.sanitized:
    tap.skip_all("what takes how long is judged without sanitizers")
folder = tempfile.mkdtemp(prefix="coldperf-waits.")
idlers = []
try:
    program = build()
    if record("probe", ["true"]) is None:
        tap.skip_all("perf cannot record the scheduler here")
    with open("/proc/kallsyms") as f:
        if not f.readline().split()[0].strip("0") and \
                not f.readline().split()[0].strip("0"):
            tap.skip_all("this machine hides the addresses of its kernel")
    shutil.copyfile("/proc/kallsyms", os.path.join(folder, "kallsyms"))
    for _ in range(os.cpu_count() or 1):
        idlers.append(subprocess.Popen(
            ["chrt", "--idle", "0", "sh", "-c", "while :; do :; done"]))
    cold = os.path.join(folder, "cold")
    with open(cold, "wb") as f:
        f.write(os.urandom(COLD))
        os.fsync(f.fileno())
    check("sleeps of 50 ms: class, waker and time", "sleep", "20",
          {"sleeper": ("sleep", "(interrupt)")})
    check("a futex handed over: class, waker and time", "futex", "100",
          {"ping": ("futex", "pong"), "pong": ("futex", "ping")})
    if in_memory(folder):
        tap.skip("a cold file: the folder for temporary files is in memory")
    else:
        check("a cold file: class, waker and time", "cold", cold,
              {"reader": ("disk", "(interrupt)")})
    check("nice 0 and 19 on one CPU: they wait for it", "share", "2",
          {"nice0": ("runnable", None), "nice19": ("runnable", None)})
    check_records()
    check_syscalls()
    check_disk()
finally:
    for p in idlers:
        p.kill()
        p.wait()
    shutil.rmtree(folder)
tap.done()
