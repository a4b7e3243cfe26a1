#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Plants causes, records them in two ways, and prints which finding of the
# report names the cause: run.py COLDPERF [--keep FOLDER] [NAME ...].
# (a) the whole machine with switches, as our advice says; (b) the program by
# itself.  On demand only: takes five seconds a cause.
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ADVICE = ["-a", "-g", "-m", "1024", "-e", "sched:sched_switch", "-e", "sched:sched_waking",
          "-e", "sched:sched_wakeup_new", "-e", "cpu-clock"]
# What a sentence must have that names the cause: the mechanism, and whom it
# is about.  The function would be better; a libc without frame pointers hides
# it in chains of frame pointers.
NAMED = {
    "convoy": (r"\block\b", r"convoy"),
    "pipestall": (r"pipe", r"pipestall"),
    "fsyncs": (r"fsync", r"fsyncs"),
    "poolstarved": (r"each other|resource|lock", r"poolstarved"),
    "stopworld": (r"which was at work", r"stopworld"),
    "childwait": (r"child|process", r"sleep"),
    "victim": (r"CPU", r"\bhog\b"),
    "quota": (r"held back", r"quota"),
    "inversion": (r"\block\b", r"background"),
    "starvedreader": (r"each other|resource|lock", r"starvedreader"),
    "churn": (r"process", r"\btrue\b"),
    "faultstorm": (r"fault", r"use_buffer|faultstorm"),
    "nagle": (r"ACK", r"nagle"),
    "timerstorm": (r"wake|woke|times a second", r"timerstorm"),
    "oneslow": (r"flock|file lock", r"oneslow"),
    "mmaplock": (r"mmap_lock", r"mmaplock"),
    "cpushares": (r"rank_results",),
    "kernelonly": (r"kernel", r"fill_block|\bread\b"),
    "spin": (r"wait_for_turn",),
    "eagain": (r"kernel|call", r"drain_socket|\bread\b"),
    "softirq": (r"softirq", r"softirq|send_metrics"),
    "mallocarena": (r"\block\b", r"mallocarena|copy_message"),
    "leak": (r"fault|memory", r"remember_session|leak"),
    "phase": (r"search_overflow", r"since|from \+|at \+|after"),
    "affinity": (r"CPU 0|one CPU", r"affinity"),
    "migration": (r"\bmoved\b|migrat", r"migration"),
}
# True of the program, and no cause.
PLAIN = {"hot function", "wide function", "CPU taken", "change", "command", "ran", "no finding", "recorder", "callers", "no names", "one thread",
         "kernel", "lost"}


def build(name, where, *options):
    out = os.path.join(where, name)
    subprocess.run(["gcc", "-O1", "-g", "-fno-omit-frame-pointer", "-D_GNU_SOURCE", "-pthread",
                    *options, "-o", out, os.path.join(HERE, name + ".c")], check=True)
    return out


def rank(name, found):
    """The place of the first finding that names the cause; None."""
    how, *who = NAMED[name]
    for i, (_, sentence) in enumerate(found):
        # The name of the program says nothing of the cause.
        if (re.search(how, re.sub(rf"\b{name}\b", "PROGRAM", sentence)) and
                all(re.search(p, sentence) for p in who)):
            return i
    return None


def findings(coldperf, capture):
    done = subprocess.run([coldperf, "report", "--format", "json", capture], text=True,
                          capture_output=True, check=False)
    tables = {s.get("slug"): s.get("rows", [])
              for s in json.loads(done.stdout)["sections"]}
    return ([tuple(r["values"]) for r in tables.get("findings", [])],
            [tuple(r["values"][1:3]) for r in tables.get("accounts", [])])


def amount(found, causes, at):
    """The seconds of the finding's cause; None: it has none."""
    about = found[at][0]
    nth = [f[0] for f in found[:at]].count(about)
    times = [ns for of, ns in causes if of == about and ns is not None]
    return times[nth] / 1e9 if nth < len(times) else None


def record(program, way, where):
    out = program + "." + way
    if not os.path.exists(out):
        done = subprocess.run(["perf", "record", "-q", "-o", out] +
                              (ADVICE if way == "a" else ["-g"]) + ["--", program],
                              cwd=where, capture_output=True, text=True, check=False)
        if done.stdout.startswith("skip"):
            return None, "skip"
        with open(out + ".true", "w", encoding="utf-8") as f:
            f.write(done.stdout)
    with open(out + ".true", encoding="utf-8") as f:
        return out, f.read().strip()


def main():
    args = sys.argv[1:]
    coldperf = os.path.abspath(args.pop(0))
    folder = tempfile.TemporaryDirectory()
    where = folder.name
    if args[:1] == ["--keep"]:
        where = os.path.abspath(args[1])
        os.makedirs(where, exist_ok=True)
        args = args[2:]
    names = args or sorted(f[:-2] for f in os.listdir(HERE) if f.endswith(".c"))
    count = {"a": [0, 0, 0], "b": [0, 0, 0]}
    close = [0, 0]
    false = 0
    for name in names:
        program = build(name, where)
        for way in "ab":
            capture, true = record(program, way, where)
            if capture is None:
                print(f"{name:14} {way} skipped")
                continue
            found, causes = findings(coldperf, capture)
            if name.startswith("null"):
                # Other sentences are of the machine; what else runs may
                # have had the CPUs.
                bad = [f for f in found if name in f[1] and f[0] not in PLAIN]
                false += bool(bad)
                verdict = "FALSE" if bad else "clean"
            else:
                at = rank(name, found)
                ran = "ran" in [f[0] for f in found[:2]]
                named = at is not None and at < 2
                count[way][2] += 1
                count[way][0] += named
                count[way][1] += named or ran
                verdict = "MISSED" if at is None else f"named {at + 1}"
                seconds = amount(found, causes, at) if named else None
                if seconds is not None:
                    close[1] += 1
                    close[0] += abs(seconds - float(true)) <= float(true) / 10
                    true += f", said {seconds:.3f}"
                if not named and ran:
                    verdict = "ran"
            print(f"{name:14} {way} {verdict:8} (true: {true} s)")
            for f in found[:3]:
                print(f"      {f[0]}: {f[1]}")
    for way in "ab":
        print(f"({way}) first or second: {count[way][0]} of {count[way][2]}; "
              f"or that it did not run: {count[way][1]}")
    print(f"amounts within a tenth of the program's clock: {close[0]} of {close[1]}")
    print(f"null captures with a false cause: {false}")


if __name__ == "__main__":
    main()
