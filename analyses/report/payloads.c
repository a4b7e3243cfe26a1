/* SPDX-License-Identifier: MIT */
/*
 * Tracepoints that no other analysis knows: how often they occurred, and which
 * values of their fields are commonest.
 *
 * The values of a field are counted until there are too many of them: a field
 * whose values are nearly all different, as an address, tells nothing here.
 */
#include "analyses/report/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
	FIELDS = 12,  /* of an event */
	VALUES = 256, /* of a field */
	ALL_VALUES = 1 << 18,
	SHOWN = 3, /* fields of an event */
	EVENTS = 20,
};
/* The least part of a value that is common. */
#define COMMON 0.2

struct field {
	const struct cp_field *field;
	const char *name;
	uint64_t n; /* of its values that were counted */
	uint32_t values;
	bool many, is_signed;
};

struct event {
	bool looked, shown;
	uint32_t fields;
	struct field field[FIELDS];
};

struct cp_payload_sums {
	struct cp_run *run;
	struct event *events; /* by evsel */
	uint32_t cap;
	struct cp_index values; /* (evsel and field, value or text) */
	uint64_t *count;
	uint32_t count_cap;
};

struct cp_payload_sums *
cp_payload_sums_new(struct cp_run *run)
{
	struct cp_payload_sums *p = cp_run_alloc(run, sizeof(*p));

	p->run = run;
	cp_index_init(&p->values, run);
	return p;
}

static void
look(struct cp_payload_sums *p, uint32_t evsel, struct event *e)
{
	const struct cp_field_type *types;
	size_t n = cp_run_field_types(p->run, evsel, &types);

	e->looked = true;
	e->shown = n != 0;
	for (size_t i = 0; i < n && e->fields < FIELDS; i++)
		if (types[i].kind != CP_FIELD_ARRAY &&
		    strchr(types[i].type, '*') == NULL)
			e->field[e->fields++] = (struct field){
				cp_run_field(p->run, evsel, types[i].name),
				types[i].name, 0, 0, false, types[i].is_signed
			};
}

void
cp_payload_sums_add(struct cp_payload_sums *p, const struct cp_sample *s)
{
	struct event *e;

	if (s->raw == NULL)
		return;
	cp_grow_to(p->run, p->events, &p->cap, s->evsel);
	e = &p->events[s->evsel];
	if (!e->looked)
		look(p, s->evsel, e);
	for (uint32_t i = 0; i < e->fields; i++) {
		struct field *f = &e->field[i];
		uint64_t key = (uint64_t)s->evsel << 8 | i, value;
		const char *text;
		uint32_t k;
		size_t n;

		if (f->many || f->field == NULL)
			continue;
		if (!cp_field_u64(f->field, s, &value)) {
			char copy[64];

			text = cp_field_text(f->field, s, &n);
			if (text == NULL)
				continue;
			snprintf(copy, sizeof(copy), "%.*s",
			    (int)(n < sizeof(copy) ? n : sizeof(copy) - 1),
			    text);
			value = cp_run_intern(p->run, copy);
			key |= UINT64_C(1) << 63;
		}
		k = cp_index_get(&p->values, key, value);
		if (k == CP_NO_ID) {
			f->many =
			    ++f->values > VALUES || p->values.n >= ALL_VALUES;
			if (f->many)
				continue;
			k = cp_index_put(&p->values, key, value);
			cp_grow_to(p->run, p->count, &p->count_cap, k);
		}
		p->count[k]++;
		f->n++;
	}
}

/* Writes "ret=0 (93 %)" of the fields that have a common value. */
static void
put_values(struct cp_payload_sums *p, uint32_t evsel, char *text, size_t size)
{
	const struct event *e = &p->events[evsel];
	uint64_t most[FIELDS] = { 0 };
	uint32_t at[FIELDS] = { 0 };
	size_t used = 0;

	text[0] = '\0';
	for (uint32_t k = 0; k < p->values.n; k++) {
		uint64_t key = p->values.all[k].a & ~(UINT64_C(1) << 63);
		uint32_t i = (uint32_t)(key & 0xff);

		if (key >> 8 == evsel && p->count[k] > most[i]) {
			most[i] = p->count[k];
			at[i] = k;
		}
	}
	for (uint32_t shown = 0, i = 0; i < e->fields && shown < SHOWN; i++) {
		const struct field *f = &e->field[i];
		const struct cp_pair *v;
		double part = cp_share((double)most[i], (double)f->n);
		char number[32];

		if (f->many || most[i] == 0 || part < COMMON)
			continue;
		v = &p->values.all[at[i]];
		if (f->is_signed)
			snprintf(
			    number, sizeof(number), "%" PRId64, (int64_t)v->b);
		else
			snprintf(number, sizeof(number), "%" PRIu64, v->b);
		used += (size_t)snprintf(text + used, size - used,
		    "%s%.40s=%.40s (%.0f %%)", shown != 0 ? ", " : "", f->name,
		    v->a >> 63 != 0 ? cp_run_string(p->run, (cp_string_id)v->b)
				    : number,
		    100 * part);
		shown++;
	}
}

void
cp_payload_sums_show(struct cp_payload_sums *p, const struct cp_overview *r,
    struct cp_report *rep)
{
	static const struct cp_column_spec columns[] = { CP_COUNT("Samples"),
		CP_RATE("A second"), CP_COUNT("Threads"), CP_TEXT("Event"),
		CP_PROSE("Commonest values") };
	uint64_t length = cp_run_window_length(p->run);
	struct cp_table *t = NULL;

	for (uint32_t i = 0; i < p->cap && i < cp_run_evsel_count(p->run);
	     i++) {
		uint64_t samples = cp_groups_total(&r->events, i).samples;
		uint64_t threads = 0;
		char text[400];

		if (!p->events[i].shown || samples == 0)
			continue;
		for (uint32_t k = 0; k < r->threads.n; k++)
			threads += r->threads.all[k].v[CP_BY_EVENT] == i;
		if (t == NULL)
			t = cp_report_table(rep, "tracepoints",
			    "Events that no other command knows",
			    CP_COLUMNS(columns));
		put_values(p, i, text, sizeof(text));
		cp_table_add(t, samples,
		    length != 0 ? (double)samples * 1e9 / (double)length : 0.0,
		    threads, cp_run_evsel(p->run, i)->name, text);
	}
	if (t == NULL)
		return;
	cp_table_sort(t, "Samples");
	cp_table_top(t, EVENTS, "Samples");
	cp_report_note(rep,
	    "more of these events: coldperf hotspots --event NAME --by "
	    "field:NAME, coldperf script -F event,trace");
}
