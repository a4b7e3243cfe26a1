#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# coldperf browse in tmux: each view, its keys, and that its numbers are those
# of the command that it shows.
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
import tap

scratch = tempfile.TemporaryDirectory(prefix="coldperf-browse.")
corpus = os.path.join(tap.top_srcdir, "corpus")
fp = ["--no-local", "--symbols", corpus + "/good-fp/symbols",
      corpus + "/good-fp/perf.data"]
coldperf = os.path.abspath(tap.coldperf)


class Terminal:
    """A browser in a tmux of its own."""
    n = 0

    def __init__(self, arguments, columns=80, rows=24, env=None, term=None):
        # A server that is killed may hold its socket for a moment.
        Terminal.n += 1
        self.socket = os.path.join(scratch.name, "tmux%d" % Terminal.n)
        self.said = os.path.join(scratch.name, "said")
        command = "%s%s browse --no-cache %s 2>&1; stty -a; sleep 60" % (
            "TERM=%s " % term if term else "", shlex.quote(coldperf),
            " ".join(map(shlex.quote, arguments)))
        environment = dict(os.environ, LC_ALL="C.UTF-8", SHELL="/bin/sh")
        environment.update(env or {})
        subprocess.run(
            ["tmux", "-u", "-f", "/dev/null", "-S", self.socket,
             "new-session", "-d", "-x", str(columns), "-y", str(rows),
             command], env=environment, check=True)

    def tmux(self, *words):
        return subprocess.run(["tmux", "-S", self.socket, *words],
                              stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, check=False
                              ).stdout.decode("utf-8", "replace")

    def screen(self):
        return self.tmux("capture-pane", "-p")

    def until(self, pattern, *keys):
        """The screen, once it has the pattern after the keys; or the last
        one."""
        for key in keys:
            self.tmux("send-keys", key)
        end = time.monotonic() + 20
        screen = None
        while time.monotonic() < end:
            before, screen = screen, self.screen()
            # tmux may have drawn a part of it.
            if screen == before and re.search(pattern, screen, re.M):
                return screen
            time.sleep(0.02)
        return screen

    def check(self, what, pattern, *keys):
        screen = self.until(pattern, *keys)
        tap.ok(re.search(pattern, screen, re.M), what, screen)
        return screen

    def close(self):
        self.tmux("kill-server")


def shares(screen):
    """The rows of a list as {name: (self, total)}."""
    return {m[3]: (m[1], m[2]) for m in re.finditer(
        r"^ *([\d.]+)% +[\d.–]+ +([\d.]+)%  (\S+)", screen, re.M)}


def hotspots(*options):
    out = subprocess.run(
        [coldperf, "hotspots", "--no-cache", "--top", "0", "-f", "csv",
         *options, *fp], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        check=False).stdout.decode()
    return [line.split(",") for line in out.splitlines()]


def check_views():
    t = Terminal(fp)
    t.check("the report comes first, with its findings",
            r"^ *child processes$")
    screen = t.check("functions", r"46\.43% +\S+ +46\.43%  leaf", "2")
    tap.ok(all(len(line) <= 80 for line in screen.splitlines()) and
           len(screen.splitlines()) <= 24, "the screen is full, and no more")
    got = shares(screen)
    rows = hotspots("--children", "--by", "dso,symbol")
    head = next(r for r in rows if "Symbol" in r or "symbol" in r)
    name = [h.lower() for h in head].index("symbol")
    want = {r[name]: r for r in rows if len(r) == len(head)}
    between = {m[2]: m[1] for m in re.finditer(
        r"% +([\d.]+–[\d.]+) +[\d.]+%  (\S+)", screen)}
    for function in ("leaf", "heavy", "medium", "light", "descend"):
        row = want.get(function, ["0"] * 4)
        low, high = (100 * float(row[i]) for i in (4, 5))
        digits = 2 if high < 10 else 1
        tap.ok(row[4] == "0" or between.get(function) == "%.*f–%.*f" % (
            digits, low, digits, high), "%s has the interval, too" % function,
               "%s, not %s" % (between, row))
        tap.ok(got.get(function) == tuple(
            "%.2f" % (100 * float(row[i])) for i in (3, 0)),
               "%s has the shares that hotspots has" % function,
               "%s, not %s" % (got.get(function), row))
    t.check("who calls a function, and what it calls",
            r"^Called by\n.*- leaf\n.*26\.79%    \+ descend", "Enter")
    t.check("its caller's callers", r"- descend\n.*descend", "Down", "Right")
    t.check("and back", r"46\.43% +\S+ +46\.43%  leaf", "Escape")
    t.check("the tree of calls", r"100\.00%  [-+] ", "3")
    t.check("its heaviest path", r"^ *0\.00% +26\.79% +[-+] descend", "H")
    t.check("all of it", r"descend(.*\n)+.*descend(.*\n)+.*descend", "E")
    t.check("callers", r"46\.43%  \+ leaf", "4")
    t.check("an opened one", r"- leaf\n.*26\.79%    \+ descend", "Enter")
    t.check("threads", r"^ *35\.71% .* 8413 known", "5")
    t.check("objects", r"^ *82\.50% +known", "6")
    t.check("the flame graph", r"^all *$(.*\n)+.*main", "7")
    t.check("a frame says what it is", r"main.*total 100\.00%",
            "Down", "Down")
    t.check("code, or that there is none", r"8 Code", "8")
    t.check("what became of threads", r"What became of", "9")
    t.check("pairs, or that there are none", r"^From begin to end", "0")
    t.check("messages", r"no-kallsyms", "L")
    t.check("the keys", r"Enter +function: who calls it", "?")
    t.close()


def check_selection():
    t = Terminal(fp, 120, 30)
    t.until("leaf", "2")
    t.check("a search leaves what has the text", r"^ *0\.36%.*run_kernel",
            "/", "k", "e", "r", "n", "e", "l", "Enter")
    tap.ok("heavy" not in t.screen(), "and nothing else", t.screen())
    t.check("Escape ends it", r"heavy", "Escape")
    t.check("a process alone", r"\| process 8413", "5", "Enter")
    screen = t.check("its functions", r"^ *48\.00% .*heavy", "2")
    want = hotspots("--pid", "8413", "--children", "--by", "dso,symbol")
    names = re.findall(r"% .*  (\S+) +known$", screen, re.M)
    tap.ok(len(names) > 2 and all(any(name in r for r in want)
                                  for name in names),
           "are those of hotspots --pid", "%s %s" % (names, want))
    t.check("all again", r": 280 samples", "A")
    t.check("a window of time", r"\| from ", "m", "Right", "Right",
            "Enter", "Right", "Right", "Right", "Enter")
    t.check("only an object", r"\| \S*known \| from", "2", "d")
    n = re.search(r": ([\d,]+) samples?", t.screen())[1].replace(",", "")
    screen = t.check("what is kept is printed at the end", r"^speed ",
                     "w", "C-c")
    line = re.search(r"^coldperf (hotspots .*)$", t.tmux(
        "capture-pane", "-p", "-J"), re.M)
    out = subprocess.run(
        shlex.quote(coldperf) + " " + (line[1] if line else "help") +
        " --no-local -f csv", shell=True, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, check=False).stdout.decode()
    rows = [r.split(",") for r in out.splitlines()]
    tap.ok(line and "--time" in line[1] and "--dso" in line[1] and
           sum(int(r[6]) for r in rows[1:] if len(r) > 6) == int(n),
           "and gives the samples that were selected",
           "%s: %s\n%s" % (n, line and line[1], out))
    tap.ok(re.search(r"(?<!-)\becho\b", t.until(r"echo")),
           "the terminal is as it was", t.screen())
    t.close()


def check_texts():
    """Texts follow the selection: they are those of the command shown."""
    name = tap.capture("good-waits", scratch.name)
    t = Terminal(["--no-local", name], 200, 50)
    for key, what in zip("234567", (
            "Weight +Samples  Function", "Weight +Samples  Function",
            "Weight +Samples  Function", "Processes and threads",
            r"8  \[kernel",
            "^all *$")):
        screen = t.check("view %s of a large terminal" % key, what, key)
        tap.ok(all(len(line) <= 200 for line in screen.splitlines()) and
               len(screen.splitlines()) <= 50, "is full, and no more", screen)
    t.check("waits of all", r"^ +30\.000 ms .* beta(.*\n)+.* alpha", "9")
    t.check("a process", r"\| process 100", "5", "Enter")
    for view, shown in (("9", "wall"), ("1", "report"), ("8", "annotate"),
                        ("0", "pair")):
        screen = t.check("its %s" % shown, r"^%s" % (
            "coldperf %s .*--pid 100 " % shown if view != "1" else "Findings"),
            view)
        tap.ok(screen.startswith("sched:sched_switch: 3" if view == "8" else
                                 "all events | process 100 |"),
               "the title says what it is of", screen)
        out = subprocess.run(
            [coldperf, shown, "--pid", "100", "--no-local", "--no-cache",
             "--width", "200", name], stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, check=False).stdout.decode()
        lines = [line.rstrip() for line in screen.splitlines()[6:-1] if line]
        tap.ok(lines and all(
            line in out or line[:60] in " ".join(out.split("\n"))
            for line in lines if "beta" in line or re.search(r"\d ms", line)),
            "with its numbers", "%s\n%s" % (screen, out))
        tap.ok(view == "0" or " beta" not in screen or view == "9",
               "and of nobody else", screen)
    t.close()


def check_terminals():
    t = Terminal(fp, 60, 12)
    t.check("a small terminal", r"3 4 5 6 7 8 9 0", "2")
    t.tmux("resize-window", "-x", "100", "-y", "30")
    t.check("that grows", r"Weight +Samples  Function")
    t.close()
    t = Terminal(fp, 80, 24, {"LC_ALL": "C", "NO_COLOR": "1"})
    t.check("a terminal of ASCII alone", r"\d-\d+\.\d +\S+%  leaf", "2")
    tap.ok(t.screen().isascii() and "?" not in t.screen(),
           "has nothing else, and signs for what it lacks", ascii(t.screen()))
    tap.ok(not re.search("\33\\[(?:\\d+;)*[34][0-7]m",
                         t.tmux("capture-pane", "-p", "-e")),
           "NO_COLOR: and no colour")
    t.check("the flame graph is kept", r"^ +26\.79% {20,}descend$",
            "7", "P", "q")
    t.close()
    t = Terminal(fp, term="dumb")
    t.check("a dumb terminal says what to use", r"this terminal \(TERM\) cannot place")
    t.close()
    p = subprocess.run([coldperf, "browse", *fp], stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, check=False)
    tap.ok(p.returncode == 2 and b"coldperf report" in p.stderr,
           "without a terminal it says what to use", p.stderr)


def check_captures():
    name = tap.capture("odd-names", scratch.name)
    t = Terminal(["--no-local", name])
    screen = t.until("^ *Self", "2")
    tap.ok("Self" in screen and not re.search(
        r"[\x00-\x09\x0b-\x1f\x7f]", screen), "hostile names are text",
           ascii(screen))
    t.close()
    t = Terminal(["--no-local", tap.capture("odd-no-samples", scratch.name)])
    t.check("a capture without samples says so", r"no samples")
    t.close()
    cut = os.path.join(scratch.name, "cut.data")
    with open(corpus + "/good-fp/perf.data", "rb") as f:
        data = f.read()
    with open(cut, "wb") as f:
        f.write(data[:len(data) * 2 // 3])
    check_two(corpus + "/good-fp/perf.data", cut)
    t = Terminal(["--no-local", tap.capture("good-sched-waits", scratch.name),
                  corpus + "/good-fp/perf.data", cut])
    t.check("more than two are one", r"\| 3 captures", "2")
    t.close()


def check_two(before, after):
    """Two captures are compared, with the numbers of diff."""
    t = Terminal(["--no-local", "--symbols", corpus + "/good-fp/symbols",
                  before, after], 500, 30)
    t.check("of two captures the verdicts come first", r"^Change of everything")
    screen = t.check("costs before and after",
                     r"^ *\S+ ms +\S+ ms.*  leaf.*\n(.*\n)*coldperf diff",
                     "2")
    command = re.search(r"^coldperf (diff .*)$", screen, re.M)
    out = subprocess.run(
        shlex.quote(coldperf) + " " + (command[1] if command else "help"),
        shell=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        check=False).stdout.decode()
    got = {m[4]: m.group(1, 2, 3) for m in re.finditer(
        r"^ *(\S+ \w+) +(\S+ \w+) +(\S+%)  (\w+)", screen, re.M)}
    want = {m[4]: m.group(2, 3, 1) for m in re.finditer(
        r"^ *(?:more|less|undecided)? +(\S+%) +\S+% +(\S+ \w+) +(\S+ \w+)"
        r"  (\w+)$", out, re.M)}
    tap.ok(len(want) > 3 and all(got.get(f) == want[f] for f in want),
           "are those of diff", "%s\n%s\n%s" % (got, want, out))
    t.check("what is of one capture is said, with its command",
            r"of one capture: coldperf browse CAPTURE(.*\n)+coldperf wall /",
            "9")
    t.check("a tree of both", r"\S+%  [-+] \S+", "3")
    t.check("a frame says both", r"before \S+%  after \S+%", "7", "Down",
            "Down")
    t.check("what was lost is said", r"partial", "L")
    t.check("threads of both", r"\S+ ms +\S+ ms +[-+]\S+% +\d+ ", "5")
    t.check("an object of both by its name", r"coldperf diff .*--dso [^/ ]+ ",
            "6", "d", "2")
    t.close()


def check_keys():
    t = Terminal(fp)
    t.until("leaf", "2")
    t.check("the same object again: all", r": 280 samples, [^|]*\| /",
            "6", "d", "d")
    t.check("callers stay open beside what is called",
            r"- leaf\n(.*\n)*Calls\n.*- leaf", "2", "Enter")
    t.check("or are closed by themselves",
            r"\+ leaf\n(.*\n)*Calls\n.*[- ] leaf", "Enter")
    t.check("the code of a function begins at its head",
            r"\A(?:.*\n){4}.*leaf \(known\)", "2", "a")
    t.check("one key leads back", r"^ *Self.*Function", "Left")
    t.check("a frame that is too narrow is found", r"^run_kernel *$", "7", "/",
            "r", "u", "n", "_", "Enter")
    t.close()


if shutil.which("tmux") is None:
    print("1..0 # SKIP tmux is not installed")
    sys.exit(0)
if subprocess.run([coldperf, "browse", *fp], env=dict(os.environ, TERM="dumb"),
                  stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                  check=False).stderr.find(b"without ncursesw") >= 0:
    print("1..0 # SKIP built without ncursesw")
    sys.exit(0)
check_views()
check_selection()
check_texts()
check_terminals()
check_captures()
check_keys()
tap.done()
