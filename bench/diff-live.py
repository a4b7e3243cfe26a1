#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
diff-live: how often diff is right on runs recorded here.

Records runs of five programs and compares all pairs of the same: what is found
is a false alarm.  Then a program one function of which is 20 % slower, three
runs against three.  What else the machine does is in the figures, so this is no
test; bench/statistics.md has those of made-up programs.

  diff-live.py [--runs 12] [--seed 1] [--keep FOLDER [--again]]

"functions": comparisons in which a function is said to have changed; "by the
median": with --per median, against what most functions did;
"everything": in which everything together is; "all alike": those of the latter
of which diff says that all functions changed by about the same factor, as a
slower machine or clock looks.
"""
import argparse
import csv
import io
import itertools
import json
import math
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile

COLDPERF = os.environ.get("COLDPERF", "./coldperf")
RECORD = ["perf", "record", "-q", "-F", "1999", "-e", "cpu-clock", "-g"]
EVERYTHING = "(everything together)"
ALIKE = "All functions changed by about the same factor"
PYTHON = """
import gc
class Node:
    def __init__(self, other):
        self.other = other
        self.values = [other, self]
def work(n):
    last = None
    for i in range(n):
        last = Node(last if i % 50 else None)
for _ in range(24):
    work(60000)
gc.collect()
"""
NODE = """
let keep = [];
for (let i = 0; i < 1500000; i++) {
  keep.push({ at: i, text: 'x' + i, list: [i, i + 1] });
  if (keep.length > 50000) keep = [];
}
console.log(keep.sort((a, b) => b.at - a.at).length);
"""
SERVER = """
import http.client, http.server, threading
class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def do_GET(self):
        text = "".join("%d " % (i * i) for i in range(400)).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)
    def log_message(self, *args):
        pass
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
def ask():
    c = http.client.HTTPConnection(*server.server_address)
    for _ in range(1200):
        c.request("GET", "/")
        c.getresponse().read()
    c.close()
clients = [threading.Thread(target=ask) for _ in range(2)]
for c in clients:
    c.start()
for c in clients:
    c.join()
"""
WORK = """
#include <stdint.h>
#include <stdlib.h>
static volatile uint64_t sink;
#define FUNCTION(name) \\
	__attribute__((noinline)) static void name(uint64_t n) \\
	{ \\
		uint64_t x = n; \\
		for (uint64_t i = 0; i < n; i++) \\
			x = x * 6364136223846793005u + (x >> 7); \\
		sink = x; \\
	}
FUNCTION(parse) FUNCTION(hash) FUNCTION(fold) FUNCTION(emit) FUNCTION(lookup)
int
main(int argc, char **argv)
{
	for (int i = 0; i < 2000; i++) {
		parse(120000);
		hash((uint64_t)(100000 * atof(argv[1])));
		fold(160000);
		emit(80000);
		lookup(240000);
	}
	return argc < 2;
}
"""


def sources(folder):
    """Writes what the programs work on."""
    draw = random.Random(1)
    with open(os.path.join(folder, "text"), "w") as f:
        for _ in range(700000):
            f.write("%d %s\n" % (draw.randrange(1000), draw.random()))
    with open(os.path.join(folder, "code.c"), "w") as f:
        for i in range(1500):
            f.write("int f%d(int a, int *b) { int s = %d; for (int i = 0; i <"
                    " a; i++) s += b[i] * %d ^ (s >> 3); return s; }\n" %
                    (i, i, i * 7))
    with open(os.path.join(folder, "work.c"), "w") as f:
        f.write(WORK)


def programs(folder):
    at = os.path.join
    return {
        "Python, garbage collector": [sys.executable, "-c", PYTHON],
        "gcc": ["gcc", "-O2", "-c", "-o", at(folder, "code.o"),
                at(folder, "code.c")],
        "xz": ["xz", "-3", "-k", "-f", at(folder, "text")],
        "node": ["node", "-e", NODE],
        "a server": [sys.executable, "-c", SERVER],
    }


def record(folder, name, command, runs, again):
    paths = []
    for i in range(runs):
        path = os.path.join(folder, "%s-%d.data" % (name.replace(" ", "-"), i))
        if again and os.path.exists(path):
            paths.append(path)
            continue
        done = subprocess.run(RECORD + ["-o", path] + command,
                              capture_output=True, check=False)
        if done.returncode != 0:
            sys.exit("%s: %s" % (name, done.stderr.decode()))
        paths.append(path)
    return paths


def table(before, after, *options):
    """The rows of a comparison, the gate's status, and all that was said."""
    run = subprocess.run([COLDPERF, "diff", "-f", "json", "--no-local",
                          "--fail-over", "5%", *options, "--before", *before,
                          "--after", *after], capture_output=True, text=True, check=False)
    if run.returncode not in (0, 1, 3, 6):
        sys.exit(run.stderr)
    sections = json.loads(run.stdout)["sections"]
    rows = next(s for s in sections if s.get("slug") == "diff")
    names = [c["name"] for c in rows["columns"]]
    return ([dict(zip(names, r["values"])) for r in rows["rows"]],
            run.returncode, run.stdout)


def diff(before, after, *options):
    """The functions that were found and what, of everything; the gate's
    status; whether all changed alike."""
    rows, status, text = table(before, after, *options)
    for r in rows:  # with --per median the name tells the unit, too
        if r["Symbol"].startswith(EVERYTHING[:-1]):
            r["Symbol"] = EVERYTHING
    return ({r["Symbol"]: r["Found"] for r in rows
             if r["Found"] in ("more", "less", "new", "gone")},
            status, ALIKE in text)


def samples(paths):
    """By function: its samples in each run."""
    by = {}
    for i, path in enumerate(paths):
        for r in table(paths[:1], [path], "--top", "0")[0]:
            counts = by.setdefault((r["Object"], r["Symbol"]), [0] * len(paths))
            counts[i] = r["Samples after"]
    return by


def apart(paths, noise=0.04):
    """How many functions have 20 samples in each run, and how many of them
    differ between runs from the rest by more than sampling and noise / the root
    of the share explain."""
    by = samples(paths)
    all_of = by.pop(("", EVERYTHING))
    seen = wide = 0
    for counts in by.values():
        rest = [a - n for a, n in zip(all_of, counts)]
        if min(counts + rest) < 20:
            continue
        share = sum(counts) / sum(all_of)
        logs = [math.log(n / r) for n, r in zip(counts, rest)]
        sampling = statistics.mean(1 / n + 1 / r for n, r in zip(counts, rest))
        law = noise ** 2 * (1 / share + 1 / (1 - share))
        seen += 1
        wide += statistics.variance(logs) > sampling + law
    return seen, wide


def cpu_seconds(path):
    """What a run cost."""
    run = subprocess.run([COLDPERF, "diff", "-f", "csv", "--no-local",
                          "--section", "captures", path, path],
                         capture_output=True, text=True, check=True)
    return float(next(csv.DictReader(io.StringIO(run.stdout)))["weight"]) / 1e9


def row(*cells):
    print("| " + " | ".join(str(c) for c in cells) + " |", flush=True)


def equals(name, paths, draw):
    cost = sorted(cpu_seconds(p) for p in paths)
    spread = "%.2f, %.2f, %.2f" % (cost[0], statistics.median(cost), cost[-1])
    pairs = list(itertools.combinations(paths, 2))
    triples = [draw.sample(paths, 6) for _ in range(40)
               if len(paths) >= 6]
    for kind, sides in (("1", [([a], [b]) for a, b in pairs]),
                        ("3", [(t[:3], t[3:]) for t in triples])):
        if not sides:
            continue
        got = [diff(a, b) for a, b in sides]
        median = [diff(a, b, "--per", "median")[0] for a, b in sides]
        whole = [alike for found, _, alike in got if EVERYTHING in found]
        row(name, spread, "%s against %s" % (kind, kind), len(got),
            sum(any(n != EVERYTHING for n in found) for found, _, _ in got),
            sum(any(n != EVERYTHING for n in found) for found in median),
            len(whole), sum(whole),
            sum(status == 1 for _, status, _ in got),
            sum(status == 6 for _, status, _ in got))


def slowed(folder, runs, draw, again):
    work = os.path.join(folder, "work")
    subprocess.run(["gcc", "-O1", "-g", "-fno-omit-frame-pointer", "-o", work,
                    work + ".c"], check=True)
    one = record(folder, "one", [work, "1"], runs, again)
    two = record(folder, "two", [work, "1.2"], runs, again)
    got = [diff(draw.sample(one, 3), draw.sample(two, 3)) for _ in range(40)]
    found = sum(f.get("hash") == "more" for f, _, _ in got)
    others = sum(any(n not in ("hash", EVERYTHING) for n in f)
                 for f, _, _ in got)
    print("\nA function of 14 %% that is 20 %% slower, three runs against "
          "three: found in %d of %d, another one in %d." %
          (found, len(got), others))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep")
    parser.add_argument("--again", action="store_true",
                        help="compare what --keep kept, record what is not")
    args = parser.parse_args()
    draw = random.Random(args.seed)
    with tempfile.TemporaryDirectory(prefix="diff-live.") as tmp:
        folder = args.keep or tmp
        sources(folder)
        print("Load of this machine before: %.1f, on %d CPUs.\n" %
              (os.getloadavg()[0], os.cpu_count()))
        row("program", "CPU seconds: least, median, most", "runs",
            "comparisons", "functions", "by the median",
            "everything", "all alike",
            "gate fails", "undecided")
        row(*["---"] * 3, *["---:"] * 7)
        far = []
        for name, command in programs(folder).items():
            if not shutil.which(command[0]):
                row(name, "not installed here", *[""] * 8)
                continue
            paths = record(folder, name, command, args.runs, args.again)
            equals(name, paths, draw)
            if len(paths) > 1:
                far.append((name, *apart(paths)))
        if far:
            print("\nFunctions with 20 samples in each run; of them, those that "
                  "differ from the rest by more than parts do:\n" +
                  "; ".join("%s %d, %d" % f for f in far) + ".")
        if args.runs >= 3:
            slowed(folder, args.runs, draw, args.again)


if __name__ == "__main__":
    main()
