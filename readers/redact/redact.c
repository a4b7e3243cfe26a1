/* SPDX-License-Identifier: MIT */
#include "readers/redact/redact.h"

#include "base/limits.h"
#include "readers/redact/state.h"

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

const char *
cp_redaction(
    struct cp_redaction *x, struct cp_redact *names, struct cp_capture *src)
{
	struct cp_repair_filter filter = { on_record, on_features, x };

	*x = (struct cp_redaction){ .names = names, .src = src };
	x->file.fd = -1;
	x->file.filter = &filter;
	cp_buf_init(&x->scratch, CP_MAX_RECORD);
	return cp_repair(&x->file, src);
}

void
cp_redaction_free(struct cp_redaction *x)
{
	cp_repair_free(&x->file);
	cp_buf_free(&x->scratch);
	cp_map64_free(&x->is_kept);
}
