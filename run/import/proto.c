/* SPDX-License-Identifier: MIT */
#include "run/import/proto.h"

struct cp_proto_in
cp_proto_of(struct cp_text t)
{
	const uint8_t *p = (const uint8_t *)t.s;

	return (struct cp_proto_in){ .at = p, .end = t.n != 0 ? p + t.n : p };
}

struct cp_proto_in
cp_proto_cut(struct cp_text t)
{
	struct cp_proto_in p = cp_proto_of(t);

	p.rest = true;
	return p;
}

static bool
varint(const uint8_t **at, const uint8_t *end, uint64_t *v)
{
	*v = 0;
	for (unsigned i = 0; i < 10 && *at < end; i++) {
		uint8_t b = *(*at)++;

		*v |= (uint64_t)(b & 0x7f) << (7 * i);
		if ((b & 0x80) == 0)
			return true;
	}
	return false;
}

bool
cp_proto_next(struct cp_proto_in *p, struct cp_proto_field *f)
{
	uint64_t tag, n;

	if (p->at >= p->end || p->damaged)
		return false;
	*f = (struct cp_proto_field){ 0 };
	p->damaged = !varint(&p->at, p->end, &tag) || tag >> 3 == 0 ||
		     tag >> 3 > UINT32_MAX;
	if (p->damaged)
		return false;
	f->number = (uint32_t)(tag >> 3);
	switch (tag & 7) {
	case 0: p->damaged = !varint(&p->at, p->end, &f->value); break;
	case 1: n = 8; goto bytes;
	case 5: n = 4; goto bytes;
	case 2:
		p->damaged = !varint(&p->at, p->end, &n);
	bytes:
		if (!p->damaged && p->rest && (tag & 7) == 2 &&
		    n > (size_t)(p->end - p->at)) {
			p->damaged = true;
			f->text = (struct cp_text){ (const char *)p->at,
				(size_t)(p->end - p->at) };
			return true;
		}
		p->damaged |= n > (size_t)(p->end - p->at);
		if (p->damaged)
			break;
		if ((tag & 7) == 2)
			f->text =
			    (struct cp_text){ (const char *)p->at, (size_t)n };
		p->at += n;
		break;
	default: p->damaged = true;
	}
	return !p->damaged;
}

bool
cp_proto_item(const struct cp_proto_field *f, size_t *at, uint64_t *value)
{
	const uint8_t *p, *end;

	if (f->text.s == NULL) {
		*value = f->value;
		return (*at)++ == 0;
	}
	if (*at >= f->text.n)
		return false;
	p = (const uint8_t *)f->text.s + *at;
	end = (const uint8_t *)f->text.s + f->text.n;
	if (!varint(&p, end, value))
		return false;
	*at = (size_t)(p - (const uint8_t *)f->text.s);
	return true;
}

struct cp_proto_type
cp_proto_type(struct cp_text t)
{
	struct cp_proto_in p = cp_proto_of(t);
	struct cp_proto_type type = { 0, 0 };
	struct cp_proto_field f;

	while (cp_proto_next(&p, &f)) {
		if (f.number == 1)
			type.type = f.value;
		else if (f.number == 2)
			type.unit = f.value;
	}
	return type;
}

int
cp_proto_samples(struct cp_import *im, struct cp_tables_row *row,
    uint64_t samples, uint64_t weight)
{
	uint64_t n = CP_MIN(CP_MAX(samples, 1), UINT32_MAX / 2);
	uint64_t rest = weight % n;
	int status = CP_OK;

	row->weight = weight / n;
	row->times = (uint32_t)(n - rest);
	if (row->weight != 0 || rest == 0)
		status = cp_import_sample(im, row);
	row->weight++;
	row->times = (uint32_t)rest;
	return status == CP_OK ? cp_import_sample(im, row) : status;
}

uint32_t
cp_proto_event(struct cp_import *im, struct cp_text type, struct cp_text unit)
{
	bool ns = cp_text_is(unit, "nanoseconds");

	if (type.n == 0)
		type = CP_LITERAL("samples");
	return cp_import_event(im, type,
	    ns                          ? "ns"
	    : cp_text_is(unit, "bytes") ? "bytes"
					: NULL,
	    true);
}

/* -------------------------------------------------------------------- code */

size_t
cp_proto_list(
    const struct cp_proto_field *f, uint64_t *to, size_t n, size_t max)
{
	size_t at = 0;

	for (uint64_t v; cp_proto_item(f, &at, &v);)
		if (n < max)
			to[n++] = v;
	return n;
}

struct cp_text
cp_proto_string(const struct cp_proto_code *c, uint64_t i)
{
	return cp_text_at(&c->strings, i);
}

void
cp_proto_note(cp_text_vec *all, struct cp_map64 *by_id, struct cp_text message)
{
	struct cp_proto_in p = cp_proto_of(message);
	struct cp_proto_field f = { 0 };

	while (cp_proto_next(&p, &f) && f.number != 1)
		;
	if (f.number != 1 || f.value == 0)
		return;
	*cp_vec_push(all) = message;
	*cp_map64_put(by_id, f.value) = (uint32_t)all->len;
}

/* Returns the index + 1 of a message; 0: there is none. */
static uint64_t
find(const struct cp_proto_code *c, const cp_text_vec *all,
    const struct cp_map64 *ids, uint64_t id)
{
	if (id == 0 || c->shift != 0)
		return id != 0 ? cp_map64_get(ids, id) : 0;
	return id < all->len ? id + 1 : 0;
}

static struct cp_text
message(const struct cp_proto_code *c, const cp_text_vec *all,
    const struct cp_map64 *ids, uint64_t id)
{
	return cp_text_at(all, find(c, all, ids, id) - 1);
}

static void
read_line(struct cp_proto_code *c, struct cp_text line)
{
	struct cp_import_line *to = &c->place.line[c->place.lines++];
	struct cp_proto_in p = cp_proto_of(line);
	struct cp_text raw = { "", 0 };
	struct cp_proto_field f;
	uint64_t function = 0;

	*to = (struct cp_import_line){ .name = CP_LITERAL("") };
	while (cp_proto_next(&p, &f)) {
		if (f.number == 1)
			function = f.value;
		else if (f.number == 2)
			to->line = (uint32_t)f.value;
		else if (f.number == 3)
			to->column = (uint32_t)f.value;
	}
	p = cp_proto_of(message(c, &c->functions, &c->function, function));
	while (cp_proto_next(&p, &f)) {
		if (f.number == c->shift + 1)
			to->name = cp_proto_string(c, f.value);
		else if (f.number == c->shift + 2)
			raw = cp_proto_string(c, f.value);
		else if (f.number == c->shift + 3)
			to->file = cp_proto_string(c, f.value);
	}
	/* The mangled name, so that it is shown as the user asks. */
	if (cp_text_begins(raw, "_Z") || cp_text_begins(raw, "_R"))
		to->name = raw;
}

static cp_frame_id
frame_of(struct cp_proto_code *c, uint64_t location)
{
	uint64_t i = find(c, &c->locations, &c->location, location);
	struct cp_import_frame *to = &c->place;
	struct cp_proto_field f;
	struct cp_proto_in p;

	if (i == 0)
		return 0;
	while (c->frame.len < i)
		*cp_vec_push(&c->frame) = 0;
	if (c->frame.data[i - 1] != 0)
		return c->frame.data[i - 1] - 1;
	to->lines = to->addr = to->object = 0;
	to->level = CP_LEVEL_USER;
	p = cp_proto_of(c->locations.data[i - 1]);
	while (cp_proto_next(&p, &f)) {
		if (f.number == c->shift + 1)
			to->object = c->object(
			    c, message(c, &c->mappings, &c->mapping, f.value));
		else if (f.number == c->shift + 2)
			to->addr = f.value;
		else if (f.number == c->shift + 3 &&
			 to->lines < CP_IMPORT_LINES)
			read_line(c, f.text);
		else if (f.number == c->shift + 4 && c->attributes != NULL)
			c->attributes(c, &f);
	}
	if (to->lines == 0)
		to->line[to->lines++] =
		    (struct cp_import_line){ .name = CP_LITERAL("") };
	/* The file has the innermost function first. */
	for (size_t k = 0; k < to->lines / 2; k++) {
		struct cp_import_line other = to->line[to->lines - 1 - k];

		to->line[to->lines - 1 - k] = to->line[k];
		to->line[k] = other;
	}
	c->frame.data[i - 1] = cp_import_frame(c->im, to) + 1;
	return c->frame.data[i - 1] - 1;
}

cp_stack_id
cp_proto_stack(struct cp_proto_code *c, const uint64_t *location, size_t n)
{
	cp_stack_id stack = 0;

	while (n-- > 0)
		stack = cp_import_push(c->im, stack, frame_of(c, location[n]));
	return stack;
}

void
cp_proto_code_free(struct cp_proto_code *c)
{
	cp_vec_free(&c->strings);
	cp_vec_free(&c->mappings);
	cp_vec_free(&c->locations);
	cp_vec_free(&c->functions);
	cp_vec_free(&c->frame);
	cp_map64_free(&c->mapping);
	cp_map64_free(&c->location);
	cp_map64_free(&c->function);
}
