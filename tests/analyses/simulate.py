#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
simulate: how often diff is right, on captures whose truth is known.

Writes perf.data files of programs that were made up: their functions' costs,
how samples come (one by one, in bursts, on CPUs in step ...), and how much
runs of the same differ.  Compares pairs, and counts alarms, gates that failed,
and what was left undecided.  Everything is drawn from the seed.

  simulate.py [--pairs N] [--seed N] [--only EXPRESSION] [--runs 1|3]

prints bench/statistics.md.  A small part of it is tests/analyses/simulate.t.
"""
import argparse
import array
import csv
import io
import math
import os
import random
import re
import struct
import subprocess
import sys
import tempfile

COLDPERF = os.environ.get("COLDPERF") or os.path.join(
    os.environ.get("top_builddir", "."), "coldperf")
PERIOD = 1000000
SPACE = 0x10000
BASE = 0x400000


# --------------------------------------------------------------- perf.data

def record(kind, misc, body):
    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body


def mmap(i):
    name = b"/f%04d\0" % i
    name += b"\0" * (-len(name) % 8)
    return record(1, 2, struct.pack("<IIQQQ", 7, 7, BASE + i * SPACE, 0x1000,
                                    0) + name)


def capture(path, samples, n_functions, end):
    """samples: (ns, function, period), in order of time."""
    attr = struct.pack("<IIQQQQQ", 0, 128, 0, 1000, 1 | 2 | 4 | 0x100, 0,
                       0x1400 | 1 << 8 | 1 << 9)  # freq, on exec, mmap, comm
    attr += b"\0" * (128 - len(attr)) + struct.pack("<QQ", 0, 0)
    data = record(3, 0, struct.pack("<II", 7, 7) + b"app\0\0\0\0\0")
    data += b"".join(mmap(i) for i in range(n_functions))
    head = struct.unpack("<Q", struct.pack("<IHH", 9, 2, 40))[0]
    a = array.array("Q", bytes(40 * len(samples)))
    a[0::5] = array.array("Q", [head]) * len(samples)
    a[1::5] = array.array("Q", [BASE + f * SPACE for _, f, _ in samples])
    a[2::5] = array.array("Q", [7 << 32 | 7]) * len(samples)
    a[3::5] = array.array("Q", [1000 + t for t, _, _ in samples])
    a[4::5] = array.array("Q", [p for _, _, p in samples])
    if sys.byteorder != "little":
        a.byteswap()
    data += a.tobytes()
    at = 104 + len(attr)
    header = b"PERFILE2" + struct.pack("<QQQQQQQQ", 104, len(attr), 104,
                                       len(attr), at, len(data), 0, 0)
    header += b"\0" * (104 - len(header))
    with open(path, "wb") as f:
        f.write(header + attr + data)


# ---------------------------------------------------------------- programs

def zipf(n):
    w = [1 / (i + 1) for i in range(n)]
    return [x / sum(w) for x in w]


def dominant(share, n):
    return [share] + [(1 - share) / n] * n


def poisson(rng, mean):
    if mean > 500:
        return max(0, round(rng.gauss(mean, mean ** 0.5)))
    limit, p, n = math.exp(-mean), rng.random(), 0
    while p > limit:
        p *= rng.random()
        n += 1
    return n


def gamma_noise(rng, noise):
    return rng.lognormvariate(0, noise) if noise else 1


class Program:
    """
    shares of functions, of so many samples in a second for 10 seconds; how:
    "one" by one, "phase" of burst samples, "poisson" bursts at any time, "gc":
    the last functions in bursts, "cpus" that tick together, "period": weights
    that vary, "fixed" number of samples.
    """

    def __init__(self, shares, how="one", burst=1, samples=10000, noise=0,
                 common=0):
        self.shares, self.how, self.burst = shares, how, burst
        self.samples, self.noise, self.common = samples, noise, common

    def costs(self, rng, factors):
        together = gamma_noise(rng, self.common)
        return [s * factors.get(i, factors.get("all", 1)) * together *
                gamma_noise(rng, self.noise)
                for i, s in enumerate(self.shares)]

    def run(self, rng, factors):
        cost = self.costs(rng, factors)
        mean = self.samples * sum(cost)
        ns = int(1e9 * mean / 1000)  # at 1000 a second
        return getattr(self, "do_" + self.how)(rng, cost, mean, ns), ns

    def draw(self, rng, cost, n):
        return rng.choices(range(len(cost)), cost, k=n)

    def spread(self, rng, which, ns):
        """At random moments."""
        times = sorted(rng.randrange(ns) for _ in which)
        return [(t, f, PERIOD) for t, f in zip(times, which)]

    def do_one(self, rng, cost, mean, ns):
        return self.spread(rng, self.draw(rng, cost, poisson(rng, mean)), ns)

    def do_fixed(self, rng, cost, mean, ns):
        which = self.draw(rng, cost, round(mean))
        return [(i * ns // len(which), f, PERIOD)
                for i, f in enumerate(which)]

    def do_phase(self, rng, cost, mean, ns):
        """Phase after phase, each of one function."""
        phases = self.draw(rng, cost, round(mean / self.burst))
        which = [f for f in phases for _ in range(self.burst)]
        return [(i * ns // len(which), f, PERIOD)
                for i, f in enumerate(which)]

    def do_poisson(self, rng, cost, mean, ns):
        """Bursts of a mean length, at random moments; others in between."""
        out = []
        for f in self.draw(rng, cost, poisson(rng, mean / self.burst)):
            at = rng.randrange(ns)
            n = 1 + int(rng.expovariate(1 / max(0.5, self.burst - 0.5)))
            out += [(at + k * 1000000, f, PERIOD) for k in range(n)]
        return sorted(out)

    def do_gc(self, rng, cost, mean, ns):
        """The last tenth of the functions runs in bursts, the rest evenly."""
        n = len(cost) - max(1, len(cost) // 10)
        out = self.spread(rng, self.draw(rng, cost[:n] + [0] * (len(cost) - n),
                          poisson(rng, mean * sum(cost[:n]) / sum(cost))), ns)
        part = [0] * n + cost[n:]
        bursts = mean * sum(part) / sum(cost) / self.burst
        for _ in range(poisson(rng, bursts)):
            at = rng.randrange(ns)
            out += [(at + k * 1000000, f, PERIOD) for k, f in enumerate(
                self.draw(rng, part, self.burst))]
        return sorted(out)

    def do_cpus(self, rng, cost, mean, ns):
        """CPUs that tick together and run the same; burst of them."""
        out = []
        ticks = round(mean / self.burst)
        for i, f in enumerate(self.draw(rng, cost, ticks)):
            out += [(i * ns // ticks, f if rng.random() < 0.8 else
                     self.draw(rng, cost, 1)[0], PERIOD)
                    for _ in range(self.burst)]
        return out

    def do_threads(self, rng, cost, mean, ns):
        """Threads that run a function each for a burst, in turn."""
        out = []
        for thread in range(4):
            n = round(mean / 4 / self.burst)
            for i, f in enumerate(self.draw(rng, cost, n)):
                out += [((i * self.burst + k) * ns // (n * self.burst) +
                         thread, f, PERIOD) for k in range(self.burst)]
        return sorted(out)

    def do_period(self, rng, cost, mean, ns):
        """A frequency whose periods vary fourfold."""
        out = self.do_one(rng, cost, mean, ns)
        return [(t, f, int(PERIOD * 0.8 * 4 ** rng.uniform(-0.5, 0.5)))
                for t, f, _ in out]


    def do_markov(self, rng, cost, mean, ns):
        """Two states, half of the functions each, for times of heavy tails."""
        times, state, left, out = sorted(rng.randrange(ns) for _ in range(
            poisson(rng, mean))), rng.random() < 0.5, 0, []
        halves = [[c if i % 2 == k else 0 for i, c in enumerate(cost)]
                  for k in (0, 1)]
        for t in times:
            while left <= t:  # Pareto, cut at 20 times the least
                left += min(20, rng.paretovariate(1.5)) * self.burst * 1e6 / 3
                state = rng.random() < sum(halves[1]) / sum(cost)
            out.append((t, self.draw(rng, halves[state], 1)[0], PERIOD))
        return out

    def do_wave(self, rng, cost, mean, ns):
        """One and a half periods in a run, of which half is by chance."""
        start, out = rng.random(), []
        for t, f, p in self.do_one(rng, cost, 2 * mean, ns):
            wave = math.sin(2 * math.pi * (1.5 * t / ns + start))
            sign = 1 if f % 2 else -1
            if rng.random() < (1 + 0.3 * wave * sign) / 2:
                out.append((t, f, p))
        return out

    def do_busy(self, rng, cost, mean, ns):
        """One thread that never waits, and 0 to 10 others that want its CPU."""
        which, at, left, others, out = self.draw(rng, cost, round(mean)), 0, 0, 0, []
        for i, f in enumerate(which):
            if left <= 0:
                left, others = rng.expovariate(1 / 0.3), rng.randrange(11)
            step = 1 + (4 * others if i % 4 == 0 else 0)  # turns of 4 ms
            at += step * 1000000
            left -= step / 1000
            out.append((at, f, PERIOD))
        return out

    def do_late(self, rng, cost, mean, ns):
        """A thread from the start, one that starts late, with a gap."""
        cut, gap = ns * rng.uniform(0.55, 0.6), ns * rng.uniform(0.2, 0.3)
        n = len(cost) // 2
        early = self.draw(rng, cost[:n] + [0] * (len(cost) - n),
                          poisson(rng, mean * sum(cost[:n]) / sum(cost)))
        late = self.draw(rng, [0] * n + cost[n:],
                         poisson(rng, mean * sum(cost[n:]) / sum(cost)))
        out = [(rng.randrange(int(gap + 1e8), ns), f, PERIOD) for f in early]
        out += [(rng.randrange(int(cut), ns), f, PERIOD) for f in late]
        return sorted(out)


# ------------------------------------------------------------- comparisons

class Bench:
    def __init__(self, seed, pairs):
        self.tmp = tempfile.TemporaryDirectory()
        self.seed, self.pairs = seed, pairs

    def diff(self, before, after, per):
        args = [COLDPERF, "diff", "--section", "diff", "-f", "csv",
                "--no-local", "--fail-over", "5%", "--per", per,
                "--before"] + before + ["--after"] + after
        run = subprocess.run(args, capture_output=True, text=True,
                             check=False)
        if run.returncode not in (0, 1, 6):
            sys.exit("%s\n%s" % (" ".join(args), run.stderr))
        return run.returncode, list(csv.DictReader(io.StringIO(run.stdout)))

    def compare(self, name, i, program, runs, factors, per):
        rng = random.Random("%d %s %d" % (self.seed, name, i))
        sides = []
        for side, change in enumerate(({}, factors)):
            paths = []
            for r in range(runs):
                path = os.path.join(self.tmp.name, "%d-%d" % (side, r))
                samples, ns = program.run(rng, change)
                capture(path, samples, len(program.shares), ns)
                paths.append(path)
            sides.append(paths)
        return self.diff(*sides, per)

    def count(self, name, program, runs=1, factors=None, per="run"):
        """Parts of the pairs: alarms, gates failed, and not decided."""
        alarms = gates = undecided = covered = 0
        factors = factors or {}
        truth = sum(s * factors.get(i, factors.get("all", 1))
                    for i, s in enumerate(program.shares)) - 1
        for i in range(self.pairs):
            status, rows = self.compare(name, i, program, runs, factors, per)
            alarms += any(r["found"] in ("more", "less", "new", "gone")
                          for r in rows)
            undecided += status == 6
            gates += status == 1
            covered += (float(rows[0]["change_lo"]) <= truth <=
                        float(rows[0]["change_hi"]))
        return [x / self.pairs for x in (alarms, gates, undecided, covered)]


def equal_shapes():
    ten, fifty = zipf(10), zipf(50)
    yield "10 functions, one by one", Program(ten)
    yield "50 functions, one by one", Program(fifty)
    yield "200 functions, one by one", Program(zipf(200))
    yield "1,000 functions, one by one", Program(zipf(1000))
    yield "one of 80 %, one by one", Program(dominant(0.8, 9))
    yield "none above 5 %, one by one", Program([0.05] * 20)
    yield "a fixed number of samples", Program(fifty, "fixed")
    yield "1,000 samples", Program(fifty, samples=1000)
    yield "30,000 samples", Program(fifty, samples=30000)
    for burst in (5, 20, 100, 200):
        yield "phases of %d samples" % burst, Program(ten, "phase", burst)
    yield "phases of 20, 50 functions", Program(fifty, "phase", 20)
    yield "phases of 100, 50 functions", Program(fifty, "phase", 100)
    for burst in (5, 20, 100):
        yield ("Poisson bursts of %d" % burst,
               Program(ten, "poisson", burst))
    yield "garbage collector, bursts of 20", Program(fifty, "gc", 20)
    yield "garbage collector, bursts of 100", Program(fifty, "gc", 100)
    yield "four threads, phases of 25", Program(ten, "threads", 25)
    yield "16 CPUs in step", Program(fifty, "cpus", 16)
    yield "periods that vary", Program(fifty, "period")
    yield "two states, times of heavy tails", Program(fifty, "markov", 20)
    yield "waves, 1.5 in a run", Program(fifty, "wave")
    yield "a late thread, a gap", Program(fifty, "late")
    yield "a busy host", Program(fifty, "busy")
    for noise in (0.02, 0.05, 0.1):
        yield ("runs differ by %.0f %%, each function" % (noise * 100),
               Program(fifty, noise=noise))
    yield "the same, 10 functions", Program(ten, noise=0.1)
    yield "the same, one of 80 %", Program(dominant(0.8, 9), noise=0.05)
    yield "runs differ by 3 %, all together", Program(fifty, common=0.03)
    yield ("bursts of 20, runs differ by 5 %",
           Program(fifty, "phase", 20, noise=0.05))


def changed_shapes():
    yield "80 % twice", Program(dominant(0.8, 9)), 1, {0: 2}
    yield "90 % +30 %", Program(dominant(0.9, 9)), 1, {0: 1.3}
    yield ("two of 40 % +30 %", Program([0.4, 0.4] + [0.02] * 10), 1,
           {0: 1.3, 1: 1.3})
    yield ("60 % +30 % among 200", Program(dominant(0.6, 200)), 1, {0: 1.3})
    yield "everything +30 %", Program(zipf(50)), 1, {"all": 1.3}
    yield "everything twice", Program(zipf(50)), 1, {"all": 2}
    yield "busy host, everything +30 %", Program(zipf(20), "busy"), 1, {"all": 1.3}
    yield ("busy host, 20 % twice", Program([0.2] + [0.1] * 8, "busy"), 1,
           {0: 2})
    yield ("busy host, 20 % +30 %, 3 against 3",
           Program([0.2] + [0.1] * 8, "busy"), 3, {0: 1.3})
    yield ("6 % +20 %, 3 against 3, 30,000 samples",
           Program([0.06] + [0.94 * s for s in zipf(50)], samples=30000), 3,
           {0: 1.2})


INTRODUCTION = """# How often diff is right

Made by `make bench-statistics`: %d pairs of captures of each kind, seed %d.
What the kinds are, tests/analyses/simulate.py says; what diff does, is in
[docs/statistics.md](../docs/statistics.md). 10,000 samples unless something
else is said; the gate is `--fail-over 5%%`. "alarm": a function or everything
is said to have changed; "undecided": the gate ends with status 6. The seed is
another than those the method was tuned on. Of %d pairs, 1 %% may be anything
between %.1f %% and %.1f %% (Wilson's interval).
"""


def wilson(part, n, z=1.96):
    middle = part + z * z / (2 * n)
    half = z * math.sqrt(part * (1 - part) / n + z * z / (4 * n * n))
    scale = 100 / (1 + z * z / n)
    return (middle - half) * scale, (middle + half) * scale


def percent(x):
    return "%.4g %%" % (100 * x)


def row(cells):
    print("| " + " | ".join(cells) + " |", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pairs", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--runs", type=int, default=0)
    args = parser.parse_args()
    bench = Bench(args.seed, args.pairs)

    print(INTRODUCTION % (args.pairs, args.seed, args.pairs,
                          *wilson(0.01, args.pairs)))
    print("### What changed\n")
    row(["program", "found", "gate fails", "undecided", "interval holds it"])
    row(["---"] + ["---:"] * 4)
    for name, program, runs, factors in changed_shapes():
        if re.search(args.only, name):
            row([name] + [percent(x) for x in bench.count(
                name, program, runs, factors)])
    for runs in (1, 3):
        if args.runs not in (0, runs):
            continue
        print("\n### Equals, %d against %d\n" % (runs, runs))
        row(["program", "alarm", "gate fails", "undecided",
             "interval holds it"])
        row(["---"] + ["---:"] * 4)
        for name, program in equal_shapes():
            if re.search(args.only, name):
                row([name] + [percent(x) for x in bench.count(
                    name, program, runs)])


if __name__ == "__main__":
    main()
