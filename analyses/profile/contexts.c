/* SPDX-License-Identifier: MIT */
#include "analyses/profile/contexts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analyses/common/data-source.h"

enum {
	/* Of a payload: names of files are as long. */
	MAX_PAYLOAD = 4096,
	/* Of all labels: pprof takes a second for as many. */
	MAX_LABELS = 8 << 20,
};

void
cp_contexts_init(struct cp_contexts *c, struct cp_run *run)
{
	cp_index_init(&c->ends, run);
	cp_index_init(&c->all, run);
	c->run = run;
	c->labels = cp_run_sample_labels(run);
}

struct lines {
	size_t n;
	char text[MAX_PAYLOAD + 512];
};

/* A clock has a data source, too: none. */
static void
put_line(struct lines *l, const char *key, const char *value)
{
	if (strcmp(value, "N/A") == 0)
		return;
	l->n += (size_t)snprintf(l->text + l->n, sizeof(l->text) - l->n,
	    "%s%s=%s", l->n != 0 ? "\n" : "", key, value);
}

static void
put_number(struct lines *l, const char *key, uint64_t value)
{
	char digits[24];

	snprintf(digits, sizeof(digits), "%" PRIu64, value);
	if (value != 0)
		put_line(l, key, digits);
}

/* Returns what the sample says, 0: nothing. */
static cp_string_id
labels_of(struct cp_contexts *c, const struct cp_sample *s)
{
	struct cp_memword w;
	struct lines l;
	const char *payload;
	size_t n;

	if (c->bytes > MAX_LABELS) {
		c->labels = false;
		return cp_run_intern(
		    c->run, "labels=left out from here on, 8 MiB are kept");
	}
	l.n = 0;
	if (s->raw_size != 0 &&
	    (payload = cp_sample_payload(c->run, s, &n)) != NULL) {
		l.n = (size_t)snprintf(l.text, sizeof(l.text), "payload=%.*s",
		    (int)(n < MAX_PAYLOAD ? n : MAX_PAYLOAD), payload);
		for (size_t i = 0; i < l.n; i++)
			if (l.text[i] == '\n')
				l.text[i] = ' ';
	}
	if (s->data_src != 0) {
		put_line(&l, "data_src", cp_mem_level(&w, s->data_src));
		put_line(&l, "snoop_status", cp_mem_snoop(&w, s->data_src));
		put_line(&l, "data_tlb", cp_mem_tlb(&w, s->data_src));
		put_line(&l, "data_lock",
		    cp_mem_is_locked(s->data_src) ? "locked" : "N/A");
	}
	put_number(&l, "cache_latency", cp_mem_latency(c->run, s));
	put_number(&l, "data_page_size", s->data_page_size);
	put_number(&l, "code_page_size", s->code_page_size);
	return l.n != 0 ? cp_run_intern(c->run, l.text) : 0;
}

uint32_t
cp_contexts_row(struct cp_contexts *c, const struct cp_sample *s)
{
	cp_string_id labels = c->labels ? labels_of(c, s) : 0;
	uint32_t end = 0, n = c->all.n, row;

	if (s->cgroup != 0 || s->unwound != CP_UNWIND_NONE)
		end = cp_index_put(&c->ends, s->cgroup,
			  (uint64_t)s->unwound << 32 | s->unwound_dso) +
		      1;
	if (end == 0 && labels == 0)
		return 0;
	row = cp_index_put(&c->all, end, labels);
	if (c->all.n != n && labels != 0)
		c->bytes += strlen(cp_run_string(c->run, labels));
	return row + 1;
}

/* The number stands for a control group of which no record has the path. */
static const char *
cgroup_text(struct cp_run *run, uint64_t id)
{
	const char *path = id != 0 ? cp_run_cgroup(run, id) : NULL;
	char *number;

	if (path != NULL || id == 0)
		return path;
	number = cp_run_alloc(run, 24);
	snprintf(number, 24, "%" PRIu64, id);
	return number;
}

void
cp_contexts_show(const struct cp_contexts *c, struct cp_code_rows *code)
{
	for (uint32_t i = 0; i < c->all.n; i++) {
		const struct cp_pair *p = &c->all.all[i];
		const struct cp_pair *end = &c->ends.all[p->a - (p->a != 0)];
		struct cp_profile_context row = { 0 };

		if (p->a != 0)
			row = (struct cp_profile_context){
				.cgroup = cgroup_text(code->run, end->a),
				.unwound = (uint8_t)(end->b >> 32),
				.object =
				    cp_code_object(code, (uint32_t)end->b),
			};
		if (p->b != 0)
			row.labels =
			    cp_run_string(code->run, (cp_string_id)p->b);
		cp_profile_context(code->profile, &row);
	}
}
