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
/* In place of a name; the half above it is the line. */
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
 * Makes the key of a symbol.  As in perf the short name stands for the object,
 * so the same library in two containers is one; the symbol's name keeps two
 * builds of it apart.
 */
static void
key_of(struct cp_entities *e, const struct cp_frame *f,
    const struct cp_symbol *sym, uint64_t key[static 4])
{
	const struct cp_dso *d =
	    f->dso != 0 ? cp_run_dso(e->run, f->dso) : NULL;

	memset(key, 0, 4 * sizeof(key[0]));
	if (d != NULL && (e->by_dso || e->by_symbol))
		key[0] = d->short_name;
	if (!e->by_symbol)
		return;
	if (sym == NULL && e->unnamed_as_one) {
		key[3] = UNNAMED;
		return;
	}
	if (sym == NULL) {
		key[1] = f->addr;
		return;
	}
	key[0] |= NAMED;
	/*
	 * A runtime compiles a function many times; all versions are one
	 * entity.
	 */
	if (sym->source != CP_SOURCE_JITDUMP &&
	    sym->source != CP_SOURCE_PERF_MAP) {
		key[1] = sym->start;
		key[2] = sym->end;
	}
	key[3] = cp_run_intern(e->run, sym->raw);
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
	return hash_of(((const struct cp_entity *)all)[number].key);
}

static void
entities_grow(struct cp_entities *e)
{
	cp_grow_to(e->run, e->all, &e->cap, e->n);
	cp_slots_grow(&e->slots, e->run, e->n, entity_hash, e->all);
}

/* Returns the line of the innermost function at the frame's address. */
static cp_string_id
line_of(const struct cp_entities *e, cp_frame_id frame)
{
	const struct cp_spot *spots;
	size_t n = e->by_line ? cp_frame_spots(e->run, frame, &spots) : 0;
	char text[4200];

	if (n == 0 || spots[n - 1].file == NULL)
		return 0;
	snprintf(text, sizeof(text), "%.4150s:%" PRIu32, spots[n - 1].file,
	    spots[n - 1].line);
	return cp_run_intern(e->run, text);
}

static uint32_t
entity_add(struct cp_entities *e, const struct cp_frame *f,
    const struct cp_symbol *sym, cp_string_id line)
{
	struct cp_entity new = { .symbol = sym,
		.addr = f->addr,
		.dso = f->dso,
		.level = f->level,
		.line = line };
	uint32_t s, k;

	if (cp_slots_full(&e->slots, e->n))
		entities_grow(e);
	if (f == &no_frame)
		new.key[3] = NO_FRAME;
	else
		key_of(e, f, sym, new.key);
	if (f != &no_frame)
		new.key[3] |= (uint64_t)line << 32;
	s = hash_of(new.key);
	for (; (k = cp_slots_get(&e->slots, &s)) != 0; s++)
		if (memcmp(e->all[k - 1].key, new.key, sizeof(new.key)) == 0)
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

uint32_t
cp_entities_of(struct cp_entities *e, cp_frame_id frame)
{
	const struct cp_frame *f;

	if (e->of_frame[frame] == 0) {
		f = frame != 0 ? cp_frame_get(e->run, frame) : &no_frame;
		e->of_frame[frame] =
		    1 + entity_add(e, f, symbol_of(e, frame),
			    frame != 0 ? line_of(e, frame) : 0);
	}
	return e->of_frame[frame] - 1;
}

static bool
is_one_address(const struct cp_entity *e)
{
	return e->symbol == NULL && e->key[3] != NO_FRAME &&
	       ((uint32_t)e->key[3] != UNNAMED || e->frames == 1);
}

bool
cp_entity_nameless(const struct cp_entity *e)
{
	return e->symbol == NULL || e->symbol->source == CP_SOURCE_BOUNDS;
}

const char *
cp_entity_name(const struct cp_entity *e, struct cp_word *buf)
{
	if (e->key[3] == NO_FRAME)
		return "[no address]";
	if (e->symbol != NULL)
		return e->symbol->name;
	if (is_one_address(e))
		return cp_word_address(buf, e->addr);
	snprintf(
	    buf->text, sizeof(buf->text), "[%" PRIu32 " addresses]", e->frames);
	return buf->text;
}

int
cp_entity_compare_symbol(const struct cp_entity *a, const struct cp_entity *b)
{
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
	if (c == 0 && a->key[1] != b->key[1])
		c = a->key[1] < b->key[1] ? -1 : 1;
	if (c == 0 && a->key[2] != b->key[2])
		c = a->key[2] < b->key[2] ? -1 : 1;
	return c;
}

int
cp_entity_compare_dso(const struct cp_run *run, const struct cp_entity *a,
    const struct cp_entity *b)
{
	return strcmp(cp_word_object(run, a->dso), cp_word_object(run, b->dso));
}
