/* SPDX-License-Identifier: MIT */
#include "analyses/common/code-groups.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analyses/common/label.h"

#define FIRST_SLOTS 1024u
#define NAMED ((uint64_t)1 << 32)
/* Key of "no frame", to tell it from a frame at address 0. */
#define NO_FRAME UINT64_MAX
/*
 * Stands for the name in the lower half of the key; the upper half is the line.
 */
#define UNNAMED (UINT32_MAX - 1)

static const struct cp_frame no_frame;

void
cp_entities_init(struct cp_entities *e, struct cp_run *run, uint32_t frames,
    bool by_symbol, bool by_dso)
{
	*e = (struct cp_entities){ .run = run,
		.by_symbol = by_symbol,
		.by_dso = by_dso,
		.cap = FIRST_SLOTS / 2 };
	e->all = cp_run_alloc(run, e->cap * sizeof(*e->all));
	cp_slots_init(&e->slots, run, FIRST_SLOTS);
	e->of_frame = cp_run_alloc(run, (size_t)frames * sizeof(uint32_t));
}

/*
 * Returns the extent by which two symbols of one name differ.  A runtime
 * compiles a function many times; all versions are one entity.  Code outside of
 * functions differs by its level.
 */
static void
extent_of(const struct cp_entity *x, uint64_t *from, uint64_t *to)
{
	const struct cp_symbol *sym = x->symbol;

	*from = *to = 0;
	if (x->kind == CP_ENTITY_UNNAMED)
		*from = x->level;
	if (x->kind == CP_ENTITY_RANGE) {
		*from = x->addr;
		*to = x->addr + x->extent + 1;
	}
	if (x->kind != CP_ENTITY_CODE)
		return;
	if (sym == NULL) {
		*from = x->addr;
	} else if (sym->source != CP_SOURCE_JITDUMP &&
		   sym->source != CP_SOURCE_PERF_MAP) {
		*from = sym->start;
		*to = sym->end;
	}
}

/*
 * Makes the key of an entity.  As in perf the short name stands for the object,
 * so the same library in two containers is one; the symbol's name keeps two
 * builds of it apart.
 */
static void
key_of(struct cp_entities *e, const struct cp_entity *x, uint64_t key[static 4])
{
	const struct cp_dso *d =
	    x->dso != 0 ? cp_run_dso(e->run, x->dso) : NULL;

	memset(key, 0, 4 * sizeof(key[0]));
	if (x->kind == CP_ENTITY_NO_FRAME) {
		key[3] = NO_FRAME;
		return;
	}
	if (d != NULL && (e->by_dso || e->by_symbol))
		key[0] = d->short_name;
	if (e->by_symbol)
		extent_of(x, &key[1], &key[2]);
	if (x->kind == CP_ENTITY_UNNAMED) {
		key[3] = UNNAMED;
	} else if (e->by_symbol && x->symbol != NULL) {
		key[0] |= NAMED;
		key[3] = cp_run_intern(e->run, x->symbol->raw);
	}
	key[3] |= (uint64_t)x->line << 32;
}

static uint32_t
hash_of(const uint64_t key[static 4])
{
	uint64_t h = 0;

	for (int i = 0; i < 4; i++) {
		h = (h ^ key[i]) * UINT64_C(0x9e3779b97f4a7c15);
		h ^= h >> 29;
	}
	return (uint32_t)(h ^ h >> 32);
}

static uint32_t
entity_hash(const void *all, uint32_t number)
{
	return ((const struct cp_entity *)all)[number].hash;
}

/* Returns the line of the innermost function at the frame's address. */
static cp_string_id
line_of(const struct cp_entities *e, cp_frame_id frame)
{
	const struct cp_spot *spots;
	const struct cp_frame *f = cp_frame_get(e->run, frame);
	size_t n = e->by_line || e->by_file
		       ? cp_frame_spots(e->run, frame, &spots)
		       : 0;
	char text[4200];

	if (e->family != NULL)
		return e->family(
		    e->run, &(struct cp_entity){
				.symbol = cp_frame_symbol(e->run, frame),
				.dso = f->dso,
				.addr = f->addr,
				.level = f->level });
	if (n == 0 || spots[n - 1].file == NULL)
		return 0;
	if (e->by_file)
		return cp_run_intern(e->run, spots[n - 1].file);
	snprintf(text, sizeof(text), "%.4150s:%" PRIu32, spots[n - 1].file,
	    spots[n - 1].line);
	return cp_run_intern(e->run, text);
}

/* Compares the fields of the keys first, which is nearly always enough. */
static bool
equal(struct cp_entities *e, const struct cp_entity *x,
    const struct cp_entity *y, const uint64_t key_of_y[static 4])
{
	uint64_t key[4];

	if (x->hash != y->hash)
		return false;
	if (x->symbol == y->symbol && x->dso == y->dso && x->line == y->line &&
	    x->kind == y->kind && x->addr == y->addr)
		return true;
	key_of(e, x, key);
	return memcmp(key, key_of_y, sizeof(key)) == 0;
}

/* range: NULL, or what the frame without a symbol is part of */
static uint32_t
entity_add(struct cp_entities *e, const struct cp_frame *f,
    const struct cp_symbol *sym, cp_string_id line,
    const struct cp_code_range *range)
{
	struct cp_entity new = { .symbol = sym,
		.addr = f->addr,
		.dso = f->dso,
		.level = f->level,
		.line = line };
	uint64_t key[4];
	uint32_t s, k;

	if (cp_slots_full(&e->slots, e->n)) {
		cp_grow_to(e->run, e->all, &e->cap, e->n);
		cp_slots_grow(&e->slots, e->run, e->n, entity_hash, e->all);
	}
	if (f == &no_frame)
		new.kind = CP_ENTITY_NO_FRAME;
	else if (range != NULL) {
		new.kind = CP_ENTITY_RANGE;
		new.addr = range->addr;
		new.extent = range->extent;
	} else if (e->by_symbol && sym == NULL && e->unnamed_as_one)
		new.kind = CP_ENTITY_UNNAMED;
	key_of(e, &new, key);
	s = new.hash = hash_of(key);
	for (; (k = cp_slots_get(&e->slots, &s)) != 0; s++)
		if (equal(e, &e->all[k - 1], &new, key))
			break;
	if (k == 0) {
		e->all[e->n] = new;
		k = e->slots.at[s] = ++e->n;
	}
	e->all[k - 1].frames++;
	return k - 1;
}

/* The bounds of a function stand for its name. */
static const struct cp_symbol *
symbol_of(const struct cp_entities *e, cp_frame_id frame)
{
	if (frame == 0)
		return NULL;
	if (e->each_address || !e->by_symbol)
		return cp_frame_symbol(e->run, frame);
	return cp_frame_function(e->run, frame);
}

/*
 * A symbol has many frames: only the first needs a key.  Versions of a function
 * are one entity, which has the symbol of the first version.
 */
static uint32_t
entity_of(struct cp_entities *e, const struct cp_frame *f,
    const struct cp_symbol *sym, cp_string_id line,
    const struct cp_code_range *range)
{
	struct cp_entity *x;
	uint32_t *known;

	if (sym == NULL)
		return entity_add(e, f, sym, line, range);
	cp_grow_to(e->run, e->of_symbol, &e->of_symbol_cap, sym->id);
	known = &e->of_symbol[sym->id];
	x = *known != 0 ? &e->all[*known - 1] : NULL;
	if (x != NULL && x->symbol == sym && x->dso == f->dso &&
	    x->line == line)
		x->frames++;
	else
		*known = 1 + entity_add(e, f, sym, line, NULL);
	return *known - 1;
}

uint32_t
cp_entities_of(struct cp_entities *e, cp_frame_id frame)
{
	const struct cp_frame *f;
	uint32_t r = e->range_of != NULL ? e->range_of[frame] : 0;

	if (e->of_frame[frame] == 0) {
		f = frame != 0 ? cp_frame_get(e->run, frame) : &no_frame;
		e->of_frame[frame] = 1 + entity_of(e, f, symbol_of(e, frame),
					     frame != 0 ? line_of(e, frame) : 0,
					     r != 0 ? &e->ranges[r - 1] : NULL);
	}
	return e->of_frame[frame] - 1;
}

static bool
is_one_address(const struct cp_entity *e)
{
	return e->symbol == NULL &&
	       (e->kind == CP_ENTITY_CODE ||
		   (e->kind == CP_ENTITY_UNNAMED && e->frames == 1));
}

bool
cp_entity_nameless(const struct cp_entity *e)
{
	return e->symbol == NULL || e->symbol->source == CP_SOURCE_BOUNDS;
}

const char *
cp_entity_name_of(const struct cp_entity *e, uint32_t addresses, uint64_t addr,
    struct cp_word *buf)
{
	if (e->kind == CP_ENTITY_NO_FRAME)
		return "[no address]";
	if (e->symbol != NULL)
		return e->symbol->label != NULL ? e->symbol->label
						: e->symbol->name;
	if (is_one_address(e))
		return cp_word_address(buf, e->addr);
	if (e->kind == CP_ENTITY_RANGE) {
		snprintf(buf->text, sizeof(buf->text),
		    e->extent != 0 ? "0x%" PRIx64 "…0x%" PRIx64 : "0x%" PRIx64,
		    e->addr, e->addr + e->extent);
		return buf->text;
	}
	if (addresses == 0)
		return "[addresses]";
	if (addresses == 1)
		return cp_word_address(buf, addr);
	snprintf(
	    buf->text, sizeof(buf->text), "[%" PRIu32 " addresses]", addresses);
	return buf->text;
}

const char *
cp_entity_name(const struct cp_entity *e, struct cp_word *buf)
{
	return cp_entity_name_of(e, 0, 0, buf);
}

int
cp_entity_compare_symbol(const struct cp_entity *a, const struct cp_entity *b)
{
	uint64_t from[2], to[2];
	struct cp_word wa, wb;
	int c = 0;

	/*
	 * Addresses sort as their texts would; comparing numbers is faster, and
	 * most rows without names are addresses.
	 */
	if (is_one_address(a) && is_one_address(b))
		c = (a->addr > b->addr) - (a->addr < b->addr);
	else
		c = strcmp(cp_entity_name(a, &wa), cp_entity_name(b, &wb));
	if (c != 0)
		return c;
	extent_of(a, &from[0], &to[0]);
	extent_of(b, &from[1], &to[1]);
	if (from[0] != from[1])
		return from[0] < from[1] ? -1 : 1;
	return (to[0] > to[1]) - (to[0] < to[1]);
}

int
cp_entity_compare_dso(const struct cp_run *run, const struct cp_entity *a,
    const struct cp_entity *b)
{
	return strcmp(cp_word_object(run, a->dso), cp_word_object(run, b->dso));
}
