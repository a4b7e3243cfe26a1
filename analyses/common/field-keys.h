/* SPDX-License-Identifier: MIT */
/*
 * analyses/common/field-keys.h: values of payload fields as keys of samples.
 * A value is a string's id, so that numbers and texts are alike.
 */
#ifndef CP_ANALYSES_COMMON_FIELD_KEYS_H
#define CP_ANALYSES_COMMON_FIELD_KEYS_H

#include <coldperf/plugin.h>

enum { CP_FIELD_KEYS = 4, CP_FIELD_KEY_RECENT = 256 };

struct cp_field_key {
	const char *name;
	uint32_t item; /* of the array of that name; CP_NO_ID: all of it */
	bool found;    /* some sample had it */
	/* by evsel: looked up, and the field, or NULL */
	bool *looked;
	const struct cp_field **field;
	bool *hex; /* its numbers are shown so */
	uint32_t n;
	/* ids of numbers met last, by their low bits */
	struct {
		uint64_t number;
		cp_string_id id; /* 0: none */
		bool hex;
	} recent[CP_FIELD_KEY_RECENT];
};

/* Reads "field:NAME", "arg:NAME" or "arg:N"; false: it is none of these. */
bool cp_field_key_parse(
    struct cp_run *, const char *word, size_t n, struct cp_field_key **);
/* Returns the id of the value's text; 0: the sample has no such field. */
cp_string_id cp_field_key_of(
    struct cp_run *, struct cp_field_key *, const struct cp_sample *);
/* CP_FAIL after a diagnostic with the fields there are: no sample has it. */
int cp_field_key_check(
    struct cp_run *, const struct cp_field_key *) CP_MUST_USE;

#endif
