/* SPDX-License-Identifier: MIT */
/*
 * The budget of an object: steps that its rules may take over all stacks.
 *
 * A rule of a compiler takes some ten steps.  Endless expressions take all
 * steps of each stack that they are in; after a while the object's tables are
 * not asked any more, and its frames are found in other ways.
 */
#include "symbolize/unwind/walk.h"

#include <inttypes.h>

#include "base/limits.h"
#include "symbolize/object/object.h"
#include "symbolize/unwind/objects.h"

static void
give_up(struct cp_unwinder *u, struct cp_unwind_object *o,
    const struct cp_dso_info *d)
{
	o->given_up = true;
	/* rules of the object may be in any cache, if a stack was walked */
	if (u->far.slots != NULL) {
		cp_rule_near_forget(&u->near);
		cp_rule_cache_forget(&u->far);
	}
	cp_diag(u->symbols->diags, CP_D_LIMIT,
	    "CP_MAX_RULE_STEPS: the unwind tables of %s are not used",
	    d->path != NULL ? d->path : "an object");
}

void
cp_walk_charge(struct cp_unwind_walk *w, uint32_t dso, uint32_t steps)
{
	struct cp_unwind_object *o;

	if (CP_LIKELY(steps <= CP_FREE_RULE_STEPS))
		return;
	o = cp_walk_object(w, dso);
	o->spent += steps;
	if (o->spent > CP_MAX_RULE_STEPS && !o->given_up)
		give_up(w->u, o, cp_dsos_at(w->u->dsos, dso));
}
