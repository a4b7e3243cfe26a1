/* SPDX-License-Identifier: MIT */
/*
 * mkperf: the container: header, ids, attrs, records, features; and what is
 * done to the finished bytes (at, truncate, append).
 */
#include "mkperf.h"

struct place {
	uint64_t ids, attrs, attrs_size, attr_size, types, data, data_end;
	uint64_t features; /* table */
};

static void
sort_features(struct mk *mk)
{
	for (size_t i = 1; i < mk->features.len; i++)
		for (size_t j = i; j > 0; j--) {
			struct mk_feature *f = &mk->features.data[j - 1], t;

			if (f[0].bit <= f[1].bit)
				break;
			t = f[0];
			f[0] = f[1];
			f[1] = t;
		}
}

/* Features that follow from the rest of the text. */
static void
implied_features(struct mk *mk, uint64_t data)
{
	if (mk->tracing.system.len != 0)
		mk_tracing_blob(mk, &mk_feature_of(mk, 1)->payload);
	if (mk->build_ids.len != 0)
		cp_buf_add(&mk_feature_of(mk, 2)->payload, mk->build_ids.data,
		    mk->build_ids.len);
	if (!mk->no_event_desc && mk->header_length >= 104 &&
	    mk_feature_of(mk, 12)->payload.len == 0)
		mk_event_desc(mk, &mk_feature_of(mk, 12)->payload);
	if (mk->auxtrace_index) {
		struct cp_buf *b = &mk_feature_of(mk, 18)->payload;

		mk_put(mk, b, 8, mk->auxtraces.len / 2);
		for (size_t i = 0; i < mk->auxtraces.len; i += 2) {
			mk_put(mk, b, 8, data + mk->auxtraces.data[i]);
			mk_put(mk, b, 8, mk->auxtraces.data[i + 1]);
		}
	}
	sort_features(mk);
}

static void
put_ids(struct mk *mk)
{
	for (size_t i = 0; i < mk->events.len; i++) {
		const struct mk_event *e = &mk->events.data[i];

		for (size_t j = 0; j < e->ids.len; j++)
			mk_put(mk, &mk->out, 8, e->ids.data[j]);
	}
}

static void
put_attrs(struct mk *mk, uint64_t ids)
{
	for (size_t i = 0; i < mk->events.len; i++) {
		const struct mk_event *e = &mk->events.data[i];

		cp_buf_add(&mk->out, e->attr.data, e->attr.len);
		mk_put(mk, &mk->out, 8, e->ids.len != 0 ? ids : 0);
		mk_put(mk, &mk->out, 8, e->ids.len * 8);
		ids += e->ids.len * 8;
	}
}

static uint64_t
ids_size(const struct mk *mk)
{
	uint64_t n = 0;

	for (size_t i = 0; i < mk->events.len; i++)
		n += mk->events.data[i].ids.len * 8;
	return n;
}

static uint64_t
attrs_size(const struct mk *mk)
{
	uint64_t n = 0;

	for (size_t i = 0; i < mk->events.len; i++)
		n += mk->events.data[i].attr.len + 16;
	return n;
}

static uint64_t
features_size(const struct mk *mk)
{
	uint64_t n = 16 * mk->features.len;

	for (size_t i = 0; i < mk->features.len; i++)
		n += mk->features.data[i].payload.len;
	return n;
}

static void
find_places(struct mk *mk, struct place *p)
{
	uint64_t front = ids_size(mk) + attrs_size(mk);

	p->attrs_size = attrs_size(mk);
	p->attr_size =
	    mk->events.len != 0 ? mk->events.data[0].attr.len + 16 : 144;
	p->types = mk->header_length + (mk->late_attrs ? 0 : front);
	p->data = p->types + mk->event_types.len;
	implied_features(mk, p->data);
	p->data_end = p->features = p->data + mk->data.len;
	p->ids = mk->late_attrs ? p->features + features_size(mk)
				: mk->header_length;
	p->attrs = p->ids + ids_size(mk);
}

static void
put_magic(struct mk *mk, struct cp_buf *b)
{
	if (mk->v1)
		cp_buf_add(b, "PERFFILE", 8);
	else
		mk_put(mk, b, 8, UINT64_C(0x32454c4946524550));
}

/* header KEY=VALUE...: fields that do not say the truth. */
static uint64_t
said(struct mk *mk, const char *key, uint64_t truth)
{
	const struct mk_stmt *now = mk->now;

	for (size_t i = 0; i < mk->headers.len; i++) {
		mk->now = &mk->stmts.data[mk->headers.data[i] - 1];
		truth = mk_num(mk, key, truth);
	}
	mk->now = now;
	return truth;
}

static void
put_header(struct mk *mk, const struct place *p)
{
	struct cp_buf *b = &mk->out;
	uint64_t bits[4] = { 0 };
	uint64_t types = mk->event_types.len;

	for (size_t i = 0; i < mk->features.len; i++)
		bits[mk->features.data[i].bit / 64] |=
		    UINT64_C(1) << mk->features.data[i].bit % 64;
	put_magic(mk, b);
	mk_put(mk, b, 8, said(mk, "size", mk->header_length));
	mk_put(mk, b, 8, said(mk, "attr_size", p->attr_size));
	mk_put(mk, b, 8, said(mk, "attrs.offset", p->attrs));
	mk_put(mk, b, 8, said(mk, "attrs.size", p->attrs_size));
	mk_put(mk, b, 8, said(mk, "data.offset", p->data));
	mk_put(mk, b, 8, said(mk, "data.size", mk->killed ? 0 : mk->data.len));
	mk_put(mk, b, 8, said(mk, "types.offset", types ? p->types : 0));
	mk_put(mk, b, 8, said(mk, "types.size", types));
	if (mk->header_length < 104)
		return;
	mk_put(mk, b, 8, said(mk, "features0", bits[0]));
	mk_put(mk, b, 8, said(mk, "features1", bits[1]));
	mk_put(mk, b, 8, said(mk, "features2", bits[2]));
	mk_put(mk, b, 8, said(mk, "features3", bits[3]));
	mk_zeros(b, mk->header_length - 104);
}

static void
put_features(struct mk *mk)
{
	uint64_t at = mk->out.len + 16 * mk->features.len;

	for (size_t i = 0; i < mk->features.len; i++) {
		uint64_t n = mk->features.data[i].payload.len;

		mk_put(mk, &mk->out, 8, at);
		mk_put(mk, &mk->out, 8, n);
		at += n;
	}
	for (size_t i = 0; i < mk->features.len; i++) {
		const struct cp_buf *b = &mk->features.data[i].payload;

		cp_buf_add(&mk->out, cp_buf_text(b), b->len);
	}
}

static void
put_file(struct mk *mk, struct place *p)
{
	find_places(mk, p);
	put_header(mk, p);
	if (!mk->late_attrs) {
		put_ids(mk);
		put_attrs(mk, p->ids);
	}
	cp_buf_add(
	    &mk->out, cp_buf_text(&mk->event_types), mk->event_types.len);
	cp_buf_add(&mk->out, cp_buf_text(&mk->data), mk->data.len);
	if (!mk->killed && mk->header_length >= 104)
		put_features(mk);
	if (mk->late_attrs) {
		put_ids(mk);
		put_attrs(mk, p->ids);
	}
}

static void
put_pipe(struct mk *mk, struct place *p)
{
	put_magic(mk, &mk->out);
	mk_put(mk, &mk->out, 8, said(mk, "size", 16));
	p->data = mk->out.len;
	p->data_end = p->data + mk->data.len;
	cp_buf_add(&mk->out, cp_buf_text(&mk->data), mk->data.len);
}

/* ------------------------------------------------------- after the fact */

/* Labels and sections become file offsets. */
static void
name_places(struct mk *mk, const struct place *p)
{
	for (size_t i = 0; i < mk->vars.len; i++)
		if (mk->vars.data[i].in_data)
			mk_set(mk, mk->vars.data[i].name,
			    mk->vars.data[i].value + p->data, false);
	mk_set(mk, "ids", p->ids, false);
	mk_set(mk, "attrs", p->attrs, false);
	mk_set(mk, "data", p->data, false);
	mk_set(mk, "data_end", p->data_end, false);
	mk_set(mk, "features", p->features, false);
}

static void
do_patch(struct mk *mk, uint64_t at)
{
	struct cp_buf b;
	const char *w;

	cp_buf_init(&b, MK_MAX_FILE);
	if (strcmp(mk_need(mk, "patch"), "patch") != 0)
		mk_die(mk, "at OFFSET patch items...");
	while ((w = mk_next(mk)) != NULL)
		mk_items(mk, &b, w, 0);
	if (at > mk->out.len || b.len > mk->out.len - at)
		mk_die(mk, "offset %" PRIu64 " is outside", at);
	memcpy(mk->out.data + at, cp_buf_text(&b), b.len);
	cp_buf_free(&b);
}

static void
do_one(struct mk *mk)
{
	const char *verb = mk->now->word[0];
	const char *w;

	mk_set(mk, "size", mk->out.len, false);
	memset(mk->used, false, sizeof(mk->used));
	mk->used[0] = true;
	if (strcmp(verb, "append") == 0) {
		while ((w = mk_next(mk)) != NULL)
			mk_items(mk, &mk->out, w, 0);
	} else {
		uint64_t at;

		w = mk_need(mk, "offset");
		at = mk_expr(mk, w, strlen(w));
		if (strcmp(verb, "at") == 0)
			do_patch(mk, at);
		else if (at > mk->out.len)
			mk_die(mk, "offset %" PRIu64 " is outside", at);
		else
			mk->out.len = at;
	}
	mk_all_used(mk);
}

void
mk_finish(struct mk *mk)
{
	struct place p = { 0 };

	if (mk->loops != 0)
		mk_die(mk, "repeat without }");
	if (mk->compressing)
		mk_compress_flush(mk);
	if (mk->container == MK_FILE)
		put_file(mk, &p);
	else if (mk->container == MK_PIPE)
		put_pipe(mk, &p);
	else
		cp_buf_add(&mk->out, cp_buf_text(&mk->data), mk->data.len);
	name_places(mk, &p);
	for (size_t i = 0; i < mk->after.len; i++) {
		mk->now = &mk->stmts.data[mk->after.data[i] - 1];
		do_one(mk);
	}
	if (mk->out.full)
		mk_die(mk, "the capture is too large");
}
