#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# mkperf itself: known bytes come out, wrong texts are refused, and perf, where
# it is installed, reads the values that the text gave.
import os
import shutil
import struct
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

mkperf = os.path.join(tap.top_builddir, "tests/tools/mkperf")
tmp = tempfile.TemporaryDirectory()
ATTR = ("attr cycles type=0 period=1000 ids=1,2 flags=sample_id_all|mmap "
        "sample_type=IP|TID|TIME|CALLCHAIN|PERIOD\n")


def compile_text(text):
    """The bytes of a text, or None and what was said."""
    source, target = tmp.name + "/in", tmp.name + "/out"
    with open(source, "w") as f:
        f.write(text)
    run = subprocess.run([mkperf, source, target], capture_output=True)
    if run.returncode != 0:
        return None, run.stderr.decode()
    with open(target, "rb") as f:
        return f.read(), ""


def records(text):
    data, why = compile_text(text)
    if data is None:
        tap.diag(why)
        return b""
    offset, size = struct.unpack_from("<QQ", data, 40)
    return data[offset:offset + size]


def check_bytes():
    # Annotated records of real recordings: comm, then a sample.
    got = records(ATTR + 'comm 25733 25733 "w" misc=0x2000 '
                         "time=0x133b24498c1\n")
    tap.ok(got.hex() == "0300000000202800" "8564000085640000"
           "7700000000000000" "8564000085640000" "c19844b233010000",
           "a COMM record is as the kernel writes it", got.hex())
    got = records(ATTR + "sample ip=0x5612d164c1a3 pid=25733 "
                  "time=0x133b26432d7 period=1001001 "
                  "chain=user,0x5612d164c1a3\n")
    tap.ok(got.hex() == "0900000002004000" "a3c164d112560000"
           "8564000085640000" "d73264b233010000" "29460f0000000000"
           "0200000000000000" "00feffffffffffff" "a3c164d112560000",
           "a SAMPLE record is as the kernel writes it", got.hex())


def check_order():
    little = compile_text("byte_order little\n" + ATTR)[0]
    big = compile_text("byte_order big\n" + ATTR)[0]
    tap.ok(little[:8] == b"PERFILE2" and big[:8] == b"2ELIFREP",
           "the magic tells the byte order")
    tap.ok(struct.unpack("<12Q", little[8:104]) ==
           struct.unpack(">12Q", big[8:104]),
           "the headers of both orders say the same")
    flags = [struct.unpack_from(o + "Q", b, 120 + 40)[0]
             for o, b in (("<", little), (">", big))]
    tap.ok(flags[0] == 1 << 18 | 1 << 8 and
           flags[1] == 1 << 45 | 1 << 55,
           "flags are counted from the other end", flags)


def check_refusals():
    for text, why in (
            (ATTR + "sample ip=1 nonsense=2\n", "a key that does not exist"),
            ("sample ip=1\n", "a sample without an event"),
            ("frobnicate\n", "an unknown statement"),
            (ATTR + "sample ip=1+\n", "half an expression"),
            (ATTR + "repeat 3 {\n", "a loop without end"),
            (ATTR + "raw 1 0 abc\n", "half a byte"),
            (ATTR + "truncate 100000\n", "a cut behind the end"),
            ('comm 1 1 "x\n', "a quote without end")):
        data, said = compile_text(text)
        tap.ok(data is None and said.startswith("mkperf: "),
               "refused: " + why, said)


def check_corpus():
    corpus = os.path.join(tap.top_srcdir, "corpus")
    for case in sorted(os.listdir(corpus)):
        source = os.path.join(corpus, case, "input.mkperf")
        if os.path.exists(source):
            run = subprocess.run([mkperf, source, tmp.name + "/out"],
                                 capture_output=True)
            tap.ok(run.returncode == 0, case + " compiles",
                   run.stderr.decode())


def perf_dump(case):
    """The fields of the samples: chain, branches, registers, reads."""
    source = os.path.join(tap.top_srcdir, "corpus", case, "input.mkperf")
    target = tmp.name + "/perf.data"
    subprocess.run([mkperf, source, target], check=True)
    out = subprocess.run(["perf", "script", "-D", "-i", target],
                         capture_output=True).stdout.decode(errors="replace")
    return [line for line in out.splitlines() if line.startswith("...")]


def perf_script(case, fields):
    source = os.path.join(tap.top_srcdir, "corpus", case, "input.mkperf")
    target = tmp.name + "/perf.data"
    subprocess.run([mkperf, source, target], check=True)
    out = subprocess.run(["perf", "script", "--ns", "-F", fields, "-i",
                          target], capture_output=True).stdout.decode()
    return [" ".join(line.split()) for line in out.splitlines() if line]


def check_perf():
    fields = "comm,pid,tid,time,event,period"
    if shutil.which("perf") is None:
        return tap.skip("perf is not installed")
    got = perf_script("good-ids-by-id", fields)
    tap.ok(got == ["ids 7/7 0.000000100: 101 cycles:",
                   "ids 7/7 0.000000200: 200 instructions:",
                   "ids 7/7 0.000000300: 1 page-faults:",
                   "ids 7/7 0.000000400: 99 cycles:"],
           "perf reads events told apart by ID", got)
    got = perf_script("good-pipe-all", fields)
    tap.ok(got == ["piped 8/8 0.000001000: 1000 cycles:",
                   "piped 8/8 0.000002000: 1 sched:sched_switch:"],
           "perf reads the pipe", got)
    got = perf_script("good-dynamic-fields", "comm,trace")
    tap.ok(got[1:3] == ["two filename=/bin/two pid=9 old_pid=9",
                        "two text=hello value=77"],
           "perf reads the dynamic fields", got)
    more = fields + ",addr,ip"
    big = perf_script("good-endian-big", more) + \
        perf_dump("good-endian-big")
    little = perf_script("good-endian-little", more) + \
        perf_dump("good-endian-little")
    tap.ok(len(big) > 20 and big == little,
           "perf reads both byte orders alike", "\n".join(big + little))
    got = perf_script("good-compressed", fields)
    tap.ok(len(got) == 200, "perf reads the compressed records", len(got))


check_bytes()
check_order()
check_refusals()
check_corpus()
check_perf()
tap.done()
