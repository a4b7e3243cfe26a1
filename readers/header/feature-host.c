/* SPDX-License-Identifier: MIT */
/*
 * readers/header/feature-host.c: features about the machine.
 *
 * CPU, NUMA, memory and cache topology, PMU capabilities, scheduling
 * domains.  Only the CPUs' places are typed; the rest becomes facts.
 */
#include <inttypes.h>

#include "base/limits.h"
#include "readers/header/feature-read.h"

static void
list_facts(struct cp_fx *x, const char *key)
{
	struct cp_strlist l = cp_fx_list(x, CP_MAX_STRINGS);

	for (uint32_t i = 0; i < l.n; i++)
		cp_fx_fact(x, key, "cpus %s", l.item[i]);
}

static void
read_cores(struct cp_fx *x, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		struct cp_cpu_topology c = { .die = CP_NO_ID };

		c.core = cp_bytes_u32(&x->b);
		c.socket = cp_bytes_u32(&x->b);
		*cp_vec_push(&x->info->cpus) = c;
	}
}

/* Newer perfs added parts after the lists; each may be missing. */
void
cp_fx_cpu_topology(struct cp_fx *x)
{
	uint32_t n = x->info->nr_cpus_avail;

	list_facts(x, "package");
	if (cp_fx_ok(x))
		list_facts(x, "core");
	if (!cp_fx_ok(x) || n == 0 || cp_bytes_left(&x->b) == 0)
		return;
	read_cores(x, cp_fx_fit(x, n, 8, CP_MAX_CPUS));
	if (!cp_fx_ok(x) || cp_bytes_left(&x->b) == 0)
		return;
	list_facts(x, "die");
	n = cp_fx_fit(x, n, 4, CP_MAX_CPUS);
	for (uint32_t i = 0; i < n && cp_fx_ok(x); i++)
		x->info->cpus.data[i].die = cp_bytes_u32(&x->b);
}

void
cp_fx_numa(struct cp_fx *x)
{
	uint32_t n = cp_fx_count(x, 24, CP_MAX_ITEMS);

	for (uint32_t i = 0; i < n; i++) {
		uint32_t node = cp_bytes_u32(&x->b);
		uint64_t total = cp_bytes_u64(&x->b);
		uint64_t unused = cp_bytes_u64(&x->b);
		const char *cpus = cp_fx_text(x);

		if (x->b.failed)
			return;
		cp_fx_fact(x, "numa-node",
		    "%" PRIu32 ": cpus %s, %" PRIu64 " kB, %" PRIu64 " kB free",
		    node, cpus, total, unused);
	}
}

static void
cache_fact(struct cp_fx *x)
{
	uint32_t level = cp_bytes_u32(&x->b);
	uint32_t line = cp_bytes_u32(&x->b);
	uint32_t sets = cp_bytes_u32(&x->b);
	uint32_t ways = cp_bytes_u32(&x->b);
	const char *type = cp_fx_text(x);
	const char *size = cp_fx_text(x);
	const char *cpus = cp_fx_text(x);

	if (x->b.failed)
		return;
	cp_fx_fact(x, "cache",
	    "L%" PRIu32 " %s: cpus %s, %s, %" PRIu32 " ways, %" PRIu32
	    " sets, line %" PRIu32,
	    level, type, cpus, size, ways, sets, line);
}

void
cp_fx_cache(struct cp_fx *x)
{
	uint32_t n;

	if (cp_bytes_u32(&x->b) != 1) {
		cp_fx_bad(x, "version is not 1");
		return;
	}
	n = cp_fx_count(x, 28, CP_MAX_ITEMS);
	for (uint32_t i = 0; i < n && !x->b.failed; i++)
		cache_fact(x);
}

static void
mem_node(struct cp_fx *x, uint64_t block)
{
	uint64_t node = cp_bytes_u64(&x->b);
	uint64_t present = 0, words, bits;

	cp_bytes_u64(&x->b);
	bits = cp_bytes_u64(&x->b);
	words = bits / 64 + (bits % 64 != 0);
	if (words > cp_bytes_left(&x->b) / 8) {
		cp_fx_bad(x, "a bitmap is larger than the payload");
		return;
	}
	for (; words > 0; words--)
		present += (uint64_t)__builtin_popcountll(cp_bytes_u64(&x->b));
	if (x->b.failed)
		return;
	cp_fx_fact(x, "memory-node",
	    "%" PRIu64 ": %" PRIu64 " blocks of "
	    "0x%" PRIx64 " bytes",
	    node, present, block);
}

void
cp_fx_mem_topology(struct cp_fx *x)
{
	uint64_t version = cp_bytes_u64(&x->b);
	uint64_t block = cp_bytes_u64(&x->b);
	uint32_t n = cp_fx_fit(x, cp_bytes_u64(&x->b), 24, CP_MAX_ITEMS);

	if (!x->b.failed && version != 1) {
		cp_fx_bad(x, "version is not 1");
		return;
	}
	for (uint32_t i = 0; i < n && !x->b.failed; i++)
		mem_node(x, block);
}

void
cp_fx_hybrid(struct cp_fx *x)
{
	uint32_t n = cp_fx_count(x, 8, CP_MAX_ITEMS);

	for (uint32_t i = 0; i < n; i++) {
		const char *pmu = cp_fx_text(x);
		const char *cpus = cp_fx_text(x);

		if (x->b.failed)
			return;
		cp_fx_fact(x, "hybrid-pmu", "%s: cpus %s", pmu, cpus);
	}
}

/* The list alternates names and values. */
static struct cp_strlist
read_caps(struct cp_fx *x)
{
	uint32_t n = cp_fx_count(x, 8, CP_MAX_ITEMS);
	struct cp_strlist l = { 0 };

	l.item =
	    cp_arena_alloc(&x->info->arena, 2 * (size_t)n * sizeof(*l.item));
	for (uint32_t i = 0; i < n; i++) {
		l.item[2 * i] = cp_fx_text(x);
		l.item[2 * i + 1] = cp_fx_text(x);
		if (x->b.failed)
			break;
		l.n += 2;
	}
	return l;
}

/* The name is repeated in many facts, so a long one is cut. */
static void
caps_facts(struct cp_fx *x, const char *pmu, const struct cp_strlist *l)
{
	for (uint32_t i = 0; i < l->n; i += 2)
		cp_fx_fact(x, "pmu-capability", "%.64s: %s = %s", pmu,
		    l->item[i], l->item[i + 1]);
	for (uint32_t i = 0; i < l->n && x->info->lbr_size == 0; i += 2) {
		unsigned long n = strtoul(l->item[i + 1], NULL, 10);

		if (strcmp(l->item[i], "branches") == 0 && n <= CP_MAX_LBR)
			x->info->lbr_size = (uint32_t)n;
	}
}

void
cp_fx_cpu_pmu_caps(struct cp_fx *x)
{
	struct cp_strlist l = read_caps(x);

	caps_facts(x, "cpu", &l);
}

void
cp_fx_pmu_caps(struct cp_fx *x)
{
	uint32_t n = cp_fx_count(x, 8, CP_MAX_ITEMS);

	for (uint32_t i = 0; i < n && !x->b.failed; i++) {
		struct cp_strlist l = read_caps(x);
		const char *pmu = cp_fx_text(x);

		/*
		 * The name follows the list; if it is missing, the PMU is
		 * unknown.
		 */
		caps_facts(x, x->b.failed ? "unknown" : pmu, &l);
	}
}

static void
domain_fact(struct cp_fx *x, uint32_t version, uint32_t cpu)
{
	uint32_t domain = cp_bytes_u32(&x->b);
	const char *name = version >= 17 ? cp_fx_text(x) : "";
	const char *mask = cp_fx_text(x);
	const char *cpus = cp_fx_text(x);

	(void)mask; /* the mask repeats the list */
	if (x->b.failed)
		return;
	cp_fx_fact(x, "sched-domain",
	    "cpu %" PRIu32 ", domain %" PRIu32 "%s%s: cpus %s", cpu, domain,
	    *name != '\0' ? " " : "", name, cpus);
}

/* One block per online CPU, to the end of the payload. */
void
cp_fx_cpu_domains(struct cp_fx *x)
{
	uint32_t version = cp_bytes_u32(&x->b);

	cp_bytes_u32(&x->b); /* largest number of domains */
	while (cp_fx_ok(x) && cp_bytes_left(&x->b) >= 8) {
		uint32_t cpu = cp_bytes_u32(&x->b);
		uint32_t n = cp_fx_count(x, 12, CP_MAX_ITEMS);

		for (uint32_t i = 0; i < n && cp_fx_ok(x); i++)
			domain_fact(x, version, cpu);
	}
}
