#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Which perf map is a process's, where its name does not tell: the one that
# covers what was sampled.  Maps and captures are made for each case; a
# container is made of namespaces, where that is allowed.
import os
import shutil
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

scratch = tempfile.TemporaryDirectory(prefix="coldperf-perfmaps.")
mkperf = os.path.join(os.path.abspath(tap.top_builddir), "tests/tools/mkperf")
coldperf = os.path.abspath(tap.coldperf)
SAMPLES, CODE = 40, 0x10000000


def path(name):
    return os.path.join(scratch.name, name)


def run(*command):
    return subprocess.run(command, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, check=False,
                          stdin=subprocess.DEVNULL)


def capture(folder, pid=77, inside=None):
    """Samples of functions of 0x100 bytes; inside: the pid in a container."""
    text = ["attr cycles type=0 config=0 period=1 sample_type=IP|TID|TIME "
            "flags=sample_id_all|mmap|comm|namespaces",
            "comm pid=%d comm=node" % pid,
            "mmap pid=%d addr=%#x len=0x10000 pgoff=0 name=//anon" %
            (pid, CODE)]
    if inside is not None:
        text.insert(1, "namespaces pid=%d links=%s" % (pid, ",".join(
            "4,%d" % (0xeffffffc if i == 3 and inside == 0 else
                      0xf0000100 + i) for i in range(7))))
    for i in range(SAMPLES):
        text.append("sample pid=%d time=%d misc=2 ip=%#x" %
                    (pid, 1000 * (i + 1), CODE + 0x100 * i + 0x10))
    os.makedirs(path(folder), exist_ok=True)
    with open(path("in"), "w", encoding="ascii") as f:
        f.write("\n".join(text) + "\n")
    done = run(mkperf, path("in"), path(folder + "/data"))
    if done.returncode != 0:
        tap.diag(done.stderr)
    return path(folder + "/data")


def write_map(name, covered, elsewhere=0, prefix="f", first=0):
    """A map of `covered` functions that were sampled, and of others."""
    with open(path(name), "w", encoding="ascii") as f:
        for i in range(elsewhere):
            f.write("%x 10 away%d\n" % (0x70000000 + 0x20 * i, i))
        for i in range(first, first + covered):
            f.write("%x 100 %s%d\n" % (CODE + 0x100 * i, prefix, i))


def named(data, *options):
    """How many samples have a name that begins with f, and the messages."""
    done = run(coldperf, "hotspots", "-f", "csv", "--by", "symbol", "--top",
               "0", "--debuginfod=off", *options, data)
    return sum(line.split(",")[-1].startswith("f")
               for line in done.stdout.splitlines()[1:]), done.stderr


# A folder in place of a map is told when it is to be read.
data = capture("certain")
os.mkdir(path("certain/perf-5.map"))
write_map("certain/perf-77.map", 40)
got, err = named(data, "--no-local")
tap.ok(got == 40 and "perf-5.map" not in err,
       "no other map is read if the process's own has all", (got, err))
write_map("certain/perf-77.map", 39)
got, err = named(data, "--no-local")
tap.ok(got == 39 and "perf-5.map" in err, "others are read if it has not",
       (got, err))
write_map("certain/perf-77.map", 40, prefix="g")
write_map("certain/perf-6.map", 40)
got, err = named(data, "--no-local", "--symbols", path("certain/perf-6.map"))
tap.ok(got == 40, "one that --symbols names is better", (got, err))

data = capture("most")
write_map("most/perf-1.map", 39, elsewhere=2000)
got, err = named(data, "--no-local")
tap.ok(got == 39, "a map most of whose lines are elsewhere is used: it covers "
       "what was sampled", (got, err))
write_map("most/perf-2.map", 25, prefix="g")
got, err = named(data, "--no-local")
tap.ok(got == 39 and "other-jit-map" not in err,
       "of two the one that covers more", (got, err))
write_map("most/perf-3.map", 39, prefix="g")
got, err = named(data, "--no-local")
tap.ok(got == 0 and "other-jit-map" in err,
       "two that cover the same are one too many", (got, err))
got, err = named(data, "--no-local", "--symbols", path("most/perf-1.map"))
tap.ok(got == 39, "--symbols chooses one of them", (got, err))

data = capture("stale")
write_map("stale/perf-77.map", 1, elsewhere=5, prefix="g")
write_map("stale/perf-1.map", 40)
got, err = named(data, "--no-local")
tap.ok(got == 40, "more than by an old map of the recorded pid", (got, err))
os.unlink(path("stale/perf-1.map"))
write_map("stale/perf-77.map", 1)
got, err = named(data, "--no-local")
tap.ok(got == 1, "that one is used where no other is", (got, err))

data = capture("few")
write_map("few/perf-1.map", 4, elsewhere=100)
got, err = named(data, "--no-local")
tap.ok(got == 0, "a map of another pid that covers little is not used",
       (got, err))
os.mkdir(path("given"))
shutil.move(path("few/perf-1.map"), path("given/perf-1.map"))
got, err = named(data, "--no-local", "--symbols", path("given/perf-1.map"))
tap.ok(got == 4, "unless --symbols names the file", (got, err))
# One that has most of its lines in the process's code but no sampled address.
data = capture("beside")
write_map("beside/perf-1.map", 5, first=SAMPLES)
got, err = named(data, "--no-local")
tap.ok(got == 0 and "no-jit-map" in err,
       "a map that covers nothing that was sampled is no map of it", (got, err))
write_map("beside/perf-2.map", 4)
got, err = named(data, "--no-local")
tap.ok(got == 4 and "no-jit-map" not in err,
       "one that covers some, and most of whose lines are there, is",
       (got, err))
data = capture("initial", inside=0)
write_map("initial/perf-1.map", 40)
got, err = named(data, "--no-local")
tap.ok(got == 0, "a process of no container has a map of its pid", (got, err))
got, err = named(data, "--no-local", "--symbols", path("initial/perf-1.map"))
tap.ok(got == 40, "unless --symbols names the file", (got, err))



def by_process(data, *options):
    """{pid: names of its addresses}, and the messages."""
    done = run(coldperf, "hotspots", "-f", "csv", "--by", "pid,symbol",
               "--top", "0", "--debuginfod=off", *options, data)
    rows = [line.split(",") for line in done.stdout.splitlines()]
    pid = rows[0].index("pid")
    found = {}
    for row in rows[1:]:
        found.setdefault(int(row[pid]), set()).add(row[-1])
    return found, done.stderr


def family(folder, *records):
    """Process 77 with code, what the records say, and samples of 78, 79."""
    text = ["attr cycles type=0 config=0 period=1 sample_type=IP|TID|TIME "
            "flags=sample_id_all|mmap|comm|task|comm_exec",
            "comm pid=77 comm=server",
            "mmap pid=77 addr=%#x len=0x10000 pgoff=0 name=//anon" % CODE]
    for record in records:
        text.append(record)
    for i, pid in enumerate((77, 78, 79, 78)):
        text.append("sample pid=%d time=%d misc=2 ip=%#x" %
                    (pid, 9000 + i, CODE + (0x210 if i == 3 else 0x110)))
    text.append("feature sample_time first=100 last=10000")
    os.makedirs(path(folder), exist_ok=True)
    with open(path("in"), "w", encoding="ascii") as f:
        f.write("\n".join(text) + "\n")
    done = run(mkperf, path("in"), path(folder + "/data"))
    if done.returncode != 0:
        tap.diag(done.stderr)
    return path(folder + "/data")


FORKS = ["fork pid=%d ppid=77 tid=%d ptid=77 time=%d" % (p, p, 100 + p)
         for p in (78, 79)]
# A forked process has its parent's memory, and makes code of its own there.
data = family("forked", *FORKS)
write_map("forked/perf-78.map", 2, prefix="a", first=1)
write_map("forked/perf-79.map", 2, prefix="b", first=1)
got, err = by_process(data, "--no-local")
tap.ok(got[78] == {"a1", "a2"} and got[79] == {"b1"} and
       not got[77] & {"a1", "b1"},
       "workers have each the names of their own map, their parent none",
       (got, err))
os.makedirs(path("away"), exist_ok=True)
shutil.move(path("forked/perf-78.map"), path("away/perf-78.map"))
os.unlink(path("forked/perf-79.map"))
got, err = by_process(data, "--no-local", "--symbols",
                      path("away/perf-78.map"))
tap.ok(got[78] == {"a1", "a2"} and got[79] == got[77] != {"a1"} and
       "other-jit-map" in err,
       "one worker's map, given by its path, is not its sibling's", (got, err))
done = run(coldperf, "report", "--no-local", data)
write_map("forked/perf-77.map", 3)
got, err = by_process(data, "--no-local")
tap.ok(got == {77: {"f1"}, 78: {"f1", "f2"}, 79: {"f1"}} and
       "jit-map" not in err and
       " /tmp/perf-77.map" in done.stdout,
       "workers may write into their parent's map", (got, err, done.stdout))
write_map("forked/perf-78.map", 1, prefix="a", first=2)
got, err = by_process(data, "--no-local")
tap.ok(got == {77: {"f1"}, 78: {"f1", "a2"}, 79: {"f1"}} and
       "jit-map" not in err,
       "a worker's own map comes first, its parent's names the rest",
       (got, err))
os.mkdir(path("packed"))
done = run(coldperf, "pack", "-o", path("packed/forked.tar"), data)
got, err = by_process(path("packed/forked.tar"), "--no-local")
tap.ok(got == {77: {"f1"}, 78: {"f1", "a2"}, 79: {"f1"}},
       "pack takes both along", (got, err, done.stderr))
os.unlink(path("forked/perf-78.map"))
# As perf writes of processes that were there before it.
THERE = ["fork pid=%d ppid=77 tid=%d ptid=77 misc=0x2000" % (p, p)
         for p in (78, 79)] + [
             "mmap pid=%d addr=%#x len=0x10000 pgoff=0 name=//anon" % (p, CODE)
             for p in (78, 79)]
data = family("there", *THERE)
write_map("there/perf-77.map", 3)
got, err = by_process(data, "--no-local")
tap.ok(got == {77: {"f1"}, 78: {"f1", "f2"}, 79: {"f1"}},
       "also those that were forked before the recording", (got, err))
# Another program at the same addresses.
data = family("execed", *FORKS,
              "comm pid=79 comm=other misc=0x2000 time=5000",
              "mmap pid=79 addr=%#x len=0x10000 pgoff=0 name=//anon time=5001"
              % CODE)
write_map("execed/perf-77.map", 3)
got, err = by_process(data, "--no-local")
tap.ok(got[78] == {"f1", "f2"} and got[79] != {"f1"},
       "not one that runs another program since", (got, err))


def check_stale():
    """A map in /tmp that a former process of that number has left there."""
    pid = 4194000 + os.getpid() % 300
    while os.path.exists("/tmp/perf-%d.map" % pid):
        pid += 1
    name = "/tmp/perf-%d.map" % pid
    data = family("stale-tmp", "fork pid=%d ppid=1 tid=%d ptid=1 time=200" %
                  (pid, pid), "mmap pid=%d addr=%#x len=0x10000 pgoff=0 "
                  "name=//anon time=300" % (pid, CODE),
                  "sample pid=%d time=8000 misc=2 ip=%#x" % (pid, CODE))
    write_map("map", 3)
    try:
        shutil.copy(path("map"), name)
        got, err = by_process(data)
        tap.ok(got[pid] == {"f0"}, "a map in /tmp", (got, err))
        os.utime(name, (10**9, 10**9))
        got, err = by_process(data)
        tap.ok(got[pid] != {"f0"} and "before its process began" in err,
               "one that is older than the process is not its map", (got, err))
        got, err = by_process(data, "--symbols", name)
        tap.ok(got[pid] == {"f0"}, "--symbols takes it", (got, err))
    finally:
        os.unlink(name)


check_stale()


def check_many():
    """Processes of containers: no map has the recorded pid of any."""
    n, rows = 60, []
    os.makedirs(path("many/maps"))
    for k in range(n):
        base = CODE + 0x10000 * k
        rows += ["comm pid=%d comm=node" % (100 + k),
                 "mmap pid=%d addr=%#x len=0x10000 pgoff=0 name=//anon" %
                 (100 + k, base)]
        rows += ["sample pid=%d time=%d misc=2 ip=%#x" %
                 (100 + k, 100 * k + i, base + 0x100 * (i + k % 3) + 0x10)
                 for i in range(5)]
        # The last line ends where the code of the next process begins.
        with open(path("many/maps/perf-%d.map" % (1 + k)), "w",
                  encoding="ascii") as f:
            f.writelines("%x %x f%d_%d\n" %
                         (base + 0x100 * i, 0x100 if i < 9 else 0xf700, k, i)
                         for i in range(10))
    with open(path("in"), "w", encoding="ascii") as f:
        f.write("attr cycles type=0 config=0 period=1 sample_type=IP|TID|TIME "
                "flags=sample_id_all|mmap|comm\n" + "\n".join(rows) + "\n")
    run(mkperf, path("in"), path("many/data"))
    maps = [path("many/maps/perf-%d.map" % (1 + k)) for k in range(n)]
    for what, given in (("a folder", [path("many/maps")]),
                        ("single files", maps)):
        done = run(coldperf, "hotspots", "-f", "csv", "--by", "symbol",
                   "--top", "0", "--no-local",
                   *(w for p in given for w in ("--symbols", p)),
                   path("many/data"))
        got = sorted(line.split(",")[-1]
                     for line in done.stdout.splitlines()[1:])
        want = sorted("f%d_%d" % (k, i + k % 3)
                      for k in range(n) for i in range(5))
        tap.ok(got == want, "maps of %d processes in %s: each has its own" %
               (n, what), (got[:9], done.stderr))


check_many()


# ------------------------------------------------------------- a container
SCRIPT = """mount -t tmpfs none /tmp && cat >/tmp/perf-$$.map &&
grep NSpid /proc/self/status >&2; echo $$; exec sleep 1000"""


def check_long():
    """A line without its end takes in all lines after it."""
    data = capture("long")
    write_map("long/perf-77.map", 40)
    with open(path("long/perf-77.map"), "a", encoding="ascii") as f:
        f.write("%x 100 f%s\n" % (CODE + 0x100, "x" * (3 << 20)))
    done = run(coldperf, "flame", "-f", "folded", "--no-local", data)
    tap.ok(done.returncode == 4 and "CP_MAX_DEMANGLED" in done.stderr and
           len(done.stdout) < 100000 and ";f39 " in done.stdout and
           ";fxx" in done.stdout,
           "a name of 3 MB is cut, and this is said",
           (done.returncode, done.stderr, len(done.stdout)))


check_long()


def container():
    """A process with a /tmp and a pid of its own; its pid there and here."""
    if not shutil.which("unshare"):
        return None
    write_map("map", 40)
    with open(path("map"), encoding="ascii") as f:
        p = subprocess.Popen(
            ["unshare", "--user", "--map-root-user", "--pid", "--mount",
             "--fork", "--kill-child", "sh", "-c", SCRIPT], stdin=f,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    inside = p.stdout.readline().strip()
    children = run("cat", "/proc/%d/task/%d/children" % (p.pid, p.pid))
    here = children.stdout.split()
    if not inside or not here or \
       not os.path.exists("/proc/%s/root/tmp/perf-%s.map" % (here[0], inside)):
        p.kill()
        p.wait()
        return None
    return p, int(here[0]), int(inside)


def check_container():
    made = container()
    if made is None:
        return tap.skip("no container can be made here")
    process, here, inside = made
    try:
        data = capture("live", pid=here)
        got, err = named(data, "--sandbox=off")
        tap.ok(got == 40, "the map is in the process's own root, by its own "
               "pid (%d)" % inside, (got, err))
        got, err = named(data, "--no-local")
        tap.ok(got == 0, "--no-local: not looked for", (got, err))
        os.makedirs(path("away"), exist_ok=True)
        done = run(coldperf, "pack", "-o", path("away/b.tar"), data)
        check_bundle("pack", path("away/b.tar"), done, here)
        done = run("sh", os.path.join(os.path.abspath(tap.top_srcdir),
                                      "contrib/coldperf-capture.sh"),
                   "-o", path("away/c.tar"), data)
        if shutil.which("perf"):
            check_bundle("the capture script", path("away/c.tar"), done, here)
        else:
            tap.skip("perf is not installed")
    finally:
        process.kill()
        process.wait()
    return None


def check_bundle(what, bundle, done, here):
    members = run("tar", "-tf", bundle).stdout
    got, err = named(bundle, "--no-local")
    tap.ok(got == 40 and "coldperf/jit/perf-%d.map" % here in members,
           what + " takes it along", (members, done.stderr, got, err))


check_container()
tap.done()
