#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# coldperf names: each function that nm lists is named at its address, inlined
# functions and lines are those of addr2line, and lines that are none are left
# out and counted.
import csv
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import dbgserver
import tap

scratch = tempfile.TemporaryDirectory(prefix="coldperf-names.")
trees = os.path.join(tap.top_srcdir, "corpus/good-fp/symbols")
known = os.path.join(trees, "known")
KNOWN = "04989075cda917b7ef47fa5426a1240f91cad1b1"


def ok(held, what, *details):
    return tap.ok(held, what, details)


def names(text, *arguments, places=("--symbols", trees)):
    p = subprocess.run([tap.coldperf, "names", "--no-local", "--no-cache",
                        "--cache", ""] + list(places) +
                       list(arguments), input=text.encode("utf-8", "replace"),
                       cwd=scratch.name, stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE)
    return p.returncode, p.stdout.decode(), p.stderr.decode("utf-8", "replace")


def table(text):
    return list(csv.DictReader(io.StringIO(text)))


def functions(path):
    """Names of nm by address, those with a size."""
    out = subprocess.run(["nm", "-S", path], stdout=subprocess.PIPE,
                         check=True).stdout.decode()
    found = {}
    for line in out.splitlines():
        word = line.split()
        if len(word) == 4 and word[2] in "tT":
            found.setdefault(int(word[0], 16), set()).add(word[3])
    return found


def as_nm():
    want = functions(known)
    text = "build_id,address\n" + "".join(
        "%s,0x%x\n" % (KNOWN, a + 1) for a in want)
    status, out, err = names(text, "--vaddr", "--demangle", "no")
    rows = table(out)
    wrong = [r for r, a in zip(rows, want)
             if r["function"] not in want[a] or r["offset"] != "1" or
             r["source"] != "bundle" or r["trust"] != "verified"]
    ok(status == 0 and len(rows) == len(want) > 5 and not wrong,
       "%d functions as nm has them" % len(want), status, wrong, err)
    _, plain, _ = names(text, "--demangle", "no")
    ok(plain == out, "code lies at its offset in the file of this object")
    _, many, _ = names(text * 8000, "--vaddr", "--demangle", "no")
    head, body = out.split("\n", 1)
    ok(len(want) * 8000 > 1 << 16 and many == head + "\n" + body * 8000,
       "many batches, in the order of the lines")
    _, out, _ = names(text, "--vaddr", "-f", "ndjson", "--demangle", "no")
    got = [json.loads(line) for line in out.splitlines()]
    ok([(g["build_id"], g["address"], g["functions"][0]["name"])
        for g in got] ==
       [(r["build_id"], r["address"], r["function"]) for r in rows],
       "the same in JSON")


def kinds_of_lines():
    at = min(functions(known))
    good = ["%s,%d" % (KNOWN, at), "%s , 0x%X,more,\"x\"" % (KNOWN.upper(), at),
            '"%s","0x%x"\r' % (KNOWN, at), "", "  ",
            '{"build_id":"%s","address":%d}' % (KNOWN, at),
            ' { "other" : "a\\"}b" , "addr" : "0x%x" , "buildid": "%s" } '
            % (at, KNOWN), "%s,%d" % (KNOWN, at)]
    status, out, err = names("\n".join(good))
    rows = table(out)
    ok(status == 0 and len(rows) == 6 and
       len({(r["address"], r["function"]) for r in rows}) == 1 and
       rows[0]["function"], "lines of all kinds", status, out, err)
    _, out, _ = names("%s,-1\n" % KNOWN)
    ok(table(out)[0]["address"] == "0xffffffffffffffff",
       "a signed column's -1", out)
    bad = ["x", ",", KNOWN, KNOWN + ",", KNOWN + ",x", KNOWN + ",0x",
           KNOWN + ",-", KNOWN + ",- 1", KNOWN + ",+1", KNOWN + ",1x",
           KNOWN + ",18446744073709551616", KNOWN + ",0x10000000000000000",
           KNOWN + "0,1", KNOWN + "00,1", "0,1", "{", "{}", '{"build_id"',
           '{"build_id":"%s"}' % KNOWN, '{"build_id":"%s","address":' % KNOWN,
           '{"build_id":["%s"],"address":1}' % KNOWN, '{"a\\',
           '{"build_id":"%s","address":1' % KNOWN, "\x1b[31m,1",
           KNOWN + ",1" + " " * 10 + "9" * 5000]
    status, out, err = names("build,at\n" + "\n".join(bad) + "\n%s,%d"
                             % (KNOWN, at))
    ok(status == 3 and len(table(out)) == 1 and
       err.startswith("coldperf: partial: %d " % len(bad)) and
       "(bad-line)" in err,
       "%d lines are left out, and said" % len(bad), status, out, err)
    for first in ("%s;%d" % (KNOWN, at), "%s,0x%xz" % (KNOWN, at),
                  "hello", '{"build_id":"%s","adress":7}' % KNOWN):
        status, out, err = names(first + "\n")
        ok(status == 3 and "(bad-line): line 1" in err,
           "%.20s... is no header" % first, status, err)
    status, out, err = names("", ".")
    ok(status == 2 and not out and "(open): Is a directory" in err,
       "a folder is no list", status, out, err)
    status, out, err = names("0123456789,7\n")
    ok(status == 0 and out.endswith("\n0123456789,0x7,0,,,0,,,,\n") and
       "(no-object): 0123456789" in err,
       "an object that is nowhere", status, out, err)
    _, out, _ = names("0123456789,7\n", "-f", "ndjson")
    ok(json.loads(out)["functions"] == [], "... in JSON", out)
    status, out, err = names("", "-f", "svg")
    ok(status == 2 and not out, "no other format", err)
    status, out, err = names("", "missing.csv")
    ok(status == 2 and "(open)" in err, "no such list", err)
    for what, data in (("a tar", b"coldperf/MANIFEST" + bytes(83)),
                       ("a capture", b"PERFILE2h" + bytes(7)),
                       ("a NUL", b"\0"), ("its second byte", b"0\0")):
        with open(os.path.join(scratch.name, "list"), "wb") as f:
            f.write(data + b"\n%s,0\n" % KNOWN.encode())
        status, out, err = names("", "list")
        ok(status == 2 and not out and "(not-list)" in err,
           what + " is no list", status, out, err)
    with open(os.path.join(scratch.name, "perf.data"), "w") as f:
        f.write("no capture\n")
    status, out, err = names("%s,%d\n" % (KNOWN, at))
    ok(status == 0 and len(table(out)) == 1,
       "./perf.data is not read for a list", status, err)


def addr2line(path, addresses):
    """By address: [(function, line)], innermost first."""
    out = subprocess.run(["addr2line", "-a", "-f", "-i", "-e", path] +
                         ["0x%x" % a for a in addresses],
                         stdout=subprocess.PIPE, check=True).stdout.decode()
    found, at = {}, None
    lines = iter(out.splitlines())
    for line in lines:
        if re.match("0x[0-9a-f]+$", line):
            at = found.setdefault(int(line, 16), [])
        else:
            place = re.search(r":(\d+|\?)", next(lines)).group(1)
            at.append((line, "" if place in "?0" else place))
    return found


def inlined():
    path = os.path.join(scratch.name, "lib.so")
    cc = os.environ.get("CC", "cc").split()[-1]
    built = shutil.which("addr2line") and subprocess.run(
        [cc, "-g", "-O2", "-w", "-shared", "-fPIC",
         "-Wl,--build-id=0x0badc0de0badc0de", "-o", path, os.path.join(
             tap.top_srcdir, "tests/fuzz/seeds/inlined.c")],
        stderr=subprocess.DEVNULL).returncode == 0
    if not built:
        tap.skip("no compiler or no addr2line")
        return
    asked = []
    for start in functions(path):
        asked += [start + i for i in range(0, 40, 4)]
    asked = [a for a in asked if any(
        line for _, line in addr2line(path, [a])[a])]
    want = addr2line(path, asked)
    status, out, err = names(
        "".join("0badc0de0badc0de,0x%x\n" % a for a in asked), "--vaddr",
        "--demangle", "no", places=("--symbols", path))
    got = {}
    for r in table(out):
        got.setdefault(int(r["address"], 16), []).append(
            (r["function"], r["line"]))
    chains = {a: [f for f, _ in c] for a, c in want.items()}
    mine = {a: [re.sub(r"\.cold$", "", f) for f, _ in c] for a, c in got.items()}
    ok(status == 0 and mine == chains and
       max(len(c) for c in chains.values()) > 1,
       "inlined functions of %d addresses as addr2line has them" % len(asked),
       [(hex(a), mine.get(a), chains[a]) for a in chains
        if mine.get(a) != chains[a]][:5], err)
    lines = {a for a in want if [n for _, n in got[a]] !=
             [n for _, n in want[a]]}
    ok(not lines, "... and lines", [(hex(a), got[a], want[a])
                                    for a in sorted(lines)[:5]])


def from_a_bundle():
    bundle = os.path.join(scratch.name, "b.tar")
    subprocess.run(["tar", "-C", trees, "-cf", bundle, "known"], check=True)
    text = "".join("%s,0x%x\n" % (KNOWN, a) for a in functions(known))
    _, want, _ = names(text)
    status, out, err = names(text, places=("--symbols", bundle))
    ok(status == 0 and out == want, "from a bundle", out, err)


KERNEL = "0badc0de" * 5
SOURCE = """
	.text
	.globl	_text
_text:	.fill	64,1,0x90
	.globl	schedule
	.type	schedule,%function
schedule: .fill	64,1,0x90
	.size	schedule,64
	.globl	idle
	.type	idle,%function
idle:	.fill	64,1,0x90
	.size	idle,64
	.section .percpu,"aw"
	.globl	percpu
percpu:	.quad	0
"""


def a_kernel(path):
    """A program whose text is where a kernel's is."""
    with open(path + ".s", "w") as f:
        f.write(SOURCE)
    cc = os.environ.get("CC", "cc").split()[-1]
    return subprocess.run(
        [cc, "-nostdlib", "-static", "-no-pie", "-Wl,-e,_text",
         "-Wl,-Ttext=0xffffffff81000000",
         "-Wl,--section-start=.percpu=0x400000",
         "-Wl,--build-id=0x" + KERNEL, "-o", path, path + ".s"],
        stderr=subprocess.DEVNULL).returncode == 0


def of_a_kernel():
    path = os.path.join(scratch.name, "vmlinux")
    if not a_kernel(path):
        tap.skip("no program at a kernel's addresses can be made")
        return
    found = functions(path)
    want = sorted(next(iter(found[a])) for a in found)
    text, base = 0xffffffff81000000, 0xffffffff9e400000
    lines = {"as objdump shows them": (0, ["--vaddr"]),
             "of a boot": (base - text, ["--kernel-base", hex(base)]),
             "of a boot, signed": (base - text, ["--kernel-base",
                                                 str(base - (1 << 64))]),
             "with both": (base - text, ["--vaddr", "--kernel-base",
                                         hex(base)])}
    for what, (slide, options) in lines.items():
        status, out, err = names("".join(
            "%s,%d\n" % (KERNEL, a + slide + 8) for a in sorted(found)),
            *options, places=("--symbols", path))
        got = sorted((r["function"], r["offset"]) for r in table(out))
        ok(status == 0 and len(want) == 2 and
           got == [(name, "8") for name in want],
           "kernel addresses " + what, got, want, err)
    _, out, _ = names("%s,0x%x\n%s,0x%x\n" % (KERNEL, base - 8, KERNEL,
                                            base + (1 << 30)),
                      "--kernel-base", hex(base), places=("--symbols", path))
    ok(not any(r["function"] for r in table(out)),
       "what is not of the kernel's text has no name", out)
    for bad in "0x81000000", "x", "0xffffffff81000000,", "":
        status, out, err = names("", "--kernel-base", bad)
        ok(status == 2 and "--kernel-base" in err,
           "no kernel's address: %r" % bad, status, err)


def from_a_server():
    """Only where it is allowed to be asked."""
    def behave(handler, build_id, kind):
        if build_id == KNOWN and kind in ("executable", "debuginfo"):
            return dbgserver.send_file(handler, known)
        return handler.send_error(404)

    text = "".join("%s,0x%x\n" % (KNOWN, a) for a in functions(known))
    _, want, _ = names(text)
    server = dbgserver.Server(behave)
    home = os.path.join(scratch.name, "home")
    os.mkdir(home)

    def ask(*options):
        p = subprocess.run(
            [tap.coldperf, "names", "--no-local", "--no-cache", *options],
            input=text.encode(), stdout=subprocess.PIPE,
            env=dbgserver.environment(home, server.url),
            stderr=subprocess.PIPE, timeout=300)
        return p.returncode, p.stdout.decode(), p.stderr.decode()

    _, out, err = ask()
    ok(not any(r["function"] for r in table(out)) and not server.asked,
       "no server is asked without --debuginfod", out, server.asked, err)
    status, out, err = ask("--debuginfod=on")
    if "libdebuginfod" in err and "is not installed" in err:
        tap.skip("no libdebuginfod")
        server.close()
        return
    got, known_names = table(out), table(want)
    keys = ("address", "function", "offset", "line", "trust")
    ok(status == 0 and len(got) == len(known_names) > 5 and
       [[r[k] for k in keys] for r in got] ==
       [[r[k] for k in keys] for r in known_names] and
       {r["source"] for r in got} == {"debuginfod"},
       "names by a server's files", status, out[:300], want[:300], err)
    server.close()
    _, again, err = ask("--debuginfod=cached")
    ok([r["function"] for r in table(again)] ==
       [r["function"] for r in known_names],
       "... and then by the cache, without it", again[:300], err)


if not shutil.which("nm"):
    tap.skip("no nm")
else:
    as_nm()
    kinds_of_lines()
    inlined()
    from_a_bundle()
    of_a_kernel()
    from_a_server()
tap.done()
