/* SPDX-License-Identifier: MIT */
#include "model/exact-leaf.h"

#include "model/callchain.h"

/* Addresses of a chain behind a run of markers. */
struct part {
	size_t markers, from, end;
	enum cp_level level;
};

/* The part that begins at word i; false: the words tell no such thing. */
static bool
part_at(const uint64_t *ips, size_t nr, size_t i, struct part *p)
{
	*p = (struct part){ .markers = i, .level = CP_LEVEL_USER };
	while (i < nr && ips[i] >= CP_CONTEXT_MAX)
		if (!cp_marker_level(ips[i++], &p->level))
			return false;
	p->from = i;
	while (i < nr && ips[i] < CP_CONTEXT_MAX)
		i++;
	p->end = i;
	return p->from < i;
}

static size_t
append(uint64_t *out, size_t n, const uint64_t *words, size_t count)
{
	memcpy(out + n, words, count * sizeof(*out));
	return n + count;
}

/* In the place of the part's innermost address. */
static size_t
replace(uint64_t *out, const uint64_t *ips, size_t nr, const struct part *p,
    uint64_t ip)
{
	size_t n = append(out, 0, ips + p->markers, p->from - p->markers);

	if (n == 0)
		out[n++] = CP_CONTEXT_USER; /* what perf assumes */
	out[n++] = ip;
	return append(out, n, ips + p->from + 1, nr - p->from - 1);
}

/*
 * The exact address takes the place of the first one of its level.  Where an
 * instruction of the user's was interrupted in the kernel, the kernel's part
 * goes, which did not call it.  A kernel that was left since was called by all
 * of the chain.
 */
size_t
cp_exact_chain(
    uint64_t *out, const uint64_t *ips, size_t nr, uint64_t ip, uint16_t misc)
{
	enum cp_level level = misc & CP_MISC_CPUMODE;
	bool kernel = level == CP_LEVEL_KERNEL;
	struct part p;

	if ((!kernel && level != CP_LEVEL_USER) || !part_at(ips, nr, 0, &p))
		return 0;
	out[0] = kernel ? CP_CONTEXT_KERNEL : CP_CONTEXT_USER;
	out[1] = ip;
	if (kernel && p.level == CP_LEVEL_USER)
		return append(out, 2, ips, nr);
	if (!kernel && p.level == CP_LEVEL_KERNEL && p.end == nr)
		return 2;
	if (!kernel && p.level == CP_LEVEL_KERNEL &&
	    !part_at(ips, nr, p.end, &p))
		return 0;
	return p.level == level ? replace(out, ips, nr, &p, ip) : 0;
}
