#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Unwinding by what came from debuginfod: a stack that goes through objects of
# which other files are needed each, and ends where the first is missing.  No
# way leads back out of their code, so that nothing but tables tells.
import os
import platform
import subprocess
import sys
import time
sys.path[:0] = [os.environ["top_srcdir"] + "/tests" + d
                for d in ("", "/unwind")]
import tap
import dbgserver
from made import capture, path, sample

# One is called by the next.  What `strip` leaves of it, and whether its table
# is in the file or goes with its debug information.
OBJECTS = [("leaf", "-g", ".debug_frame"), ("middle", "-s", ".debug_frame"),
           ("bare", None, ".debug_frame"), ("first", "-s", ".eh_frame")]
CODE = """
	.cfi_sections %s
	.text
	.skip 64, 0x90
	.globl %s
	.type %s,@function
%s:	.cfi_startproc
	.byte 0x48, 0x83, 0xec, 24
	.cfi_adjust_cfa_offset 24
.Lagain:
	.byte 0xff, 0xd0
	.byte 0xeb, 0xfc
	.cfi_endproc
	.size %s, .-%s
	.globl end_of_%s
	.type end_of_%s,@function
end_of_%s: .cfi_startproc
	.cfi_undefined rip
	.byte 0xff, 0xd0
	.byte 0xeb, 0xfc
	.cfi_endproc
	.size end_of_%s, .-end_of_%s
	.section .note.GNU-stack,"",%%progbits
"""
BASE = 0x400000
MANY = 2000  # threads are worth their while


def build_id(number):
    return "%02x" % (0xa0 + number) * 20


def run(*command):
    return subprocess.run(command, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL).stdout.decode()


def make(number, name, strip, section):
    """The file, what of it was installed, and its debug information."""
    with open(path(name + ".s"), "w") as f:
        f.write(CODE % ((section,) + (name,) * 10))
    built = subprocess.call(
        ["gcc", "-g", "-shared", "-nostdlib", "-Wl,--build-id=0x" +
         build_id(number), "-o", path(name), path(name + ".s")],
        stderr=subprocess.DEVNULL)
    if built != 0:
        tap.skip_all("no gcc for x86-64")
    served = path("served/" + name)
    run("objcopy", "--only-keep-debug", path(name), served + ".debug")
    if strip:
        run("strip", strip, "-o", served + ".run", path(name))


def offset(name, symbol):
    """Where a function begins in the file."""
    value, = [int(line.split()[0], 16) for line in
              run("nm", path(name)).splitlines()
              if line.split()[-1] == symbol]
    for line in run("readelf", "-lW", path(name)).splitlines():
        words = line.split()
        if words[:1] == ["LOAD"]:
            at, vaddr, size = (int(words[i], 16) for i in (1, 2, 4))
            if vaddr <= value < vaddr + size:
                return value - vaddr + at
    raise ValueError(symbol)


def make_capture():
    """Many times one stack, of a call in each object."""
    lines, calls, words = [], [], []
    for i, (name, _, _) in enumerate(OBJECTS):
        base = BASE + i * 0x100000
        lines += ['mmap pid=7 addr=%d len=0x10000 pgoff=0 name="/gone/%s" '
                  'time=1' % (base, name),
                  'build_id %s "/gone/%s"' % (build_id(i), name)]
        calls.append(base + offset(name, name) + 6)
    calls.append(base + offset("first", "end_of_first") + 2)
    for call in calls[1:]:
        words += [1, 2, 3, call]
    capture(lines + [sample(words, ip=calls[0] - 2, time=50 + i)
                     for i in range(MANY)])


def serve(handler, asked, kind):
    for i, (name, _, _) in enumerate(OBJECTS):
        file = path("served/" + name +
                    (".debug" if kind == "debuginfo" else ".run"))
        if asked == build_id(i) and os.path.exists(file):
            return dbgserver.send_file(handler, file)
    handler.send_error(404)


def coldperf(home, command, *options, urls=None, of=None):
    p = subprocess.run([os.path.abspath(tap.coldperf), command, *options,
                        of or path("capture")], stdin=subprocess.DEVNULL,
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                       env=dbgserver.environment(path(home), urls))
    return p.stdout.decode() + p.stderr.decode()


def names(text):
    """The names of each stack, once; with marks of what was guessed."""
    return {tuple(line.split(None, 1)[1].partition("+")[0] +
                  line.partition(" [guess")[1]
                  for line in one.splitlines() if line.startswith("\t"))
            for one in text.split("\n\n") if "\t" in one}


def stacks(home, *options, **more):
    return names(coldperf(home, "script", "-F", "+guess", *options, **more))


WHOLE = {("leaf", "middle", "bare", "first", "end_of_first")}


def test_fetch():
    server = dbgserver.Server(serve)
    out = coldperf("a", "symbols", "--fetch", urls=server.url)
    got = stacks("a")
    tap.ok(got == WHOLE,
           "symbols --fetch goes on with what the longer stack lacks",
           (got, out))
    want = sorted(build_id(i) + "/" + kind for i in range(4)
                  for kind in ("debuginfo", "executable"))
    tap.ok(sorted(server.asked) == want,
           "each file is asked for once: tables of one with symbols, too",
           server.asked)
    plan = [line.split("/gone/")[1].split("  ")[0]
            for line in out.partition("Results of fetching")[0].splitlines()
            if "/gone/" in line and "no-object" not in line]
    tap.ok(plan == ["leaf", "leaf", "middle", "bare", "first"] and
           out.count("its debug information") == 1,
           "the plan has all of it in that order", out)
    ends = coldperf("a", "unwind", "-f", "csv")
    tap.ok("no unwind table" not in ends and
           "complete" in coldperf("a", "unwind"), "the stacks are whole",
           ends)
    coldperf("a", "symbols", "--fetch", urls=server.url)
    tap.ok(len(server.asked) == len(want), "then nobody is asked any more",
           server.asked)
    server.close()


def test_on():
    server = dbgserver.Server(serve)
    got = stacks("b", "--debuginfod=on", urls=server.url)
    tap.ok(got == WHOLE and len(server.asked) == len(set(server.asked)) == 8,
           "--debuginfod=on gets them while it unwinds, each once",
           (got, server.asked))
    server.close()


def test_real():
    with dbgserver.real(path("served"), path("server")) as url:
        if url is None:
            return tap.skip("debuginfod is not installed")
        for _ in range(100):
            time.sleep(0.1)
            out = coldperf("c", "symbols", "--fetch", "--retry", urls=url)
            got = stacks("c")
            if got == WHOLE:
                break
        tap.ok(got == WHOLE, "a real debuginfod has all of it", (got, out))


def main():
    if platform.machine() != "x86_64":
        tap.skip_all("this is code for x86-64")
    os.mkdir(path("served"))
    for i, o in enumerate(OBJECTS):
        make(i, *o)
    make_capture()
    got = stacks("none")
    tap.ok({s[1:] for s in got} == {()}, "a stack ends where a file is missing",
           got)
    out = coldperf("library", "symbols", "--fetch", urls="http://127.0.0.1:1")
    if "is not installed" in out:
        tap.skip("libdebuginfod is not installed: nothing can be fetched")
        return tap.done()
    test_fetch()
    got = stacks("a", "--debuginfod=off")
    tap.ok({s[1:] for s in got} == {()}, "off: not even the cache is used",
           got)
    one, many = [coldperf("a", "script", "--jobs=%d" % n) for n in (1, 3)]
    tap.ok(one == many, "threads beside know of them")
    coldperf("a", "pack", "-o", path("packed.tar"))
    got = stacks("none", of=path("packed.tar"))
    tap.ok(got == WHOLE, "a bundle holds them", got)
    test_on()
    test_real()
    tap.done()


main()
