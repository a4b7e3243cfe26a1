/* SPDX-License-Identifier: MIT */
#include "base/redact/code.h"

#include "base/limits.h"

/* Ancestors that are asked; more are a loop of numbers that were used again. */
enum { MOST_ANCESTORS = 64 };

static uint32_t
index_of(struct cp_redact_code *c, uint64_t process)
{
	uint32_t *at = cp_map64_put(&c->by_number, process);

	if (*at == 0) {
		*cp_vec_push(&c->processes) = (struct cp_redact_process){ 0 };
		*at = (uint32_t)c->processes.len;
	}
	return *at - 1;
}

static int
by_start(const void *a, const void *b)
{
	const struct cp_redact_range *x = a, *y = b;

	return (x->start > y->start) - (x->start < y->start);
}

/* Sorts the ranges and joins those that touch. */
static void
settle(struct cp_redact_code *c, struct cp_redact_process *p)
{
	struct cp_redact_range *r = p->ranges.data;
	size_t n = 0;

	if (p->sorted == p->ranges.len)
		return;
	qsort(r, p->ranges.len, sizeof(*r), by_start);
	for (size_t i = 1; i < p->ranges.len; i++)
		if (r[i].start <= r[n].end)
			r[n].end = CP_MAX(r[n].end, r[i].end);
		else
			r[++n] = r[i];
	c->n -= p->ranges.len - (n + 1);
	p->ranges.len = p->sorted = n + 1;
}

/*
 * Over the limit a range is not known, and addresses in it are not kept.  The
 * same code is mapped again and again: it takes the room of one range.
 */
void
cp_redact_code_add(
    struct cp_redact_code *c, uint64_t process, uint64_t start, uint64_t end)
{
	uint32_t i = index_of(c, process);
	struct cp_redact_process *p = &c->processes.data[i];

	if (end <= start || c->n >= CP_MAX_CODE_RANGES)
		return;
	*cp_vec_push(&p->ranges) = (struct cp_redact_range){ start, end };
	c->n++;
	if (p->ranges.len >= 2 * p->sorted + 64)
		settle(c, p);
}

void
cp_redact_code_fork(struct cp_redact_code *c, uint64_t child, uint64_t parent)
{
	uint32_t from = index_of(c, parent), to = index_of(c, child);
	uint32_t *known = cp_map64_put(&c->forks, (uint64_t)to << 32 | from);

	if (from != to && *known == 0)
		*cp_vec_push(&c->processes.data[to].parents) = from;
	*known = 1;
}

static bool
is_in(struct cp_redact_code *c, struct cp_redact_process *p, uint64_t ip)
{
	size_t low = 0, high;

	settle(c, p);
	for (high = p->ranges.len; low < high;) {
		size_t mid = (low + high) / 2;

		if (p->ranges.data[mid].end <= ip)
			low = mid + 1;
		else
			high = mid;
	}
	return low < p->ranges.len && p->ranges.data[low].start <= ip;
}

static bool
family_has(struct cp_redact_code *c, uint32_t process, uint64_t ip)
{
	uint32_t all[MOST_ANCESTORS] = { process };
	size_t n = 1;

	for (size_t i = 0; i < n; i++) {
		struct cp_redact_process *p = &c->processes.data[all[i]];

		if (is_in(c, p, ip))
			return true;
		for (size_t k = 0; k < p->parents.len; k++) {
			size_t seen = 0;

			while (seen < n && all[seen] != p->parents.data[k])
				seen++;
			if (seen == n && n < MOST_ANCESTORS)
				all[n++] = p->parents.data[k];
		}
	}
	return false;
}

bool
cp_redact_code_has(struct cp_redact_code *c, uint64_t process, uint64_t ip)
{
	uint32_t p = cp_map64_get(&c->by_number, process);
	struct cp_redact_asked *a =
	    &c->asked[cp_mix(ip, p) % CP_ARRAY_LEN(c->asked)];

	if (p == 0)
		return false;
	if (!a->known || a->ip != ip || a->process != p)
		*a = (struct cp_redact_asked){ ip, p, true,
			family_has(c, p - 1, ip) };
	return a->code;
}

void
cp_redact_code_free(struct cp_redact_code *c)
{
	if (c == NULL)
		return;
	for (size_t i = 0; i < c->processes.len; i++) {
		cp_vec_free(&c->processes.data[i].ranges);
		cp_vec_free(&c->processes.data[i].parents);
	}
	cp_vec_free(&c->processes);
	cp_map64_free(&c->by_number);
	cp_map64_free(&c->forks);
	free(c);
}
