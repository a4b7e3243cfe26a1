#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Chains by frame pointers hold words of the stack.  A word that is no address
# of code is one constant after a redaction, in every output.
import os
import platform
import shutil
import struct
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
sys.path.insert(0, os.environ["top_srcdir"] + "/tests/redact")
import dig
import tap

mkperf = os.path.join(tap.top_builddir, "tests/tools/mkperf")
tmp = tempfile.TemporaryDirectory()
TYPE = "sample_type=IP|TID|TIME|ID|PERIOD"
# A secret in each place that an address can have.
PLACES = ("caller", "leaf", "lone ip", "kernel caller", "branch from",
          "branch to", "data", "heap", "parent's stack", "register",
          "deferred", "offcpu", "guest", "after a false marker")
SECRET = {what: "secret%02d" % i for i, what in enumerate(PLACES)}
FORMATS = ("text", "json", "html", "svg", "folded", "pprof",
           "speedscope", "callgrind", "dot", "firefox", "perfetto", "otlp",
           "ndjson", "samples-csv", "snapshot")


def word(what):
    return "0x%x" % struct.unpack("<Q", SECRET[what].encode())[0]


def path(name):
    return os.path.join(tmp.name, name)


TEXT = """
attr cycles type=0 config=0 period=1000 %(t)s|CALLCHAIN ids=1 \\
	flags=sample_id_all|mmap|comm|task|defer_callchain|defer_output
attr branches type=0 config=4 period=1000 %(t)s|BRANCH_STACK ids=2 \\
	branch_sample_type=8 flags=sample_id_all
attr cpu-clock type=1 config=0 period=1000 %(t)s|CALLCHAIN|REGS_USER ids=3 \\
	sample_regs_user=0x1c0 flags=sample_id_all
attr offcpu-time type=1 config=10 period=1 \\
	sample_type=IP|TID|TIME|ID|PERIOD|RAW|CGROUP ids=4 flags=sample_id_all
feature arch "x86_64"
mmap pid=-1 tid=0 addr=0xffffffff81000000 len=0x1000000 \\
	pgoff=0xffffffff81000000 name="[kernel.kallsyms]_text" misc=1
comm 7 7 "parent" time=1
comm 8 8 "prog" time=1
mmap2 pid=7 addr=0x400000 len=0x1000 prot=5 flags=2 name="/bin/parent" time=2
mmap2 pid=7 addr=0x600000 len=0x1000 prot=3 flags=2 name="/bin/parent" time=2
fork 8 7 8 7 time=3
mmap2 pid=8 addr=0x800000 len=0x1000 prot=5 flags=2 name="/lib/l.so" time=4
mmap2 pid=8 addr=0x700000 len=0x1000 prot=3 flags=2 name="/lib/l.so" time=4
mmap2 pid=9 addr=0x900000 len=0x1000 prot=5 flags=2 name="/bin/other" time=4
repeat 3 as i {
sample cycles ip=0x800010 pid=8 time=100+100*i \\
	chain=user,0x800010,%(caller)s,0x400010,0x700010,0x600010,0x900010
sample cycles ip=%(leaf)s pid=8 time=110+100*i chain=user,%(leaf)s,0x800020
sample cycles ip=0x800010 pid=8 time=115+100*i \\
	chain=user,0x800010,kernel,%(after a false marker)s,user,0x800040
sample cycles ip=0xffffffff81000010 misc=1 pid=8 time=120+100*i \\
	chain=kernel,0xffffffff81000010,%(kernel caller)s,user,%(heap)s,0x800030
sample cycles ip=0x800010 pid=8 time=125+100*i \\
	chain=user,0x800010,guest_user,%(guest)s
sample cycles ip=0xffffffff81000010 misc=1 pid=8 time=130+100*i \\
	chain=kernel,0xffffffff81000010,deferred,0x51+i
callchain_deferred cookie=0x51+i ips=0x800040,%(deferred)s,%(parent's stack)s \\
	.pid=8 .tid=8 time=140+100*i
sample branches ip=%(lone ip)s pid=8 time=150+100*i \\
	branch=0x800010:0x800020,%(branch from)s:0x800020,0x400020:%(branch to)s,0:0
sample cpu-clock ip=0x800010 pid=8 time=160+100*i chain=user,0x800010 \\
	regs_user=2,%(register)s,%(data)s,0x800010
sample offcpu-time pid=0 time=170+100*i period=1 \\
	raw=u4:8,u4:8,u8:5000,u8:3,u8:user,u8:0x800050,u8:%(offcpu)s,u8:7
}
"""


def made(name, text):
    with open(path(name + ".mkperf"), "w") as f:
        f.write(text)
    made = subprocess.run([mkperf, f.name, path(name)],
                          stderr=subprocess.PIPE)
    if made.returncode:
        tap.ok(False, "mkperf", made.stderr.decode())
        tap.done()
    return path(name)


def run(*words):
    return subprocess.run([tap.coldperf, *words], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=60)


def varint(v):
    out = b""
    while v > 127:
        out, v = out + bytes([v & 127 | 128]), v >> 7
    return out + bytes([v])


def found(data):
    """The places whose word is in the bytes, in any form."""
    all, layers = set(), list(dig.unpacked(data))
    for what, text in SECRET.items():
        raw = text.encode()
        v = struct.unpack("<Q", raw)[0]
        forms = [raw, raw[::-1], b"%x" % v, b"%d" % v, varint(v), b"%x" % (v - 1),
                 b"%d" % (v - 1), varint(v - 1)]
        if any(f in layer for f in forms for layer in layers):
            all.add(what)
    return all


def outputs(data):
    for f in FORMATS:
        yield f, ["flame", "-f", f]
    yield "script", ["script", "-F", "+addr"]
    yield "branches", ["branches", "-f", "json"]
    yield "sql", ["sql", data, "SELECT * FROM frames"]
    for command in ("snapshot", "pack", "redact"):
        yield command, [command, "-o", path(command + ".out")]


def output(words, data, *policy):
    if words[0] != "sql":
        words = words + [data]
    r = run(words[0], *policy, *words[1:])
    if "-o" not in words:
        return r.stdout
    with open(words[words.index("-o") + 1], "rb") as f:
        out = f.read()
    os.unlink(f.name)
    return out


if not os.access(mkperf, os.X_OK):
    tap.skip_all("mkperf was not built")
data = made("data", TEXT % {"t": TYPE, **{p: word(p) for p in PLACES}})
seen = set()
for words in (["script"], ["flame", "-f", "json"], ["branches", "-f", "json"]):
    seen |= found(output(words, data))
with open(data, "rb") as f:
    tap.ok(found(f.read()) == set(PLACES), "each secret is in the capture")
tap.ok(len(seen) >= 10, "and most are in outputs without a redaction",
       sorted(seen))
for policy in ("share", "public"):
    wrong = []
    for name, words in outputs(data):
        out = output(words, data, "--redact", policy)
        if not out:
            wrong.append(name + ": nothing written")
        wrong += ["%s: %s" % (name, x) for x in sorted(found(out))]
    tap.ok(not wrong, policy + ": none is in any output", "\n".join(wrong))

run("redact", "--redact", "public", "-o", path("out"), data)
out = run("dump", path("out")).stdout.decode()
chains = [line.split("chain=")[1].split()[0] for line in out.splitlines()
          if " SAMPLE " in line and "chain=" in line][:5]
USER, KERNEL = "fffffffffffffe00", "ffffffffffffff80"
tap.ok(chains == [
    USER + ",800010,1,400010,1,1,1", USER + ",1,800020",
    USER + ",800010," + KERNEL + ",1," + USER + ",800040",
    KERNEL + ",ffffffff81000010,1," + USER + ",1,800030",
    USER + ",800010,fffffffffffff600,1",
], "code of the process, of its parent and of the kernel stays", chains)
tap.ok("chain=800040,1,1" in out.replace("ips=", "chain=") or
       run("script", "-F", "ip", path("out")).stdout.count(b"800040") == 6,
       "a deferred part finds its sample", out)

# A fork and a mapping that come later in the file than the samples.
late = made("late", """
attr cycles type=0 config=0 period=1000 %s|CALLCHAIN ids=1 \\
	flags=sample_id_all|mmap|comm|task
sample cycles ip=0x400010 pid=8 time=50 chain=user,0x400010,0x800010,0x600010
mmap2 pid=7 addr=0x400000 len=0x1000 prot=5 flags=2 name="/bin/parent" time=2
fork 8 7 8 7 time=3
mmap pid=8 addr=0x600000 len=0x1000 name="/lib/l.so" time=4 misc=0x2002
mmap2 pid=8 addr=0x800000 len=0x1000 prot=0 flags=0 name="//anon" time=4
""" % TYPE)
run("redact", "--redact", "public", "-o", path("out"), late)
out = run("dump", path("out")).stdout.decode()
tap.ok(USER + ",400010,800010,1" in out, "whatever the order of records", out)

# A stack that is unwound by a table that does not fit.
def unwound():
    with open(path("f.s"), "w") as f:
        f.write(".globl _start\n.text\n_start: .cfi_startproc\n.rept 99\n"
                "nop\n.endr\n.cfi_endproc\n")
    if not shutil.which("gcc") or platform.machine() != "x86_64":
        return tap.skip("no gcc for x86-64")
    subprocess.run(["gcc", "-nostdlib", "-static", "-no-pie",
                    "-Wl,-Ttext=0x401000", "-o", path("f"), path("f.s")],
                   check=True)
    data = made("dwarf", """
attr task-clock type=1 config=1 period=1000 flags=sample_id_all|mmap|comm \\
	%s|CALLCHAIN|REGS_USER|STACK_USER ids=5 sample_regs_user=0x1c0 \\
	sample_stack_user=64
feature arch "x86_64"
comm 8 8 "f" time=1
mmap2 pid=8 addr=0x401000 len=0x1000 pgoff=0x1000 prot=5 flags=2 name="%s" time=4
repeat 2 as i {
sample task-clock ip=0x401010 pid=8 time=180+i chain=user,0x401010 \\
	regs_user=2,0,0x7ffe00000000,0x401010 stack=u8:%s,n:56 \\
	stack_size=64 stack_dyn=64
}
""" % (TYPE, path("f"), word("caller")))
    before = found(output(["script"], data))
    after = {name for name, words in outputs(data)
             if found(output(words, data, "--redact", "public"))}
    tap.ok(before and not after, "nor what was unwound", (before, after))


# A snapshot of tables alone.
run("merge", "-o", path("x.cold"), data)
sql = ["sql", path("x.cold"), "SELECT * FROM frames"]
before = found(output(sql, path("x.cold")))
wrong = []
for words in (["flame", "-f", "json"], ["flame", "-f", "html"],
              ["flame", "-f", "pprof"], sql, ["merge", "-o", path("y.cold")]):
    out = output(words, path("x.cold"), "--redact", "public")
    if not out or found(out):
        wrong.append((words, len(out), sorted(found(out))))
tap.ok(before and not wrong, "nor what is in tables", (before, wrong))
unwound()
tap.done()
