/* SPDX-License-Identifier: MIT */
/*
 * payload-filter: which samples --filter keeps.
 *
 * What a name means is looked up for each event when its first sample comes:
 * the event's own field, or else a column of the sample; in capitals it is the
 * column.  Without an event the expression is of all events, and one that lacks
 * a field does not pass.
 */
#include "run/api.h"

enum { NAMES_ROOM = 600 };

static const char *const columns[] = { [CP_COLUMN_PID] = "pid",
	[CP_COLUMN_TID] = "tid",
	[CP_COLUMN_COMM] = "comm",
	[CP_COLUMN_CPU] = "cpu",
	[CP_COLUMN_TIME] = "time",
	[CP_COLUMN_ADDR] = "addr",
	[CP_COLUMN_WEIGHT] = "weight",
	[CP_COLUMN_PERIOD] = "period" };

static uint8_t
column_of(const char *name, bool capital)
{
	for (uint8_t i = CP_COLUMN_PID; i < CP_COLUMN_NONE; i++) {
		const char *c = columns[i];
		size_t k = 0;

		while (c[k] != '\0' &&
		       name[k] == (capital ? c[k] - 'a' + 'A' : c[k]))
			k++;
		if (c[k] == '\0' && name[k] == '\0')
			return i;
	}
	return CP_COLUMN_NONE;
}

static struct cp_meant
mean(const struct cp_tp_event *tp, const char *name)
{
	struct cp_meant m = { .column = column_of(name, true) };

	if (m.column != CP_COLUMN_NONE)
		return m;
	m.field = tp != NULL ? cp_tp_field(tp, name) : NULL;
	m.column = m.field != NULL ? CP_COLUMN_FIELD : column_of(name, false);
	return m;
}

static bool
is_known(const struct cp_run *run, const char *name)
{
	for (size_t i = 0; i < run->rec.evsels.all.len; i++)
		if (mean(run->rec.evsels.all.data[i]->tp, name).column !=
		    CP_COLUMN_NONE)
			return true;
	return false;
}

static void
put_fields(struct cp_buf *b, const struct cp_tp_event *tp)
{
	for (uint32_t i = 0; tp != NULL && i < tp->n_fields; i++)
		if (strncmp(tp->fields[i].name, "common_", 7) != 0)
			cp_buf_printf(b, " %s", tp->fields[i].name);
}

/* Says that a name is neither a field nor a column. */
static void
tell(struct cp_run *run, struct cp_payload_filter *f,
    const struct cp_evsel_info *e, const char *name)
{
	struct cp_buf b;

	if (f->told)
		return;
	f->told = true;
	cp_buf_init(&b, NAMES_ROOM);
	put_fields(&b, e->tp);
	cp_diag(run->diags, CP_D_USAGE,
	    "--filter: %.100s has no field `%.60s'; it has:%s; and each sample "
	    "has pid tid comm cpu time addr weight period",
	    e->pub.name, name, b.len != 0 ? cp_buf_text(&b) : " none");
	cp_buf_free(&b);
}

static bool
is_text(const struct cp_meant *m)
{
	return m->column == CP_COLUMN_COMM ||
	       (m->field != NULL && m->field->kind != CP_TP_SCALAR);
}

/* Does the value fit what the name is? */
static void
check_value(struct cp_run *run, struct cp_payload_filter *f,
    const struct cp_test *n, const struct cp_meant *m)
{
	bool glob = n->compare == CP_TEST_GLOB || n->compare == CP_TEST_NO_GLOB;
	bool ordered = n->compare > CP_TEST_NE && !glob;
	bool ok = is_text(m)                    ? !ordered
		  : m->column == CP_COLUMN_TIME ? n->time != CP_NO_TIME && !glob
						: n->numeric && !glob;

	if (ok || f->told || m->column == CP_COLUMN_NONE)
		return;
	f->told = true;
	cp_diag(run->diags, CP_D_USAGE,
	    "--filter: %.60s is a %s, and is not compared with `%.60s' so",
	    n->name, is_text(m) ? "text" : "number", n->value);
}

static struct cp_payload_of_event *
of_event(struct cp_run *run, struct cp_payload_filter *f, uint32_t evsel)
{
	const struct cp_evsel_info *e = run->rec.evsels.all.data[evsel];
	struct cp_payload_of_event *o;

	while (f->by_evsel.len <= evsel)
		*cp_vec_push(&f->by_evsel) = (struct cp_payload_of_event){ 0 };
	o = &f->by_evsel.data[evsel];
	if (o->looked)
		return o;
	o->looked = true;
	o->applies =
	    f->event == NULL || cp_pattern_fits(&f->events, e->pub.name);
	o->meant =
	    cp_arena_alloc(&f->arena, (f->nodes.len + 1) * sizeof(*o->meant));
	for (size_t i = 0; o->applies && i < f->nodes.len; i++) {
		const struct cp_test *n = &f->nodes.data[i];

		if (n->kind != CP_TEST_TEST)
			continue;
		o->meant[i] = mean(e->tp, n->name);
		if (o->meant[i].column == CP_COLUMN_NONE &&
		    (f->event != NULL || !is_known(run, n->name)))
			tell(run, f, e, n->name);
		check_value(run, f, n, &o->meant[i]);
	}
	return o;
}

/* --------------------------------------------------------------- answering */

static bool
holds(const struct cp_test *n, uint64_t v, uint64_t want, bool is_signed)
{
	bool less = is_signed ? (int64_t)v < (int64_t)want : v < want;

	switch (n->compare) {
	case CP_TEST_EQ: return v == want;
	case CP_TEST_NE: return v != want;
	case CP_TEST_LT: return less;
	case CP_TEST_LE: return less || v == want;
	case CP_TEST_GT: return !less && v != want;
	case CP_TEST_GE: return !less;
	case CP_TEST_BITS: return (v & want) != 0;
	default: return false;
	}
}

static bool
holds_text(const struct cp_test *n, const char *text, size_t len)
{
	char copy[1024];
	bool equal;

	len = CP_MIN(len, sizeof(copy) - 1);
	memcpy(copy, text, len);
	copy[len] = '\0';
	equal = n->compare == CP_TEST_GLOB || n->compare == CP_TEST_NO_GLOB
		    ? cp_pattern_fits(&n->pattern, copy)
		    : strcmp(copy, n->value) == 0;
	return equal ==
	       (n->compare == CP_TEST_EQ || n->compare == CP_TEST_GLOB);
}

static bool
test_field(const struct cp_run *run, const struct cp_test *n,
    const struct cp_tp_field *f, const struct cp_sample *s)
{
	const char *text;
	uint64_t v;
	size_t len;

	if (s->raw == NULL)
		return false;
	if (cp_tp_u64(f, s->raw, s->raw_size, run->rec.swap, &v)) {
		/* -1 of an unsigned field has the field's size. */
		uint64_t want =
		    f->is_signed || f->size == 8
			? n->number
			: n->number & ((UINT64_C(1) << 8 * f->size) - 1);

		return holds(n, v, want, f->is_signed);
	}
	return cp_tp_text(f, s->raw, s->raw_size, run->rec.swap, &text, &len) &&
	       holds_text(n, text, len);
}

static bool
test(const struct cp_run *run, const struct cp_test *n,
    const struct cp_meant *m, const struct cp_sample *s)
{
	const char *comm;

	switch (m->column) {
	case CP_COLUMN_FIELD: return test_field(run, n, m->field, s);
	case CP_COLUMN_PID: return holds(n, s->pid, (uint32_t)n->number, false);
	case CP_COLUMN_TID: return holds(n, s->tid, (uint32_t)n->number, false);
	case CP_COLUMN_CPU: return holds(n, s->cpu, (uint32_t)n->number, false);
	case CP_COLUMN_TIME:
		return s->time != CP_NO_TIME &&
		       holds(n, s->time, n->time, false);
	case CP_COLUMN_ADDR: return holds(n, s->addr, n->number, false);
	case CP_COLUMN_WEIGHT: return holds(n, s->latency, n->number, false);
	case CP_COLUMN_PERIOD: return holds(n, s->period, n->number, false);
	case CP_COLUMN_COMM:
		comm = cp_run_string(run, s->comm);
		return holds_text(n, comm, strlen(comm));
	default: return false;
	}
}

static bool
pass(struct cp_run *run, struct cp_payload_filter *f, const struct cp_sample *s)
{
	const struct cp_payload_of_event *o = of_event(run, f, s->evsel);
	bool answers[CP_FILTER_TESTS];
	size_t n = 0;

	if (!o->applies)
		return true;
	for (size_t i = 0; i < f->nodes.len; i++) {
		const struct cp_test *node = &f->nodes.data[i];

		if (node->kind == CP_TEST_TEST) {
			answers[n++] = test(run, node, &o->meant[i], s);
		} else if (node->kind == CP_TEST_NOT) {
			answers[n - 1] = !answers[n - 1];
		} else {
			n--;
			answers[n - 1] = node->kind == CP_TEST_AND
					     ? answers[n - 1] && answers[n]
					     : answers[n - 1] || answers[n];
		}
	}
	return n == 1 && answers[0];
}

bool
cp_payload_filters_pass(struct cp_run *run, const struct cp_sample *s)
{
	const cp_payload_filters *all = &run->filter.payloads;

	for (size_t i = 0; i < all->len; i++)
		if (!pass(run, all->data[i], s))
			return false;
	return true;
}
