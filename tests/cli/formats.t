#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# A recorder that was killed wrote no layouts of tracepoints: they come from
# --formats or from the built-in table, and only if the payloads agree.
import os
import re
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

MKPERF = os.path.join(tap.top_builddir, "tests/tools/mkperf")
work = tempfile.TemporaryDirectory(prefix="coldperf-formats.")
with open(os.path.join(tap.top_srcdir,
                       "corpus/good-sched-waits/input.mkperf")) as f:
    WHOLE = f.read()
FORMAT = re.compile(r"^format (\w+) <<END\n(.*?)^END\n", re.M | re.S)
CUT = "layout killed\n" + FORMAT.sub("", WHOLE).replace(
    'tracing cmdlines=""\n', "")


def make(name, text):
    path = os.path.join(work.name, name)
    with open(path + ".mkperf", "w") as f:
        f.write(text)
    subprocess.run([MKPERF, path + ".mkperf", path], check=True)
    return path


def coldperf(*words):
    p = subprocess.run([tap.coldperf] + list(words), stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
    return p.returncode, p.stdout.decode(), p.stderr.decode()


def tables(path, *words):
    return coldperf("sched", "--format", "csv", "--section", "delays",
                    *words, path)


whole, cut = make("whole.data", WHOLE), make("cut.data", CUT)
want = tables(whole)
tap.ok(want[0] == 0 and "\n" in want[1].strip(), "the whole capture is read")

status, out, err = tables(cut)
tap.ok(status == 3, "the cut one is, in part")
tap.ok("(format)" in err and "sched:sched_switch by the built-in layout" in err,
       "the source of the switches' layout is said", err)
tap.ok("(no-format)" in err and "unknown tracepoint (3" in err,
       "of wake-ups, which look like others, the layout is asked for", err)

# Another capture of the kernel, a format file each, a copy of tracefs.
folder = os.path.join(work.name, "tracing/events")
files = []
for system, text in FORMAT.findall(WHOLE):
    event = re.search("^name: (.*)$", text, re.M).group(1)
    os.makedirs(os.path.join(folder, system, event))
    files.append(os.path.join(folder, system, event, "format"))
    with open(files[-1], "w") as f:
        f.write(text)
each = [word for path in files for word in ("--formats", path)]
for what, words in (("a capture", ["--formats", whole]),
                    ("a folder", ["--formats", folder]),
                    ("files", each)):
    status, out, err = tables(cut, *words)
    tap.ok(status == 3, "by " + what + ": status")
    tap.ok(out == want[1], "by " + what + ": the same waits as of the whole")
    tap.ok("by --formats" in err and "no-format" not in err,
           "by " + what + ": the source is said", err)

# A layout that is another kernel's: the number is right, the place is not.
wrong = make("wrong.data", WHOLE.replace(
    "field:pid_t next_pid;	offset:56", "field:pid_t next_pid;	offset:72"))
status, out, err = tables(cut, "--formats", wrong)
tap.ok("other-format" in err and "by the built-in layout" in err,
       "a layout that does not agree is not used", err)

# Payloads that are no switches are not taken for some: the pid is not theirs.
odd = make("odd.data", re.sub(
    r"(raw=u2:\d+,u1:\d+,u1:\d+,u4:)\w+", r"\g<1>77777", CUT))
status, out, err = tables(odd)
tap.ok("built-in" not in err and "no-format" in err,
       "payloads that agree with no layout are not read", err)

status, out, err = tables(cut, "--formats", MKPERF + ".c")
tap.ok(status == 2, "a path without layouts is an error")
tap.ok("--formats %s.c: it is no capture, no format file" % MKPERF in err and
       "not-perf-data" not in err if os.path.exists(MKPERF + ".c") else
       "--formats %s.c: No such file" % MKPERF in err, "and said", err)
text = os.path.join(work.name, "text")
with open(text, "w") as f:
    f.write("what somebody wrote\n")
status, out, err = tables(cut, "--formats", text)
tap.ok(status == 2 and "--formats %s: it is no capture, no format file" % text
       in err and "perf magic" not in err, "a text is neither", err)
plain = os.path.join(tap.top_srcdir, "corpus/good-fp/perf.data")
status, out, err = tables(cut, "--formats", plain)
tap.ok(status == 2 and "it has no layouts of tracepoints" in err,
       "a capture may have none", err)
empty = os.path.join(work.name, "empty")
os.mkdir(empty)
status, out, err = tables(cut, "--formats", empty)
tap.ok(status == 2 and "--formats %s: it is no capture" % empty in err,
       "so may a folder", err)

# ------------------------------------- requests and faults, of three kernels
COMMON = """field:unsigned short common_type; offset:0; size:2; signed:0;
field:unsigned char common_flags; offset:2; size:1; signed:0;
field:unsigned char common_preempt_count; offset:3; size:1; signed:0;
field:int common_pid; offset:4; size:4; signed:1;
"""
REQUEST = [("dev_t dev", 8, 4), ("sector_t sector", 16, 8),
           ("unsigned int nr_sector", 24, 4)]
ISSUE, DONE, FAULT = 2104, 2107, 190
# (where rwbs is, its size, where comm, cmd of an issue and of a completion are)
KERNELS = {"of Linux before 6.9": (32, 8, 40, 56, 40),
           "of Linux 6.9": (34, 8, 42, 60, 44),
           "with more letters": (34, 10, 44, 60, 44)}


def layout(system, name, number, fields):
    return "format %s <<END\nname: %s\nID: %d\nformat:\n%s%s\n" \
        "print fmt: \"\"\nEND\n" % (system, name, number, COMMON, "".join(
            "field:%s; offset:%d; size:%d; signed:0;\n" % f for f in fields))


def layouts(rwbs, letters, comm, cmd, done):
    prio = [("unsigned short ioprio", 32, 2)] if rwbs == 34 else []
    text = [("char rwbs[%d]" % letters, rwbs, letters)] + prio
    loc = "__data_loc char[] cmd"
    words = [("unsigned long " + w, 8 * i + 8, 8)
             for i, w in enumerate(("address", "ip", "error_code"))]
    return layout("block", "block_rq_issue", ISSUE, REQUEST + [
        ("unsigned int bytes", 28, 4)] + text + [
            ("char comm[16]", comm, 16), (loc, cmd, 4)]) + \
        layout("block", "block_rq_complete", DONE, REQUEST + [
            ("int error", 28, 4)] + text + [(loc, done, 4)]) + \
        layout("exceptions", "page_fault_user", FAULT, words) + "tracing\n"


def payload(number, pid, parts, size):
    """Items of mkperf: parts are (offset, bytes)."""
    raw = bytearray(size)
    for at, content in [(0, number.to_bytes(2, "little")),
                        (4, pid.to_bytes(4, "little"))] + parts:
        raw[at:at + len(content)] = content
    return bytes(raw).hex()


def requests(rwbs, letters, comm, cmd, done, wrong=0):
    lines = []
    for i in range(20):
        operation = (b"WS", b"R", b"FWFSM", b"RA")[i % 4] + b"\0"
        request = [(8, (0x800010).to_bytes(4, "little")),
                   (16, (1000 + 8 * i).to_bytes(8, "little")),
                   (24, (8).to_bytes(4, "little")),
                   (32, (0x4004).to_bytes(2, "little")), (rwbs, operation)]
        end = (1 << 16 | cmd + 4 + wrong).to_bytes(4, "little")
        lines.append("sample block:block_rq_issue pid=200 time=%d cpu=0 raw=%s"
                     % (10000 * i, payload(ISSUE, 200, request + [
                         (28, (4096).to_bytes(4, "little")),
                         (comm, b"beta%d\0" % (i % 3)), (cmd, end)],
                         cmd + 8)))
        end = (1 << 16 | done + 4 + wrong).to_bytes(4, "little")
        lines.append("sample block:block_rq_complete pid=0 time=%d cpu=0 "
                     "raw=%s" % (10000 * i + 700 + i, payload(
                         DONE, 0, request + [(done, end)], done + 8)))
        lines.append("sample exceptions:page_fault_user pid=200 time=%d cpu=0 "
                     "raw=%s" % (10000 * i + 900, payload(FAULT, 200, [
                         (8, (0x7000 + i).to_bytes(8, "little")),
                         (16, (0x400100).to_bytes(8, "little")),
                         (24, (4 + wrong).to_bytes(8, "little"))], 36)))
    return "\n".join(lines) + "\n"


EVENTS = "".join(
    "attr %s type=2 config=%d period=1 sample_type=IP|TID|TIME|CPU|PERIOD|RAW|"
    "IDENTIFIER flags=sample_id_all|comm ids=%d\n" % (name, number, i + 1)
    for i, (name, number) in enumerate((
        ("block:block_rq_issue", ISSUE), ("block:block_rq_complete", DONE),
        ("exceptions:page_fault_user", FAULT)))) + "comm pid=200 comm=beta\n"


for kernel, places in KERNELS.items():
    lines = EVENTS + layouts(*places) + requests(*places)
    full = make("requests.data", lines)
    bare = make("bare.data", EVENTS + requests(*places))
    for analysis, slug in (("blockio", "blockio"),
                           ("blockio", "blockio-commands"),
                           ("faults", "faults")):
        words = (analysis, "--no-local", "-f", "csv", "--section", slug)
        want, got = coldperf(*words, full), coldperf(*words, bare)
        tap.ok(want[1].count("\n") > 1 and got[1] == want[1] and
               "by the built-in layout, 20 of 20 payloads agree" in got[2],
               "%s, %s %s: as with the layout" % (analysis, slug, kernel),
               (want, got))
    bare = make("other.data", EVENTS + requests(*places, wrong=0x100000))
    got = coldperf("blockio", "--no-local", bare)
    tap.ok("built-in" not in got[2] and "no-format" in got[2],
           "other payloads are not taken for those " + kernel, got)
tap.done()
