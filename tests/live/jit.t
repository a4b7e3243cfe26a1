#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# JIT code recorded here and now: every sample has the name that perf gives
# it, and of code that changes the name that it had at that time.
#
# perf map and jitdump of our own workloads, of node and of whatever Python
# knows -X perf; a runtime that is not installed is left out.
import atexit
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

if tap.sanitized:
    tap.skip_all("perf is asked without sanitizers")

scratch = tempfile.mkdtemp(prefix="coldperf-jit.")
atexit.register(shutil.rmtree, scratch, True)
FIELDS = "comm,tid,time,ip,sym,symoff,dso"
SCRIPT = """
function hot(n) { let s = 0; for (let i = 0; i < n; i++) s += i * i % 7;
	return s; }
class Turn { go(x) { return hot(x) + [1, 2, 3].map(y => y * x).length; } }
let t = 0; const turn = new Turn(), end = Date.now() + 500;
while (Date.now() < end) t += turn.go(2000);
"""


def path(name):
    return os.path.join(scratch, name)


def run(command, cwd=scratch):
    env = dict(os.environ, PERF_BUILDID_DIR=path("cache"))
    p = subprocess.run(command, cwd=cwd, env=env, stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE)
    return p.returncode, p.stdout.decode("utf-8", "replace"), \
        p.stderr.decode("utf-8", "replace")


def record(name, command):
    status, out, err = run(["perf", "record", "-q", "-k", "mono", "-e",
                            "cpu-clock", "-F", "999", "-g", "-o",
                            path(name)] + command)
    if status != 0 or not os.path.exists(path(name)):
        tap.diag("%s: %s" % (name, err[-300:]))
        return None
    return out


def plain(text):
    """What the two say in the same way: no addresses, and one word for the
    object of JIT code, which perf calls by files of perf inject."""
    # Of a kernel that hides its addresses no mapping is recorded.
    text = re.sub(r"^\t *[89a-f][0-9a-f]{15} \[unknown\] \(\[unknown\]\)$",
                  "\t[unknown] (kernel)", text, flags=re.M)
    text = re.sub(r"^\t *[0-9a-f]+", "\t", text, flags=re.M)
    # perf 6.1 takes the stubs of ifuncs for others; tests/oracle has it.
    text = re.sub(r"\t .*@plt\+", "\t @plt+", text)
    text = re.sub(r"\([^()]*/(jitted-\d+-\d+\.so|jit-\d+\.dump)\)", "(jit)", text)
    text = re.sub(r"\((/tmp/perf-\d+\.map|\[unknown\])\)", "(none)", text)
    return [line.rstrip() for line in text.splitlines()]


def names(capture, *options):
    status, out, err = run([os.path.abspath(tap.coldperf), "script", "-F",
                            FIELDS, "--inline=no"] + list(options) +
                           [path(capture)])
    if status != 0:
        tap.diag(err)
    return plain(out), err


def perf_names(capture):
    # -f: the map may belong to another user.
    return plain(run(["perf", "script", "-f", "--no-inline", "-F", FIELDS,
                      "-i", path(capture)])[1])


def samples_of(lines):
    """The lines of each sample; its head is the first of them."""
    return [text.split("\n") for text in "\n".join(lines).split("\n\n")]


def without_dropped(ours, theirs):
    """Both outputs without the samples whose frames perf drops.  A word of a call
    chain may look like a mark of the kernel, as when a leaf keeps data in the
    frame pointer.  perf prints no frame of such a chain, coldperf those before
    the word.  More than one sample in 100 is no accident: then all stay."""
    a, b = samples_of(ours), samples_of(theirs)
    if len(a) != len(b):
        return ours, theirs
    kept = [(x, y) for x, y in zip(a, b)
            if not (y == x[:1] and len(x) > 1)]
    if (len(a) - len(kept)) * 100 > len(a):
        return ours, theirs
    return tuple([line for sample in side for line in sample]
                 for side in zip(*kept))


def same_as_perf(what, capture, injected=None, mark=None):
    """Equal line by line, and the code in question is among it."""
    ours, theirs = without_dropped(names(capture)[0],
                                   perf_names(injected or capture))
    # Nor has perf 6.1 names for those of .plt.got.
    differing = [(a, b) for a, b in zip(ours, theirs) if a != b and
                 a.replace(" @plt+0x0 ", " [unknown] ") != b]
    hit = sum(1 for line in theirs if re.search(mark, line))
    tap.ok(len(ours) == len(theirs) and not differing,
           "%s: %d lines as perf prints them" % (what, len(theirs)),
           str(differing[:5]))
    tap.ok(hit > 0, "%s: %d frames in such code" % (what, hit))


def forget(capture):
    """The maps that its processes left."""
    pids = run(["perf", "script", "-F", "pid", "-i", path(capture)])[1]
    for pid in set(re.findall(r"^ *(\d+) *$", pids, re.M)):
        if os.path.exists("/tmp/perf-%s.map" % pid):
            os.unlink("/tmp/perf-%s.map" % pid)


def inject(capture):
    status, _, err = run(["perf", "inject", "-j", "-i", path(capture), "-o",
                          path(capture + ".injected")])
    if status != 0:
        tap.diag("perf inject: " + err[-300:])
    return capture + ".injected"


def build(program):
    source = "%s/corpus/workloads/%s.c" % (tap.top_srcdir, program)
    cc = ["gcc"] if shutil.which("gcc") else \
        shlex.split(os.environ.get("CC", "cc"))
    if subprocess.call(cc + ["-O1", "-fno-omit-frame-pointer", source, "-o",
                             path(program)]) != 0:
        tap.skip_all("the workload does not compile")


def at_that_time(capture, printed):
    """The workload's own account against the names of the samples."""
    turns = []
    for line in printed.splitlines():
        name, start, end = line.split()
        turns.append((name, int(start) // 1000, int(end) // 1000))
    right = wrong = 0
    lines, _ = names(capture)
    text = "\n".join(lines)
    for head, leaf in re.findall(r"^\S+ +\d+ +(\d+\.\d+): *\n\t *(.*)$", text,
                                 re.M):
        when = int(head.replace(".", ""))
        should = [n for n, a, b in turns if a < when < b]
        if "(jit)" not in leaf and "(none)" not in leaf or not should:
            continue
        if leaf.strip().startswith(should[0] + "+"):
            right += 1
        else:
            wrong += 1
            tap.diag("%s is %s, should be %s" % (head, leaf, should[0]))
    return right, wrong


def test_dump():
    printed = record("dump", [path("jitdump"), "0.7"])
    if printed is None:
        return tap.skip("the jitdump workload cannot be recorded")
    right, wrong = at_that_time("dump", printed)
    tap.ok(right > 100 and wrong == 0,
           "%d samples of changing code have the name of their time" % right)
    same_as_perf("jitdump", "dump", inject("dump"), r"jit_second\+")
    _, err = names("dump")
    tap.ok(not re.search(r"\([a-z-]*jit[a-z-]*\)", err),
           "nothing to complain about", err)
    text = run([os.path.abspath(tap.coldperf), "script", "--lines", "-F",
                "ip,sym", path("dump")])[1]
    leaves = re.findall(r"^\n\t *[0-9a-f]+ (jit_\w+)\n  (\S+)$", text, re.M)
    wrong = {(name, line) for name, line in leaves if line not in
             (name[4:] + ".x:10", name[4:] + ".x:11")}
    tap.ok(len(leaves) > 100 and not wrong,
           "their lines are those of the dump", (len(leaves), wrong))
    # The same files elsewhere: found beside the capture, and by --symbols.
    dump = [f for f in os.listdir(scratch) if re.match(r"jit-\d+\.dump", f)][0]
    before, _ = names("dump")
    os.mkdir(path("away"))
    os.rename(path(dump), path("away/" + dump))
    gone, err = names("dump")
    tap.ok(gone != before and "no-jit-map" in err,
           "without the dump that is said", err)
    found, _ = names("dump", "--symbols", path("away"))
    tap.ok(found == before, "a dump in --symbols is found")
    os.rename(path("dump"), path("away/dump"))
    found, _ = names("away/dump", "--no-local")
    tap.ok([line for line in found if "(jit)" in line] ==
           [line for line in before if "(jit)" in line],
           "and one beside the capture")
    test_other_dump("away/dump", path("away/" + dump))


def test_other_dump(capture, dump):
    """The dump of an earlier process that had the same pid."""
    data = bytearray(open(dump, "rb").read())
    at = 40
    while at < len(data):
        size = int.from_bytes(data[at + 4:at + 8], sys.byteorder)
        time = int.from_bytes(data[at + 8:at + 16], sys.byteorder)
        data[at + 8:at + 16] = (time - 10**10).to_bytes(8, sys.byteorder)
        at += size
    open(dump, "wb").write(data)
    lines, err = names(capture, "--no-local")
    tap.ok("other-jit-map" in err and
           not any("jit_first" in line for line in lines),
           "the dump of an earlier process is not used", err)


def test_clock():
    """Without -k mono the times say nothing."""
    os.mkdir(path("clock"))
    status, _, _ = run(["perf", "record", "-q", "-e", "cpu-clock", "-F", "499",
                        "-o", path("clock/data"), path("jitdump"), "0.2"],
                       path("clock"))
    if status != 0:
        return tap.skip("nothing can be recorded")
    lines, err = names("clock/data")
    tap.ok("jit-clock" in err and "other-jit-map" not in err and
           any("jit_second" in line for line in lines),
           "a dump of another clock is used and marked", err)


def test_map():
    if record("map", [path("jit"), "0.3"]) is None:
        return tap.skip("the jit workload cannot be recorded")
    same_as_perf("perf map", "map", None, r"jit_spin\+")
    text = run(["perf", "script", "-F", "pid", "-i", path("map")])[1].split()
    found = "/tmp/perf-%s.map" % text[0]
    shutil.move(found, path(os.path.basename(found)))
    lines, err = names("map", "--no-local")
    tap.ok(any("jit_spin+" in line for line in lines),
           "a map beside the capture is found", err)
    # In a container it bears another number.
    os.rename(path(os.path.basename(found)), path("perf-1.map"))
    with open(path("perf-2.map"), "w") as f:
        f.write("5000 10 elsewhere\n")
    lines, err = names("map", "--no-local")
    tap.ok(any("jit_spin+" in line for line in lines),
           "a map of another pid is found by its addresses", err)
    with open(path("perf-1.map")) as f, open(path("perf-3.map"), "w") as g:
        g.write(f.read().replace("jit_spin", "who_knows"))
    lines, err = names("map", "--no-local")
    tap.ok("other-jit-map" in err and
           not any("jit_spin+" in line for line in lines),
           "two that fit are one too many", err)
    for n in "123":
        os.unlink(path("perf-%s.map" % n))


def test_node():
    node = shutil.which("node") or shutil.which("nodejs")
    if node is None:
        return tap.skip("node is not installed")
    with open(path("work.js"), "w") as f:
        f.write(SCRIPT)
    if record("node-map", [node, "--perf-basic-prof", "work.js"]) is None:
        return tap.skip("node cannot be recorded")
    same_as_perf("node --perf-basic-prof", "node-map", None, r"\*hot ")
    forget("node-map")
    os.mkdir(path("node"))
    if record("node-dump", [node, "--perf-prof", "work.js"]) is not None:
        same_as_perf("node --perf-prof", "node-dump", inject("node-dump"),
                     r"\*hot .*\(jit\)")


def test_python():
    usable = [p for p in [sys.executable, "python3.14", "python3.13",
                          "python3.12"] if shutil.which(p) and run([
        p, "-X", "perf", "-c", "import sys; sys.is_stack_trampoline_active()"
    ])[0] == 0]
    if not usable:
        return tap.skip("python3 is older than 3.12 or was built without it")
    work = "def hot(n):\n  return sum(i * i % 7 for i in range(n))\n" \
        "for i in range(60): hot(20000)\n"
    if record("python", [usable[0], "-X", "perf", "-c", work]) is not None:
        same_as_perf("python -X perf", "python", None, r"py::")
        forget("python")


def test_java():
    java, javac = shutil.which("java"), shutil.which("javac")
    if java is None or javac is None:
        return tap.skip("no JDK is installed")
    with open(path("W.java"), "w") as f:
        f.write("public class W { static double hot(int n) { double s = 0;"
                "for (int i = 0; i < n; i++) s += Math.sqrt(i) * (i % 13);"
                "return s; } public static void main(String[] a) {"
                "long end = System.currentTimeMillis() + 600; double t = 0;"
                "while (System.currentTimeMillis() < end) t += hot(3000);"
                "System.out.println(t); } }")
    status, _, err = run([javac, "W.java"])
    if status != 0 or record("java", [
            java, "-XX:+UnlockDiagnosticVMOptions", "-XX:+DumpPerfMapAtExit",
            "-cp", ".", "W"]) is None:
        return tap.skip("java 17 is needed: " + err[-200:])
    same_as_perf("java -XX:+DumpPerfMapAtExit", "java", None, r"W\.hot\(int\)")
    forget("java")


def main():
    if shutil.which("perf") is None or record("probe", ["true"]) is None:
        tap.skip_all("perf is not installed or cannot record here")
    build("jit")
    build("jitdump")
    test_dump()
    test_clock()
    test_map()
    test_node()
    test_python()
    test_java()
    tap.done()


main()
