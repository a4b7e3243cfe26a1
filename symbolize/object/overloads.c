/* SPDX-License-Identifier: MIT */
/*
 * overloads: functions of an object that have one name, work(int) and
 * work(long), have to be shown with their parameters.
 */
#include "symbolize/demangle/demangle.h"
#include "symbolize/object/object.h"

#define SEVERAL UINT32_MAX

/* Adds a name with the hash of its parameters. */
static void
add(struct cp_object *o, const char *raw)
{
	uint64_t name, parameters;
	uint32_t *known, hash;

	if (!cp_overload_parts(raw, &name, &parameters))
		return;
	hash = (uint32_t)(parameters >> 33) + 1; /* never 0 or SEVERAL */
	known = cp_map64_put(&o->overloads, name);
	if (*known == 0)
		*known = hash;
	else if (*known != hash)
		*known = SEVERAL;
}

/* Has another function of the object this name of C++? */
static bool
is_overloaded(struct cp_object *o, const char *raw)
{
	uint64_t name, parameters;

	if (!cp_overload_parts(raw, &name, &parameters))
		return false;
	if (!o->overloads_known) {
		o->overloads_known = true;
		for (size_t i = 0; i < o->tab.all.len; i++)
			add(o, o->tab.all.data[i].name);
	}
	return cp_map64_get(&o->overloads, name) == SEVERAL;
}

char *
cp_object_demangled(struct cp_object *o, const char *raw,
    const struct cp_symbolize_options *opt)
{
	char *text = NULL;

	if (opt->parameters && opt->demangle == CP_DEMANGLE_FULL &&
	    is_overloaded(o, raw))
		text = cp_demangle_signature(raw);
	return text != NULL ? text : cp_demangle(raw, opt->demangle);
}
