#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Analyses from outside: what docs/ADDING-AN-ANALYSIS.md tells its reader to
# do is done, word by word, with an installed coldperf and outside of its
# sources, and gives the numbers of `perf report --sort dso`.  What is no fit
# plug-in is refused and told why.
import csv
import glob
import io
import json
import math
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

CC = os.environ.get("CC", "cc")
work = tempfile.TemporaryDirectory(prefix="coldperf-plugin.")
root = os.path.join(work.name, "installed")
away = os.path.join(work.name, "away")
os.mkdir(away)
env = {k: v for k, v in os.environ.items()
       if k not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "TESTS", "DESTDIR",
                    "COLDPERF_PLUGIN_PATH", "PERF_CONFIG")}
env.update(LC_ALL="C", TZ="UTC")


if not shutil.which("pkg-config"):
    tap.skip_all("pkg-config is not installed")
if re.search(r"\s", work.name):
    tap.skip_all("a shell takes what pkg-config says apart at blanks")


def sh(command, **more):
    p = subprocess.run(["sh", "-c", command], cwd=away, env=dict(env, **more),
                       stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE)
    return p.returncode, p.stdout.decode("utf-8", "replace"), \
        p.stderr.decode("utf-8", "replace")


def install():
    status, out, err = sh("make -C %s install DESTDIR=%s" %
                          (shlex.quote(os.path.abspath(tap.top_builddir)),
                           shlex.quote(root)))
    return tap.ok(status == 0, "make install DESTDIR=...", out + err)


def find(name, folder=""):
    """Where the installed tree has a file; the prefix may be any."""
    for where, _, names in os.walk(root):
        if name in names and where.endswith(folder):
            return os.path.join(where, name)
    return None


if not install():
    tap.done()
program, pc = find("coldperf", "/bin"), find("coldperf.pc")
page = find("ADDING-AN-ANALYSIS.md")
tap.ok(program and pc and page and find("plugin.h") and find("diag.def"),
       "program, headers, pkg-config file and document are installed")
env["PATH"] = os.path.dirname(program) + ":" + env["PATH"]
env["PKG_CONFIG_PATH"] = os.path.dirname(pc)
env["PKG_CONFIG_SYSROOT_DIR"] = root

# ------------------------------------------------------ what the page says
with open(page, encoding="utf-8") as f:
    blocks = re.findall(r"^```(\w+)\n(.*?)^```$", f.read(), re.M | re.S)
source = next(text for kind, text in blocks if kind == "c")
steps = [line for kind, text in blocks if kind == "sh"
         for line in text.splitlines()]
with open(os.path.join(away, "objects.c"), "w") as f:
    f.write(source)
shutil.copy(os.path.join(tap.top_srcdir, "corpus", "good-fp", "perf.data"),
            away)
tap.ok(len(steps) >= 4, "the page has commands")
os.makedirs(os.path.join(away, "lib", "coldperf"), mode=0o755)
for step in steps:
    step = re.sub(r"^cc ", CC + " -Werror ", step)
    status, out, err = sh(step, HOME=away)
    tap.ok(status == 0 and not err, step, "status %d\n%s" % (status, err))
    if "-shared" in step:
        shutil.copy(os.path.join(away, "objects.so"),
                    os.path.join(away, "lib", "coldperf"))
tap.ok("objects      which object" in out and "plug-ins\n" in out,
       "`coldperf list` shows it", out)
found = subprocess.run(["nm", "-D", "--defined-only", away + "/objects.so"],
                       stdout=subprocess.PIPE, text=True).stdout.split()
tap.ok(tap.sanitized or [n for n in found if n.startswith("cp_")] == ["cp_plugin"],
       "it makes one name visible", found)


# -------------------------------------------------------- the numbers of perf
def ours(path):
    status, out, err = sh("coldperf --plugin ./objects.so objects -f csv "
                          "--no-local " + shlex.quote(path))
    rows = {}
    for r in csv.DictReader(io.StringIO(out)):
        key = (r["event"], r["object"])
        rows[key] = (int(r["weight"]), int(r["samples"]))
    return rows


def perfs(path):
    status, out, err = sh("perf report -f -i %s --stdio --no-children "
                          "--symfs /nonexistent -F period,sample,dso "
                          "--sort dso" % shlex.quote(path))
    rows, event = {}, None
    for line in out.splitlines():
        m = re.match(r"# Samples: .* of event '(.*)'", line)
        if m:
            event = m.group(1)
        m = re.match(r" +(\d+) +(\d+) +(\S.*?)\s*$", line)
        if m and event:
            rows[(event, m.group(3))] = (int(m.group(1)), int(m.group(2)))
    return rows, err


if shutil.which("perf"):
    for case in ("good-fp", "good-events", "good-system", "good-period",
                 "good-zstd-pipe"):
        path = os.path.join(os.path.abspath(tap.top_srcdir), "corpus", case,
                            "perf.data")
        want, err = perfs(path)
        got = ours(path)
        tap.ok(want and got == want, case + ": the numbers of `perf report "
               "--sort dso`", "%s\n%s\n%s" % (got, want, err))
else:
    tap.skip("perf is not installed")

# ------------------------------------------------------------- the examples
def example(name, capture, args=""):
    """Builds docs/examples/NAME.c and returns its rows as CSV has them."""
    shutil.copy(os.path.join(tap.top_srcdir, "docs/examples", name + ".c"),
                away)
    with open(os.path.join(away, name + ".c")) as f:
        lines = f.read().count("\n")
    status, out, err = sh(
        "%s -Werror $(pkg-config --cflags coldperf) -std=c11 -Wall -Wextra "
        "-fPIC -shared -o %s.so %s.c && coldperf --plugin ./%s.so %s -f csv "
        "%s %s" % (CC, name, name, name, name, args, capture))
    tap.ok(status == 0 and "(slip)" not in err and lines <= 100,
           "docs/examples/%s.c: built and run, in 100 lines" % name,
           "status %d, %d lines\n%s" % (status, lines, err))
    return list(csv.DictReader(io.StringIO(out)))


def builtin(command):
    return list(csv.DictReader(io.StringIO(sh("coldperf " + command)[1])))


for case in "good-sched-waits", "good-latencies":
    subprocess.run([os.path.join(tap.top_builddir, "tests/tools/mkperf"),
                    os.path.join(tap.top_srcdir, "corpus", case,
                                 "input.mkperf"),
                    os.path.join(away, case + ".data")])
mine = {r["tid"]: r for r in example("blocked", "good-sched-waits.data",
                                     "--top 0")}
want = {r["tid"]: r for r in
        builtin("sched -f csv --section threads good-sched-waits.data")}
tap.ok(want and all(mine.get(t, {}).get("running") == r["running_ns"] and
                    mine[t]["blocked"] == r["blocked_ns"]
                    for t, r in want.items()),
       "spans: the times that sched has", "%s\n%s" % (mine, want))
mine = example("stolen", "good-latencies.data", "--recipe syscall --top 0")
want = builtin("pair --recipe syscall --top 0 -f csv good-latencies.data")
want = [r for r in want if r["of"] == "(all)"] or want
tap.ok(want and sum(int(r["times"]) for r in mine) == int(want[0]["count"]) and
       sum(int(r["time"]) for r in mine) == int(want[0]["time"]),
       "pairs: the number and the time that pair has",
       "%s\n%s" % (mine, want))
mine = example("commands", "perf.data")
want = builtin("hotspots --by comm -f csv perf.data")
FIELDS = [k for k in mine[0] if k.startswith("share")] if mine else []
tap.ok(want and len(FIELDS) == 3 and
       [[r[k] for k in FIELDS] for r in mine] ==
       [[r[k] for k in FIELDS] for r in want],
       "intervals: those that hotspots has", "%s\n%s" % (mine, want))

# ------------------------------------------------------------- its intervals
def wilson(share, n):
    z = 1.959963984540054
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * \
        math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return max(0, middle - half), min(1, middle + half)


# 14 of 1,000 samples of equal weight: Wilson's interval is of the thousand.
with open(os.path.join(away, "few.text"), "w") as f:
    f.write("attr cpu-clock type=1 config=0 period=1000000 "
            "sample_type=IDENTIFIER|IP|TID|TIME|PERIOD ids=1\n"
            "attr page-faults type=1 config=2 period=1 "
            "sample_type=IDENTIFIER|IP|TID|TIME|PERIOD ids=2\n"
            "mmap pid=5 tid=5 addr=0x400000 len=0x1000 name=/bin/few\n"
            "mmap pid=5 tid=5 addr=0x500000 len=0x1000 name=/bin/many\n")
    for i in range(1000):
        ip = 0x400010 if i % 71 == 0 and i < 994 else 0x500010
        f.write("sample cpu-clock ip=%d pid=5 time=%d\n"
                "sample page-faults ip=%d pid=5 time=%d\n" %
                (ip, 1000000 * i + 5, ip, 1000000 * i + 6))
p = subprocess.run([os.path.join(tap.top_builddir, "tests/tools/mkperf"),
                    away + "/few.text", away + "/few.data"])
status, out, err = sh("coldperf --plugin ./objects.so objects -f json "
                      "--no-local few.data")
rows = {}
for r in json.loads(out)["sections"] if status == 0 else []:
    for row in r.get("rows", []):
        rows[(row["values"][3], row["values"][4])] = row["values"][0]
for name, share in (("few", 0.014), ("many", 0.986)):
    got = rows.get(("cpu-clock", name), {})
    want = wilson(share, 1000)
    tap.ok(abs(got.get("value", 0) - share) < 1e-9 and
           all(abs(a - b) < 1e-6
               for a, b in zip(got.get("interval", (9, 9)), want)),
           "%s: Wilson's interval of all the samples" % name,
           "%s, not %s\n%s" % (got, want, err))
    got = rows.get(("page-faults", name), {"interval": 0})
    tap.ok("interval" not in got and abs(got["value"] - share) < 1e-9,
           "%s: page faults that were all recorded have none" % name, got)

data = os.path.join(away, "perf.data")


def refused(name, what, text=None, change=None, option="--plugin"):
    """A plug-in that was changed, or a file of any text, and the words that
    it is refused with."""
    path = os.path.join(away, name)
    if change:
        with open(path + ".c", "w") as f:
            f.write(source.replace(*change))
        status, out, err = sh("%s $(pkg-config --cflags coldperf) -fPIC "
                              "-shared -o %s %s.c" % (CC, name, name))
        if status != 0 or change[0] not in source:
            tap.ok(False, name + " was built", err)
            return
    elif text is not None:
        with open(path, "w") as f:
            f.write(text)
    status, out, err = sh("coldperf --plugin %s list" % name)
    tap.ok(status == 2 and what in err and "(plugin)" in err,
           "%s: %s" % (name, what), "status %d\n%s" % (status, err))


refused("missing.so", "No such file")
refused("text.so", "", text="no ELF\n")
refused("away/", "No such file")
refused(".", "no regular file")
refused("abi.so", "ABI 4711",
        change=(".abi = CP_ABI", ".abi = 4711"))
refused("clash.so", "coldperf has a command of that name",
        change=('.name = "objects"', '.name = "flame"'))
refused("command.so", "coldperf has a command of that name",
        change=('.name = "objects"', '.name = "script"'))
refused("shout.so", "no word of a-z",
        change=('.name = "objects"', '.name = "Objects!"'))
refused("nameless.so", "no word of a-z",
        change=('\t.name = "objects",\n', ""))
refused("wants.so", "wants what this coldperf does not have",
        change=("CP_WANT_SAMPLES", "1u << 30"))
refused("option.so", "one that all commands have",
        change=('{ "least"', '{ "output"'))
refused("helpless.so", "no proper name or no help",
        change=('"leave out objects with fewer than N samples"', "NULL"))
refused("hidden.so", "defines no cp_plugin",
        change=("CP_ANALYSIS_DEFINE(objects)",
                "static const struct cp_analysis unseen __attribute__((used))"))
refused("undefined.so", "cp_no_such_function",
        change=("\to->by_object = cp_tally_new(run);",
         "\textern int cp_no_such_function(void);\n"
         "\to->by_object = cp_tally_new(run);\n\tcp_no_such_function();"))
status, out, err = sh("coldperf --plugin ./objects.so --plugin ./objects.so "
                      "list")
tap.ok(status == 2 and "another plug-in has that name" in err,
       "the same twice: another plug-in has that name", err)
status, out, err = sh("coldperf list --plugin")
tap.ok(status == 2 and "--plugin wants a file" in err, "--plugin alone", err)
status, out, err = sh("coldperf objects --plugin=objects.so --nonsense "
                      "perf.data")
tap.ok(status == 2 and "unknown option --nonsense" in err,
       "options that it does not have are refused", err)
status, out, err = sh("coldperf objects --plugin=objects.so --least x "
                      "perf.data")
tap.ok(status == 2 and "--least wants a number" in err,
       "options want what they want", err)
with_all = sh("coldperf objects --plugin objects.so perf.data")[1]
with_some = sh("coldperf objects perf.data --least 1000 --plugin "
               "objects.so")[1]
tap.ok(with_all.count("\n") > with_some.count("\n") > 0,
       "its option works; --plugin may stand anywhere", with_some)
for form in ("text", "json", "csv", "svg", "folded"):
    status, out, err = sh("coldperf objects -f %s --plugin objects.so "
                          "perf.data" % form)
    good = status == 0 if form in ("text", "json", "csv") else \
        status in (0, 2)
    tap.ok(good and (out or err), "-f %s" % form, err)

# A row, or a number of samples, where the whole is wanted is an error.
for wrong in ("cp_row_mass(row)", "row->count", "(double)row->count"):
    with open(os.path.join(away, "wrong.c"), "w") as f:
        f.write(source.replace("cp_tally_whole(run, o->by_object, event)",
                               wrong))
    status, out, err = sh("%s $(pkg-config --cflags coldperf) -fPIC -shared "
                          "-o wrong.so wrong.c" % CC)
    tap.ok(status != 0 and "error:" in err,
           "%s is no whole: it does not compile" % wrong, err)

# A slip in a row is a diagnostic with analysis, table and row.
ROW = "    row->weight, row->count, cp_run_evsel(run, event)->name,\n"
SLIPS = (("row 1: column Event takes no integer",
          "    row->weight, row->count, event,\n"),
         ("row 1: column Samples takes no text",
          '    row->weight, "many", cp_run_evsel(run, event)->name,\n'),
         ("row 1: 4 values for 5 columns",
          "    row->weight, row->count,\n"),
         ("row 1: more values than the 5 columns",
          ROW[:-1] + ' "x",\n'))
for message, new in SLIPS:
    with open(os.path.join(away, "slip.c"), "w") as f:
        f.write(source.replace(ROW, new))
    status, out, err = sh("%s $(pkg-config --cflags coldperf) -fPIC -shared "
                          "-o slip.so slip.c && coldperf objects --plugin "
                          "./slip.so perf.data" % CC)
    tap.ok(status == 3 and "(slip)" in err and out and
           "objects, table objects, " + message in err, message,
           "status %d\n%s" % (status, err))

# A failure without a word is no success; help of a plug-in names no page.
with open(os.path.join(away, "slip.c"), "w") as f:
    f.write(source.replace('	uint64_t least = cp_run_option_u64(run, "least");',
                           "	uint64_t least = 1;\n\n	if (o != NULL)\n"
                           "		return CP_FAIL;"))
status, out, err = sh("%s $(pkg-config --cflags coldperf) -fPIC -shared "
                      "-o slip.so slip.c && coldperf objects --plugin "
                      "./slip.so perf.data" % CC)
tap.ok(status == 2 and "does not say why" in err, "CP_FAIL without a "
       "diagnostic is said", (status, out, err))
status, out, err = sh("coldperf --plugin ./slip.so help objects")
tap.ok(status == 0 and "--least N" in out and "coldperf-objects(1)" not in out
       and "\nExamples\n" not in out, "help of a plug-in", out)

# --------------------------------------------------------- what is exported
text = ""
for header in glob.glob(os.path.join(os.path.dirname(find("plugin.h")), "*.h")):
    with open(header) as f:
        text += re.sub(r"/\*.*?\*/", "", f.read(), flags=re.S)
promised = set(re.findall(r"CP_API [^;]*?\b(cp_\w+)\(", text))
names = subprocess.run(["nm", "-D", "--defined-only", program],
                       stdout=subprocess.PIPE, text=True).stdout
# Variables of libc that are copied into a program have a version.
exported = {line.split()[-1] for line in names.splitlines()
            if "@" not in line}
if tap.sanitized:
    exported = {n for n in exported if n.startswith("cp_")}
tap.ok(len(promised) > 40 and exported == promised,
       "the program exports what the headers promise, and nothing else",
       "more: %s\nmissing: %s" % (sorted(exported - promised),
                                  sorted(promised - exported)))

# -------------------------------------------------------------- the folders
folder = os.path.join(away, "folder")
os.mkdir(folder, mode=0o755)
shutil.copy(os.path.join(away, "objects.so"), folder)


def path_gives(what, path, message, runs, hint=""):
    status, out, err = sh("coldperf objects perf.data",
                          COLDPERF_PLUGIN_PATH=path)
    tap.ok((status == 0) == runs and (message in err if message else not err),
           what, "status %d\n%s%s" % (status, err, hint))


def ours_alone(path):
    """Whether only we and root can change it, or a folder above it."""
    at = os.path.realpath(path)
    while True:
        st = os.stat(at)
        if st.st_uid not in (0, os.geteuid()) or \
                (st.st_mode & 0o022 and not st.st_mode & 0o1000):
            return False
        if at == "/":
            return True
        at = os.path.dirname(at)


if not ours_alone(os.path.dirname(work.name)):
    tap.skip("the folder for temporary files is open to others")
    tap.done()
path_gives("a folder of the path", folder, "", True)
path_gives("empty words in the path", "::" + folder + ":", "", True)
os.chmod(folder, 0o775)
path_gives("a folder that the group may write to", folder,
           "others than you and root may change the folder", False)
os.chmod(folder, 0o1777)
path_gives("a folder like /tmp", folder,
           "others than you and root may change the folder", False)
os.chmod(folder, 0o755)
os.chmod(os.path.join(folder, "objects.so"), 0o666)
path_gives("a file that others may write to", folder,
           "others than you and root may change it", False)
os.chmod(os.path.join(folder, "objects.so"), 0o644)
os.chmod(away, 0o777)
path_gives("a folder below one that others may write to", folder,
           "or one above it", False)
os.chmod(away, 0o755)
os.symlink(os.path.join(away, "objects.so"),
           os.path.join(folder, "link.so"))
os.unlink(os.path.join(folder, "objects.so"))
path_gives("a link in a folder", folder, "it is a link", False)
os.unlink(os.path.join(folder, "link.so"))
path_gives("a folder that is not there", folder + "/none",
           "No such file", False)
path_gives("a folder from here", "folder", "given from the root", False)
shutil.copy(os.path.join(away, "objects.so"), folder)
shutil.copy(os.path.join(away, "clash.so"), folder)
path_gives("an unfit one beside it", folder,
           "coldperf has a command of that name", True)
os.unlink(os.path.join(folder, "clash.so"))
try:
    os.chown(os.path.join(folder, "objects.so"), 65534, 65534)
    theirs = True
except OSError:
    theirs = False
if theirs:
    path_gives("a file of somebody else", folder,
               "others than you and root may change it", False)
    os.chown(os.path.join(folder, "objects.so"), 0, 0)
else:
    tap.skip("a file cannot be given to somebody else here")
status, out, err = sh("coldperf quality perf.data",
                      COLDPERF_PLUGIN_PATH=folder)
tap.ok(status == 0 and "plugin" not in err,
       "built-in commands load nothing", err)
status, out, err = sh("coldperf list; coldperf help objects",
                      COLDPERF_PLUGIN_PATH=folder + ":/none")
tap.ok("(%s/objects.so)" % folder in out and "--least N" in out and
       "plugin-skipped" in err,
       "`list` and `help` look into the folders", err)

tap.done()
