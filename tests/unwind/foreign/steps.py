#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""steps.py BUILD-FOLDER NAME...: makes NAME.tar.xz and NAME.stacks anew, as
record.py does, of 32-bit ARM code that is executed one instruction at a time:
gdb steps work/foreign.c in qemu-user, counts the calls and the returns, and so
knows the stack at each instruction, of prologues and epilogues too, without a
table.  Its stacks begin at main: what called that is not compared.
"""
import os
import shutil
import sys
import tempfile

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, here)
sys.argv, argv = sys.argv[:1], sys.argv
import record

BARE = ["-fno-unwind-tables", "-fno-asynchronous-unwind-tables"]
NAMES = {
    "armsteps": ["-O2", "-marm", "-funwind-tables"],
    "armbare": ["-O2", "-marm", *BARE],
    "thumbbare": ["-O1", "-mthumb", *BARE],
}
PORT = 21234
record.NEAR = 4096
STEPS, EVERY = 12000, 37

STEP = """
import gdb
gdb.execute("set pagination off")
gdb.execute("target remote :%(port)d", to_string=True)
gdb.execute("tbreak *main", to_string=True)
gdb.execute("continue", to_string=True)
inferior = gdb.selected_inferior()

def word(name):
    return int(gdb.parse_and_eval("(unsigned)$" + name))

def call(pc, thumb):
    code = int.from_bytes(inferior.read_memory(pc, 4).tobytes(), "little")
    if not thumb:
        return 4 if code >> 24 & 15 == 11 or code >> 25 == 0x7d or \\
            code & 0x0ffffff0 == 0x012fff30 else 0
    if code & 0xff87 == 0x4780:
        return 2
    return 4 if code & 0xf800 == 0xf000 and code >> 30 == 3 else 0

def readable(at):
    try:
        return bool(inferior.read_memory(at, 4))
    except gdb.MemoryError:
        return False

shadow, top = [word("lr")], word("sp") & ~255
while readable(top) and top - word("sp") < 2048:
    top += 256
for n in range(%(steps)d):
    pc, thumb = word("pc"), word("cpsr") >> 5 & 1
    if n %% %(every)d == 0:
        regs = [word("r%%d" %% i) for i in range(13)]
        regs += [word("sp"), word("lr"), pc]
        stack = inferior.read_memory(regs[13], top - regs[13]).tobytes()
        print("AT", 1000 + n, *["%%x" %% r for r in regs], stack.hex())
        print("STACK", 1000 + n, "%%x" %% pc,
              *["%%x" %% ((ra & ~1) - 1) for ra in reversed(shadow)])
    size = call(pc, thumb)
    gdb.execute("stepi", to_string=True)
    after = word("pc")
    if size and after != pc + size:
        shadow.append(pc + size)
    while len(shadow) > 1 and after == shadow[-1] & ~1:
        shadow.pop()
gdb.execute("kill")
"""
HEAD = """byte_order little
attr clock type=1 config=0 period=1000000 ids=1 \
sample_type=IP|TID|TIME|PERIOD|REGS_USER|STACK_USER sample_regs_user=0xffff \
sample_stack_user=4096 flags=sample_id_all|mmap|mmap2|comm|task
feature arch "armv7l"
comm 7 7 "foreign"
"""


def step(program, folder):
    import subprocess
    with open(folder + "/step.py", "w") as f:
        f.write(STEP % {"port": PORT, "steps": STEPS, "every": EVERY})
    qemu = subprocess.Popen(["qemu-arm", "-g", str(PORT), program],
                            stdout=subprocess.DEVNULL)
    text = record.out("gdb-multiarch", "-q", "-batch", "-nx", "-ex",
                      "file " + program, "-x", folder + "/step.py").decode()
    qemu.wait()
    return [line.split() for line in text.splitlines()]


def maps(tool, program):
    """Of a static program's code."""
    import re
    text = record.out(tool + "readelf", "-Wl", program).decode()
    m = re.search(r"LOAD +(0x\w+) (0x\w+) 0x\w+ (0x\w+) 0x\w+ R E", text)
    offset, addr, size = (int(v, 16) for v in m.groups())
    end = addr + size + 4095 & ~4095
    return ("mmap2 pid=7 tid=7 addr=0x%x len=0x%x pgoff=0x%x prot=5 "
            "name=\"/opt/foreign-%s\"\n" % (
                addr & ~4095, end - (addr & ~4095), offset & ~4095,
                os.path.basename(program).replace("foreign-", "")))


def make(build, name, folder):
    tool = "arm-linux-gnueabihf-"
    program = os.path.join(folder, "opt", "foreign-" + name)
    data = os.path.join(folder, "perf.data")
    os.mkdir(os.path.dirname(program))
    record.out(tool + "gcc", "-g", "-static", "-Wl,--build-id", *NAMES[name],
               "-o", program, here + "/../work/foreign.c")
    lines = step(program, folder)
    want = [line[1:] for line in lines if line and line[0] == "STACK"]
    with open(data + ".mkperf", "w") as f:
        f.write(HEAD + maps(tool, program))
        for line in lines:
            if line and line[0] == "AT":
                f.write("sample clock pid=7 tid=7 ip=0x%s time=%s "
                        "regs_user=1,%s stack=h:%s\n" % (
                            line[17], line[1],
                            ",".join("0x" + r for r in line[2:18]), line[18]))
    record.out(build + "/tests/tools/mkperf", data + ".mkperf", data)
    record.slim(tool, program, {int(pc, 16) for w in want for pc in w[1:]})
    with open("%s/%s.stacks" % (here, name), "w") as f:
        for time, *stack in want:
            print(time, "begin", *stack, file=f)
    record.out("tar", "--sort=name", "--owner=0", "--group=0",
               "--numeric-owner", "--mtime=@0", "-C", folder, "-cJf",
               "%s/%s.tar.xz" % (here, name), "perf.data", "opt")


for one in argv[2:]:
    scratch = tempfile.mkdtemp()
    make(os.path.abspath(argv[1]), one, scratch)
    shutil.rmtree(scratch)
