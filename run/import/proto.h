/* SPDX-License-Identifier: MIT */
/* run/import/proto.h: the fields of a protobuf message, one after the other. */
#ifndef CP_RUN_IMPORT_PROTO_H
#define CP_RUN_IMPORT_PROTO_H

#include "run/import/build.h"

struct cp_proto_in {
	const uint8_t *at, *end;
	bool damaged; /* it ends inside a field, or has a type unknown */
};

struct cp_proto_field {
	uint32_t number;
	uint64_t value;      /* of a number */
	struct cp_text text; /* of a text, a message or a list; else NULL */
};

struct cp_proto_in cp_proto_of(struct cp_text);
bool cp_proto_next(struct cp_proto_in *, struct cp_proto_field *);
/*
 * Steps through the numbers of a field, packed or a single one: begin with
 * *at = 0.
 */
bool cp_proto_item(const struct cp_proto_field *, size_t *at, uint64_t *value);

/* Reads a value of a pair that says type and unit, by number of its text. */
struct cp_proto_type {
	uint64_t type, unit;
};
struct cp_proto_type cp_proto_type(struct cp_text);

/* Reads the message of a line; returns the number of its function. */
uint64_t cp_proto_line(struct cp_text, struct cp_import_line *);

/* Messages by number; a table of texts is one of them. */
typedef CP_VEC(struct cp_text) cp_text_vec;
static inline struct cp_text
cp_text_at(const cp_text_vec *v, uint64_t i)
{
	return i < v->len ? v->data[i] : CP_LITERAL("");
}

/* Number of samples and their weight, split into rows of equal weight. */
int cp_proto_samples(struct cp_import *, struct cp_tables_row *,
    uint64_t samples, uint64_t weight) CP_MUST_USE;
/* Returns the event of a pair of type and unit. */
uint32_t cp_proto_event(
    struct cp_import *, struct cp_text type, struct cp_text unit);

#endif
