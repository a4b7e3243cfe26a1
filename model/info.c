/* SPDX-License-Identifier: MIT */
/*
 * model/info.c: stores the capture's description of itself.
 *
 * Uses only base/.  readers/header/features.c decodes the features.
 */
#include "model/info.h"

#include <stdarg.h>

#include "base/limits.h"

void
cp_info_init(struct cp_info *in)
{
	*in = (struct cp_info){
		.first_time = CP_NO_TIME,
		.last_time = CP_NO_TIME,
	};
}

void
cp_info_free(struct cp_info *in)
{
	for (size_t i = 0; i < in->sp_files.len; i++)
		cp_vec_free(&in->sp_files.data[i].symbols);
	cp_vec_free(&in->events);
	cp_vec_free(&in->build_ids);
	cp_vec_free(&in->code);
	cp_map64_free(&in->code_of);
	cp_vec_free(&in->groups);
	cp_vec_free(&in->cpus);
	cp_vec_free(&in->aux);
	cp_vec_free(&in->bpf_progs);
	cp_vec_free(&in->meta);
	cp_vec_free(&in->sp_events);
	cp_vec_free(&in->sp_files);
	cp_map64_free(&in->sp_by_id);
	cp_vec_free(&in->facts);
	cp_vec_free(&in->fact_bits);
	cp_arena_free(&in->arena);
	cp_info_init(in);
}

const char *
cp_info_text(struct cp_info *in, const char *s, size_t n)
{
	n = strnlen(s, n);
	return n != 0 ? cp_arena_strndup(&in->arena, s, n) : "";
}

void
cp_info_fact(struct cp_info *in, uint32_t bit, const char *group,
    const char *key, const char *fmt, ...)
{
	va_list ap;
	int n;
	char *value;

	if (in->facts.len >= CP_MAX_FACTS)
		return;
	va_start(ap, fmt);
	n = fmt != NULL ? vsnprintf(NULL, 0, fmt, ap) : -1;
	va_end(ap);
	if (n < 0)
		return;
	value = cp_arena_alloc(&in->arena, (size_t)n + 1);
	va_start(ap, fmt);
	vsnprintf(value, (size_t)n + 1, fmt, ap);
	va_end(ap);
	*cp_vec_push(&in->facts) =
	    (struct cp_fact){ .group = group, .key = key, .value = value };
	*cp_vec_push(&in->fact_bits) = bit;
}

/* Moves the last n elements, which begin at first, to index to. */
static void
rotate(void *base, size_t size, size_t to, size_t first, size_t n)
{
	uint8_t *b = base;
	void *aside = cp_xmalloc(n * size);

	memcpy(aside, b + first * size, n * size);
	memmove(b + (to + n) * size, b + to * size, (first - to) * size);
	memcpy(b + to * size, aside, n * size);
	free(aside);
}

void
cp_info_place_facts(struct cp_info *in, size_t first)
{
	size_t to = first, n = in->facts.len - first;

	if (n == 0)
		return;
	while (to > 0 && in->fact_bits.data[to - 1] > in->fact_bits.data[first])
		to--;
	if (to == first)
		return;
	rotate(in->facts.data, sizeof(*in->facts.data), to, first, n);
	rotate(in->fact_bits.data, sizeof(*in->fact_bits.data), to, first, n);
}

bool
cp_info_wall_clock(const struct cp_info *in, uint64_t t, uint64_t *ns)
{
	const struct cp_clock *c = &in->clock;

	if (!c->has_data || t == CP_NO_TIME)
		return false;
	if (t >= c->clockid_ns)
		return !__builtin_add_overflow(
		    c->tod_ns, t - c->clockid_ns, ns);
	return !__builtin_sub_overflow(c->tod_ns, c->clockid_ns - t, ns);
}

const char *
cp_info_meta(const struct cp_info *in, const char *key)
{
	for (size_t i = 0; i < in->meta.len; i++)
		if (strcmp(in->meta.data[i].key, key) == 0)
			return in->meta.data[i].value;
	return NULL;
}
