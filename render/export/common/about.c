/* SPDX-License-Identifier: MIT */
#include "render/export/common/about.h"

#include "render/common/format.h"

static void
put_count(struct cp_buf *b, uint64_t n, const char *what, const char *how)
{
	cp_buf_printf(b, "%" PRIu64 " %s%s%s", n, what, cp_s(n), how);
}

void
cp_export_event_line(struct cp_buf *b, const struct cp_profile_event *e)
{
	cp_buf_printf(b, "event %s: ", e->name);
	put_count(b, e->samples, "sample", ", ");
	cp_buf_printf(
	    b, "%" PRIu64 " %s", e->weight, e->unit != NULL ? e->unit : "");
	if (e->period != 0)
		cp_buf_printf(b, ", one each %" PRIu64 "%s", e->period,
		    e->freq ? "th of a second" : "");
	if (e->complete)
		cp_buf_str(b, ", all that happened");
	if (e->lost != 0) {
		cp_buf_str(b, ", ");
		put_count(b, e->lost, "record", " lost");
	}
	if (e->lost_samples != 0) {
		cp_buf_str(b, ", ");
		put_count(b, e->lost_samples, "sample", " lost");
	}
	if (e->throttled != 0) {
		cp_buf_str(b, ", throttled ");
		put_count(b, e->throttled, "time", "");
	}
}

const char *
cp_export_unit(const struct cp_profile_event *e)
{
	if (e->unit == NULL || strcmp(e->unit, "samples") == 0)
		return "count";
	return strcmp(e->unit, "ns") == 0 ? "nanoseconds" : e->unit;
}

static void
tell(struct cp_buf *b, cp_about_fn fn, void *ctx)
{
	if (b->len != 0)
		fn(ctx, cp_buf_text(b));
	cp_buf_reset(b);
}

/* Is it a size, and not a loss? */
static bool
is_size(const char *key)
{
	return strcmp(key, "bytes_total") == 0 ||
	       strcmp(key, "bytes_parsed") == 0 || strcmp(key, "records") == 0;
}

/* Writes what was lost, skipped or guessed; zeros are left out. */
static void
tell_quality(
    const struct cp_section *s, struct cp_buf *b, cp_about_fn fn, void *ctx)
{
	for (size_t i = 0; i < s->scalars.len; i++) {
		const struct cp_scalar *c = &s->scalars.data[i];

		if (is_size(c->key))
			continue;
		if (c->type == CP_COL_SHARE ? !(c->value.value > 0)
					    : c->value.u64 == 0)
			continue;
		cp_buf_printf(b, "quality: %s: ", c->key);
		cp_format_value(b, c->type, &c->value);
		tell(b, fn, ctx);
	}
}

void
cp_export_about(const struct cp_export *x, const struct cp_render_options *opt,
    cp_about_fn fn, void *ctx)
{
	const struct cp_report *r = x->report;
	const char *texts[] = { r->title, r->label, opt->tool };
	struct cp_buf b;

	cp_buf_init(&b, SIZE_MAX / 2);
	for (size_t i = 0; i < CP_ARRAY_LEN(texts); i++)
		if (texts[i] != NULL && texts[i][0] != '\0')
			fn(ctx, texts[i]);
	for (size_t i = 0; i < x->profile->events.len; i++) {
		cp_export_event_line(&b, &x->profile->events.data[i]);
		tell(&b, fn, ctx);
	}
	for (const struct cp_section *s = r->first; s != NULL; s = s->next) {
		if (s->type == CP_SECTION_SCALARS &&
		    strcmp(s->slug, "quality") == 0)
			tell_quality(s, &b, fn, ctx);
		/*
		 * Notes describe the sections of the analysis, so they are left
		 * out if the profile is exported.
		 */
		if (x->profile == &x->made)
			for (size_t i = 0; i < s->notes.len; i++)
				fn(ctx, s->notes.data[i]);
	}
	cp_buf_free(&b);
}
