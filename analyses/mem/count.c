/* SPDX-License-Identifier: MIT */
#include "analyses/mem/mem.h"

#include <stdlib.h>
#include <string.h>

#include "analyses/common/event.h"

enum { SAMPLE_WEIGHT = 1 << 14, SAMPLE_WEIGHT_STRUCT = 1 << 24 };

/* Flags of an access, as tally keys have them. */
enum {
	IS_LOAD = 1,
	IS_STORE = 2,
	IS_HITM = 4,
	IS_REMOTE = 8,
	IS_TIMED = 16,
	IS_PEER = 32
};

static unsigned
line_shift(const struct cp_run *run)
{
	const char *size = cp_run_fact(run, "cache-line");
	const char *arch = cp_run_fact(run, "arch");
	unsigned long n = size != NULL ? strtoul(size, NULL, 10) : 0;
	unsigned shift = 6;

	if (arch != NULL && strncmp(arch, "ppc64", 5) == 0)
		shift = 7;
	if (arch != NULL && strncmp(arch, "s390", 4) == 0)
		shift = 8;
	for (unsigned i = 4; i < 12; i++)
		if (n == 1ul << i)
			shift = i;
	return shift;
}

void
cp_mem_init(struct cp_mem *m, struct cp_run *run)
{
	m->run = run;
	m->by_source = cp_tally_new(run);
	m->by_code = cp_tally_new(run);
	m->by_data = cp_tally_new(run);
	cp_index_init(&m->lines, run);
	cp_index_init(&m->tids, run);
	cp_index_init(&m->cpus, run);
	cp_index_init(&m->accesses, run);
}

void
cp_mem_sum_add(struct cp_mem_sum *s, uint64_t n, uint64_t latency,
    double latency_sq, unsigned flags)
{
	s->n += n;
	s->latency += latency;
	s->latency_sq += latency_sq;
	s->timed += flags & IS_TIMED ? n : 0;
	s->loads += flags & IS_LOAD ? n : 0;
	s->stores += flags & IS_STORE ? n : 0;
	s->hitm += flags & IS_HITM ? n : 0;
	s->peer += flags & IS_PEER ? n : 0;
	s->remote +=
	    (flags & (IS_HITM | IS_PEER)) && (flags & IS_REMOTE) ? n : 0;
}

static uint32_t
line_of(struct cp_mem *m, const struct cp_sample *s, cp_frame_id data)
{
	uint64_t at = s->phys_addr != 0 ? s->phys_addr : s->addr;
	uint64_t process = s->phys_addr != 0 ? UINT64_C(1) << 32 : s->pid;
	uint32_t n = m->lines.n, i;

	/* Kernel memory is the same in all processes. */
	if (s->phys_addr == 0 && s->addr >> 63 != 0)
		process = UINT64_C(2) << 32;
	i = cp_index_put(&m->lines, at >> m->shift, process);
	cp_grow_to(m->run, m->line, &m->line_cap, i);
	if (i == n)
		m->line[i] = (struct cp_mem_line){ .data = data,
			.addr = s->addr >> m->shift << m->shift };
	return i;
}

static void
count_access(struct cp_mem *m, const struct cp_sample *s, uint32_t line)
{
	uint32_t offset = (uint32_t)(s->addr & ((UINT64_C(1) << m->shift) - 1));
	cp_frame_id code = cp_stack_frame(m->run, s->stack);
	uint32_t i =
	    cp_index_put(&m->accesses, line, (uint64_t)offset << 32 | code);

	cp_grow_to(m->run, m->access, &m->access_cap, i);
	m->access[i].line = line;
	m->access[i].offset = offset;
	m->access[i].code = code;
	m->access[i].n++;
}

static void
count_line(struct cp_mem *m, const struct cp_sample *s, uint64_t latency,
    unsigned flags)
{
	cp_frame_id data =
	    cp_sample_frame(m->run, s, s->addr, CP_LEVEL_UNKNOWN);
	uint32_t i = line_of(m, s, data), n = m->tids.n;
	struct cp_mem_line *l = &m->line[i];

	m->located = true;
	*(s->phys_addr != 0 ? &m->physical : &m->virtual) += 1;
	cp_tally_add(m->by_data, flags, data, latency);
	cp_mem_sum_add(
	    &l->sum, 1, latency, (double)latency * (double)latency, flags);
	if (s->tid != CP_NO_ID)
		l->threads += cp_index_put(&m->tids, i, s->tid) == n;
	n = m->cpus.n;
	if (s->cpu != CP_NO_ID)
		l->cpus += cp_index_put(&m->cpus, i, s->cpu) == n;
	count_access(m, s, i);
}

static unsigned
flags_of(uint64_t source)
{
	unsigned flags = 0;

	if (cp_mem_is_load(source))
		flags |= IS_LOAD;
	if (cp_mem_is_store(source))
		flags |= IS_STORE;
	/*
	 * Counts as perf c2c does: a load that found the line modified in
	 * another CPU's cache.
	 */
	if (cp_mem_is_load(source) && cp_mem_is_hitm(source))
		flags |= IS_HITM;
	else if (cp_mem_is_load(source) && cp_mem_is_peer(source))
		flags |= IS_PEER;
	if (cp_mem_is_remote(source))
		flags |= IS_REMOTE;
	return flags;
}

uint64_t
cp_mem_weight(const struct cp_mem *m, const struct cp_tally_row *row)
{
	return m->timed ? row->weight : row->count;
}

static void
weigh(struct cp_mem_sum *s)
{
	s->latency = s->n;
	s->latency_sq = (double)s->n;
}

void
cp_mem_end(struct cp_mem *m)
{
	if (m->timed)
		return;
	weigh(&m->whole);
	for (uint32_t i = 0; i < m->lines.n; i++)
		weigh(&m->line[i].sum);
}

void
cp_mem_sample(struct cp_mem *m, const struct cp_sample *s)
{
	uint64_t type = cp_run_evsel(m->run, s->evsel)->sample_type;
	bool timed = (type & (SAMPLE_WEIGHT | SAMPLE_WEIGHT_STRUCT)) != 0;
	uint64_t latency = cp_mem_latency(m->run, s);
	unsigned flags = flags_of(s->data_src);

	if (!(type & CP_MEM_SAMPLE_SOURCE) || cp_event_again(&m->reading, s))
		return;
	if (cp_mem_is_nothing(s->data_src)) {
		m->nothing++;
		return;
	}
	if (m->whole.n == 0)
		m->shift = line_shift(m->run);
	m->timed |= timed;
	flags |= latency != 0 ? IS_TIMED : 0;
	m->sourced = true;
	cp_mem_sum_add(
	    &m->whole, 1, latency, (double)latency * (double)latency, flags);
	cp_tally_add(m->by_source, s->data_src, flags, latency);
	cp_tally_add(m->by_code, flags, s->stack, latency);
	if (s->addr != 0)
		count_line(m, s, latency, flags);
}
