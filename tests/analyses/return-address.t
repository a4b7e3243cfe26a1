#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# A call may be the last instruction of its function (exit, abort, throw): its
# return address is then the start of the next one, which called nothing.  Three
# kinds of address look the same and are right as they stand: the start of a
# signal trampoline, the instruction at which an interrupt came, and that of an
# interpreted method, which has no return address.
import os
import subprocess
import sys
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
sys.path.insert(0, os.environ["top_srcdir"] + "/tests/analyses")
import made
import tap

JIT, K = 0x7f0000000000, 0xffffffff81000000
TEXT = """attr cpu-clock type=1 config=0 period=1000 \
sample_type=IP|TID|TIME|CALLCHAIN flags=sample_id_all|mmap|comm
comm 7 7 prog
mmap pid=7 addr=%d len=0x10000 pgoff=0 name="//anon"
mmap pid=-1 tid=0 addr=%d len=0x800 pgoff=%d misc=1 \
name="[kernel.kallsyms]_text"
build_id 1111111111111111111111111111111111111111 "[kernel.kallsyms]" misc=1
""" % (JIT, K, K)
CODE = {"main": 0, "caller": 0x100, "innocent": 0x200, "spin": 0x300,
        "handler": 0x400, "__restore_rt": 0x500, "after": 0x600}
KERNEL = {"_text": 0, "_stext": 0, "rest_init": 0x100, "next": 0x200,
          "cpu_startup_entry": 0x300, "asm_sysvec_apic_timer_interrupt": 0x400,
          "tick": 0x500, "_etext": 0x800}
j, k = lambda name, at=16: JIT + CODE[name] + at, \
    lambda name, at=16: K + KERNEL[name] + at
CASES = [  # chain, its frames from the outermost on
    ([j("spin"), j("innocent", 0), j("main")], "main;caller;spin"),
    ([j("spin"), j("caller", 24), j("main")], "main;caller;spin"),
    # The start of a function is the innermost frame's own.
    ([j("innocent", 0), j("main")], "main;innocent"),
    ([j("handler"), j("__restore_rt", 0), j("main")],
     "main;__restore_rt;handler"),
    (["kernel", k("cpu_startup_entry"), k("next", 0)],
     "rest_init;cpu_startup_entry"),
    (["kernel", k("tick"), k("asm_sysvec_apic_timer_interrupt"),
      k("cpu_startup_entry", 0), k("next", 0)],
     "rest_init;cpu_startup_entry;asm_sysvec_apic_timer_interrupt;tick"),
    # Where a user part begins, the address is that of the system call.
    (["kernel", k("tick"), "user", j("innocent", 0), j("main")],
     "main;innocent;tick"),
]
text = TEXT
for i, (chain, _) in enumerate(CASES):
    ip = next(a for a in chain if a != "kernel")
    text += "sample ip=%d pid=7 time=%d misc=%d chain=%s\n" % (
        ip, 1000 + i, 1 if chain[0] == "kernel" else 2,
        ",".join(str(a) for a in
                 (chain if chain[0] == "kernel" else ["user"] + chain)))
capture = made.build("return", text)
symbols = os.path.join(os.path.dirname(capture), "names")
os.mkdir(symbols)
with open(os.path.join(symbols, "perf-7.map"), "w") as f:
    for name, at in CODE.items():
        f.write("%x 100 %s\n" % (JIT + at, name))
with open(os.path.join(symbols, "kallsyms"), "w") as f:
    for name, at in KERNEL.items():
        f.write("%016x T %s\n" % (K + at, name))


def coldperf(*arguments):
    p = subprocess.run([tap.coldperf, *arguments, "--no-local", "--symbols",
                        symbols, "--symbols", symbols + "/kallsyms",
                        capture], capture_output=True, text=True)
    return p.stdout, p.stderr


out, err = coldperf("flame", "-f", "folded", "--weight", "samples")
got = {}
for line in out.splitlines():
    stack, n = line.rsplit(" ", 1)
    got[stack.split(";", 1)[1]] = int(n)
want = {}
for _, frames in CASES:
    want[frames] = want.get(frames, 0) + 1
for frames, n in want.items():
    tap.ok(got.get(frames) == n, "stack " + frames, out + err)
tap.ok(got == want, "and no other")
# perf's words: the name of the recorded address itself.
out, err = coldperf("script", "-F", "ip,sym")
tap.ok(out.split("\n\n")[0].split()[1::2] == ["spin", "innocent", "main"],
       "script has perf's words", out + err)

METHODS = ",".join("v:34,m:(v:8,v:0x%x,v:16,v:0x100,v:26,m:(s:\"%s\"))" % row
                   for row in ((0x1000, "A.onLayout"), (0x1110, "A.run")))
capture = made.build("bytecode", """layout no-event-desc
attr cpu-clock type=1 config=0 period=1 sample_type=IP|TID|TIME|CALLCHAIN
feature sp_file2 L4:(v:10,m:(s:"/system/framework.jar"),v:16,v:3,%s)
comm 7 7 app
mmap pid=7 addr=0x70000000 len=0x10000 pgoff=0 name="/system/framework.jar"
sample ip=0x70001010 pid=7 time=1 chain=user,0x70001010,0x70001110,0x70001000
""" % METHODS)
out, err = coldperf("flame", "-f", "folded")
tap.ok("app;A.onLayout;A.run;A.onLayout 1" in out,
       "interpreted methods keep their names", out + err)
tap.done()
