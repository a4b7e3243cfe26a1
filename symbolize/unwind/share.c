/* SPDX-License-Identifier: MIT */
/*
 * Objects that one unwinder has opened, for those beside it.
 *
 * What is shared does not change any more: bytes of files and where tables
 * are in them.  Search tables, which grow with the questions, are each one's
 * own.
 */
#include "symbolize/unwind/walk.h"

static struct cp_cfi_section
bare_section(const struct cp_cfi_section *s)
{
	return (struct cp_cfi_section){ .bytes = s->bytes,
		.addr = s->addr,
		.text = s->text,
		.data = s->data,
		.debug = s->debug,
		.wide = s->wide };
}

static struct cp_cfi
bare_tables(const struct cp_cfi *c)
{
	return (struct cp_cfi){ .arch = c->arch,
		.eh = bare_section(&c->eh),
		.debug = { bare_section(&c->debug[0]),
		    bare_section(&c->debug[1]) },
		.table = c->table,
		.table_len = c->table_len,
		.table_addr = c->table_addr };
}

/* ----------------------------------------------------------------- objects */

void
cp_unwind_publish(
    struct cp_unwinder *u, uint32_t dso, const struct cp_unwind_object *o)
{
	pthread_mutex_lock(&u->lock);
	while (u->shared.len < dso)
		*cp_vec_push(&u->shared) = (struct cp_unwind_shared){ 0 };
	u->shared.data[dso - 1] = (struct cp_unwind_shared){ .there = true,
		.debug_tried = o->debug_tried,
		.blind = o->blind,
		.dump = o->dump,
		.runtime = o->runtime,
		.cfi = bare_tables(&o->cfi),
		.exidx = o->exidx,
		.go = o->go,
		.gotab = o->gotab };
	pthread_mutex_unlock(&u->lock);
}

static struct cp_unwind_shared
shared_of(struct cp_unwinder *owner, uint32_t dso)
{
	struct cp_unwind_shared s = { 0 };

	pthread_mutex_lock(&owner->lock);
	if (dso <= owner->shared.len)
		s = owner->shared.data[dso - 1];
	pthread_mutex_unlock(&owner->lock);
	return s;
}

bool
cp_unwind_take(struct cp_unwinder *u, uint32_t dso, struct cp_unwind_object *o)
{
	struct cp_unwind_shared s;

	if (u->owner == NULL)
		return false; /* what it has it knows */
	s = shared_of(u->owner, dso);
	if (!s.there)
		return false;
	if (!o->tried) {
		o->runtime = s.runtime;
		o->blind = s.blind;
		o->cfi = s.cfi;
		o->exidx = s.exidx;
		o->go = s.go;
		o->gotab = s.gotab;
	} else if (s.debug_tried) {
		o->cfi.debug[1] = s.cfi.debug[1];
	}
	o->tried = true;
	o->debug_tried = s.debug_tried;
	o->dump = s.dump;
	return true;
}

/* ------------------------------------------------------------------- rules */

enum { POOL_FIRST = 1 << 16 }; /* slots */

/* Those that the owner has made before. */
void
cp_unwinder_share(struct cp_unwinder *u)
{
	u->sharing = true;
	u->pool.mask = POOL_FIRST - 1;
	u->pool.slots = cp_xcalloc(POOL_FIRST, sizeof(*u->pool.slots));
	for (size_t i = 0; i <= u->far.mask; i++) {
		const struct cp_rule_slot *s = &u->far.slots[i];

		if (s->rule != 0 && !(s->space & CP_RULE_WHOLE))
			(void)cp_unwind_pool(u, s->space, s->addr, s->rule);
	}
}

static struct cp_unwinder *
pool_of(struct cp_unwinder *u)
{
	return u->owner != NULL ? u->owner : u;
}

bool
cp_unwind_shares(const struct cp_unwinder *u)
{
	return u->owner != NULL || u->sharing;
}

uint32_t
cp_unwind_pooled(struct cp_unwinder *u, uint32_t dso, uint64_t addr)
{
	struct cp_unwinder *o = pool_of(u);
	uint32_t rule;

	if (!o->sharing)
		return 0;
	pthread_mutex_lock(&o->lock);
	rule = cp_rule_get(&o->pool, dso, addr);
	pthread_mutex_unlock(&o->lock);
	return rule;
}

/* Full ones are numbered by each for itself. */
bool
cp_unwind_pool(
    struct cp_unwinder *u, uint32_t dso, uint64_t addr, uint32_t rule)
{
	struct cp_unwinder *o = pool_of(u);

	if (!o->sharing || cp_rule_kind(rule) == CP_RULE_FULL)
		return false;
	pthread_mutex_lock(&o->lock);
	cp_rule_put(&o->pool, dso, addr, rule);
	pthread_mutex_unlock(&o->lock);
	return true;
}

void
cp_walk_give_up(struct cp_walk *w)
{
	w->in->again = true;
	w->steps = 0;
}
