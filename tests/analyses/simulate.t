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

PAIRS = 2 if tap.sanitized else 6
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
tap.done()
