/* SPDX-License-Identifier: MIT */
#include "analyses/common/tracepoint-fields.h"

#include <string.h>

void
cp_probes_init(
    struct cp_probes *p, struct cp_run *run, const struct cp_probe *table)
{
	*p = (struct cp_probes){ .run = run, .table = table };
}

const char *
cp_probe_match(const char *pattern, const char *name)
{
	size_t n = strlen(pattern);

	if (n != 0 && pattern[n - 1] == '*')
		return strncmp(pattern, name, n - 1) == 0 ? name + n - 1 : NULL;
	/* Modifiers may follow the name: "sched:sched_switch:u". */
	if (strncmp(pattern, name, n) != 0 ||
	    (name[n] != '\0' && name[n] != ':'))
		return NULL;
	return "";
}

uint32_t
cp_probes_find(
    const struct cp_run *run, const struct cp_probe *table, uint32_t event)
{
	const char *name = cp_run_evsel(run, event)->name;

	for (uint32_t i = 0; table[i].event != NULL; i++)
		if (cp_probe_match(table[i].event, name) != NULL)
			return i;
	return CP_NO_ID;
}

bool
cp_probes_keep(struct cp_run *run, const struct cp_probe *table, uint32_t from,
    uint32_t to)
{
	for (uint32_t i = 0; i < cp_run_evsel_count(run); i++) {
		uint32_t probe = cp_probes_find(run, table, i);

		if (probe != CP_NO_ID && probe >= from && probe <= to &&
		    cp_run_keeps_event(run, i))
			return true;
	}
	return false;
}

bool
cp_probes_keep_both(struct cp_run *run, const struct cp_probe *table,
    uint32_t begin, uint32_t end)
{
	return cp_probes_keep(run, table, begin, begin) &&
	       cp_probes_keep(run, table, end, end);
}

bool
cp_probes_have(const struct cp_run *run, const struct cp_probe *table)
{
	for (uint32_t i = 0; i < cp_run_evsel_count(run); i++)
		if (cp_probes_find(run, table, i) != CP_NO_ID)
			return true;
	return false;
}

static const struct cp_field *
find_field(struct cp_run *run, uint32_t event, const char *names)
{
	const struct cp_field *f = NULL;
	char name[64];

	while (names != NULL && f == NULL && *names != '\0') {
		size_t n = strcspn(names, "|");

		if (n >= sizeof(name))
			return NULL;
		memcpy(name, names, n);
		name[n] = '\0';
		f = cp_run_field(run, event, name);
		names += n + (names[n] == '|');
	}
	return f;
}

/*
 * Counts the events of the tracepoint that `rest' completes; kept: only those
 * that the filters keep.
 */
static uint32_t
records(struct cp_run *run, const char *pattern, const char *rest, bool kept)
{
	uint32_t n = cp_run_evsel_count(run), found = 0;
	size_t len = strcspn(rest, ":");

	for (uint32_t i = 0; i < n; i++) {
		const char *other =
		    cp_probe_match(pattern, cp_run_evsel(run, i)->name);

		found += other != NULL && strcspn(other, ":") == len &&
			 strncmp(other, rest, len) == 0 &&
			 (!kept || cp_run_keeps_event(run, i));
	}
	return found;
}

static struct cp_probe_at *
look(struct cp_probes *p, uint32_t event)
{
	uint32_t i = cp_probes_find(p->run, p->table, event);
	const struct cp_probe *probe = &p->table[i];
	struct cp_probe_at *at;
	const char *rest;

	if (i == CP_NO_ID)
		return NULL;
	rest = cp_probe_match(probe->event, cp_run_evsel(p->run, event)->name);
	/* What the filters leave out must not stand for what they keep. */
	if (!cp_run_keeps_event(p->run, event) &&
	    records(p->run, probe->event, rest, true) != 0)
		return NULL;
	at = cp_run_alloc(p->run, sizeof(*at));
	at->probe = i;
	at->rest = rest;
	at->twice = records(p->run, probe->event, rest, false) > 1;
	for (int f = 0; f < CP_PROBE_FIELDS; f++)
		at->field[f] = find_field(p->run, event, probe->fields[f]);
	return at;
}

/* Looks up events described since: a pipe may do so after the first samples. */
static void
more_events(struct cp_probes *p, uint32_t event)
{
	uint32_t n = event < 16 ? 32 : event * 2;
	struct cp_probe_look *looks = cp_run_alloc(p->run, n * sizeof(*looks));

	if (p->n != 0)
		memcpy(looks, p->looks, p->n * sizeof(*looks));
	p->looks = looks;
	p->n = n;
}

const struct cp_probe_at *
cp_probes_of(struct cp_probes *p, const struct cp_sample *s)
{
	struct cp_probe_look *l;

	if (s->evsel >= p->n)
		more_events(p, s->evsel);
	l = &p->looks[s->evsel];
	if (!l->done)
		*l = (struct cp_probe_look){ look(p, s->evsel), true };
	return l->at;
}

cp_string_id
cp_probe_text(struct cp_probes *p, const struct cp_probe_at *at, unsigned field,
    const struct cp_sample *s)
{
	char buf[256];
	size_t len;
	const char *text;

	if (at->field[field] == NULL)
		return 0;
	text = cp_field_text(at->field[field], s, &len);
	if (text == NULL || len >= sizeof(buf))
		return 0;
	memcpy(buf, text, len);
	buf[len] = '\0';
	return cp_run_intern(p->run, buf);
}
