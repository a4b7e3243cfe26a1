#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Habits: words that people bring from perf and from other tools.  Each row
# of `coldperf help perf` is tried: what has an equal gives the same report,
# the rest says what to use.
import os
import re
import shutil
import subprocess
import sys
import tempfile
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

scratch = tempfile.TemporaryDirectory(prefix="coldperf-habits.")
program = os.path.abspath(tap.coldperf)
corpus = os.path.join(tap.top_srcdir, "corpus")


def path(name):
    return os.path.join(scratch.name, name)


def coldperf(*arguments, cwd=None, **environment):
    p = subprocess.run([program, *arguments], cwd=cwd or scratch.name,
                       stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE,
                       env=dict(os.environ, HOME=scratch.name, TZ="UTC",
                                **environment))
    return p.returncode, p.stdout.decode("utf-8", "replace"), \
        p.stderr.decode("utf-8", "replace")


def same(a, b, text, **more):
    got, want = coldperf(*a, **more), coldperf(*b)
    tap.ok(got[:2] == want[:2] and want[0] == 0 and want[1], text,
           "%s\n%s" % (got, want))


def says(arguments, *texts, **more):
    status, out, err = coldperf(*arguments, **more)
    tap.ok(status == 2 and not out and all(t in err for t in texts),
           "%s says: %s" % (" ".join(arguments), ", ".join(texts)),
           "status %d: %s" % (status, err))


shutil.copy(os.path.join(corpus, "good-events", "perf.data"), path("some.data"))
DATA = "some.data"

# The first word, and none.
plain = ["report", DATA]
same([DATA], plain, "FILE is report FILE")
same(["-i", DATA], plain, "-i FILE")
same(["report", "--input=" + DATA], plain, "--input=FILE")
same(["report", "--", DATA], plain, "-- FILE")
same(["--top", "3", DATA], ["report", "--top", "3", DATA], "options first")
os.mkdir(path("here"))
shutil.copy(path(DATA), path("here/perf.data"))
os.mkdir(path("empty"))
for arguments in [], ["report"]:
    status, out, err = coldperf(*arguments, cwd=path("here"))
    tap.ok(status == 0 and "perf.data" in out, "./perf.data is read", err)
    status, out, err = coldperf(*arguments, cwd=path("empty"))
    tap.ok(status == 2 and "which c" in err and
           "no ./perf.data" in err, "and missed where it is not", err)

# Near misses.
says(["hotspts", DATA], "no such command or file `hotspts'",
     "did you mean hotspots?")
says(["zzzzzzz", DATA], "no such command or file `zzzzzzz'; see")
says(["report", "--evnt", "x", DATA], "unknown option --evnt",
     "did you mean --event?")
says(["hotspots", "--childen", DATA], "did you mean --children?")
says(["report", "--callers", "x", DATA], "it is of hotspots")
says(["info", "--interval", "run", DATA], "`none' leaves them out")
says(["help", "reprt"], "no such command `reprt'", "did you mean report?")
says(["--help", "reprt"], "no such command `reprt'", "did you mean report?")
tap.ok(coldperf("help", "reprt")[2].count("reprt") == 1, "and says it once")
says(["report", "--width", "x", DATA], "`x'", "--width")
says(["report", "--color", "allways", DATA], "unknown value `allways'",
     "--color", "auto, never, always", "did you mean always?")
says(["flame", "--palette", "nosuch", DATA], "`nosuch'",
     "kind, object, language, hot, cold, gray")
says(["flame", "--format", "sgv", DATA], "did you mean svg?")
for name in "x.png", "x.foo", "dir.d/x.foo":
    says(["flame", "-o", name, DATA], name, ".svg")
    tap.ok(not os.path.exists(path(name)), "and there is no " + name)
for name in "x", "x.2026", "dir.d/x":
    os.makedirs(path("dir.d"), exist_ok=True)
    tap.ok(coldperf("hotspots", "-o", name, DATA)[0] == 0,
           "-o %s is text" % name)

# A redirection names its format.
for name, begins in (("a.svg", b"<?xml"), ("a.json", b"{"),
                     ("a.log", b"flame: ")):
    with open(path(name), "wb") as out:
        subprocess.run([program, "flame", DATA], cwd=scratch.name, stdout=out,
                       stderr=subprocess.DEVNULL)
    with open(path(name), "rb") as f:
        got = f.read(len(begins))
    tap.ok(got == begins, "flame > %s" % name, got)

# Lists: commas in brackets and between slashes are of the word.
tap.ok(coldperf("hotspots", "-e", "cpu-clock,page-faults", DATA)[0] == 0,
       "-e a,b")
says(["hotspots", "--symbol", "f(int, char),map<a, b>::at", DATA],
     "--symbol f(int, char)")
says(["hotspots", "--comm", "/a,b/", DATA], "--comm /a,b/")
says(["hotspots", "-e", "cpu/event=1,umask=2/", DATA],
     "--event cpu/event=1,umask=2/")

# perf's words, row by row.
VALUES = {"comm": ("known", None), "dso": ("libc.so.6", None),
          "symbol": ("_start", None), "cpu": ("0", None),
          "symbols": (".", None), "by": ("comm,sym", "comm,symbol"),
          "function": ("_start", None), "syntax": ("intel", None),
          "min-share": ("5", None), "": (DATA, None)}
rows = coldperf("help", "perf")[1].splitlines()
tap.ok(len(rows) > 50, "there are %d rows" % len(rows))
# What people bring: each has a row, and the loop below tries each row.
LISTED = """-i -F -g -n -c -S -s --sort --no-children --percent-limit --comms
--dsos --symbol-filter --symfs --vmlinux -k --kallsyms --inverted --stdio
--header -v sched_latency sched_timehist sched_map lock_contention mem_report
c2c_report buildid-list evlist archive""".split()
spelled = {word for row in rows
           for word in re.split(r", ", re.sub(
               r" X$", "", re.match(r"  (.*?)\s{2,}", row)[1]))}
missing = [w for w in LISTED if w.replace("_", " ") not in spelled]
tap.ok(not missing, "all of perf's spellings have a row", missing)
tap.ok(coldperf("report", "--max-stack", "2", DATA)[0] == 0,
       "--max-stack is ours, too")
for row in rows:
    perf, ours = re.match(r"  (.*?)\s{2,}(.*)", row).groups()
    commands = re.search(r"\s\s\((.*)\)$", ours)
    command = commands[1].split()[0] if commands else "hotspots"
    ours = ours[:commands.start()] if commands else ours
    if perf[0] != "-":
        words = perf.split()
        if ours.startswith("no: "):
            says([*words, DATA], ours[4:])
        elif words == ["archive"]:
            status = coldperf("archive", "--no-local", "-o", "a.tar", DATA)[0]
            tap.ok(status == coldperf("pack", "--no-local", "-o", "b.tar",
                                      DATA)[0] and
                   os.path.exists(path("a.tar")), "archive is pack")
        else:
            same([*words, DATA], [*ours.split()[1:], DATA],
                 "%s is %s" % (perf, ours))
        continue
    wants = perf.endswith(" X")
    for word in perf.replace(" X", "").split(", "):
        if ours.startswith("no: "):
            says([command, word, *(["x"] if wants else []), DATA],
                 "%s is perf's; here: %s" % (word, ours[4:]))
            continue
        if ours == "always so":
            same([command, word, DATA], [command, DATA],
                 "%s %s changes nothing" % (command, word))
            continue
        if ours == "the capture":
            same([command, word, DATA], [command, DATA], word + " FILE")
            continue
        option, *fixed = ours.split()
        name = option[2:]
        value, mine = VALUES.get(name, (None, None))
        if name == "symbol" and fixed:
            theirs, our = [word, "start"], [option, "*start*"]
        elif wants:
            theirs, our = [word, value], [option, mine or value]
        else:
            theirs, our = [word], [option, *fixed]
        a, b = (coldperf(command, *words, DATA) for words in (theirs, our))
        tap.ok(a[:2] == b[:2] and "usage" not in a[2],
               "%s %s is %s" % (command, " ".join(theirs), " ".join(our)),
               "%s\n%s" % (a, b))

for words in (["-g", "caller"], ["-g", "graph,0.5,caller"], ["-gcaller"],
              ["--call-graph", "callee"], ["-g"]):
    same(["report", *words, DATA], ["report", DATA], " ".join(words))
tap.ok(coldperf("-V")[:2] == coldperf("version")[:2], "-V is version")

# --max-stack: the innermost frames, and nothing of the weight is lost.
def folded(*options):
    stacks = {}
    for line in coldperf("flame", "-f", "folded", "--no-comm", "--inline",
                         "no", "-e", "cpu-clock", *options,
                         DATA)[1].splitlines():
        stack, weight = line.rsplit(" ", 1)
        stacks[stack] = stacks.get(stack, 0) + int(weight)
    return stacks


whole = folded()
for n in 1, 2, 5, 1000:
    want = {}
    for stack, weight in whole.items():
        inner = ";".join(stack.split(";")[-n:])
        want[inner] = want.get(inner, 0) + weight
    tap.ok(folded("--max-stack", str(n)) == want and
           (n == 1000) == (want == whole), "--max-stack %d" % n)
tap.ok(folded("--max-stack", "0") == whole, "--max-stack 0 is all")

# Options that are always given.
os.makedirs(path("config/coldperf"))


def config(text):
    with open(path("config/coldperf/config"), "w") as f:
        f.write(text)
    return {"XDG_CONFIG_HOME": path("config")}


one = ["hotspots", "--top", "1", DATA]
two = ["hotspots", "--top", "2", DATA]
here = config("# of all\ntop = 1\nno-local\n[flame]\nreverse = yes\n")
same(["hotspots", DATA], one[:-1] + ["--no-local", DATA],
     "a config file's options", **here)
same(two, two[:-1] + ["--no-local", DATA], "what is typed wins", **here)
half = ["hotspots", "--time", "0%,50%", DATA]
same(half, half, "a window that is typed wins",
     COLDPERF_OPTIONS="--time 50%,100%")
same(["hotspots", DATA], half, "one that is not typed is that of defaults",
     COLDPERF_OPTIONS="--time 0%,50%")
same(["hotspots", "--no-config", DATA], ["hotspots", DATA], "--no-config",
     **here)
same(["hotspots", DATA], two, "$COLDPERF_OPTIONS",
     COLDPERF_OPTIONS="--top '2'")
same(["hotspots", DATA], two[:-1] + ["--no-local", DATA],
     "which win over the file", COLDPERF_OPTIONS="--top=2", **here)
same(["flame", "-f", "folded", DATA],
     ["flame", "-f", "folded", "--reverse", "--no-local", DATA],
     "a section is of one command", **here)
for text, said in (("[nosuch]\n", "no such command `nosuch'"),
                   ("\n[hotspots]\nnosuch = 1\n", "config:3: no such option"),
                   ("no-local = maybe\n", "neither yes nor no"),
                   ("plugin = x.so\n", "only the command line")):
    says(["hotspots", DATA], said, **config(text))
says(["hotspots", DATA], "only the command line may have --plugin",
     COLDPERF_OPTIONS="--plugin x.so")
says(["hotspots", DATA], "a quote does not end", COLDPERF_OPTIONS="--top '2")

# A value is named with its option.
says(["report", "--limit", "stacks=5X", DATA], "bad size `5X' of --limit")
says(["report", "--limit", "stacks=0", DATA],
     "--limit stacks=0: it cannot be so low")
says(["report", "--limit", "stacks", DATA], "no value in `stacks' of --limit")
says(["report", "--limit", "x=1", DATA],
     "no limit has this name; there are: inflated inflate-ratio counters stacks")
says(["report", "--weight", "x", DATA], "samples, time, latency, field:NAME")
says(["script", "-F", "x", DATA],
     "unknown field `x'; there are: comm pid tid cpu time period event ip sym "
     "symoff dso addr cgroup guess")
for command, option in (("timeline", "--rows"), ("diff", "--alpha")):
    says([command, option, "x", DATA] + [DATA] * (command == "diff"),
         "error: bad usage (usage): %s wants a number, not `x'" % option)
says(["hotspots", "--top", "0x10", DATA], "--top wants a number, not `0x10'")
for value in ("x", "3-1", "-1-5", "-2"):
    says(["report", "--cpu=" + value, DATA], "bad value `%s' of --cpu: a "
         "number, or a range as 0-3" % value)
for share in ("-1", "150"):
    says(["hotspots", "--min-share", share, DATA],
         "--min-share wants a number from 0 to 100")
says(["symbols", "--max-size", "5X", DATA], "bad size `5X' of --max-size")

# A folder without a capture is one error.
os.mkdir(path("no-data"))
status, out, err = coldperf("report", "no-data")
tap.ok(status == 2 and err.count("\n") == 1 and "no captures" in err,
       "a folder without data: one error", err)
os.mkfifo(path("no-data/pipe.data"))
p = subprocess.run(["timeout", "20", os.path.abspath(tap.coldperf), "report",
                    path("no-data")], stderr=subprocess.PIPE)
tap.ok(p.returncode == 2 and b"no captures" in p.stderr,
       "a pipe in it is not waited for", (p.returncode, p.stderr))

# One note names all events.
for command in ("annotate", "hotspots"):
    out = coldperf(command, "--no-local", DATA)[1]
    tap.ok(re.findall(r"fell in code without a name", out) ==
           ["fell in code without a name"] and
           re.search(r"of \S+, \S+ % of .* fell in code", out),
           command + " has one note for code without names", out)

# Help.
listed = [line.split()[0] for line in coldperf("help")[1].splitlines()
          if re.match(r"  [a-z]+ {2,}", line)]
for command in ("report", "hotspots", "flame", "annotate", "sched", "script",
                "pack", "verify"):
    status, out, _ = coldperf("help", command)
    examples = re.findall(r"^  (coldperf %s .*)$" % command, out, re.M)
    tap.ok(status == 0 and len(examples) == 2 and "\nOutput\n" in out and
           "coldperf-%s(1)" % command in out,
           "help %s has groups, two examples and its page" % command, out)
    tap.ok(command == "script" or "--lines" not in out,
           "help %s has its options only" % command)
status, out, _ = coldperf("--examples")
there = re.findall(r"^  coldperf (\S+) ", out, re.M)
for command in listed:
    if command not in ("list", "help", "version", "completion"):
        tap.ok(there.count(command) == 2, command + " has two examples")
for command in ("list", "help", "version", "completion"):
    tap.ok(coldperf(command, "--help") == coldperf("help", command),
           "%s --help is help %s" % (command, command))
tap.done()
