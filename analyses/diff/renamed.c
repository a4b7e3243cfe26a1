/* SPDX-License-Identifier: MIT */
/*
 * renamed: functions of one name in two objects, each of one side.
 *
 * A function may move to another object, and a program may have another name
 * after a release; main of two programs is none of both.  So objects that are
 * on one side only are taken for one if their names differ by a version, or if
 * most functions of the one that has fewer are in the other, too.
 */
#include <ctype.h>
#include <string.h>

#include "analyses/diff/diff.h"

enum { ON_BEFORE = 1, ON_AFTER = 2, BOTH = 3 };

struct objects {
	struct cp_diff_profiles *p;
	uint8_t *side;         /* by text of an object */
	uint32_t *named;       /* functions that tell programs apart */
	struct cp_index pairs; /* (before, after) */
	uint32_t *shared, cap; /* functions of one name, by pair */
};

/* Functions that all programs have. */
static bool
is_common(const char *name)
{
	static const char *const names[] = { "main", "_start", "_init", "_fini",
		"__libc_start_main", "__libc_csu_init", "runtime.main",
		"main.main" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return name[0] == '[';
}

/* Do the names differ in digits after a separator only, app-1.2 and app-1.3? */
static bool
is_version(const char *a, const char *b)
{
	size_t n = 0, digits = 0;

	while (a[n] != '\0' && a[n] == b[n])
		n++;
	while (n > 0 && strchr("-._", a[n - 1]) == NULL)
		n--;
	if (n == 0)
		return false;
	for (const char *s = a + n; *s != '\0'; s++)
		if (isdigit((unsigned char)*s))
			digits++;
		else if (strchr("abcdefv-._", *s) == NULL)
			return false;
	for (const char *s = b + n; *s != '\0'; s++)
		if (!isdigit((unsigned char)*s) &&
		    strchr("abcdefv-._", *s) == NULL)
			return false;
	return digits != 0;
}

static void
count_names(struct objects *o, const uint8_t *side)
{
	const struct cp_diff_profiles *p = o->p;

	for (uint32_t s = 0; s < p->keys.n; s++) {
		uint32_t object = (uint32_t)p->keys.all[s].b;

		o->side[object] |= side[s];
		if (side[s] != 0 && p->symbol[s].kind != CP_KIND_UNKNOWN &&
		    !is_common(p->symbol[s].name))
			o->named[object]++;
	}
}

/* Counts the pair; x is the symbol before. */
static void
count_pair(struct objects *o, uint32_t x, uint32_t y)
{
	const struct cp_diff_profiles *p = o->p;
	uint32_t i =
	    cp_index_put(&o->pairs, p->keys.all[x].b, p->keys.all[y].b);

	cp_grow_to(p->run, o->shared, &o->cap, i);
	o->shared[i] += !is_common(p->symbol[x].name);
}

static bool
is_one(const struct objects *o, uint32_t pair)
{
	uint32_t x = (uint32_t)o->pairs.all[pair].a;
	uint32_t y = (uint32_t)o->pairs.all[pair].b;
	const char *const *text = (const char *const *)o->p->text;
	uint32_t fewer = o->named[x] < o->named[y] ? o->named[x] : o->named[y];

	/* A function moved, or nobody knows its object. */
	if (o->side[x] == BOTH || o->side[y] == BOTH || text[x][0] == '[' ||
	    text[y][0] == '[' || text[x][0] == '\0' || text[y][0] == '\0')
		return true;
	return is_version(text[x], text[y]) || 2 * o->shared[pair] > fewer;
}

/* An object that is like none of the other side. */
static void
find_strangers(struct objects *o)
{
	uint8_t *stranger = cp_run_alloc(o->p->run, o->p->texts.n + 1);

	for (unsigned one = 0; one < 2; one++)
		for (uint32_t i = 0; i < o->pairs.n; i++)
			if (is_one(o, i) == (one != 0))
				stranger[o->pairs.all[i].a] =
				    stranger[o->pairs.all[i].b] = one == 0;
	o->p->stranger = stranger;
	o->p->n_stranger = o->p->texts.n;
}

/* Says what is taken for one program, and what is not. */
static void
remark(struct cp_diff *d, const struct objects *o)
{
	const char *const *text = (const char *const *)o->p->text;

	for (uint32_t i = 0; i < o->pairs.n; i++) {
		uint32_t x = (uint32_t)o->pairs.all[i].a;
		uint32_t y = (uint32_t)o->pairs.all[i].b;

		if (o->side[x] == BOTH || o->side[y] == BOTH ||
		    text[x][0] == '[' || text[y][0] == '[')
			continue;
		if (is_one(o, i) && o->shared[i] != 0)
			cp_diff_remark(d,
			    "%.100s and %.100s are taken for one object: %u of "
			    "their functions have one name.",
			    text[x], text[y], o->shared[i]);
		else if (!is_one(o, i))
			cp_diff_remark(d,
			    "%.100s and %.100s are taken for two objects: of "
			    "their functions, %u and %u, %u %s one name.",
			    text[x], text[y], o->named[x], o->named[y],
			    o->shared[i], o->shared[i] == 1 ? "has" : "have");
	}
}

/* other: by symbol, the one of the same name in another object, or CP_NO_ID. */
static void
pair_objects(struct cp_diff *d, const uint8_t *side, const uint32_t *other)
{
	struct cp_diff_profiles *p = &d->profiles;
	struct objects o = { .p = p };

	o.side = cp_run_alloc(p->run, p->texts.n + 1);
	o.named = cp_run_alloc(p->run, (p->texts.n + 1) * sizeof(*o.named));
	cp_index_init(&o.pairs, p->run);
	count_names(&o, side);
	for (uint32_t s = 0; s < p->keys.n; s++)
		if (side[s] == ON_BEFORE && other[s] != CP_NO_ID)
			count_pair(&o, s, other[s]);
	for (uint32_t s = 0; s < p->keys.n; s++) {
		uint32_t pair;

		if (side[s] != ON_BEFORE || other[s] == CP_NO_ID)
			continue;
		pair = cp_index_get(
		    &o.pairs, p->keys.all[s].b, p->keys.all[other[s]].b);
		if (!is_one(&o, pair))
			continue;
		if (s < other[s])
			p->symbol[other[s]].same = s;
		else
			p->symbol[s].same = other[s];
	}
	find_strangers(&o);
	remark(d, &o);
	cp_index_free(&o.pairs);
}

void
cp_diff_profiles_match(struct cp_diff *d, uint32_t before)
{
	struct cp_diff_profiles *p = &d->profiles;
	uint32_t n = p->keys.n, *other;
	uint8_t *side = cp_run_alloc(p->run, n + 1);
	uint32_t *first =
	    cp_run_alloc(p->run, (p->texts.n + 1) * sizeof(*first));
	uint8_t *seen = cp_run_alloc(p->run, p->texts.n + 1);

	other = cp_run_alloc(p->run, (n + 1) * sizeof(*other));
	memset(other, 0xff, n * sizeof(*other));
	for (uint32_t r = 0; r < p->n; r++)
		for (uint32_t i = 1; i < p->all[r].n; i++)
			side[p->all[r].symbol[i]] |=
			    r < before ? ON_BEFORE : ON_AFTER;
	/*
	 * Counts by name: a name that is in one object on both sides, or twice
	 * on a side, is not paired with one in another object.
	 */
	for (uint32_t s = 0; s < n; s++) {
		uint32_t name = (uint32_t)p->keys.all[s].a;

		if ((side[s] & seen[name]) != 0 ||
		    side[s] == (ON_BEFORE | ON_AFTER))
			seen[name] |= 4;
		seen[name] |= side[s];
	}
	for (uint32_t s = 0; s < n; s++) {
		uint32_t name = (uint32_t)p->keys.all[s].a;

		if (seen[name] != (ON_BEFORE | ON_AFTER) ||
		    p->symbol[s].kind == CP_KIND_UNKNOWN)
			continue;
		if (first[name] == 0) {
			first[name] = s + 1;
		} else {
			other[s] = first[name] - 1;
			other[other[s]] = s;
		}
	}
	pair_objects(d, side, other);
}
