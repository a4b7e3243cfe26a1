/* SPDX-License-Identifier: MIT */
/*
 * base/redact/scan.h: searches the output for removed names.
 *
 * It unpacks gzip, zlib, deflate and zstd, and decodes base64 and UTF-16, also
 * nested, as outputs have them.
 */
#ifndef CP_BASE_REDACT_SCAN_H
#define CP_BASE_REDACT_SCAN_H

#include "base/redact/names.h"

struct cp_scan_word {
	const char *text;
	size_t n;
	uint32_t next; /* word of the same hash + 1; 0: none */
	bool sought;   /* of a user or a host: a word, in any case */
	bool allowed;  /* it also stands in what is kept */
	/* The function in whose name it is a part of a longer word, or NULL. */
	const char *function;
};

struct cp_scan {
	const struct cp_redact *redact;
	CP_VEC(struct cp_scan_word) words;
	uint32_t *heads;  /* by hash: word + 1 */
	uint32_t *shorts; /* the same of words of fewer bytes; or NULL */
	size_t allowed;   /* words that are not looked for */
	/* Those of them that name users and hosts. */
	CP_VEC(const char *) common;
	const char *found;    /* the first word found, or NULL */
	char whole[80];       /* the longer word that it stands in, or it */
	const char *too_much; /* why the content was not searched, or NULL */
};

/*
 * Takes the removed words, and marks those that kept names or our own texts
 * contain.
 */
void cp_scan_init(struct cp_scan *, const struct cp_redact *);
/* False: `found' or `too_much' says why the content is not clean. */
bool cp_scan_clean(struct cp_scan *, const uint8_t *, size_t n);
void cp_scan_free(struct cp_scan *);

#endif
