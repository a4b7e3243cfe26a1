/* SPDX-License-Identifier: MIT */
/*
 * run/filter/payload.h: --filter 'EVENT: EXPRESSION' in ftrace's syntax, on
 * fields of payloads and on columns of samples.
 */
#ifndef CP_RUN_FILTER_PAYLOAD_H
#define CP_RUN_FILTER_PAYLOAD_H

#include "base/diag.h"
#include "base/match/pattern.h"
#include "base/vec.h"
#include "run/options.h"

struct cp_tp_field;

enum cp_column_of {
	CP_COLUMN_FIELD,
	CP_COLUMN_PID,
	CP_COLUMN_TID,
	CP_COLUMN_COMM,
	CP_COLUMN_CPU,
	CP_COLUMN_TIME,
	CP_COLUMN_ADDR,
	CP_COLUMN_WEIGHT,
	CP_COLUMN_PERIOD,
	CP_COLUMN_NONE
};
enum { CP_FILTER_TESTS = 1024 };

enum cp_test_kind {
	CP_TEST_TEST,
	CP_TEST_AND,
	CP_TEST_OR,
	CP_TEST_NOT,
	CP_TEST_OPEN
};

enum cp_test_compare {
	CP_TEST_EQ,
	CP_TEST_NE,
	CP_TEST_LT,
	CP_TEST_LE,
	CP_TEST_GT,
	CP_TEST_GE,
	CP_TEST_BITS,
	CP_TEST_GLOB,
	CP_TEST_NO_GLOB
};

struct cp_test {
	uint8_t kind, compare;
	bool quoted;  /* value is a text in quotes */
	bool numeric; /* value is a number */
	const char *name, *value;
	uint64_t number;
	uint64_t time;             /* the value as seconds, in ns */
	struct cp_pattern pattern; /* of CP_TEST_GLOB */
};

/* What a name is for an event. */
struct cp_meant {
	uint8_t column; /* enum cp_column_of */
	const struct cp_tp_field *field;
};

struct cp_payload_of_event {
	bool looked, applies;
	struct cp_meant *meant; /* one for each node */
};

struct cp_payload_filter {
	struct cp_arena arena;
	const char *text;
	const char *event; /* NULL: all */
	struct cp_pattern events;
	CP_VEC(struct cp_test) nodes;
	CP_VEC(struct cp_payload_of_event) by_evsel;
	bool told;
};

typedef CP_VEC(struct cp_payload_filter *) cp_payload_filters;

/* CP_FAIL after a diagnostic: an expression is damaged. */
int cp_payload_filters_init(
    cp_payload_filters *, const cp_words *, struct cp_diags *) CP_MUST_USE;
void cp_payload_filters_free(cp_payload_filters *);

#endif
