/* SPDX-License-Identifier: MIT */
/*
 * mkperf: records: header, fields, the sample_id trailer.
 */
#include "mkperf.h"

static const struct {
	const char *name;
	uint32_t type;
	uint32_t misc;
	const char *layout;
} records[] = {
#define MK_RECORD(name, type, misc, layout) { name, type, misc, layout },
#include "mkperf-records.def"
#undef MK_RECORD
};

void
mk_emit_bytes(struct mk *mk, const void *p, size_t n)
{
	struct cp_buf *b = mk->compressing ? &mk->plain : &mk->data;

	cp_buf_add(b, p, n);
	if (b->full)
		mk_die(mk, "the capture is too large");
}

static void
emit_header(struct mk *mk, uint64_t type, uint64_t misc, uint64_t size)
{
	struct cp_buf h;

	cp_buf_init(&h, 16);
	mk_put(mk, &h, 4, type);
	mk_put(mk, &h, 2, type >= 32768 ? size >> 16 : misc);
	mk_put(mk, &h, 2, size & 0xffff);
	mk_emit_bytes(mk, h.data, h.len);
	cp_buf_free(&h);
}

/* A simpleperf record that does not fit is sent in pieces. */
static void
emit_split(
    struct mk *mk, uint64_t type, const struct cp_buf *payload, uint64_t piece)
{
	struct cp_buf whole;
	uint64_t size = 8 + payload->len;

	cp_buf_init(&whole, MK_MAX_FILE);
	mk_put(mk, &whole, 4, type);
	mk_put(mk, &whole, 2, size >> 16);
	mk_put(mk, &whole, 2, size & 0xffff);
	cp_buf_add(&whole, payload->data, payload->len);
	for (size_t at = 0; at < whole.len; at += piece) {
		size_t n = CP_MIN(piece, whole.len - at);

		emit_header(mk, 32772, 0, 8 + n);
		mk_emit_bytes(mk, whole.data + at, n);
	}
	emit_header(mk, 32773, 0, 8);
	cp_buf_free(&whole);
}

/*
 * Writes a record.  header_size= changes what the header says, cut= leaves
 * out bytes at the end, tail= adds some (and the header counts both).
 */
void
mk_emit(
    struct mk *mk, uint64_t type, uint64_t misc, const struct cp_buf *payload)
{
	const char *tail = mk_key(mk, "tail");
	uint64_t cut = mk_num(mk, "cut", 0), split = mk_num(mk, "split", 0);
	struct cp_buf b;
	uint64_t size;

	if (split != 0) {
		emit_split(mk, type, payload, split);
		return;
	}
	cp_buf_init(&b, MK_MAX_FILE);
	cp_buf_add(&b, cp_buf_text(payload), payload->len);
	b.len -= CP_MIN(cut, b.len);
	if (tail != NULL)
		mk_items(mk, &b, tail, 0);
	size = mk_num(mk, "header_size", 8 + b.len);
	if (size > 65535 && type < 32768)
		mk_die(mk, "a record of %" PRIu64 " bytes", size);
	emit_header(mk, type, mk_num(mk, "misc", misc), size);
	mk_emit_bytes(mk, cp_buf_text(&b), b.len);
	cp_buf_free(&b);
}

/* ------------------------------------------------------------ trailer */

static bool
has(const struct mk_event *e, enum mk_st bit)
{
	return e->sample_type >> bit & 1;
}

static void
put_trailer(struct mk *mk, struct cp_buf *b, const struct mk_event *e)
{
	uint64_t pid = mk_num(mk, ".pid", mk->pid);
	uint64_t tid = mk_num(mk, ".tid", mk->tid);
	uint64_t time = mk_num(mk, ".time", mk_num(mk, "time", 0));
	uint64_t id = mk_num(mk, ".id", e->ids.len ? e->ids.data[0] : 0);
	uint64_t stream = mk_num(mk, ".stream", id);
	uint64_t cpu = mk_num(mk, ".cpu", mk_num(mk, "cpu", 0));

	if (has(e, ST_TID)) {
		mk_put(mk, b, 4, pid);
		mk_put(mk, b, 4, tid);
	}
	if (has(e, ST_TIME))
		mk_put(mk, b, 8, time);
	if (has(e, ST_ID))
		mk_put(mk, b, 8, id);
	if (has(e, ST_STREAM_ID))
		mk_put(mk, b, 8, stream);
	if (has(e, ST_CPU)) {
		mk_put(mk, b, 4, cpu);
		mk_put(mk, b, 4, 0);
	}
	if (has(e, ST_IDENTIFIER))
		mk_put(mk, b, 8, id);
}

/* event=NAME says whose trailer it is; trailer=no leaves it out. */
static void
trailer(struct mk *mk, struct cp_buf *b)
{
	const char *name = mk_key(mk, "event");
	const char *how = mk_key(mk, "trailer");
	const struct mk_event *e = mk_event(mk, name);

	if (how != NULL && strcmp(how, "no") != 0)
		mk_items(mk, b, how, 0);
	else if (how == NULL && (e->flags >> 18 & 1))
		put_trailer(mk, b, e);
}

/* -------------------------------------------------------- odd ones out */

static void
do_auxtrace(struct mk *mk)
{
	const char *payload = mk_key(mk, "data");
	struct cp_buf b, data;

	cp_buf_init(&b, MK_MAX_FILE);
	cp_buf_init(&data, MK_MAX_FILE);
	mk_layout(mk, &b,
	    "aux_size:8=%data offset:8 reference:8 idx:4 "
	    "tid:4 cpu:4 reserved:4=0");
	if (payload != NULL)
		mk_items(mk, &data, payload, 0);
	*cp_vec_push(&mk->auxtraces) = mk->data.len;
	*cp_vec_push(&mk->auxtraces) = 8 + b.len;
	mk_emit(mk, 71, 0, &b);
	mk_emit_bytes(mk, cp_buf_text(&data), data.len);
	cp_buf_free(&b);
	cp_buf_free(&data);
}

static void
do_event_update(struct mk *mk)
{
	struct cp_buf b;
	const char *w = mk_need(mk, "event");
	const struct mk_event *e = mk_event(mk, w);

	cp_buf_init(&b, 1u << 16);
	mk_put(mk, &b, 8, 2);
	mk_put(mk, &b, 8, e->ids.len != 0 ? e->ids.data[0] : 0);
	cp_buf_str(&b, e->name);
	cp_buf_char(&b, 0);
	mk_align(&b, 0, 8);
	mk_emit(mk, 78, 0, &b);
	cp_buf_free(&b);
}

/* raw TYPE MISC items... */
void
mk_raw(struct mk *mk)
{
	const char *type = mk_need(mk, "type");
	const char *misc = mk_need(mk, "misc");
	const char *w;
	struct cp_buf b;

	cp_buf_init(&b, MK_MAX_FILE);
	while ((w = mk_next(mk)) != NULL)
		mk_items(mk, &b, w, 0);
	mk_emit(mk, mk_expr(mk, type, strlen(type)),
	    mk_expr(mk, misc, strlen(misc)), &b);
	cp_buf_free(&b);
}

bool
mk_record(struct mk *mk, const char *name)
{
	struct cp_buf b;
	size_t i;

	if (strcmp(name, "auxtrace") == 0) {
		do_auxtrace(mk);
		return true;
	}
	if (strcmp(name, "event_update") == 0) {
		do_event_update(mk);
		return true;
	}
	for (i = 0; i < CP_ARRAY_LEN(records); i++)
		if (strcmp(name, records[i].name) == 0)
			break;
	if (i == CP_ARRAY_LEN(records))
		return false;
	mk->pid = mk->tid = 0;
	cp_buf_init(&b, MK_MAX_FILE);
	mk_layout(mk, &b, records[i].layout);
	if (records[i].type < 64)
		trailer(mk, &b);
	mk_emit(mk, records[i].type, records[i].misc, &b);
	cp_buf_free(&b);
	return true;
}
