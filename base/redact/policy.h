/* SPDX-License-Identifier: MIT */
/*
 * base/redact/policy.h: the action of a redaction for each class of names.
 *
 * A policy is a text of sections and lines "name = value", or one of two
 * built-in texts, with which a file may begin: docs/redaction.md.
 */
#ifndef CP_BASE_REDACT_POLICY_H
#define CP_BASE_REDACT_POLICY_H

#include "base/match/pattern.h"
#include "base/vec.h"

/* X(name in C, name in policies) */
/* clang-format off */
#define CP_REDACT_CLASSES(X) \
	X(HOST, "host") X(COMMAND, "command-line") X(SYSTEM, "system") \
	X(COMM, "comm") X(PATH, "path") X(CGROUP, "cgroup") \
	X(EVENT, "event") X(SYMBOL, "symbol") X(PAYLOAD, "payload") \
	X(STACK, "stack") X(ADDRESS, "data-address") X(SOURCE, "source")
/* clang-format on */

enum cp_redact_class {
#define X(id, name) CP_REDACT_##id,
	CP_REDACT_CLASSES(X)
#undef X
	    CP_REDACT_N
};

enum cp_redact_how {
	CP_REDACT_KEEP,
	CP_REDACT_GENERALIZE,
	CP_REDACT_HASH,
	CP_REDACT_DROP
};

typedef CP_VEC(struct cp_pattern *) cp_patterns;

struct cp_policy {
	const char *name; /* "share", "public", or the file's */
	enum cp_redact_how how[CP_REDACT_N];
	/* objects that keep their names and symbols in any case */
	cp_patterns objects;
	cp_patterns events;          /* events that keep theirs */
	cp_patterns fields;          /* system:event.field of payloads kept */
	CP_VEC(const char *) remove; /* words to replace wherever they are */
	CP_VEC(const char *) allow;  /* words that the scan may find */
	char *key;
	size_t key_size;
	/* The texts that words point into: of the file, of what it begins with.
	 */
	char *text, *base;
	bool built_in;
};

const char *cp_redact_class_name(enum cp_redact_class);
/*
 * Reads a built-in policy or a file.  Returns NULL, or an error's text, which
 * is written to why.
 */
const char *cp_policy_read(
    struct cp_policy *, const char *name, char *why, size_t size);
void cp_policy_free(struct cp_policy *);
bool cp_patterns_fit(const cp_patterns *, const char *name);

#endif
