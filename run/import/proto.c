/* SPDX-License-Identifier: MIT */
#include "run/import/proto.h"

struct cp_proto_in
cp_proto_of(struct cp_text t)
{
	const uint8_t *p = (const uint8_t *)t.s;

	return (struct cp_proto_in){ .at = p, .end = t.n != 0 ? p + t.n : p };
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

uint64_t
cp_proto_line(struct cp_text message, struct cp_import_line *to)
{
	struct cp_proto_in p = cp_proto_of(message);
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
	return function;
}
