/* SPDX-License-Identifier: MIT */
/* run/import/proto.h: the fields of a protobuf message, one after the other. */
#ifndef CP_RUN_IMPORT_PROTO_H
#define CP_RUN_IMPORT_PROTO_H

#include "run/import/build.h"

struct cp_proto_in {
	const uint8_t *at, *end;
	bool damaged; /* it ends inside a field, or has a type unknown */
	bool rest;    /* of a message that is cut there is what there is */
};

struct cp_proto_field {
	uint32_t number;
	uint64_t value;      /* of a number */
	struct cp_text text; /* of a text, a message or a list; else NULL */
};

struct cp_proto_in cp_proto_of(struct cp_text);
/* The same; a last message that is cut is given, too. */
struct cp_proto_in cp_proto_cut(struct cp_text);
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

/* Messages by number; a table of texts is one of them. */
typedef CP_VEC(struct cp_text) cp_text_vec;
static inline struct cp_text
cp_text_at(const cp_text_vec *v, uint64_t i)
{
	return i < v->len ? v->data[i] : CP_LITERAL("");
}

/*
 * The tables of code that pprof and OTLP have, which are alike: messages of
 * pprof have their id as field 1 before the others, those of OTLP are known by
 * their index, of which 0 means none.
 */
struct cp_proto_code {
	struct cp_import *im;
	unsigned shift; /* 1: messages have ids */
	cp_text_vec strings, mappings, locations, functions;
	/* Id of a message to its index + 1. */
	struct cp_map64 mapping, location, function;
	CP_VEC(cp_frame_id) frame; /* + 1, by location */
	/* Returns the object of a mapping, and may set the level of `place'. */
	uint32_t (*object)(struct cp_proto_code *, struct cp_text mapping);
	/* Reads what else a location says; NULL: nothing. */
	void (*attributes)(
	    struct cp_proto_code *, const struct cp_proto_field *);
	struct cp_import_frame place;
};
struct cp_text cp_proto_string(const struct cp_proto_code *, uint64_t i);
/* Keeps a message by its id. */
void cp_proto_note(cp_text_vec *, struct cp_map64 *, struct cp_text message);
/* Appends the frames of a list of locations, the innermost first. */
cp_stack_id cp_proto_stack(
    struct cp_proto_code *, const uint64_t *location, size_t n);
void cp_proto_code_free(struct cp_proto_code *);
/* Adds the numbers of a field to those that are there; returns how many. */
size_t cp_proto_list(
    const struct cp_proto_field *, uint64_t *to, size_t n, size_t max);

/* Number of samples and their weight, split into rows of equal weight. */
int cp_proto_samples(struct cp_import *, struct cp_tables_row *,
    uint64_t samples, uint64_t weight) CP_MUST_USE;
/* Returns the event of a pair of type and unit. */
uint32_t cp_proto_event(
    struct cp_import *, struct cp_text type, struct cp_text unit);

#endif
