#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# What perf reads to its end is sound: status 0, and no byte is skipped.  Over the
# corpus, captures of others, cases, and recordings made here with RECORD=1 (about
# fifty kinds; minutes).  NEWER_PERF names a second perf, which is asked, too, and
# records, too.  Each exception has its proof of damage; one that is gone fails.
import json
import os
import shutil
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

PERFS = [p for p in (shutil.which("perf"), os.environ.get("NEWER_PERF")) if p]
SHARED = os.path.join(tap.top_srcdir, "..", "shared")
KILLED = "the header tells 0 bytes of data, and there are some"
EXCEPTIONS = {
    "cases/reading/mmap2-misc-leak/fg.data": KILLED,
    "cases/reading/mmap2-misc-leak/m8.data": KILLED,
    "cases/reading/mmap2-misc-leak/m259.data": KILLED,
    "cases/reading/mmap2-misc-leak/maj0.data": KILLED,
    "cases/reading/flip-zstd-1bit.data": "one bit was flipped",
    "odd-long-table": "an entry of the feature table has a size but no bit",
    "odd-pipe-trailing-text": "text of another program follows the records",
    "odd-unknown-id": "a sample has the id of no event; perf warns",
}
KINDS = """-c 1000000|-F 4000|-a|-ag|-C 0|-g|--call-graph dwarf|-e cpu-clock:u
-e cpu-clock,page-faults,context-switches|-e {cpu-clock,page-faults}:S
-e sched:sched_switch -a|-e sched:sched_switch,sched:sched_waking -ag
-e raw_syscalls:*|--switch-events -a|--namespaces|--all-cgroups -a|-z -g
-z22 -ag|--buildid-mmap|--buildid-all -a|-B|-N|-d|--data-mmap -d|--phys-data|-s
-T -P|-R|-I|--user-regs=ip,sp,bp|-k mono|-k CLOCK_MONOTONIC_RAW|--latency
--timestamp-boundary|--tail-synthesize|--synth=no|--overwrite --tail-synthesize
--no-buffering|-m 1 -F 20000 -g|--per-thread|-i|--sample-identifier
--code-page-size --data-page-size|--mmap-flush=4096 --affinity=cpu|--aio
--max-size=40k -F 10000 -g|-W|-D 50|--threads -a|-a -G /|--exclude-perf -a
--running-time -e {cpu-clock,page-faults}:S|--user-callchains -g"""
WORK = ["sh", "-c", "for i in 1 2 3 4; do taskset -c $((i % 2)) sh -c "
        "'i=0; while [ $i -lt 3000 ]; do i=$((i + 1)); done'; sleep 0.02; done"]
tmp = tempfile.TemporaryDirectory()


def captures():
    """(name, path): of the corpus and of others."""
    corpus = os.path.join(tap.top_srcdir, "corpus")
    for case in sorted(os.listdir(corpus)):
        if case.startswith(("good-", "odd-")):
            yield case, tap.capture(case, tmp.name)
    for part in "cases/reading", "corpus":
        for folder, _, files in sorted(os.walk(os.path.join(SHARED, part))):
            for f in sorted(files):
                path = os.path.join(folder, f)
                with open(path, "rb") as opened:
                    if opened.read(4) in (b"PERF", b"2ELI"):
                        yield os.path.relpath(path, SHARED), path


def recorded():
    for perf in PERFS:
        for i, options in enumerate(KINDS.replace("\n", "|").split("|")):
            path = os.path.join(tmp.name, "%s-%d" % (PERFS.index(perf), i))
            words = options.split()
            if "-e" not in words:
                words += ["-e", "cpu-clock"]
            subprocess.run([perf, "record", "-q", "-o", path] + words + ["--"] +
                           WORK, capture_output=True, stdin=subprocess.DEVNULL)
            if os.path.exists(path) and (os.path.isdir(path) or
                                         os.path.getsize(path)):
                yield "%s record %s" % (perf, options), path


def perf_reads(path):
    return any(subprocess.run(
        [perf, "script", "-f", "-F", "comm", "-i", path], env=dict(
            os.environ, PAGER="cat"), stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL).returncode == 0
        for perf in PERFS)


def quality(path):
    """Status, bytes skipped, and what was said."""
    r = subprocess.run([tap.coldperf, "quality", "--no-local", "-f", "json",
                        path], capture_output=True, text=True)
    for section in json.loads(r.stdout or '{"sections":[]}')["sections"]:
        for scalar in section.get("scalars", []):
            if scalar["key"] == "bytes_skipped":
                return r.returncode, scalar["value"], r.stderr
    return r.returncode, None, r.stderr


def main():
    if not PERFS:
        tap.skip_all("perf is not installed")
    every = list(captures())
    if os.environ.get("RECORD"):
        every += recorded()
    sound = [(name, path) for name, path in every if perf_reads(path)]
    wrong, gone = [], []
    for name, path in sound:
        status, skipped, said = quality(path)
        held = status == 0 and skipped == 0
        if name in EXCEPTIONS:
            gone += [name] if held else []
        elif not held:
            wrong.append("%s: status %d, %s bytes skipped\n%s" % (
                name, status, skipped, said))
    tap.ok(len(sound) >= 40, "perf reads enough of them", len(sound))
    tap.ok(not wrong, "what perf reads to its end is sound", "".join(wrong))
    tap.ok(not gone, "each exception is one", gone)
    tap.diag("%d captures, %d that perf reads" % (len(every), len(sound)))
    tap.done()


main()
