/* SPDX-License-Identifier: MIT */
/*
 * anon: objects for memory of no file: heaps, stacks, code made at run time.
 *
 * A perf map lists the symbols of such code by run-time address, and each
 * process may have a map of its own.  So each process has its own object, for
 * code that was mapped before a fork, too: what a server's workers compile
 * there is not what their parent compiles.
 */
#include "model/session-state.h"

#include "base/limits.h"

/* The first is the parent. */
static void
parents(const struct cp_process *p, uint32_t from[CP_DSO_PARENTS])
{
	size_t n = 0;

	for (p = p->parent; p != NULL && n < CP_DSO_PARENTS; p = p->parent)
		from[n++] = p->pid;
}

static void
keep_code(struct cp_session *s, struct cp_process *p, struct cp_dso_info *d)
{
	struct cp_info *info = &s->rec->info;
	bool known = d->pub.runs;

	d->pub.runs = true;
	d->pid_ns = p->pid_ns;
	p->code = d;
	if (known)
		return;
	d->born = p->born;
	parents(p, d->from);
	d->pub.parent = d->from[0];
	*cp_vec_push(&info->code) = d;
	*cp_map64_put(&info->code_of, p->pid) = (uint32_t)info->code.len;
}

struct cp_dso_info *
cp_session_anon(struct cp_session *s, struct cp_process *p, const char *name,
    bool runs, const struct cp_map *m)
{
	struct cp_dso_key k = {
		.level = CP_LEVEL_USER, .kind = CP_DSO_ANON, .pid = p->pid
	};
	struct cp_dso_info *d;
	char map[40];

	snprintf(
	    map, sizeof(map), "/tmp/perf-%" PRId32 ".map", (int32_t)p->pid);
	k.name = cp_strings_add(&s->strings, name != NULL ? name : map);
	d = cp_dsos_get(&s->dsos, &s->strings, &k);
	if (d == NULL) {
		cp_diag(s->diags, CP_D_LIMIT, "over %u objects", CP_MAX_DSOS);
		return NULL;
	}
	d->start = d->end == 0 ? m->start : CP_MIN(d->start, m->start);
	d->end = CP_MAX(d->end, m->end);
	if (runs)
		keep_code(s, p, d);
	return d;
}

/* The process's own object for a mapping of its parent's; NULL: it stays. */
static struct cp_dso_info *
own_object(struct cp_session *s, struct cp_process *p, const struct cp_map *m)
{
	const struct cp_dso_info *d = cp_dsos_at(&s->dsos, m->dso);
	const char *name;
	struct cp_dso_info *own;

	if (d == NULL || d->pub.kind != CP_DSO_ANON || !d->pub.runs ||
	    d->pub.pid == p->pid)
		return NULL;
	name = cp_strings_get(&s->strings, d->pub.name);
	own = cp_session_anon(
	    s, p, strncmp(name, "/tmp/perf-", 10) == 0 ? NULL : name, true, m);
	if (own != NULL && own->map_size == 0) {
		own->map_offset = d->map_offset;
		own->map_size = d->map_size;
	}
	return own;
}

void
cp_session_inherit(struct cp_session *s, struct cp_process *p)
{
	struct cp_aspace *a = p->aspace;
	bool changed = false;

	p->heir = false;
	/* With too many copies its code stays one with its parent's. */
	if (a->refs > 1 && s->map_copies + a->maps.len > CP_MAX_COPIES)
		return;
	a->copies = &s->map_copies;
	a = p->aspace = cp_aspace_own(a);
	for (size_t i = 0; i < a->maps.len; i++) {
		const struct cp_dso_info *own =
		    own_object(s, p, &a->maps.data[i]);

		if (own != NULL)
			a->maps.data[i].dso = own->pub.id;
		changed |= own != NULL;
	}
	if (changed)
		cp_aspace_renew(a, ++s->generations);
}
