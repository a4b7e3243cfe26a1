#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# The walls of --sandbox: what they forbid, and that nothing else changes.
import glob
import os
import shutil
import subprocess
import sys
import tempfile
import time
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

folder = tempfile.mkdtemp(prefix="coldperf-sandbox.")
work = os.path.join(folder, "work")
os.mkdir(work)
env = dict(os.environ, XDG_CACHE_HOME=folder + "/cache", LC_ALL="C", TZ="UTC",
           XDG_CONFIG_HOME=folder + "/none", HOME=folder)
fp = os.path.join(os.path.abspath(tap.top_srcdir), "corpus/good-fp/perf.data")
coldperf = os.path.abspath(tap.coldperf)


def run(*words, before=()):
    p = subprocess.run([*before, coldperf, *words], env=env, cwd=work,
                       stdin=subprocess.DEVNULL, capture_output=True)
    return p.returncode, p.stdout, p.stderr.decode(errors="replace")


def finish():
    shutil.rmtree(folder)
    tap.done()


# ------------------------------------------------------------ the cache's folder
# It must be there before the walls are, and goes if nothing was cached.
xdg = os.path.join(folder, "caches")
os.mkdir(xdg)
env["XDG_CACHE_HOME"] = xdg
for sandbox in "on", "off":
    status = run("report", "--no-local", "--sandbox=" + sandbox, fp)[0]
    tap.ok(status == 0 and os.listdir(xdg) == [],
           "--sandbox=%s: nothing was cached, no folder is left" % sandbox,
           os.listdir(xdg))
os.mkdir(xdg + "/coldperf")
run("report", "--no-local", fp)
tap.ok(os.listdir(xdg) == ["coldperf"], "a folder that was there stays")
env["XDG_CACHE_HOME"] = folder + "/cache"

status, out, err = run("report", "--sandbox=require", fp)
plain = run("report", "--sandbox=off", fp)
if os.environ.get("SAN_FLAGS"):
    tap.ok(status == 2 and "(sandbox)" in err,
           "a build with a sanitizer says that it has no walls", err)
    tap.ok(run("report", fp) == plain, "... and goes on without", err)
    tap.ok(run("selftest")[0] == 2, "... and selftest fails", err)
    finish()
elif "(sandbox)" in err:
    shutil.rmtree(folder)
    tap.skip_all("this kernel has not both: " + err.strip())

# ---------------------------------------------------------- what is forbidden
status, out, err = run("selftest")
rows = out.decode().splitlines()
tap.ok(status == 0 and len(rows) == 13 and
       all("  denied" in row for row in rows), "selftest: all is denied",
       out.decode() + err)
tap.ok(rows[0].split("  ")[-1].strip() == "denied",
       "... which is possible without walls", out.decode())


def field(pid, name):
    with open("/proc/%d/status" % pid) as f:
        return dict(line.rstrip("\n").split(":\t", 1) for line in f
                    if ":\t" in line).get(name)


# The kernel's own word, while no byte of the input has been given.
p = subprocess.Popen([coldperf, "report", "-"], env=env, cwd=work,
                     stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                     stderr=subprocess.DEVNULL)
for _ in range(600):
    if field(p.pid, "Seccomp") == "2" or p.poll() is not None:
        break
    time.sleep(0.05)
tap.ok(p.poll() is None and field(p.pid, "Seccomp") == "2" and
       field(p.pid, "NoNewPrivs") == "1",
       "the walls stand before the first byte is read")
with open("/proc/%d/limits" % p.pid) as f:
    core = [line.split()[4:6] for line in f if "core file" in line]
tap.ok(core == [["0", "0"]], "no core file is left of what was read", core)
p.communicate(b"")

# --------------------------------------------------------- what stays the same
captures = glob.glob(os.path.abspath(tap.top_srcdir) + "/corpus/*-*/perf.data")
for text in glob.glob(tap.top_srcdir + "/corpus/*-*/input.mkperf"):
    name = os.path.join(folder, os.path.basename(os.path.dirname(text)))
    subprocess.run([tap.top_builddir + "/tests/tools/mkperf", text, name],
                   check=True)
    captures.append(name)
other = [c for c in sorted(captures) if run("report", "--sandbox=off", c) !=
         run("report", "--sandbox=require", c)]
tap.ok(len(captures) > 100 and not other,
       "%d reports are the same with and without" % len(captures),
       "\n".join(other))

# ------------------------------------------------- what a command has to write
elsewhere = os.path.join(folder, "elsewhere")
os.mkdir(elsewhere)
with open(elsewhere + "/old.svg", "w") as f:
    f.write("old")
os.symlink(elsewhere + "/old.svg", work + "/link.svg")
near = shutil.copy(fp, elsewhere + "/near.data")
for what, words, made in (
        ("a file", ["flame", "-o", "x.svg", fp], work + "/x.svg"),
        ("a file in another folder",
         ["report", "-o", elsewhere + "/x.html", fp], elsewhere + "/x.html"),
        ("the file that a link leads to",
         ["flame", "-o", "link.svg", fp], elsewhere + "/old.svg"),
        ("the second file",
         ["report", "-o", "a.txt", "-o", elsewhere + "/b.json", fp],
         elsewhere + "/b.json"),
        ("a bundle", ["pack", "-o", "b.tar.zst", fp], work + "/b.tar.zst"),
        ("what a bundle has", ["unpack", "-o", "new", "b.tar.zst"],
         work + "/new"),
        ("what a bundle has, by default", ["unpack", "b.tar.zst"],
         work + "/b.unpacked"),
        ("a bundle, by default", ["pack", near], near + ".tar.zst"),
        ("a snapshot, by default", ["snapshot", near], near + ".cold"),
        ("a repaired capture", ["repair", "-o", "fixed.data", fp],
         work + "/fixed.data")):
    status, out, err = run(*words, "--sandbox=require")
    size = os.path.getsize(made) if os.path.exists(made) else 0
    tap.ok(status == 0 and size > 3, "within walls, %s is written" % what, err)
status, out, err = run("report", "-o", "/dev/null", "--sandbox=require", fp)
tap.ok(status == 0, "within walls, a device is written", err)

# ------------------------------------------------------- what a command may not
# A plug-in, which gets walls with require only, tries it while they stand.
ATTEMPT = r"""
#include <coldperf/plugin.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void attempt(const char *what, int result)
{
	fprintf(stderr, "tried %s: %s\n", what, result >= 0 ? "let" :
	    errno == EACCES || errno == EPERM ? "denied" : strerror(errno));
}

static int finish(struct cp_run *run, void *state, struct cp_report *report)
{
	(void)run;
	(void)state;
	(void)report;
	attempt("elsewhere", open(getenv("ELSEWHERE"), O_WRONLY | O_CREAT, 0600));
	attempt("beside", open(getenv("BESIDE"), O_WRONLY | O_CREAT, 0600));
	attempt("below", open(getenv("BELOW"), O_WRONLY | O_CREAT, 0600));
	attempt("removal", unlink(getenv("OLD")));
	attempt("rename", rename(getenv("OLD"), getenv("BESIDE")));
	attempt("socket", socket(AF_INET, SOCK_STREAM, 0));
	return 0;
}

CP_ANALYSIS_DEFINE(attempts) = {
	.abi = CP_ABI,
	.name = "attempts",
	.summary = "what the walls deny",
	.finish = finish,
};
"""


def nameless(where):
    """Without such files, all temporary folders may be written to."""
    try:
        os.close(os.open(where, os.O_TMPFILE | os.O_RDWR))
    except OSError:
        return False
    return True


os.mkdir(folder + "/temporary")
source = os.path.join(folder, "attempts.c")
with open(source, "w") as f:
    f.write(ATTEMPT)
if nameless(folder + "/temporary") and shutil.which("gcc") and subprocess.run(
        ["gcc", "-shared", "-fPIC", "-I", tap.top_srcdir + "/include",
         source, "-o", folder + "/attempts.so"],
        stderr=subprocess.DEVNULL).returncode == 0:
    os.mkdir(work + "/.ssh")
    env.update(ELSEWHERE=elsewhere + "/tried", BESIDE=work + "/tried",
               BELOW=work + "/.ssh/tried", OLD=work + "/old",
               TMPDIR=folder + "/temporary")
    every = "elsewhere", "beside", "below", "removal", "rename", "socket"
    for how, want in (("require", dict.fromkeys(every, "denied")),
                      ("off", dict.fromkeys(every, "let"))):
        for old in "old", "tried.txt":
            with open(os.path.join(work, old), "w") as f:
                f.write("old")
        status, out, err = run("attempts", "--plugin", folder + "/attempts.so",
                               "--sandbox=" + how, "-o", "tried.txt", fp)
        got = dict(line[6:].split(": ") for line in err.splitlines()
                   if line.startswith("tried "))
        if how == "off":  # it cannot be moved after it was removed
            want["rename"] = "No such file or directory"
        tap.ok(got == want, "%s: a command writes its output only" % how,
               (status, got, err))
        with open(work + "/tried.txt") as f:
            tap.ok(status == 0 and f.read() != "old", "... which is replaced")
else:
    tap.skip("no compiler for a plug-in, or no files without a name")

# ------------------------------------------------------------- a wall is missing
for name in "landlock_create_ruleset", "seccomp":
    inject = ["strace", "-f", "-o", os.devnull, "-e", "trace=" + name,
              "-e", "inject=%s:error=ENOSYS" % name]
    if shutil.which("strace") is None or run(
            "version", before=inject)[0] != 0:
        tap.skip("strace cannot forbid " + name)
        continue
    status, out, err = run("report", "--sandbox=require", fp, before=inject)
    tap.ok(status == 2 and "(sandbox)" in err and not out,
           "require without %s is an error" % name, err)
    status, out, err = run("report", fp, before=inject)
    tap.ok((status, out, err) == plain, "on without %s goes on" % name, err)
    tap.ok(run("selftest", before=inject)[0] == 2,
           "selftest without %s fails" % name)
finish()
