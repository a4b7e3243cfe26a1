#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Policies: what is refused, what stands for what, and what is said of it.
import os
import posixpath
import random
import re
import resource
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

mkperf = os.path.join(tap.top_builddir, "tests/tools/mkperf")
tmp = tempfile.TemporaryDirectory()
TEXT = """
attr cycles type=0 config=0 period=1000 ids=1 flags=sample_id_all|mmap|comm \\
	sample_type=IP|TID|TIME|IDENTIFIER|PERIOD
feature hostname "rosebud-7"
feature arch x86_64
feature cmdline perf record ./prog --token=9f8e7d6c5b
comm 20 20 "worker-of-alice" time=1000
comm 30 30 "zebra-9-word" time=1000
mmap2 pid=20 addr=0x400000 len=0x10000 pgoff=0 maj=8 min=1 ino=5 \\
	name="/home/alice/bin/prog" time=1003
mmap2 pid=20 addr=0x500000 len=0x10000 pgoff=0 maj=8 min=1 ino=6 \\
	name="/data/rosebud-7/lib.so" time=1003
mmap2 pid=20 addr=0x600000 len=0x10000 pgoff=0 maj=8 min=1 ino=7 \\
	name="/home/bob/lib.so" time=1003
mmap2 pid=30 addr=0x700000 len=0x10000 pgoff=0 name="//anon" time=1003
repeat 4 as i {
sample cycles ip=0x400100+i*0x100000 pid=20 time=2000+i
sample cycles ip=0x700010 pid=30 time=2000+i
}
"""


def path(name):
    return os.path.join(tmp.name, name)


def write(name, text):
    with open(path(name), "w", encoding="utf-8") as f:
        f.write(text)
    return path(name)


def run(*words, key=None):
    env = dict(os.environ)
    env.pop("COLDPERF_REDACT_KEY_FILE", None)
    if key:
        env["COLDPERF_REDACT_KEY_FILE"] = key
    return subprocess.run([tap.coldperf, *words], env=env, timeout=300,
                          text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE)


def script(policy, key=None):
    return run("script", "-F", "comm,ip,dso", "--redact", policy, data,
               key=key)


if not os.access(mkperf, os.X_OK):
    tap.skip_all("mkperf was not built")
data = path("it.data")
subprocess.run([mkperf, write("it.mkperf", TEXT), data], check=True)

for text, why in (("[rules]\nhsot = drop\n", "there is no class"),
                  ("[rules]\nhost = maybe\n", "cannot be treated so"),
                  ("[rules]\nstack = hash\n", "cannot be treated so"),
                  ("[wrods]\n", "there is no section"),
                  ("[words]\nkeep = a\n", "no such name"),
                  ("[rules]\nhost\n", "no `='"),
                  ("", "no rule"),
                  ("base = shar\n", "no policy to begin with"),
                  ("base = share\nbase = public\n", "stands first"),
                  ("[rules]\nhost = drop\nbase = share\n", "no class"),
                  ("host = drop\n", "before the first section"),
                  ("# none\n[rules]\n", "no rule"),
                  ("[words]\nremove = alice # both\n", "comment"),
                  ("[words]\nremove = \"alice\"\n", "quotes"),
                  ("[rules]\ncomm = keep\n\0\ncomm = drop\n", "zero byte"),
                  ("[rules]\ncomm = hash\n", "COLDPERF_REDACT_KEY_FILE")):
    r = script(write("bad.ini", text))
    tap.ok(r.returncode == 2 and why in r.stderr and not r.stdout,
           "a bad policy: " + why, r.stderr)
more = write("more.ini", "base = share\n[rules]\ncomm = generalize\n"
             "[words]\nremove = prog\n")
less = write("less.ini", "base = share\n[rules]\npath = keep\n")
tap.ok(script(write("base.ini", "base = share\n")).stdout ==
       script("share").stdout, "a file that begins with a policy is that")
r = script(more)
tap.ok("/home/user1/bin/removed" in r.stdout and "/data/host/" in r.stdout and
       "worker" not in r.stdout,
       "its rules and words are added", r.stdout)
r = script(less)
tap.ok("/home/alice/bin/prog" in r.stdout and "/data/host/" in r.stdout,
       "or take the place of that policy's", (r.stdout, r.stderr))
r = script("/nonexistent")
tap.ok(r.returncode == 2 and not r.stdout, "a policy that is no file")
r = script("/proc/self/mem")
tap.ok(r.returncode == 2 and not r.stdout, "a policy that cannot be read",
       r.stderr)
r = run("redact", "-o", path("x"), data)
tap.ok(r.returncode == 2 and not os.path.exists(path("x")),
       "redact needs a policy", r.stderr)

for command in ("dump", "verify", "repair", "check", "symbols"):
    r = run(command, "--redact", "share", "-o", path("x"), data)
    tap.ok(r.returncode == 2 and "no --redact" in r.stderr and not r.stdout
           and not os.path.exists(path("x")),
           command + " does not pretend to redact", r.stderr)

r = script("share")
tap.ok("worker-of-user1" in r.stdout and "alice" not in r.stdout,
       "share keeps names of threads but for users", r.stdout)
tap.ok("/home/user1/bin/prog" in r.stdout and "/home/alice" not in r.stdout,
       "users in paths have numbers", r.stdout)
tap.ok("/data/host/lib.so" in r.stdout, "the host in a path", r.stdout)
full = path("full.data")
subprocess.run([mkperf, write("full.mkperf", TEXT.replace(
    'hostname "rosebud-7"', 'hostname "rosebud-7.corp.example"')), full],
    check=True)
out = run("script", "-F", "comm,ip,dso", "--redact", "share",
          full).stdout
tap.ok("/data/host/lib.so" in out and "rosebud" not in out,
       "a host with its domain is known by its short name", out)
tap.ok("user2/lib.so" in r.stdout, "the next user has the next number",
       r.stdout)
tap.ok("host" in r.stderr and "1 dropped" in r.stderr, "the account is given",
       r.stderr)
r = run("script", "--redact", "share", "--limit", "stacks=1",
        tap.capture("good-fp", tmp.name))
tap.ok(r.returncode == 4 and "1 dropped" in r.stderr and
       "over the limit was not looked at" in r.stderr,
       "the account at a limit says so", r.stderr)
named = path("named.data")
subprocess.run([mkperf, write("named.mkperf", """
attr cycles:u type=0 config=0 period=1000 sample_type=IP|TID|TIME|PERIOD \\
	flags=exclude_kernel|exclude_hv|exclude_guest|comm ids=1
feature cmdline perf record -e cycles:u ./prog
comm 8 8 "prog"
sample ip=0x400010 pid=8 time=1000
"""), named], check=True)
r = run("redact", "--redact", "public", "-o", path("x"), named)
tap.ok(r.returncode == 0, "public: an event's name by its attr may have the "
       "recorded one in it", r.stderr)
r = script("public")
tap.ok("alice" not in r.stdout and "thread-1" in r.stdout
       and "(/object-" in r.stdout, "public has numbers alone", r.stdout)
tap.ok(script("public").stdout == r.stdout, "numbers are the same again")

write("key", "0123456789abcdef")
write("key2", "0123456789abcdeg")
hashed = write("hash.ini", "[rules]\ncomm = hash\npath = hash\n")
first, again, other = (script(hashed, path(k)) for k in ("key", "key", "key2"))
tap.ok(first.returncode == 0 and first.stdout == again.stdout
       and "worker" not in first.stdout, "a hash is the same for a key",
       first.stderr)
tap.ok(first.stdout != other.stdout, "and another for another")
# HMAC-SHA-256 of the class (3: comm) and the name, by Python.
import hashlib
import hmac
want = hmac.new(b"0123456789abcdef", b"\x03zebra-9-word",
                hashlib.sha256).hexdigest()[:12]
tap.ok("h" + want in first.stdout, "it is an HMAC", first.stdout)

words = write("words.ini", "[words]\nremove = prog, zebra-9-word\n")
r = script(words)
tap.ok("/bin/removed" in r.stdout and "zebra" not in r.stdout,
       "words are removed wherever they are", r.stdout)

# The name of a thread that is removed is also the name of a function.
os.mkdir(path("symbols"))
write("symbols/perf-30.map", "700000 100 zebra-9-word\n")
gone = write("comm.ini", "[rules]\ncomm = generalize\n")
for name in ("out.pb.gz", "out.html", "out.json"):
    r = run("hotspots", "--symbols", path("symbols"), "--redact", gone, "-o",
            path(name), data)
    tap.ok(r.returncode == 2 and "not-redacted" in r.stderr
           and not os.path.exists(path(name)),
           name + " is not written if a removed word is in it", r.stderr)
r = run("hotspots", "--symbols", path("symbols"), "--redact", gone, data)
tap.ok(r.returncode == 2 and not r.stdout, "nor is standard output", r.stdout)
gone = write("comm.ini", "[rules]\ncomm = generalize\n"
             "[words]\nallow = zebra-9-word\n")
r = run("hotspots", "--symbols", path("symbols"), "--redact", gone, data)
tap.ok(r.returncode == 0 and "zebra-9-word" in r.stdout,
       "a word may be allowed", r.stderr)

# A BPF program that has samples was renamed once, and is not so again.
ODD = """
attr cycles type=0 config=0 period=1000 ids=1 \\
	flags=sample_id_all|mmap|comm|ksymbol \\
	sample_type=IP|TID|TIME|IDENTIFIER|PERIOD
build_id 1122334455667788990011223344556677889900 \\
	"/mnt/c/Users/Grace Hopper/bin/last"
comm 20 20 "work" time=1000
ksymbol addr=0xffffffffc0100000 len=100 name="bpf_prog_00ff_planted" time=1010
mmap2 pid=20 addr=0x400000 len=0x10000 pgoff=0 maj=8 min=1 ino=5 \\
	name="/mnt/c/Users/Grace Hopper/bin/prog" time=1003
mmap2 pid=20 addr=0x500000 len=0x10000 pgoff=0 maj=8 min=1 ino=6 \\
	name="/home//adalovelace//lib.so" time=1003
repeat 4 as i {
sample cycles ip=0xffffffffc0100010 pid=20 time=2000+i
sample cycles ip=0x400100 pid=20 time=2000+i
sample cycles ip=0x500100 pid=20 time=2000+i
}
"""
odd = path("odd.data")
subprocess.run([mkperf, write("odd.mkperf", ODD), odd], check=True)
hashed = write("hash.ini", "[rules]\nsymbol = hash\npath = hash\n")
want = hmac.new(b"0123456789abcdef", b"\x07bpf_prog_00ff_planted",
                hashlib.sha256).hexdigest()[:12]
for policy, name in (("public", "symbol_1"), (hashed, "h" + want)):
    r = run("snapshot", "--redact", policy, "-o", path("odd.cold"), odd,
            key=path("key"))
    tap.ok(r.returncode == 0, os.path.basename(policy) +
           " lets a snapshot with a BPF program be written", r.stderr)
    r = run("flame", "-f", "folded", "--redact", policy, odd, key=path("key"))
    tap.ok(r.returncode == 0 and name in r.stdout and
           "planted" not in r.stdout, "its name is " + name,
           (r.stdout, r.stderr))
r = run("script", "-F", "ip,dso", "--redact", "share", odd)
tap.ok(r.returncode == 0 and "/mnt/c/Users/user1/bin/prog" in r.stdout and
       "Hopper" not in r.stdout, "a user's name may have spaces", r.stdout)
tap.ok("adalovelace" not in r.stdout and "//lib.so" in r.stdout,
       "slashes before a user's name may be two", r.stdout)

# What the account counts are names, once each: not their parts, not the
# places where they stand.
EVENTS = """
attr app:open type=2 config=900 period=1 ids=1 flags=sample_id_all|comm \\
	sample_type=IP|TID|TIME|RAW|IDENTIFIER
tracing printk=""
format app <<END
name: open
ID: 900
format:
	field:unsigned short common_type;	offset:0;	size:2;	signed:0;
	field:int common_pid;	offset:4;	size:4;	signed:1;

	field:u64 first;	offset:8;	size:8;	signed:0;
	field:u64 second;	offset:16;	size:8;	signed:0;

print fmt: ""
END
feature event_desc
feature cmdline perf record ./prog --token=9f8e7d6c5b
comm 20 20 "work" time=1000
repeat 3 as i {
sample app:open ip=0x400100 pid=20 time=2000+i raw=u2:900,u2:0,u4:20,u8:1,u8:2
}
"""
events = path("events.data")
subprocess.run([mkperf, write("events.mkperf", EVENTS), events], check=True)
r = run("redact", "--redact", "public", "-o", path("events.out"), events)
counts = {w[0]: [int(n) for n in w[1::2]] for w in
          (line.split() for line in r.stderr.splitlines()) if len(w) == 7}
tap.ok(r.returncode == 0 and counts.get("event") == [0, 0, 1],
       "the account has one event", r.stderr)
tap.ok(counts.get("command-line") == [0, 0, 4], "and four arguments", r.stderr)

# Code in no file is called by the perf map that has its names.
own = "/tmp/perf-%d.map" % os.getpid()
code = path("code.data")
subprocess.run([mkperf, write("code.mkperf", TEXT.replace(
    "pid=30", "pid=%d" % os.getpid())), code], check=True)
with open(own, "w") as f:
    f.write("700000 100 zebra_fn\n")
r = run("flame", "-f", "folded", "--redact", "public", code)
os.unlink(own)
tap.ok(r.returncode == 0 and "function_700000" in r.stdout and
       "zebra" not in r.stdout, "public hides code of a perf map", r.stderr)


def small_files():
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))


for words in (("snapshot", "-o", path("big.cold")),
              ("redact", "-o", "/dev/full"),
              ("flame", "-f", "html")):
    r = subprocess.run([tap.coldperf, *words, "--redact", "share", data],
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                       preexec_fn=small_files)
    tap.ok(r.returncode == 5 and b"redacted by" not in r.stderr and
           not r.stdout and not os.path.isfile(words[-1]),
           words[0] + " says that a write failed", r.stderr)

r = subprocess.run(["sh", "-c", 'exec "$@" >&-', "sh", tap.coldperf, "redact",
                    "--redact", "share", "-o", "-", data],
                   stderr=subprocess.PIPE)
tap.ok(r.returncode == 5 and b"redacted by" not in r.stderr,
       "standard output that is closed", r.stderr)

os.chdir(tmp.name)
r = run("pack", "-o", path("b.tar.zst"), data)
r = run("unpack", "--redact", "share", "-o", path("b"), path("b.tar.zst"))
tap.ok(r.returncode == 0 and os.listdir(path("b")) == ["perf.data"],
       "of a bundle the redacted capture is unpacked", r.stderr)
with open(path("b/perf.data"), "rb") as f:
    tap.ok(b"rosebud" not in f.read(), "which has not the host")

# Whose folder it is tells the path as it is meant: Python's normpath knows.
# Some are written here, others are made of parts; each has names of its own.
parts = random.Random(23)
meant = ["/HOME/../home/./Zquser0x/l.so", "/Users/Zquser1x/l.so",
         "/home/././/Zquser2x/l.so", "/home/a1/../Zquser3x/l.so",
         "/opt/../home/x1/../../home/b1/../Zquser4x", "/hOmE/Zquser5x/l.so",
         "/home" + "/a1" * 80 + "/.." * 80 + "/Zquser6x/l.so",
         "/home/../opt/Zqkept7x/l.so", "/opt/home-1/Zqkept8x/l.so"]
for n in range(len(meant), 300):
    meant.append("".join("/" + parts.choice(
        ["home", "HOME", "Users", "..", "..", ".", "", "opt", "Zq%da%dx"
         % (n, i)]) for i in range(parts.randrange(4, 12))) + "/l.so")
where = 0x400000
write("meant.mkperf", ODD[:ODD.index("mmap2")] + "".join(
    'mmap2 pid=20 addr=%#x len=0x1000 pgoff=0 maj=8 min=1 ino=%d name="%s" '
    "time=1003\nsample cycles ip=%#x pid=20 time=%d\n"
    % (where + n * 0x1000, n + 9, p, where + n * 0x1000 + 16, 2000 + n)
    for n, p in enumerate(meant)))
subprocess.run([mkperf, path("meant.mkperf"), path("meant.data")], check=True)
plain, r = (run("script", "-F", "ip,dso", *more, path("meant.data"))
            for more in ((), ("--redact", "share")))
users = {m[1] for m in (re.match(r"/+(?:home|homes|users)/([^/]*[0-9][^/]*)/",
                                 posixpath.normpath(p), re.I) for p in meant)
         if m}
tap.ok(len(users) > 30 and all(u in plain.stdout for u in users) and
       r.returncode == 0 and not [u for u in users if u in r.stdout],
       "%d users of paths to be normalized" % len(users),
       (r.stderr, [u for u in users if u in r.stdout]))
tap.ok("/home/../opt/Zqkept7x/" in r.stdout and
       "/opt/home-1/Zqkept8x/" in r.stdout,
       "names that are no user's are as they were", r.stdout[:800])


# A period of the command line is a number of the event, too; a token is not.
for arg in ("7200013", "--token=7200017"):
    out = path("period.data")
    subprocess.run([mkperf, write("period.mkperf", TEXT.replace(
        "period=1000", "period=7200013").replace(
            "./prog --token=9f8e7d6c5b", arg)), out], check=True)
    for command in ("flame", "report"):
        r = run(command, "-f", "json", "--redact", "share", out)
        tap.ok(r.returncode == 0 and "7200017" not in r.stdout,
               "%s: a command line has %s" % (command, arg),
               (r.returncode, r.stderr))

# Where a policy would do nothing it is refused.
for command in ("dump", "verify", "repair", "check", "symbols", "names"):
    r = run(command, "--redact", "share", data)
    tap.ok(r.returncode == 2 and not r.stdout and
           command + " shows what" in r.stderr, command + " has no --redact",
           (r.stdout, r.stderr))
tap.done()
