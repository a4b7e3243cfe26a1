/* SPDX-License-Identifier: MIT */
#include "readers/redact/learn.h"

#include "base/limits.h"

/* Texts of payloads are removed, but have paths, too. */
static void
learn_payload(struct cp_redact *r, const struct cp_capture *src,
    const struct cp_tp_event *e, const struct cp_event *ev)
{
	const struct cp_ev_sample *s = &ev->u.sample;

	for (uint32_t i = 0; i < e->n_fields; i++) {
		const struct cp_tp_field *f = &e->fields[i];
		char text[1024];
		const char *at;
		size_t n;

		if (f->kind == CP_TP_SCALAR || f->kind == CP_TP_ARRAY ||
		    !cp_tp_text(
			f, s->raw, s->raw_size, src->rec->swap, &at, &n) ||
		    memchr(at, '/', n) == NULL)
			continue;
		n = CP_MIN(n, sizeof(text) - 1);
		memcpy(text, at, n);
		text[n] = '\0';
		cp_redact_users(r, text, false);
	}
}

static void
learn_sample(struct cp_redact *r, const struct cp_capture *src,
    const struct cp_event *ev)
{
	const struct cp_evsels *all = &src->rec->evsels;
	const struct cp_evsel_info *e;

	if (ev->u.sample.raw == NULL || ev->evsel >= all->all.len)
		return;
	e = all->all.data[ev->evsel];
	if (e->pub.type == CP_TYPE_TRACEPOINT && e->tp != NULL)
		learn_payload(r, src, e->tp, ev);
}

static void
learn_event(struct cp_redact *r, const struct cp_capture *src,
    const struct cp_event *ev)
{
	switch (ev->type) {
	case CP_RECORD_MMAP:
	case CP_RECORD_MMAP2:
		cp_redact_users(r, ev->u.mmap.filename, true);
		break;
	case CP_RECORD_COMM: cp_redact_users(r, ev->u.comm.comm, false); break;
	case CP_RECORD_CGROUP:
		cp_redact_users(r, ev->u.cgroup.path, true);
		break;
	case CP_RECORD_KSYMBOL:
		cp_redact_users(r, ev->u.ksymbol.name, false);
		break;
	case CP_RECORD_SAMPLE: learn_sample(r, src, ev); break;
	default: break;
	}
}

static void
learn_users(struct cp_redact *r, const struct cp_recording *rec)
{
	const struct cp_info *info = &rec->info;

	for (uint32_t i = 0; i < info->cmdline.n; i++)
		cp_redact_users(r, info->cmdline.item[i], false);
	for (size_t i = 0; i < info->build_ids.len; i++)
		cp_redact_users(r, info->build_ids.data[i].filename, true);
	for (size_t i = 0; i < rec->evsels.all.len; i++)
		cp_redact_users(r, rec->evsels.all.data[i]->pub.name, false);
}

/* With other rules paths have numbers, and their users are not asked for. */
void
cp_redact_learn(struct cp_redact *r, struct cp_capture *src)
{
	const enum cp_redact_how *how = r->policy->how;
	const struct cp_info *info = &src->rec->info;
	struct cp_event ev;

	while (cp_capture_next(src, &ev))
		if (ev.bytes != NULL &&
		    how[CP_REDACT_PATH] == CP_REDACT_GENERALIZE)
			learn_event(r, src, &ev);
	if (how[CP_REDACT_HOST] != CP_REDACT_KEEP && info->hostname != NULL)
		cp_redact_host(r, info->hostname);
	if (how[CP_REDACT_PATH] != CP_REDACT_KEEP)
		learn_users(r, src->rec);
}
