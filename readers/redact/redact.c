/* SPDX-License-Identifier: MIT */
#include "readers/redact/redact.h"

#include "base/limits.h"
#include "readers/redact/features.h"
#include "readers/redact/record.h"
#include "readers/redact/tracing.h"

static bool
on_record(void *ctx, struct cp_event *ev)
{
	struct cp_redaction *x = ctx;

	if (cp_redact_record(x, ev))
		return true;
	x->records++;
	return false;
}

static void
on_features(void *ctx, struct cp_repair *r)
{
	struct cp_redaction *x = ctx;

	cp_redact_features(x, r);
	cp_redact_layouts(x);
}

/* A full name is also known by what stands before its domain. */
static void
learn_host(struct cp_redact *r, const char *name)
{
	enum { SHORT = 3 }; /* found in too many words */
	size_t n = strcspn(name, ".");

	if (strlen(name) > SHORT)
		cp_redact_word(r, name, "host");
	if (name[n] != '\0' && n > SHORT && name[strspn(name, "0123456789.")])
		cp_redact_word(r,
		    cp_strings_get(
			&r->texts, cp_strings_addn(&r->texts, name, n)),
		    "host");
}

/* What the header says of users and of the host is looked for everywhere. */
static void
learn(struct cp_redaction *x)
{
	const struct cp_info *info = &x->src->rec->info;
	struct cp_redact *r = x->names;

	if (r->policy->how[CP_REDACT_HOST] != CP_REDACT_KEEP &&
	    info->hostname != NULL)
		learn_host(r, info->hostname);
	if (r->policy->how[CP_REDACT_PATH] == CP_REDACT_KEEP)
		return;
	for (uint32_t i = 0; i < info->cmdline.n; i++)
		cp_redact_users(r, info->cmdline.item[i], false);
	for (size_t i = 0; i < info->build_ids.len; i++)
		cp_redact_users(r, info->build_ids.data[i].filename, true);
}

const char *
cp_redaction(
    struct cp_redaction *x, struct cp_redact *names, struct cp_capture *src)
{
	struct cp_repair_filter filter = { on_record, on_features, x };

	*x = (struct cp_redaction){ .names = names, .src = src };
	x->file.fd = -1;
	x->file.filter = &filter;
	cp_buf_init(&x->scratch, CP_MAX_RECORD);
	learn(x);
	return cp_repair(&x->file, src);
}

void
cp_redaction_free(struct cp_redaction *x)
{
	cp_repair_free(&x->file);
	cp_buf_free(&x->scratch);
}
