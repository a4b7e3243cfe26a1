/* SPDX-License-Identifier: MIT */
/*
 * base/tuning.h: every constant that was chosen for speed.
 *
 * None of them changes a result.  A figure is the additional CPU time of a run
 * without the measure: lower quartiles of 21 runs in turns, of captures of 128
 * MB.  One such run is
 *
 *	bench/measure coldperf COMMAND CAPTURE
 *
 * with `flame -f folded --inline=no` of DWARF stacks (D) and of frame pointers
 * (F), `hotspots` (H) or `report` (R) of DWARF stacks.  "Not measured apart":
 * some size is needed, and another one may be as good.
 */
#ifndef CP_BASE_TUNING_H
#define CP_BASE_TUNING_H

/*
 * Bytes of the heap in large pages, and of an array that has large pages of its
 * own.  48 MiB of heap alone: D 23, F 19, H 16, R 23 percent; the rest, with a
 * million distinct stacks: F 17, H 22, R 11 percent.  They are address space,
 * not memory; where there is less of it, all pages are small.
 */
#define CP_HEAP_BYTES ((size_t)512 << 20)
#define CP_LARGE_ARRAY_BYTES (8 << 20)
/*
 * Bytes of an array that gets a mapping of its own when captures are added up:
 * 200 captures take 199 MB instead of 224 MB.
 */
#define CP_OWN_PLACE_BYTES (1 << 20)
/*
 * Adds to a tally that wait to be applied together, those whose memory is
 * prefetched, and the slots of a tally that stays in a cache; 340,000 distinct
 * chains: 8 to 13 percent.  Applied one at a time, eight adds later, between
 * other work: 2 percent of the page of a report of a million samples.
 */
#define CP_TALLY_WAITING 256
#define CP_TALLY_AHEAD 8
#define CP_TALLY_FITS (1 << 15)
/*
 * Chains that wait for memory: `quality` 17, F 10 percent; 5 percent of
 * 248,000 distinct stacks of a kernel.
 */
#define CP_CHAIN_RING 8
/*
 * Words of a chain that are callers of their own: resolved once for all chains
 * that have them.  250,000 chains of 100 frames, 80 of them on 5,000 paths: 35
 * percent.
 */
#define CP_CALLERS_PART 16
/*
 * Bytes between the current record and the memory that is prefetched; part of
 * the lane for plain samples: F 23 percent, not measured apart.
 */
#define CP_LANE_AHEAD 1024
/*
 * Bytes that the kernel is asked to read ahead of a window, while reads take
 * this many ns; from memory they take a tenth.  Not measured apart.
 */
#define CP_WINDOW_AHEAD (4 << 20)
#define CP_WINDOW_SLOW_NS 500000
/*
 * Threads in the direct-mapped table by the low bits of their tid.  Not
 * measured apart.
 */
#define CP_RECENT_THREADS 1024
/*
 * Every Nth line of a kernel symbol text is indexed.  Parsing only the lines
 * that are asked for: D 20, F 9, H 26, R 23 percent.
 */
#define CP_KALLSYMS_STRIDE 16
/*
 * Nanoseconds that one thread loads symbol tables before others help, and the
 * symbols of a table that is worth waiting for them; starting a thread takes a
 * millisecond of CPU time.
 */
#define CP_NAMES_ALONE (10 * 1000 * 1000)
#define CP_NAMES_MANY (256u << 10)
/*
 * Rules by address: log2 of the slots in an address space's cache, and the
 * first number of slots in an object's cache.  Not measured apart.
 */
#define CP_NEAR_BITS 15
#define CP_RULES_FIRST (1 << 13)
/*
 * Recently used functions whose rules are cached: the least and most slots, and
 * the bytes of code per slot.  Computing all rules of a function at once: D 14,
 * R 9 percent.
 */
#define CP_FUNCTIONS_LEAST 256
#define CP_FUNCTIONS_MOST 32768
#define CP_FUNCTIONS_BLOCK 256
/*
 * Up to this many children of a node are sorted by insertion; qsort() has a
 * high fixed cost.  Not measured apart.
 */
#define CP_FEW_CHILDREN 8

/*
 * Bytes of a spill that stay in memory, and of each write after that.  Not
 * measured apart.
 */
#define CP_SPILL_BYTES ((size_t)1 << 20)

#endif
