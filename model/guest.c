/* SPDX-License-Identifier: MIT */
/*
 * guest: kernels of virtual machines, as perf kvm records them.
 *
 * Each guest has its own kernel and modules, found by the pid of its process on
 * the host.  The pid is 0 if perf did not have the guest's files.  Programs in
 * a guest have no mappings and cannot be told apart.
 */
#include "model/session-state.h"

#include "base/limits.h"

static struct cp_guest *
guest_find(const struct cp_session *s, uint32_t pid)
{
	for (size_t i = 0; i < s->guests.len; i++)
		if (s->guests.data[i].pid == pid)
			return &s->guests.data[i];
	return NULL;
}

struct cp_aspace *
cp_session_guest(struct cp_session *s, const struct cp_process *p)
{
	const struct cp_guest *g = NULL;

	if (s->guests.len == 0)
		return NULL;
	if (p != NULL)
		g = guest_find(s, p->pid);
	if (g == NULL)
		g = guest_find(s, 0);
	return g != NULL ? g->kernel : NULL;
}

static struct cp_aspace *
guest_get(struct cp_session *s, uint32_t pid)
{
	struct cp_guest *g = guest_find(s, pid);

	if (g == NULL && s->guests.len < CP_MAX_GUESTS) {
		g = cp_vec_push(&s->guests);
		*g = (struct cp_guest){ pid, cp_aspace_new() };
	}
	return g != NULL ? g->kernel : NULL;
}

/*
 * True for "[guest.kernel.kallsyms.123]_text": a symbol, whose address is
 * pgoff.
 */
static bool
is_image(const char *name, size_t *n)
{
	const char *bracket = strchr(name, ']');

	if (strncmp(name, "[guest.kernel", strlen("[guest.kernel")) != 0 ||
	    bracket == NULL)
		return false;
	*n = (size_t)(bracket - name) + 1;
	return true;
}

void
cp_session_guest_mmap(struct cp_session *s, const struct cp_ev_mmap *e)
{
	uint32_t pid = e->pid == CP_NO_ID ? 0 : e->pid;
	struct cp_aspace *a = guest_get(s, pid);
	struct cp_dso_key k = { .level = CP_LEVEL_GUEST_KERNEL,
		.pid = pid,
		.kind = CP_DSO_MODULE,
		.build_id_size = e->build_id_size };
	struct cp_map m = {
		.start = e->addr, .end = e->addr + e->len, .delta = -e->addr
	};
	size_t n = strlen(e->filename);
	struct cp_dso_info *d;
	bool changed;

	if (a == NULL || m.end <= m.start)
		return;
	if (is_image(e->filename, &n)) {
		k.kind = CP_DSO_KERNEL;
		m.delta = 0;
	}
	k.name = cp_strings_addn(&s->strings, e->filename, n);
	memcpy(k.build_id, e->build_id, sizeof(k.build_id));
	d = cp_dsos_get(&s->dsos, &s->strings, &k);
	if (d == NULL)
		return;
	d->start = m.start;
	d->end = m.end;
	if (k.kind == CP_DSO_KERNEL && e->filename[n] != '\0') {
		d->ref_name = cp_strings_add(&s->strings, e->filename + n);
		d->ref_addr = e->pgoff;
		d->text_end = e->pgoff != 0 ? m.end : 0;
	}
	m.dso = d->pub.id;
	if (cp_aspace_insert(a, &m, &changed) != CP_OK)
		cp_diag(s->diags, CP_D_LIMIT, "mappings of a guest");
	/* addresses that had no mapping may have one now */
	s->kernel_generation++;
}
