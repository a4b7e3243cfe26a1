#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Redaction by `share': users and hosts are gone wherever they are named, also
# before the path that tells of them, and in whatever case.
import os
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
sys.path.insert(0, os.environ["top_srcdir"] + "/tests/redact")
import dig
import tap

mkperf = os.path.join(tap.top_builddir, "tests/tools/mkperf")
tmp = tempfile.TemporaryDirectory()
HEAD = """
attr cycles type=0 config=0 period=1000 ids=1 flags=sample_id_all|mmap|comm \\
	sample_type=IP|TID|TIME|IDENTIFIER|PERIOD%s
feature arch x86_64
"""
# Each path has users' names with digits; others are kept.
FORMS = r"""
/home/zu01/bin/l.so
/Home/zu02/l.so
/HOME/zu03/l.so
/home2/zu04/l.so
/homes/zu05/l.so
/export/home/zu06/l.so
/home/./zu07/l.so
/home/corp/zu08/l.so
/home/CORP/zu09/l.so
/home/corp.example/zu10/l.so
/home/z/zu11/l.so
/home/z/zu/zu12/l.so
/home/.snapshots/zu13/l.so
/home/.snapshots/7/snapshot/zu14/kept14.so
/home/.zfs/snapshot/daily-1/zu15/l.so
/home/zu16.homedir/l.so
/home/zu17@corp.example/l.so
/afs/cell.example/user/z/zu18/l.so
/afs/cell.example/users/zu19/l.so
/u/zu20/l.so
/user/zu21/l.so
/media/zu22/kept22/l.so
/run/media/zu23/kept23/l.so
/~zu24/l.so
/srv/~zu25/l.so
/var/spool/cron/zu26
/var/spool/cron/crontabs/zu27
/var/mail/zu28
/tmp/pulse-zu29/l.so
/tmp/hsperfdata_zu30/1234
/run/screen/S-zu31/l.so
/nix/var/nix/profiles/per-user/zu32/l.so
/etc/profiles/per-user/zu33/l.so
\\srv\home\zu34\l.dll
/Users/zu35/l.so
C:\Users\zu36\l.dll
/mnt/c/Documents and Settings/zu37/l.so
/root/.wine/drive_c/users/zu38/l.dll
/net/server/home/zu39/l.so
/home/.ecryptfs/zu40/l.so
/opt/media/kept41/l.so
/opt/u/kept42/l.so
/lib/pulse-kept43/l.so
/opt/run/user/kept44/l.so
""".split("\n")[1:-1]


def path(name):
    return os.path.join(tmp.name, name)


def write(name, text):
    with open(path(name), "w") as f:
        f.write(text)
    return path(name)


def capture(name, text, more=""):
    data = path(name + ".data")
    subprocess.run([mkperf, write(name + ".mkperf", HEAD % more + text), data],
                   check=True)
    return data


def run(*words):
    return subprocess.run([tap.coldperf, *words], timeout=300,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def mapping(i, name):
    at = 0x400000 + i * 0x10000
    return ('mmap2 pid=20 addr=%#x len=0x10000 pgoff=0 maj=8 min=1 ino=%d '
            'name="%s" time=%d\nsample cycles ip=%#x pid=20 time=%d\n'
            % (at, i + 5, name.replace("\\", "\\\\"), 1003 + i * 2, at + 16,
               1004 + i * 2))


def paths_of(policy, data):
    r = run("script", "-F", "comm,ip,dso", *policy, data)
    return r, r.stdout.decode()


def has(text, name):
    return name.lower() in text.lower()


def written(data, file):
    """What each way to write a capture has, unpacked by perf's reader too."""
    for words in (["script"], ["script", "-F", "comm,ip,dso"],
                  ["flame", "-f", "folded"], ["flame", "-f", "html"],
                  ["report", "-f", "json"], ["timeline", "-f", "json"]):
        yield " ".join(words), run(*words, "--redact", "share", data)
    for command in ("snapshot", "redact", "pack"):
        out = path(file + "." + command)
        r = run(command, "--redact", "share", "-o", out, data)
        r.stdout = b""
        if os.path.exists(out):
            with open(out, "rb") as f:
                r.stdout = f.read()
        yield command, r


def nowhere(data, names, what, least=9):
    wrong, n = [], 0
    for way, r in written(data, "out"):
        n += r.returncode in (0, 3) and r.stdout != b""
        for layer in dig.unpacked(r.stdout):
            wrong += ["%s: %s" % (way, x) for x in names
                      if x.encode().lower() in layer.lower()]
        if b"not-redacted" in r.stderr:
            wrong.append(way + ": " + r.stderr.decode())
    tap.ok(not wrong, what, "\n".join(wrong))
    tap.ok(n >= least, what + ": outputs are written", n)


if not os.access(mkperf, os.X_OK):
    tap.skip_all("mkperf was not built")

# Forms of paths
data = capture("forms", 'comm 20 20 "app" time=1000\n' + "".join(
    mapping(i, p) for i, p in enumerate(FORMS)))
_, plain = paths_of((), data)
r, out = paths_of(("--redact", "share"), data)
for p in FORMS:
    names = [w for w in p.replace("\\", "/").replace("-", "/").replace(
        "_", "/").replace("~", "/").replace("@", "/").replace(
        ".", "/").split("/") if w[:2] == "zu" and len(w) == 4]
    kept = [w for w in p.replace(".so", "").replace("-", "/").split("/")
            if w[:4] == "kept"]
    tap.ok(len(names) + len(kept) >= 1 and all(has(plain, x) for x in names) and
           not any(has(out, x) for x in names) and
           all(x in out for x in kept), "the user of " + p,
           (r.stderr, [x for x in out.split("\n") if any(
               w in x for w in names)]))
data = capture("uid", 'comm 20 20 "app" time=1000\n' +
               mapping(0, "/run/user/4711/l.so") +
               mapping(1, "/home/zq/l.so"))
_, out = paths_of(("--redact", "share"), data)
tap.ok("/run/user/user/l.so" in out and "/home/user/l.so" in out,
       "numbers and short names of users are removed in paths", out)

# Names of threads before the paths, in other words and in other case
data = capture("early", """
feature hostname "Zqhost77.corp.example"
comm 20 20 "queenie" time=1000
comm 21 21 "worker-of-odo" time=1001
comm 22 22 "Quibbles" time=1001
comm 23 23 "ZQHOST77" time=1001
repeat 20 as i {
sample cycles ip=0x10+i pid=20+i%4 time=1002
}
""" + mapping(1, "/home/queenie/bin/a") + mapping(2, "/home/odo/bin/a") +
               mapping(3, "/x/quibbles/lib.so") +
               mapping(4, "/mnt/zqHOST77/lib.so") +
               mapping(5, "/home/QUIBBLES/b"))
r, out = paths_of(("--redact", "share"), data)
tap.ok("worker-of-user" in out and "/x/user" in out and "/mnt/host/" in out,
       "a name has one replacement, in whatever case", out)
nowhere(data, ("queenie", "of-odo", "/odo/", "quibbles", "zqhost77"),
        "users met before their paths")

# Upper and lower case outside of ASCII: first bytes and sizes of letters
CASES = (("müller", "MÜLLER"), ("ÿves", "ŸVES"), ("łukasz", "ŁUKASZ"),
         ("раиса", "РАИСА"), ("νίκος", "ΝΊΚΟΣ"), ("ng\u1ecdc", "NG\u1eccC"),
         ("čeněk", "ČENĚK"), ("արամ", "ԱՐԱՄ"))
for lower, upper in CASES:
    for one, other in ((lower, upper), (upper, lower)):
        data = capture("fold", 'comm 20 20 "%s" time=1000\n' % other +
                       mapping(1, "/home/%s/l.so" % one) +
                       mapping(2, "/opt/%s.so" % other))
        r, out = paths_of(("--redact", "share"), data)
        tap.ok("/opt/user1.so" in out and r.returncode == 0 and
               one not in out and other not in out,
               "%s is %s" % (one, other), (out, r.stderr))
        rule = write("fold.ini", "[words]\nremove = %s\n" % one)
        _, out = paths_of(("--redact", rule), data)
        tap.ok("/opt/removed.so" in out and "/home/removed/" in out,
               "a word %s is %s" % (one, other), out)
data = capture("fold", mapping(1, "/home/müller/l.so") +
               mapping(2, "/opt/m÷ller.so") + mapping(3, "/opt/muller.so"))
_, out = paths_of(("--redact", "share"), data)
tap.ok("/opt/m÷ller.so" in out and "/opt/muller.so" in out,
       "other letters are other words", out)

# Each place of a path tells of its user
PLACES = {
    "a build ID": 'build_id 1122334455667788990011223344556677889900 '
                  '"/home/queenie/l.so"\n',
    "the command line": "feature cmdline perf record -o /home/queenie/x\n",
    "a control group": 'cgroup 77 "/home/queenie/service" time=1900\n',
    "the name of a thread": 'comm 30 30 "/home/queenie/" time=1900\n',
}
for what, text in PLACES.items():
    data = capture("place", 'comm 20 20 "queenie" time=1000\n'
                   "sample cycles ip=0x10 pid=20 time=1002\n" + text + """
repeat 20 as i {
sample cycles ip=0x10+i pid=20 time=2002+i
}
""")
    r, out = paths_of(("--redact", "share"), data)
    tap.ok(r.returncode == 0 and "user1" in out and "queenie" not in out,
           "a user is known from " + what, (out, r.stderr))

# Words in what is copied: names of probes and of fields, features
PROBE = """
attr probe_app:at_queenie type=2 config=900 period=1 ids=1 \\
	flags=sample_id_all|mmap|comm sample_type=IP|TID|TIME|RAW|IDENTIFIER
tracing printk=""
format probe_app <<END
name: at_queenie
ID: 900
format:
	field:unsigned short common_type;	offset:0;	size:2;	signed:0;
	field:unsigned char common_flags;	offset:2;	size:1;	signed:0;
	field:unsigned char common_preempt_count;	offset:3;	size:1;	signed:0;
	field:int common_pid;	offset:4;	size:4;	signed:1;

	field:__data_loc char[] path;	offset:8;	size:4;	signed:0;
	field:u64 queenie_field;	offset:16;	size:8;	signed:0;

print fmt: "queenie %s", __get_str(path)
END
feature hostname "zqhost77"
feature osrelease "6.1.0-queenie-zqhost77"
feature cpudesc "Cpu ZQHOST77 queenie"
feature pmu_mappings 8 queenie
feature cache 1 1 64 8 8 "queenie" "32K" "zqhost77"
feature cpu_pmu_caps queenie zqhost77
cgroup 77 "/user.slice/queenie-zqhost77" time=1009
comm 20 20 "queenie" time=1000
mmap2 pid=20 addr=0x400000 len=0x10000 pgoff=0 maj=8 min=1 ino=5 \\
	name="/tmp/jit-queenie/jit/zqhost77/jit-20.dump" time=1003
repeat 20 as i {
sample probe_app:at_queenie ip=0x400100 pid=20 time=2015+i*20 \\
	raw=u2:900,u1:0,u1:0,u4:20,u4:0x00180018,u4:0,u8:5,z:"/home/queenie/secret"
}
"""
data = path("probe.data")
subprocess.run([mkperf, write("probe.mkperf", PROBE), data], check=True)
nowhere(data, ("queenie", "zqhost77"), "names of probes and features")
r = run("redact", "--redact", "share", "-o", path("probe2.data"), data)
out = run("script", path("probe2.data")).stdout.decode()
tap.ok("probe_app:at_user1" in out, "the probe has its user's number", out)

# A payload alone has the path, after samples that are passed over
OPEN = PROBE[:PROBE.index("cgroup 77")].replace("queenie", "open").replace(
    "zqhost77", "zqhost78")
data = path("payload.data")
subprocess.run([mkperf, write("payload.mkperf", OPEN + """
comm 20 20 "queenie" time=1000
comm 21 21 "odo" time=1000
repeat 3000 as i {
sample probe_app:at_open ip=0x400100+i pid=20+i%2 time=2015+i*20 \\
	raw=u2:900,u1:0,u1:0,u4:20,u4:0x00050018,u4:0,u8:5,z:"name"
}
sample probe_app:at_open ip=0x400100 pid=20 time=90000 \\
	raw=u2:900,u1:0,u1:0,u4:20,u4:0x00180018,u4:0,u8:5,z:"/home/queenie/secret"
sample probe_app:at_open ip=0x400100 pid=20 time=90001 \\
	raw=u2:900,u1:0,u1:0,u4:20,u4:0x00180018,u4:0,u8:5,z:"in /home/odo/secret/abc"
"""), data], check=True)
r, out = paths_of(("--redact", "share"), data)
tap.ok(r.returncode == 0 and "user1 " in out and "user2 " in out and
       "queenie" not in out and "odo" not in out and
       out.count("\n") == 3002, "users are known from a payload",
       (out[-300:], r.stderr))

# Short names of hosts
for host in ("db7", "q7", "db7.corp.example"):
    short = host.split(".")[0]
    data = capture("short", 'feature hostname "%s"\n' % host +
                   'comm 20 20 "app" time=1000\n' +
                   mapping(1, "/mnt/%s/lib.so" % short) +
                   mapping(2, "/mnt/%sx/lib.so" % short))
    _, out = paths_of(("--redact", "share"), data)
    tap.ok("/mnt/host/" in out and "/mnt/%s/" % short not in out and
           "/mnt/%sx/" % short in out, "a host %s is a word" % host, out)

# What is also a word of what is kept is said to be left.
data = capture("common", 'comm 20 20 "app" time=1000\n' +
               mapping(1, "/home/function/lib.so"))
r, out = paths_of(("--redact", "share"), data)
tap.ok("/home/user1/" in out and
       "left: `function'" in r.stderr.decode(), "a common word is named",
       (out, r.stderr))

# A user is learned too late: names of code come from elsewhere.
os.makedirs(path("symbols"))
write("symbols/perf-20.map", "700000 100 f /home/queenie/app.js:1\n")
data = capture("late", 'comm 20 20 "queenie" time=1000\n'
               'mmap2 pid=20 addr=0x700000 len=0x10000 pgoff=0 name="//anon" '
               "time=1001\nsample cycles ip=0x700010 pid=20 time=1002\n")
for words in (["script"], ["snapshot", "-o", path("late.cold")]):
    r = run(words[0], "--redact", "share", "--symbols", path("symbols"),
            *words[1:], data)
    out = r.stdout
    if os.path.exists(path("late.cold")):
        with open(path("late.cold"), "rb") as f:
            out = f.read()
    tap.ok(not any(b"queenie" in x for x in dig.unpacked(out)) and
           b"`queenie' is still in it" in r.stderr and r.returncode == 2,
           words[0] + ": a short name that is learned too late is sought",
           (r.returncode, r.stderr))

write("symbols/perf-20.map", "700000 100 f /home/МАРИЯ/app.js:1\n")
data = capture("late", 'comm 20 20 "мария" time=1000\n'
               'mmap2 pid=20 addr=0x700000 len=0x10000 pgoff=0 name="//anon" '
               "time=1001\nsample cycles ip=0x700010 pid=20 time=1002\n")
r = run("script", "--redact", "share", "--symbols", path("symbols"), data)
tap.ok(r.returncode == 2 and "`МАРИЯ' is still in it" in r.stderr.decode(),
       "another case outside of ASCII is sought, too", r.stderr)

# Parts of other words are not sought: nothing is refused.
data = capture("part", 'comm 20 20 "rezumark" time=1000\n' +
               mapping(1, "/opt/a.so") + mapping(2, "/home/zumark/a.so") +
               'comm 21 21 "zumarker2" time=9000\n')
for f in ("pprof", "otlp", "perfetto", "firefox", "snapshot"):
    r = run("flame", "--redact", "share", "-f", f, data)
    tap.ok(r.returncode == 0 and b"left:" not in r.stderr and
           any(b"rezumark" in x for x in dig.unpacked(r.stdout)),
           f + ": parts of other words stay", (r.returncode, r.stderr))

# Of two captures, the second tells of a user in the first.
one = capture("one", 'comm 20 20 "queenie" time=1000\n'
              + mapping(1, "/opt/a.so") * 1)
two = capture("two", 'comm 20 20 "app" time=1000\n'
              + mapping(1, "/home/queenie/a.so"))
r = run("diff", "--redact", "share", "-f", "json", one, two)
tap.ok(b"queenie" not in r.stdout and b"not-redacted" not in r.stderr,
       "a user of another capture", (r.returncode, r.stderr))
tap.done()
