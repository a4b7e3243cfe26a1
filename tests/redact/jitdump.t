#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Redaction of code made at run time: a jitdump has names, sources' names, and
# instructions with constants of the process.
import os
import re
import struct
import sys
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
sys.path.insert(0, os.environ["top_srcdir"] + "/tests/redact")
import dig
import scratch
import tap
from scratch import bytes_of, mkperf, path, run, write

SECOND, CODE = 10**9, 0x7f0000001000
# A constant in an instruction is shown as a number.
dig.SECRET = re.compile(rb"zq\d\dle?a?k?|6b61654c", re.I)
# By policy: what may stand in outputs.
KEPT = {"share": {"zq71", "zq76", "zq79"}, "public": set(), "hash": set(),
        "symbols": {"zq76", "zq79"}}
RULES = {"hash": "path = hash\nsymbol = hash\nsource = drop\n",
         "symbols": "path = generalize\nsymbol = drop\nsource = drop\n"}
FORMATS = ("json", "html", "pprof", "speedscope", "callgrind", "firefox",
           "perfetto", "otlp", "ndjson", "samples-csv", "snapshot")
SYMBOLS = ["--symbols", path("symbols")]


def capture(name):
    at = 100 * SECOND
    text = """
attr cycles type=0 config=0 period=1 sample_type=IP|TID|TIME|PERIOD|CALLCHAIN \\
	flags=sample_id_all|mmap|use_clockid clockid=1
feature arch "x86_64"
comm 7 7 "node" time=1000
mmap pid=7 addr=%d len=8192 pgoff=0 name="//anon" time=%d
mmap pid=7 addr=4096 len=4096 pgoff=0 time=%d \\
	name="/home/Zq78Leak/.debug/jit/Zq79Leak/jit-7.dump"
repeat 40 as i {
sample cycles pid=7 time=%d+i period=1 ip=%d+i%%8 chain=user,%d+i%%8,%d
}
""" % (CODE, at, at, at + 3 * SECOND, CODE + 8, CODE + 8, CODE + 0x104)
    return scratch.capture(name, text)


def record(kind, body):
    return struct.pack("<IIQ", kind, 16 + len(body), 101 * SECOND) + body


def load(addr, name, code, number):
    return record(0, struct.pack("<IIQQQQ", 7, 7, addr, addr, len(code),
                                 number) + name + b"\0" + code)


def dump():
    lines = struct.pack("<QQ", CODE, 2)
    for addr, line in ((CODE, 3), (CODE + 12, 9)):
        lines += struct.pack("<QII", addr, line, 0) + \
            b"/home/Zq75Leak/src/Zq76Leak.js\0"
    data = struct.pack("<IIIIIIQQ", 0x4a695444, 1, 40, 62, 0, 7, 0, 0)
    data += record(2, lines)
    data += load(CODE, b"Zq71Leak_fn /home/Zq72Leak/app.js:1",
                 b"\x48\xb8Zq74Leak" + b"\x90" * 6 + b"\xebZq73Leak" +
                 b"\x90" * 40, 1)
    data += load(CODE + 0x100, b"caller", b"\x90" * 32, 2)
    os.makedirs(path("symbols"))
    write("symbols/jit-7.dump", data)


def ways(file, more):
    for f in FORMATS:
        yield ["report", "-f", f, *more, file]
    for f in ("html", "folded"):
        yield ["flame", "-f", f, *more, file]
    yield ["report", "-f", "html", "--page-source", "0.1%", *more, file]
    yield ["sql", *more, file, "SELECT * FROM symbols"]
    yield ["sql", *more, file, "SELECT * FROM objects"]
    yield ["merge", "-o", path("x"), *more, file]
    if os.path.basename(file) == "sum.cold":
        return
    yield ["annotate", *more, file]
    yield ["annotate", "-f", "html", *more, file]
    yield ["script", *more, file]
    for command in ("snapshot", "pack", "redact"):
        yield [command, "-o", path("x"), *more, file]


def found(words):
    """Secrets in standard output or in the file x; and what was said."""
    data, said = bytes_of(words)
    if not data:
        return {said}
    return {s.decode()[:4].lower() for s in dig.dig(data)}


def check(policy, file, more):
    rule = policy if policy not in RULES else write(
        policy + ".ini", "[rules]\n" + RULES[policy])
    wrong, turn = [], list(KEPT).index(policy) + len(os.path.basename(file))
    every = list(ways(file, more))
    if not tap.nightly:  # each way with half of the policies
        every = [w for i, w in enumerate(every) if (i + turn) % 2 == 0]
    for words in tap.share(every, turn // 2, 2):
        leaked = found([words[0], "--redact", rule, *words[1:]]) - KEPT[policy]
        wrong += ["%s: %s" % (" ".join(words[:3]), x) for x in sorted(leaked)]
    tap.ok(not wrong, "%s: %s" % (policy, os.path.basename(file)),
           "\n".join(wrong))


if not os.access(mkperf, os.X_OK):
    tap.skip_all("mkperf was not built")
write("key", "0123456789abcdef0123456789abcdef")
one, two = capture("one.data"), capture("two.data")
dump()
run("snapshot", *SYMBOLS, "-o", path("one.cold"), one)
run("pack", *SYMBOLS, "-o", path("one.tar.zst"), one)
run("merge", *SYMBOLS, "-o", path("sum.cold"), one, two)
seen = found(["annotate", *SYMBOLS, one])
tap.ok({"zq71", "zq72", "zq76"} <= seen, "names of the dump are there", seen)
if "6b61" in seen:
    tap.ok(True, "and its instructions")
else:
    tap.skip("no instructions are shown here")
for policy in KEPT:
    check(policy, one, SYMBOLS)
    for name in ("one.cold", "one.tar.zst", "sum.cold"):
        check(policy, path(name), [])
tap.done()
