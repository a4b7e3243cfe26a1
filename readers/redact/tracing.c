/* SPDX-License-Identifier: MIT */
/*
 * tracing: the names of events, and the layouts of their payloads, from which
 * tracing data are made again.
 */
#include "readers/redact/state.h"

/* The off-CPU program's event is known by its name. */
bool
cp_redact_event_kept(const struct cp_redact *r, const struct cp_evsel_info *e)
{
	const struct cp_policy *p = r->policy;

	return p->how[CP_REDACT_EVENT] == CP_REDACT_KEEP || e->offcpu ||
	       (e->pub.type == CP_TYPE_TRACEPOINT &&
		   cp_patterns_fit(&p->events, e->pub.name));
}

const char *
cp_redact_event(
    struct cp_redact *r, const struct cp_evsel_info *e, const char *name)
{
	const struct cp_policy *p = r->policy;
	char own[128];

	if (p->how[CP_REDACT_EVENT] == CP_REDACT_KEEP || e->offcpu ||
	    (e->pub.type == CP_TYPE_TRACEPOINT &&
		cp_patterns_fit(&p->events, name)))
		return cp_redact_keep(r, CP_REDACT_EVENT, name);
	/*
	 * A name that perf would derive from the attr reveals nothing, even if
	 * the recorded one is a part of it: cycles:u, cycles:uH.
	 */
	cp_attr_name(&e->attr, own, sizeof(own));
	if (e->pub.type == CP_TYPE_TRACEPOINT)
		snprintf(
		    own, sizeof(own), "hidden:event_%" PRIu64, e->pub.config);
	if (strcmp(own, name) == 0)
		return cp_redact_keep(r, CP_REDACT_EVENT, name);
	cp_redact_drop(r, CP_REDACT_EVENT, name);
	*cp_vec_push(&r->kept) = cp_strings_add(&r->texts, own);
	return cp_strings_get(&r->texts, r->kept.data[r->kept.len - 1]);
}

/* Fields that all events have. */
static uint32_t
common_fields(const struct cp_tp_event *e)
{
	uint32_t n = 0;

	while (n < e->n_fields && strncmp(e->fields[n].name, "common_", 7) == 0)
		n++;
	return n;
}

static void
hide(struct cp_redaction *x, struct cp_tp_event *e)
{
	struct cp_tracepoints *tp = &x->src->rec->tracepoints;
	char name[40], whole[256];

	snprintf(name, sizeof(name), "event_%" PRIu64, e->id);
	snprintf(whole, sizeof(whole), "%s:%s", e->system, e->name);
	cp_redact_drop(x->names, CP_REDACT_EVENT, whole);
	cp_redact_seek(x->names, e->name);
	for (uint32_t i = common_fields(e); i < e->n_fields; i++)
		cp_redact_seek(x->names, e->fields[i].name);
	e->system = "hidden";
	e->name = cp_arena_strndup(&tp->arena, name, strlen(name));
	e->n_fields = common_fields(e);
	e->print_fmt = "";
}

/* Whoever made a probe named it; the kernel's own events name nobody. */
static bool
is_probe(const struct cp_tp_event *e)
{
	if (strncmp(e->system, "probe", 5) == 0)
		return true;
	for (uint32_t i = 0; i < e->n_fields; i++)
		if (strncmp(e->fields[i].name, "__probe_", 8) == 0)
			return true;
	return false;
}

/* Names of users and of the host, as in the event's own name. */
static void
replace(struct cp_redaction *x, struct cp_tp_event *e)
{
	struct cp_tp_field *to = cp_arena_alloc(
	    &x->src->rec->tracepoints.arena, (e->n_fields + 1) * sizeof(*to));

	for (uint32_t i = 0; i < e->n_fields; i++) {
		to[i] = e->fields[i];
		to[i].name = cp_redact_text(x->names, to[i].name);
	}
	e->fields = to;
	e->system = cp_redact_text(x->names, e->system);
	e->name = cp_redact_text(x->names, e->name);
	e->print_fmt = cp_redact_text(x->names, e->print_fmt);
}

/* Layouts of no event that was recorded are not written. */
static void
redact_layout(struct cp_redaction *x, const struct cp_evsel_info *e, bool kept)
{
	struct cp_tracepoints *tp = &x->src->rec->tracepoints;

	for (size_t i = 0; i < tp->events.len; i++) {
		struct cp_tp_event *t = &tp->events.data[i];

		if (t->id != e->pub.config || strcmp(t->system, "hidden") == 0)
			continue;
		if (!kept)
			hide(x, t);
		else if (is_probe(t))
			replace(x, t);
	}
}

void
cp_redact_layouts(struct cp_redaction *x)
{
	struct cp_evsels *all = &x->src->rec->evsels;

	for (size_t i = 0; i < all->all.len; i++) {
		struct cp_evsel_info *e = all->all.data[i];
		const char *name;

		if (e->pub.type == CP_TYPE_TRACEPOINT)
			redact_layout(x, e, cp_redact_event_kept(x->names, e));
		name = cp_redact_event(x->names, e, e->pub.name);
		cp_evsels_rename(all, e, name);
	}
}
