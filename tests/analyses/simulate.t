#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# A small, seeded part of the simulation whose table is bench/statistics.md:
# diff finds what changed, and finds nothing in equals.
import os
import sys
sys.path.insert(0, os.environ["top_srcdir"] + "/tests")
sys.path.insert(0, os.environ["top_srcdir"] + "/tests/analyses")
import tap
import simulate

PAIRS = 6 if tap.nightly else 3
bench = simulate.Bench(1, PAIRS)
for name, program, runs, factors in simulate.changed_shapes():
    found, fails, undecided, _ = bench.count(name, program, runs, factors)
    tap.ok(fails >= 1 - 2 / PAIRS, "%s: the gate fails" % name,
           (found, fails, undecided))
ONE = ("50 functions, one by one", "one of 80 %, one by one",
       "phases of 20 samples", "phases of 100, 50 functions",
       "Poisson bursts of 20", "garbage collector, bursts of 100",
       "16 CPUs in step", "periods that vary",
       "runs differ by 2 %, each function",
       "runs differ by 10 %, each function", "the same, 10 functions")
for name, program in simulate.equal_shapes():
    if name not in ONE:
        continue
    alarms, fails, undecided, _ = bench.count(name, program)
    tap.ok(alarms <= 1 / PAIRS and fails <= 1 / PAIRS,
           "equals, %s: no alarm" % name, (alarms, fails, undecided))
alarms, fails, _, _ = bench.count("three", simulate.Program(
    simulate.zipf(50), "phase", 20, noise=0.05), 3)
tap.ok(alarms <= 1 / PAIRS and fails <= 1 / PAIRS,
       "equals, three against three: no alarm", (alarms, fails))

# Three runs against three that agree by chance in functions which move together:
# pairs of these numbers were alarms when slices did not count.
shapes, bench = dict(simulate.equal_shapes()), simulate.Bench(31, PAIRS)
name = "two states, times of heavy tails"
alarms = 0
for i in (54, 85, 93, 318)[:PAIRS]:
    _, rows = bench.compare(name, i, shapes[name], 3, {}, "run")
    alarms += any(r["found"] in ("more", "less") for r in rows)
tap.ok(alarms == 0, "%s, three against three: no alarm" % name, alarms)

# Functions that go up and down slowly, and runs that by chance began alike:
# slices as long as a quarter of a run show it.
name, bench = "waves, 1.5 in a run", simulate.Bench(12, PAIRS)
alarms = 0
for i in (13, 95, 157)[:PAIRS]:
    _, rows = bench.compare(name, i, shapes[name], 3, {}, "run")
    alarms += any(r["found"] in ("more", "less") for r in rows)
tap.ok(alarms == 0, "%s, three against three: no alarm" % name, alarms)

# How much large functions vary follows from the bursts that all show between
# runs, so that a change of 5 % of the largest can be excluded in half of the
# pairs; three pairs of these numbers.
name, undecided = "phases of 5 samples", 0
for i in (2, 3, 4)[:PAIRS]:
    status, _ = bench.compare(name, i, shapes[name], 3, {}, "run")
    undecided += status != 0
tap.ok(undecided == 0, "%s, three against three: passed" % name, undecided)


class Blocks(simulate.Program):
    def do_blocks(self, rng, cost, mean, ns):
        """One function after the other, the same in each run."""
        out, at = [], 0
        for f, c in enumerate(cost):
            length = ns * c / sum(cost)
            out += [(int(at + rng.random() * length), f, simulate.PERIOD)
                    for _ in range(simulate.poisson(rng, mean * c /
                                                    sum(cost)))]
            at += length
        return sorted(out)


# Slices show bursts that runs do not have.
found, _, _, _ = bench.count("blocks", Blocks([0.1] * 10, "blocks"), 3,
                             {0: 1.2})
tap.ok(found >= 1 - 1 / PAIRS, "10 % +20 % in a phase of its own, three "
       "against three: found", found)
# Runs of 60 bursts each after one of 50: that they agree is chance, as bursts
# of 20 samples are few.
bench, paths = simulate.Bench(1, 1), []
for run, n in enumerate((50, 60, 60, 60)):
    rng = simulate.random.Random("bursts %d" % run)
    bursts = [(rng.randrange(10 ** 10 - 2 * 10 ** 7), rng.randrange(10))
              for _ in range(n)]
    paths.append(os.path.join(bench.tmp.name, "bursts-%d" % run))
    simulate.capture(paths[-1], sorted(
        (at + k * 10 ** 6, f, simulate.PERIOD)
        for at, f in bursts for k in range(20)), 10, 10 ** 10)
_, rows = bench.diff(paths[:1], paths[1:], "run")
tap.ok(rows[0]["found"] == "", "runs that agree by chance have bursts, too",
       rows[0])
tap.done()
