/* SPDX-License-Identifier: MIT */
/*
 * coldperf/plugin.h: the contract between coldperf and its analyses.
 *
 * Built-in analyses and those loaded with --plugin live by this header alone.
 * An analysis is a const table (struct cp_analysis) of callbacks.  During the
 * run it is handed samples in time order and tallies them by ids; names exist
 * only in finish(), after cp_run_name() was asked for the stacks that count.
 *
 * Ownership: everything reachable from struct cp_run or a report belongs to
 * the host and lives until the run ends.  Nothing here is freed by an
 * analysis.  Pointers passed to sample() are valid until it returns.
 *
 * Units: times are nanoseconds of the capture's own clock, addresses are as
 * recorded, weights are unsigned integers in the unit of the chosen --weight.
 */
#ifndef COLDPERF_PLUGIN_H
#define COLDPERF_PLUGIN_H

#include <coldperf/analysis.h>
#include <coldperf/model.h>
#include <coldperf/names.h>
#include <coldperf/report.h>
#include <coldperf/samples.h>
#include <coldperf/tally.h>

#endif
