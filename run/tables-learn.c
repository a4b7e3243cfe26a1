/* SPDX-License-Identifier: MIT */
/* tables-learn: whose names the tables of a snapshot have. */
#include "base/redact/names.h"
#include "base/snapshot-columns.h"
#include "run/tables-rows.h"

struct column {
	enum cp_snapshot_table table;
	const char *name;
	bool path; /* each text is one path */
};

/* Columns that may name users. */
static const struct column naming[] = {
	{ CP_SNAPSHOT_OBJECTS, CP_SNAPSHOT_TEXT(objects, name), true },
	{ CP_SNAPSHOT_OBJECTS, CP_SNAPSHOT_TEXT(objects, file), true },
	{ CP_SNAPSHOT_SYMBOLS, CP_SNAPSHOT_TEXT(symbols, name), false },
	{ CP_SNAPSHOT_SYMBOLS, CP_SNAPSHOT_TEXT(symbols, raw), false },
	{ CP_SNAPSHOT_SYMBOLS, CP_SNAPSHOT_TEXT(symbols, label), false },
	{ CP_SNAPSHOT_SPOTS, CP_SNAPSHOT_TEXT(spots, file), true },
	{ CP_SNAPSHOT_CONTEXTS, CP_SNAPSHOT_TEXT(contexts, cgroup), true },
	{ CP_SNAPSHOT_THREADS, CP_SNAPSHOT_TEXT(threads, comm), false },
	{ CP_SNAPSHOT_EVENTS, CP_SNAPSHOT_TEXT(events, name), false },
	{ CP_SNAPSHOT_CAPTURES, CP_SNAPSHOT_TEXT(captures, name), true },
	{ CP_SNAPSHOT_CAPTURES, CP_SNAPSHOT_TEXT(captures, command), false },
};
static const struct column hosts = { CP_SNAPSHOT_CAPTURES,
	CP_SNAPSHOT_TEXT(captures, host), false };

typedef void learn_fn(struct cp_redact *, const char *text, bool path);

static void
learn_user(struct cp_redact *r, const char *text, bool path)
{
	if (strpbrk(text, "/\\") != NULL)
		cp_redact_users(r, text, path);
}

static void
learn_host(struct cp_redact *r, const char *text, bool path)
{
	(void)path;
	if (text[0] != '\0')
		cp_redact_host(r, text);
}

/* Equal texts follow each other often. */
static void
learn_column(struct cp_redact *r, const struct cp_snapshot_members *m,
    const struct column *c, learn_fn *learn)
{
	struct cp_arena arena = { 0 };
	struct cp_columns t;
	const char **texts;

	if (m->table[c->table].len != 0 &&
	    cp_columns_open(&t, &m->table[c->table], &arena)) {
		texts = cp_columns_later_texts(&t, c->name);
		for (size_t i = 0; i < t.p.rows && t.whole; i++)
			if (i == 0 || strcmp(texts[i], texts[i - 1]) != 0)
				learn(r, texts[i], c->path);
	}
	if (m->table[c->table].len != 0)
		cp_columns_close(&t);
	cp_arena_free(&arena);
}

void
cp_tables_learn(struct cp_redact *r, const struct cp_snapshot_members *m)
{
	const enum cp_redact_how *how = r->policy->how;

	if (how[CP_REDACT_HOST] != CP_REDACT_KEEP)
		learn_column(r, m, &hosts, learn_host);
	if (how[CP_REDACT_PATH] == CP_REDACT_KEEP)
		return;
	for (size_t i = 0; i < CP_ARRAY_LEN(naming); i++)
		learn_column(r, m, &naming[i], learn_user);
}
