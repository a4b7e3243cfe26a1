/* SPDX-License-Identifier: MIT */
#include "analyses/common/data-source.h"

#include <stdio.h>
#include <string.h>

#define N_OF(a) (sizeof(a) / sizeof((a)[0]))

enum { OP_NA = 1, OP_LOAD = 2, OP_STORE = 4 };
enum { LEVEL_HIT = 2, LEVEL_MISS = 4, LEVEL_REMOTE = 0xf << 8 };
enum { SNOOP_HITM = 16 };
enum { TLB_HIT = 2, TLB_MISS = 4 };
enum { NUMBER_NA = 15 };

#define BITS(v, at, n) ((unsigned)((v) >> (at)) & ((1u << (n)) - 1))
#define OP(v) BITS(v, 0, 5)
#define LEVEL(v) BITS(v, 5, 14)
#define SNOOP(v) BITS(v, 19, 5)
#define LOCK(v) BITS(v, 24, 2)
#define TLB(v) BITS(v, 26, 7)
#define NUMBER(v) BITS(v, 33, 4)
#define REMOTE(v) BITS(v, 37, 1)
#define SNOOPX(v) BITS(v, 38, 2)
#define HOPS(v) BITS(v, 43, 3)

struct bit_word {
	unsigned bit;
	const char *word;
};

/* Adds a word, with " or " before it if it is not the first. */
static void
add(struct cp_memword *w, const char *word)
{
	size_t n = strlen(w->text);

	snprintf(w->text + n, sizeof(w->text) - n, "%s%s", n != 0 ? " or " : "",
	    word);
}

static void
append(struct cp_memword *w, const char *text)
{
	size_t n = strlen(w->text);

	snprintf(w->text + n, sizeof(w->text) - n, "%s", text);
}

static void
add_bits(struct cp_memword *w, unsigned value, const struct bit_word *words,
    size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (value & words[i].bit)
			add(w, words[i].word);
}

/* The level number is newer than the bits, and more exact. */
static void
level_number(struct cp_memword *w, uint64_t source)
{
	static const char *const numbers[] = { "", "L1", "L2", "L3", "L4",
		"L2 MHB", "memory-side cache", "L0", "uncached", "CXL", "I/O",
		"any cache", "LFB/MAB", "RAM", "PMEM" };
	static const char *const hops[] = { "", "core, same node ",
		"node, same socket ", "socket, same board ", "board " };
	unsigned hop = HOPS(source);

	if (REMOTE(source))
		append(w, "remote ");
	if (hop < N_OF(hops))
		append(w, hops[hop]);
	append(w, numbers[NUMBER(source)]);
}

const char *
cp_mem_level(struct cp_memword *w, uint64_t source)
{
	static const struct bit_word levels[] = { { 8, "L1" },
		{ 0x10, "LFB/MAB" }, { 0x20, "L2" }, { 0x40, "L3" },
		{ 0x80, "local RAM" }, { 0x100, "remote RAM (1 hop)" },
		{ 0x200, "remote RAM (2 hops)" },
		{ 0x400, "remote cache (1 hop)" },
		{ 0x800, "remote cache (2 hops)" }, { 0x1000, "I/O" },
		{ 0x2000, "uncached" } };
	unsigned level = LEVEL(source), number = NUMBER(source);

	w->text[0] = '\0';
	if (number != 0 && number != NUMBER_NA)
		level_number(w, source);
	else
		add_bits(w, level, levels, N_OF(levels));
	if (w->text[0] == '\0')
		return "N/A";
	if (level & LEVEL_HIT)
		append(w, " hit");
	if (level & LEVEL_MISS)
		append(w, " miss");
	return w->text;
}

const char *
cp_mem_snoop(struct cp_memword *w, uint64_t source)
{
	static const struct bit_word snoops[] = { { 2, "none" }, { 4, "hit" },
		{ 8, "miss" }, { SNOOP_HITM, "HITM" } };
	static const struct bit_word more[] = { { 1, "forward" },
		{ 2, "peer" } };

	w->text[0] = '\0';
	add_bits(w, SNOOP(source), snoops, N_OF(snoops));
	add_bits(w, SNOOPX(source), more, N_OF(more));
	return w->text[0] != '\0' ? w->text : "N/A";
}

const char *
cp_mem_tlb(struct cp_memword *w, uint64_t source)
{
	static const struct bit_word tlbs[] = { { 8, "L1" }, { 0x10, "L2" },
		{ 0x20, "walker" }, { 0x40, "fault" } };
	unsigned tlb = TLB(source);

	w->text[0] = '\0';
	add_bits(w, tlb, tlbs, N_OF(tlbs));
	if (w->text[0] == '\0')
		return "N/A";
	if (tlb & TLB_HIT)
		append(w, " hit");
	if (tlb & TLB_MISS)
		append(w, " miss");
	return w->text;
}

/* If samples have three weights, the first one is the latency. */
uint64_t
cp_mem_latency(const struct cp_run *run, const struct cp_sample *s)
{
	enum { SAMPLE_WEIGHT_STRUCT = 1 << 24 };

	return cp_run_evsel(run, s->evsel)->sample_type & SAMPLE_WEIGHT_STRUCT
		   ? s->latency & UINT32_MAX
		   : s->latency;
}

bool
cp_mem_is_nothing(uint64_t source)
{
	struct cp_memword w;

	return (OP(source) & ~OP_NA) == 0 &&
	       strcmp(cp_mem_level(&w, source), "N/A") == 0;
}

bool
cp_mem_is_load(uint64_t source)
{
	return (OP(source) & OP_LOAD) != 0;
}

bool
cp_mem_is_store(uint64_t source)
{
	return (OP(source) & OP_STORE) != 0;
}

bool
cp_mem_is_locked(uint64_t source)
{
	return (LOCK(source) & 2) != 0;
}

bool
cp_mem_is_hitm(uint64_t source)
{
	return (SNOOP(source) & SNOOP_HITM) != 0;
}

bool
cp_mem_is_peer(uint64_t source)
{
	return (SNOOPX(source) & 2) != 0;
}

bool
cp_mem_is_remote(uint64_t source)
{
	/* One hop is another core of the same node, which is not remote. */
	return (REMOTE(source) && HOPS(source) != 1) ||
	       (LEVEL(source) & LEVEL_REMOTE) != 0;
}
