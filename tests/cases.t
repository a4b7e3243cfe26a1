#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# The cases of ../shared/cases, small inputs that outsiders found: each has a
# right value in the CATALOG there or in a README, and a check here.  A case
# without a check fails, and so does a check whose value is wrong, unless it is
# in NOT_YET: such a point is expected to fail until the value is right.
#
# Cases that are sources are built, and recorded with perf where it is allowed.
import csv
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
sys.path[:0] = [os.environ["top_srcdir"] + "/tests",
                os.environ["top_srcdir"] + "/tests/cases"]
import tap
from common import (
    CASES, Skip, Wrong, built, case, coldperf, command, folded, need,
    recorded, right, rows, scratch, script_lines, whole)
from names import (
    cxx20, debuglink, deleted_object, icf, jit_map_of_parent,
    jit_map_per_worker, memfd, no_build_id_pipe, patchelf, patchelf_on_host,
    symbol_sources, text_on_anonymous_pages, z_no_build_id)

FOLDERS = ("reading", "names", "stacks", "security")
NOT_YET = {"stacks/children-nameless.data"}


# ------------------------------------------------------------------- reading

def mmap2_misc_leak():
    folder = case("reading/mmap2-misc-leak")
    for name in ("fg.data", "m8.data", "m259.data", "maj0.data"):
        data = os.path.join(folder, name)
        if name != "maj0.data":  # of another program, which is not there
            whole("hashit", "--symbols", os.path.join(folder, "fpx"), data)
        _, err = coldperf("info", "--no-local", data, status=None)
        right("damaged" not in err, err)
        out, _ = coldperf("dump", data, status=None)
        right("build_id=" not in out and " ino=" in out, out[:2000])


def sound(path, *arguments):
    out, err = coldperf("report", "--no-local", *arguments, case(path))
    right("damage" not in err, err)
    return out


def migrated_task():
    path = case("reading/migrated-task.data")
    got = [float(line.strip().rstrip(":"))
           for line in script_lines(path, "time")]
    right(len(got) == 4 and all(abs(a - b) < 0.001 for a, b in zip(
        got, [4241.236, 4305.000, 4305.286, 4305.482])), got)


def count_of(path, n):
    got = sum(int(r["samples"])
              for r in rows("--by", "dso", case(path), status=0))
    right(got == n, got)


def clock_skew():
    path = case("reading/clock-skew.data")
    got = list(csv.DictReader(io.StringIO(
        coldperf("sched", "-f", "csv", path)[0])))
    ran = {r["comm"]: int(r["run_ns"]) for r in got}
    right(abs(ran.get("mover", 0) - 3995000) <= 10000, ran)


def flip_zstd():
    path = case("reading/flip-zstd-1bit.data")
    periods = {line.split()[0] for line in
               script_lines(path, "period,event", status=None)}
    right(periods <= {"125000", "125,000"}, sorted(periods)[:5])
    own = [r for r in rows("--by", "dso", path)
           if not r["object"].startswith("[")]
    right(own and float(own[0]["share"]) > 0.8, own)


# -------------------------------------------------------------------- stacks

def leaf_caller():
    prog = built(case("stacks/leaf-caller/l.c"), "-O1", "-g",
                 "-fno-omit-frame-pointer", "-fno-optimize-sibling-calls")
    stacks = folded("--lost-callers=mark",
                    recorded(prog, "-e", "cpu-clock:u", "-F", "499",
                             "--call-graph", "fp"))
    wrong = sum(n for s, n in stacks.items()
                if re.search(r"request;_*(mem|str)[a-z0-9_]*$", s))
    right(wrong * 50 < sum(stacks.values()), sorted(stacks)[:6])


def frameless():
    path = case("stacks/frameless-eagain.data")
    out, err = coldperf("report", path, status=None)
    quality, _ = coldperf("quality", path, status=None)
    right(re.search("callers?.*not recorded", out + quality),
          (out[-600:], quality[-600:]))


def children_nameless():
    got = {r["symbol"][-6:]: (float(r["self"]), float(r["children"]))
           for r in rows("--no-local", "-e", "context-switches", "--children",
                         "--by", "symbol",
                         case("stacks/children-nameless.data"))}
    right(got == {"003000": (1, 1), "004000": (0, 1)}, got)


def noreturn():
    prog = built(case("stacks/noreturn.c"), "-O1", "-g",
                 "-fno-omit-frame-pointer", "-fno-toplevel-reorder",
                 "-falign-functions=1")
    stacks = folded(recorded(prog, "-e", "cpu-clock:u", "-F", "499", "-g"))
    good = sum(n for s, n in stacks.items()
               if s.endswith("main;real_caller;spin_forever"))
    right(good > .95 * sum(stacks.values()), stacks)


def inlined_waits():
    prog = built(case("stacks/inlined-waits.cpp"), "-O2", "-g",
                 "-fno-omit-frame-pointer", "-pthread", compiler="g++")
    data = recorded(prog, "-F", "1999", "-e", "cpu-clock", "-e",
                    "sched:sched_switch", "--switch-events", "--call-graph",
                    "dwarf")
    stacks = {}
    for line in coldperf("offcpu", "-f", "folded", data)[0].splitlines():
        stack, n = line.rsplit(" ", 1)
        stacks[stack] = int(n)
    part = {name: sum(n for s, n in stacks.items() if name + "_[i]" in s) /
            max(1, sum(stacks.values())) for name in ("locked", "rest")}
    # How long others hold the CPU is not the program's.
    right(part["locked"] > .25 and .02 < part["rest"] < .4, part)


# ------------------------------------------------------------------ security

def redact_fp():
    data = case("security/redact-fp/pw.data")
    out = scratch("redacted.data")
    coldperf("redact", "--redact", "public", "-o", out, data, status=None)
    with open(out, "rb") as f:
        right(b"hunter2!" not in f.read(), "in the redacted capture")
    word = b"hunter2!"[::-1].hex()
    for words in (("script", "--redact", "public"),
                  ("flame", "-f", "folded", "--redact", "public")):
        text, _ = coldperf(*words, data, status=None)
        right("hunter2!" not in text and word not in text, words)


def capture_sh():
    need("perf")
    if tap.sanitized:
        raise Skip("recorded in the other build")
    secret = scratch("target", "secret")
    with open(secret, "w") as f:
        f.write("hunter2!\n")
    prog = scratch("target", "t (" + secret)
    shutil.copy(built(case("stacks/leaf-caller/l.c"), "-O1"), prog)
    data, tar = scratch("target", "ev.data"), scratch("target", "out.tar")
    p = command("perf", "record", "-q", "-o", data, "--", prog)
    if p.returncode:
        raise Skip("perf cannot record here")
    command(os.path.join(tap.top_srcdir, "contrib", "coldperf-capture.sh"),
            "-o", tar, data, timeout=60)
    if not os.path.exists(tar):
        return
    with tarfile.open(tar) as t:
        for member in t:
            f = t.extractfile(member) if member.isfile() else None
            right(f is None or f.read(8) != b"hunter2!", member.name)


def first_finding(name, about, words):
    out = coldperf("report", "--no-local", "-f", "json", case(name),
                   status=None)[0]
    table = next(s for s in json.loads(out)["sections"]
                 if s.get("slug") == "findings")
    told = [r["values"] for r in table["rows"]]
    right(any(a == about and words in t for a, t in told), told)
    return told, out


def broken_period():
    told, _ = first_finding("analyses/broken-period.data", "few heavy samples",
                            "the 1,001 samples tell as much as 1.0")
    right(told[0][0] == "few heavy samples", told)


def user_only():
    out = first_finding("analyses/user-only.data", "user only",
                        "cpu-clock:u samples user code only")[1]
    right('"slug": "modes"' not in out, "modes of user code only")


# ------------------------------------------------------------------ analyses

def found(path):
    """{about: finding} of report."""
    sections = json.loads(coldperf("report", "-f", "json", "--no-local",
                                   case(path), status=None)[0])["sections"]
    rows = next(s["rows"] for s in sections if s.get("slug") == "findings")
    return {r["values"][0]: r["values"][1] for r in rows}


def one_process_switches():
    out, _ = coldperf("offcpu", "--no-local",
                      case("analyses/one-process-switches.data.zst"))
    right(re.search(r"928\.7 ms .* on CPU", out), out[:2000])
    right(re.search(r" 0 ns .* unknown", out), out[:2000])
    # Who had the CPU was not recorded.
    f = found("analyses/one-process-switches.data.zst")
    right("held back" not in f and "not recorded" in f["CPU taken"], f)


def one_command_sched():
    f = found("analyses/one-command-sched.data")
    right("CPU wait" not in f and "CPU taken" not in f, f)


def blocked_switch_events():
    f = found("analyses/blocked-switch-events.data")
    right(re.match(r"producer ran for 4\.\d % of its 2\.", f["ran"]), f)


def convoy_cpu_only():
    f = found("analyses/convoy-cpu-only.data")
    right(re.match(r"wl ran for 10\.9 % of its 4\..*not recorded", f["ran"]), f)
    right(list(f)[0] == "ran", f)


def quota():
    f = found("analyses/quota.data")
    right(re.match(r"pod was ready for 800\.000 ms .*quota", f["held back"]), f)


def pool():
    rows = [line.rsplit(" ", 1) for line in coldperf(
        "offcpu", "-f", "folded", "--no-local",
        case("analyses/pool/sched40.data.zst"), status=None)[0].splitlines()]
    most = max(rows, key=lambda r: int(r[1]))
    right(most[0].startswith("pool-0…39;") and
          int(most[1]) > 15e9, most)


# Of these folders each case has a check; of analyses only some.
def counts(name, table):
    sections = json.loads(coldperf("stat", "-f", "json", case(name))[0])
    rows = next(s["rows"] for s in sections["sections"]
                if s["slug"] == table)
    return [r["values"] for r in rows]


def stat():
    got = {v[2]: v[0] for v in counts("analyses/stat.data", "counts")}
    right(round(got.pop("task-clock"), 2) == 227.11, got)
    right(got == {"page-faults": 50, "context-switches": 109}, got)


def stat_interval():
    rows = counts("analyses/stat-interval.data", "intervals")
    got = [v[1] for v in rows if v[3] == "page-faults"]
    right(got == [49, 0, 0, 0, 0, 1], got)


CHECKS = {
    "analyses/broken-period.data": broken_period,
    "analyses/user-only.data": user_only,
    "reading/mmap2-misc-leak": mmap2_misc_leak,
    "reading/cpu-map-slack.data": lambda: sound("reading/cpu-map-slack.data"),
    "reading/migrated-task.data": migrated_task,
    "reading/samples-with-8-bytes-more.data":
        # Its row says 245, which is of another file: perf script has 11.
        lambda: count_of("reading/samples-with-8-bytes-more.data", 11),
    "reading/simpleperf-attrs-at-168.data":
        lambda: count_of("reading/simpleperf-attrs-at-168.data", 1),
    "reading/stat-record-no-counters.data":
        lambda: sound("reading/stat-record-no-counters.data"),
    "reading/clock-skew.data": clock_skew,
    "reading/flip-zstd-1bit.data": flip_zstd,
    "names/no-build-id-pipe": no_build_id_pipe,
    "names/z-no-build-id.data": z_no_build_id,
    "names/deleted-object": deleted_object,
    "names/text-on-anonymous-pages": text_on_anonymous_pages,
    "names/cxx20": cxx20,
    "names/jit-map-per-worker": jit_map_per_worker,
    "names/jit-map-of-parent": jit_map_of_parent,
    "names/memfd": memfd,
    "names/icf": icf,
    "names/symbol-sources": symbol_sources,
    "names/patchelf": patchelf,
    "names/patchelf-on-host": patchelf_on_host,
    "names/debuglink-in-symbols": debuglink,
    "stacks/leaf-caller": leaf_caller,
    "stacks/frameless-eagain.data": frameless,
    "stacks/children-nameless.data": children_nameless,
    "stacks/noreturn.c": noreturn,
    "stacks/inlined-waits.cpp": inlined_waits,
    "analyses/one-process-switches.data.zst": one_process_switches,
    "analyses/one-command-sched.data": one_command_sched,
    "analyses/blocked-switch-events.data": blocked_switch_events,
    "analyses/convoy-cpu-only.data": convoy_cpu_only,
    "analyses/quota.data": quota,
    "analyses/pool": pool,
    "analyses/stat.data": stat,
    "analyses/stat-interval.data": stat_interval,
    "security/redact-fp": redact_fp,
    "security/capture-sh": capture_sh,
}


def listed():
    """The cases of the catalogue; a row may name several."""
    out = []
    with open(os.path.join(CASES, "CATALOG.md")) as f:
        for line in f:
            if line.startswith("| ") and "/" in line.split("|")[1]:
                out += [w for w in re.split(r"[,\s]+", line.split("|")[1])
                        if w.split("/")[0] in FOLDERS or w in CHECKS]
    return out


def judge(name):
    try:
        CHECKS[name]()
    except Skip as why:
        tap.skip("%s: %s" % (name, why))
        return
    except (Wrong, subprocess.SubprocessError, KeyError, OSError) as why:
        if name in NOT_YET:
            tap.todo(name, "not right yet", why)
        else:
            tap.ok(False, name, why)
        return
    tap.ok(True, name)
    if name in NOT_YET:
        tap.diag(name + " is right now: take it out of NOT_YET")


if not os.path.exists(os.path.join(CASES, "CATALOG.md")):
    tap.skip_all("there is no folder of cases")
only = sys.argv[1:]
for one in listed():
    if only and one not in only:
        continue
    if one in CHECKS:
        judge(one)
    else:
        tap.ok(False, one + " has a check")
tap.done()
