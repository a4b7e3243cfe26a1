/* SPDX-License-Identifier: MIT */
#include "readers/redact/redact.h"

#include "base/limits.h"
#include "readers/redact/state.h"

struct learning {
	struct cp_redact *r;
	const struct cp_capture *src;
	/* Hashes of texts, each at its place: most texts recur soon. */
	uint64_t recent[1024];
};

static bool
is_recent(struct learning *l, const char *text, size_t n, bool path)
{
	uint64_t hash = cp_mix(cp_hash_bytes(text, n), path);
	uint64_t *at = &l->recent[hash % CP_ARRAY_LEN(l->recent)];
	bool is = *at == hash;

	*at = hash;
	return is;
}

static void
learn(struct learning *l, const char *text, bool path)
{
	if (!is_recent(l, text, strlen(text), path))
		cp_redact_users(l->r, text, path);
}

/* Texts of payloads are removed, but have paths, too. */
static void
learn_payload(struct learning *l, const struct cp_tp_event *e,
    const struct cp_ev_sample *s)
{
	for (uint32_t i = 0; i < e->n_fields; i++) {
		const struct cp_tp_field *f = &e->fields[i];
		char text[1024];
		const char *at;
		size_t n;

		if (f->kind == CP_TP_SCALAR || f->kind == CP_TP_ARRAY ||
		    !cp_tp_text(
			f, s->raw, s->raw_size, l->src->rec->swap, &at, &n) ||
		    memchr(at, '/', n) == NULL)
			continue;
		n = CP_MIN(n, sizeof(text) - 1);
		memcpy(text, at, n);
		text[n] = '\0';
		learn(l, text, false);
	}
}

static void
learn_sample(struct learning *l, const struct cp_event *ev)
{
	const struct cp_ev_sample *s = &ev->u.sample;
	const struct cp_evsels *all = &l->src->rec->evsels;
	const struct cp_evsel_info *e;

	if (s->raw == NULL || ev->evsel >= all->all.len ||
	    memchr(s->raw, '/', s->raw_size) == NULL)
		return;
	e = all->all.data[ev->evsel];
	if (e->pub.type == CP_TYPE_TRACEPOINT && e->tp != NULL)
		learn_payload(l, e->tp, s);
}

static void
learn_event(struct learning *l, const struct cp_event *ev)
{
	switch (ev->type) {
	case CP_RECORD_MMAP:
	case CP_RECORD_MMAP2: learn(l, ev->u.mmap.filename, true); break;
	case CP_RECORD_COMM: learn(l, ev->u.comm.comm, false); break;
	case CP_RECORD_CGROUP: learn(l, ev->u.cgroup.path, true); break;
	case CP_RECORD_KSYMBOL: learn(l, ev->u.ksymbol.name, false); break;
	case CP_RECORD_SAMPLE: learn_sample(l, ev); break;
	default: break;
	}
}

/* A payload before the COMM may have the thread's name. */
static void
learn_comm(struct cp_redact *r, const struct cp_event *ev)
{
	if (ev->type == CP_RECORD_COMM &&
	    r->policy->how[CP_REDACT_COMM] != CP_REDACT_KEEP)
		(void)cp_redact_name(r, CP_REDACT_COMM, ev->u.comm.comm);
}

static void
learn_header(struct cp_redact *r, const struct cp_recording *rec)
{
	const struct cp_info *info = &rec->info;

	for (uint32_t i = 0; i < info->cmdline.n; i++)
		cp_redact_users(r, info->cmdline.item[i], false);
	for (size_t i = 0; i < info->build_ids.len; i++)
		cp_redact_users(r, info->build_ids.data[i].filename, true);
	for (size_t i = 0; i < rec->evsels.all.len; i++)
		cp_redact_users(r, rec->evsels.all.data[i]->pub.name, false);
}

/* Damage is damage in the next reading, too; an error may not come again. */
static const char *
unread(const struct cp_diags *d)
{
	if (d->count[CP_D_READ] != 0)
		return d->place[CP_D_READ][0].tail;
	if (d->count[CP_D_DIR_FILE] != 0)
		return d->place[CP_D_DIR_FILE][0].tail;
	return NULL;
}

/* With other rules paths have numbers, and their users are not asked for. */
const char *
cp_redact_learn(struct cp_redact *r, struct cp_capture *src)
{
	const enum cp_redact_how *how = r->policy->how;
	const struct cp_info *info = &src->rec->info;
	struct learning l = { .r = r, .src = src };
	struct cp_event ev;

	while (cp_capture_next(src, &ev)) {
		if (ev.bytes != NULL &&
		    how[CP_REDACT_PATH] == CP_REDACT_GENERALIZE)
			learn_event(&l, &ev);
		if (ev.bytes != NULL)
			learn_comm(r, &ev);
		if (ev.bytes != NULL && r->code != NULL)
			cp_redact_code_learn(r->code, &ev);
		(void)cp_capture_pass(src);
	}
	if (how[CP_REDACT_HOST] != CP_REDACT_KEEP && info->hostname != NULL)
		cp_redact_host(r, info->hostname);
	if (how[CP_REDACT_PATH] != CP_REDACT_KEEP)
		learn_header(r, src->rec);
	return src->in.error != 0 ? strerror(src->in.error)
				  : unread(src->diags);
}
