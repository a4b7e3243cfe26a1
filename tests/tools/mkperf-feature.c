/* SPDX-License-Identifier: MIT */
/*
 * mkperf: header features, build ids and tracing data.
 *
 * In a file they are collected for the sections behind the records; in a pipe
 * each becomes a record where it stands.
 */
#include "mkperf.h"

static const struct {
	const char *name;
	uint32_t bit;
	const char *layout;
} known[] = {
#define MK_FEATURE(name, bit, layout) { name, bit, layout },
#include "mkperf-features.def"
#undef MK_FEATURE
};

struct mk_feature *
mk_feature_of(struct mk *mk, uint32_t bit)
{
	struct mk_feature *f;

	for (size_t i = 0; i < mk->features.len; i++)
		if (mk->features.data[i].bit == bit)
			return &mk->features.data[i];
	if (bit > 255)
		mk_die(mk, "the bitmap ends at 255");
	f = cp_vec_push(&mk->features);
	*f = (struct mk_feature){ .bit = bit };
	cp_buf_init(&f->payload, MK_MAX_FILE);
	return f;
}

static void
keep(struct mk *mk, uint32_t bit, const struct cp_buf *payload)
{
	struct cp_buf b;

	if (mk->container == MK_FILE) {
		cp_buf_add(&mk_feature_of(mk, bit)->payload,
		    cp_buf_text(payload), payload->len);
		return;
	}
	cp_buf_init(&b, MK_MAX_FILE);
	mk_put(mk, &b, 8, bit);
	cp_buf_add(&b, cp_buf_text(payload), payload->len);
	mk_emit(mk, 80, 0, &b);
	cp_buf_free(&b);
}

void
mk_event_desc(struct mk *mk, struct cp_buf *b)
{
	size_t attr = mk->events.len != 0 ? mk->events.data[0].attr.len : 0;

	mk_put(mk, b, 4, mk->events.len);
	mk_put(mk, b, 4, attr);
	for (size_t i = 0; i < mk->events.len; i++) {
		const struct mk_event *e = &mk->events.data[i];

		cp_buf_add(b, e->attr.data, CP_MIN(attr, e->attr.len));
		if (e->attr.len < attr)
			mk_zeros(b, attr - e->attr.len);
		mk_put(mk, b, 4, e->ids.len);
		mk_string64(mk, b, e->name, strlen(e->name));
		for (size_t j = 0; j < e->ids.len; j++)
			mk_put(mk, b, 8, e->ids.data[j]);
	}
}

static void
put_payload(struct mk *mk, struct cp_buf *b, const char *layout)
{
	const char *w;

	if (layout != NULL) {
		mk_layout(mk, b, layout);
		return;
	}
	while ((w = mk_next(mk)) != NULL)
		mk_items(mk, b, w, 0);
}

/* feature NAME fields... | feature NUMBER items... | feature NAME items=... */
void
mk_feature(struct mk *mk)
{
	const char *name = mk_need(mk, "name or number");
	const char *items = mk_key(mk, "items");
	const char *layout = NULL;
	uint32_t bit = UINT32_MAX;
	struct cp_buf b;

	for (size_t i = 0; i < CP_ARRAY_LEN(known); i++)
		if (strcmp(known[i].name, name) == 0) {
			bit = known[i].bit;
			layout = known[i].layout;
		}
	cp_buf_init(&b, MK_MAX_FILE);
	if (items != NULL)
		mk_items(mk, &b, items, 0);
	else if (strcmp(name, "auxtrace") == 0)
		mk->auxtrace_index = true;
	else if (strcmp(name, "event_desc") == 0)
		mk_event_desc(mk, &b), bit = 12;
	else
		put_payload(mk, &b, layout);
	if (bit == UINT32_MAX && !mk->auxtrace_index)
		bit = (uint32_t)mk_expr(mk, name, strlen(name));
	if (bit != UINT32_MAX)
		keep(mk, bit, &b);
	cp_buf_free(&b);
}

/* ------------------------------------------------------------ build ids */

/*
 * build_id ID NAME [pid=] [misc=] [form=old|plain]: plain has no length, old
 * is the table of 2.6.33 without a pid.
 */
void
mk_build_id(struct mk *mk, bool in_stream)
{
	const char *form = mk_key(mk, "form");
	bool old = form != NULL && strcmp(form, "old") == 0;
	bool plain = form != NULL && strcmp(form, "plain") == 0;
	uint64_t misc = mk_num(mk, "misc", 2);
	const char *name;
	struct cp_buf b;
	size_t id_at;

	cp_buf_init(&b, 1u << 16);
	if (!old)
		mk_put(mk, &b, 4, mk_num(mk, "pid", (uint64_t)-1));
	id_at = b.len;
	mk_items(mk, &b, mk_need(mk, "id"), 0);
	if (b.len - id_at > 20)
		mk_die(mk, "a build id has at most 20 bytes");
	id_at = b.len - id_at;
	mk_zeros(&b, 20 - id_at);
	mk_put(mk, &b, 1, plain || old ? 0 : id_at);
	mk_zeros(&b, 3);
	name = mk_need(mk, "name");
	mk_string(mk, name, strlen(name), &b);
	cp_buf_char(&b, 0);
	/* In a stream as in the table the name has a multiple of 64 bytes. */
	mk_align(&b, old ? 24 : 28, mk_num(mk, "align", 64));
	if (!plain && !old)
		misc |= 0x8000;
	if (in_stream) {
		mk_emit(mk, 67, misc, &b);
	} else {
		mk_put(mk, &mk->build_ids, 4, 0);
		mk_put(mk, &mk->build_ids, 2, misc);
		mk_put(mk, &mk->build_ids, 2, 8 + b.len);
		cp_buf_add(&mk->build_ids, b.data, b.len);
	}
	cp_buf_free(&b);
}

/* --------------------------------------------------------- tracing data */

static const char header_page[] =
    "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
    "\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
    "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
    "\tfield: char data;\toffset:16;\tsize:4080;\tsigned:1;\n";

static const char header_event[] = "# compressed entry header\n"
				   "\ttype_len    :    5 bits\n"
				   "\ttime_delta  :   27 bits\n"
				   "\tarray       :   32 bits\n";

/* format SYSTEM <<END ... END */
void
mk_format(struct mk *mk)
{
	if (mk->now->text == NULL)
		mk_die(mk, "format needs a text");
	*cp_vec_push(&mk->tracing.system) =
	    mk_strdup(mk, mk_need(mk, "system"));
	*cp_vec_push(&mk->tracing.format) = &mk->stmts.data[mk->pc - 1];
}

static void
put_sized(
    struct mk *mk, struct cp_buf *b, unsigned width, const void *p, size_t n)
{
	mk_put(mk, b, width, n);
	cp_buf_add(b, p, n);
}

static bool
first_of_system(const struct mk_tracing *t, size_t i)
{
	for (size_t j = 0; j < i; j++)
		if (strcmp(t->system.data[j], t->system.data[i]) == 0)
			return false;
	return true;
}

static void
put_formats(struct mk *mk, struct cp_buf *b)
{
	const struct mk_tracing *t = &mk->tracing;
	uint32_t systems = 0;

	for (size_t i = 0; i < t->system.len; i++)
		systems += first_of_system(t, i);
	mk_put(mk, b, 4, systems);
	for (size_t i = 0; i < t->system.len; i++) {
		uint32_t n = 0;

		if (!first_of_system(t, i))
			continue;
		for (size_t j = i; j < t->system.len; j++)
			n += strcmp(t->system.data[j], t->system.data[i]) == 0;
		cp_buf_add(b, t->system.data[i], strlen(t->system.data[i]) + 1);
		mk_put(mk, b, 4, n);
		for (size_t j = i; j < t->system.len; j++)
			if (strcmp(t->system.data[j], t->system.data[i]) == 0)
				put_sized(mk, b, 8, t->format.data[j]->text,
				    t->format.data[j]->text_len);
	}
}

static void
put_text_key(struct mk *mk, struct cp_buf *b, unsigned width, const char *key)
{
	const char *v = mk_key(mk, key);
	struct cp_buf t;

	cp_buf_init(&t, MK_MAX_FILE);
	if (v != NULL)
		mk_string(mk, v, strlen(v), &t);
	put_sized(mk, b, width, cp_buf_text(&t), t.len);
	cp_buf_free(&t);
}

/* tracing [version=] [long_size=] [page_size=] [kallsyms=] [printk=]
 * [cmdlines=] gives what is not a format. */
void
mk_tracing_blob(struct mk *mk, struct cp_buf *b)
{
	static const struct mk_stmt none = { 0 };
	const struct mk_stmt *now = mk->now;
	const char *v;

	mk->now = mk->tracing.options ? mk->tracing.options : &none;
	cp_buf_add(b, "\x17\x08\x44tracing", 10);
	v = mk_key(mk, "version");
	v = v != NULL ? v : "0.6";
	cp_buf_add(b, v, strlen(v) + 1);
	mk_put(mk, b, 1, mk->big);
	mk_put(mk, b, 1, mk_num(mk, "long_size", 8));
	mk_put(mk, b, 4, mk_num(mk, "page_size", 4096));
	cp_buf_add(b, "header_page", 12);
	put_sized(mk, b, 8, header_page, sizeof(header_page) - 1);
	cp_buf_add(b, "header_event", 13);
	put_sized(mk, b, 8, header_event, sizeof(header_event) - 1);
	mk_put(mk, b, 4, 0);
	put_formats(mk, b);
	put_text_key(mk, b, 4, "kallsyms");
	put_text_key(mk, b, 4, "printk");
	if (strcmp(v, "0.5") != 0)
		put_text_key(mk, b, 8, "cmdlines");
	mk->now = now;
}

/* Pipe: the record and, behind it, the blob. */
void
mk_tracing_record(struct mk *mk)
{
	struct cp_buf b, blob;

	cp_buf_init(&b, 64);
	cp_buf_init(&blob, MK_MAX_FILE);
	mk_tracing_blob(mk, &blob);
	mk_align(&blob, 0, 8);
	mk_put(mk, &b, 4, blob.len);
	if (mk_num(mk, "short", 0) == 0)
		mk_put(mk, &b, 4, 0);
	mk_emit(mk, 66, 0, &b);
	mk_emit_bytes(mk, blob.data, blob.len);
	cp_buf_free(&b);
	cp_buf_free(&blob);
}
