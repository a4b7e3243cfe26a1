#!/bin/sh
# SPDX-License-Identifier: MIT
#
# bench/intervals.sh: how often the 95 % intervals of shares hold the truth, in
# simulated runs of many shapes; the table of bench/INTERVALS.md.
#
# `make check` checks a small part of it.  Run in a build folder; it takes
# some ten seconds.
set -eu

make -s tests/analyses/dispersion >&2
exec tests/analyses/dispersion table
