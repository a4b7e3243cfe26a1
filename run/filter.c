/* SPDX-License-Identifier: MIT */
#include "config.h" /* strptime */

#include "run/filter.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/diag.h"

static int
bad_value(struct cp_diags *diags, const char *option, const char *value)
{
	cp_diag(diags, CP_D_USAGE, "bad value `%s' of --%s", value, option);
	return CP_FAIL;
}

/* "7", "0-3", "-1". */
static int
range_parse(const char *s, struct cp_range *r)
{
	char *end;
	long long from = strtoll(s, &end, 10), to = from;

	if (end == s)
		return CP_FAIL;
	if (*end == '-') {
		const char *second = end + 1;

		to = strtoll(second, &end, 10);
		if (end == second)
			return CP_FAIL;
	}
	if (*end != '\0' || from < -1 || to < from || to > UINT32_MAX)
		return CP_FAIL;
	*r = (struct cp_range){ (uint32_t)from, (uint32_t)to };
	return CP_OK;
}

#define RANGES(filter, o, diags, list, option)                                 \
	for (size_t i_ = 0; i_ < (o)->list.len; i_++) {                        \
		struct cp_range r_;                                            \
		if (range_parse((o)->list.data[i_], &r_) != CP_OK)             \
			return bad_value((diags), option, (o)->list.data[i_]); \
		*cp_vec_push(&(filter)->list) = r_;                            \
	}

/* Seconds with a fraction, exactly. */
static bool
seconds_parse(const char *s, const char *end, uint64_t *ns)
{
	uint64_t whole = 0, part = 0, scale = 1000000000;

	if (s == end)
		return false;
	for (; s < end && *s >= '0' && *s <= '9'; s++)
		if (__builtin_mul_overflow(whole, 10u, &whole) ||
		    whole > UINT64_MAX / 2000000000u)
			return false;
		else
			whole += (uint64_t)(*s - '0');
	if (s < end && *s == '.')
		for (s++; s < end && *s >= '0' && *s <= '9'; s++) {
			scale /= 10;
			part += (uint64_t)(*s - '0') * scale;
		}
	*ns = whole * 1000000000u + part;
	return s == end;
}

/* 2026-01-31T12:00:00[.frac][Z]: UTC with Z, else local time. */
static bool
wall_parse(const char *s, const char *end, uint64_t *ns)
{
	char text[40];
	size_t n = (size_t)(end - s);
	struct tm tm = { 0 };
	const char *rest;
	uint64_t part = 0;
	bool utc;
	time_t t;

	if (n >= sizeof(text))
		return false;
	memcpy(text, s, n);
	text[n] = '\0';
	utc = n != 0 && text[n - 1] == 'Z';
	if (utc)
		text[n - 1] = '\0';
	rest = strptime(text, "%Y-%m-%dT%H:%M:%S", &tm);
	if (rest == NULL)
		return false;
	if (*rest == '.' && !seconds_parse(rest, rest + strlen(rest), &part))
		return false;
	tm.tm_isdst = -1;
	t = utc ? timegm(&tm) : mktime(&tm);
	*ns = (uint64_t)t * 1000000000u + part;
	return (*rest == '\0' || *rest == '.') && t >= 0;
}

static bool
moment_parse(const char *s, const char *end, struct cp_moment *m, bool *wall)
{
	char *stop;

	*wall = false;
	*m = (struct cp_moment){ .kind = CP_AT_NONE };
	if (s == end)
		return true;
	m->kind = CP_AT_CLOCK;
	if (end[-1] == '%') {
		m->kind = CP_AT_SHARE;
		m->share = strtod(s, &stop) / 100;
		return stop == end - 1 && m->share >= 0 && m->share <= 1;
	}
	if (*s == '+') {
		m->kind = CP_AT_START;
		return seconds_parse(s + 1, end, &m->ns);
	}
	if (seconds_parse(s, end, &m->ns))
		return true;
	*wall = true;
	return wall_parse(s, end, &m->ns);
}

static int
times_parse(struct cp_filter *f, const char *s, struct cp_diags *diags)
{
	const char *comma;
	bool wall_from, wall_to;

	if (s == NULL)
		return CP_OK;
	comma = strchr(s, ',');
	if (comma == NULL || !moment_parse(s, comma, &f->from, &wall_from) ||
	    !moment_parse(
		comma + 1, comma + 1 + strlen(comma + 1), &f->to, &wall_to))
		return bad_value(diags, "time", s);
	f->from_wall = wall_from;
	f->to_wall = wall_to;
	return CP_OK;
}

int
cp_filter_init(
    struct cp_filter *f, const struct cp_run_options *o, struct cp_diags *diags)
{
	*f = (struct cp_filter){ 0 };
	f->events = o->events;
	f->comms = o->comms;
	f->dsos = o->dsos;
	f->symbols = o->names;
	f->cgroups = o->cgroups;
	RANGES(f, o, diags, pids, "pid");
	RANGES(f, o, diags, tids, "tid");
	RANGES(f, o, diags, cpus, "cpu");
	if (times_parse(f, o->time, diags) != CP_OK)
		return CP_FAIL;
	f->any = f->events.len + f->comms.len + f->dsos.len + f->symbols.len +
			 f->cgroups.len + f->pids.len + f->tids.len +
			 f->cpus.len !=
		     0 ||
		 o->time != NULL;
	return CP_OK;
}

void
cp_filter_free(struct cp_filter *f)
{
	cp_vec_free(&f->pids);
	cp_vec_free(&f->tids);
	cp_vec_free(&f->cpus);
	cp_vec_free(&f->dso_passes);
}
