/* SPDX-License-Identifier: MIT */
#include "config.h" /* strptime */

#include "run/moment.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SECOND UINT64_C(1000000000)
#define DAY ((int64_t)(86400 * SECOND))

/* --------------------------------------------------------------- parsing */

/* Parses seconds with a fraction, exactly; *rest is the text after them. */
static bool
seconds_parse(const char *s, const char *end, uint64_t *ns, const char **rest)
{
	uint64_t whole = 0, part = 0, scale = SECOND;
	const char *from = s;

	for (; s < end && *s >= '0' && *s <= '9'; s++)
		if (__builtin_mul_overflow(whole, 10u, &whole) ||
		    whole > UINT64_MAX / (2 * SECOND))
			return false;
		else
			whole += (uint64_t)(*s - '0');
	if (s < end && s != from && *s == '.' && s + 1 < end && s[1] != '.')
		for (s++; s < end && *s >= '0' && *s <= '9'; s++) {
			scale /= 10;
			part += (uint64_t)(*s - '0') * scale;
		}
	*ns = whole * SECOND + part;
	*rest = s;
	return s != from;
}

/* Parses "1.5" or "100ms"; *unit: a unit was given. */
static bool
duration_parse(const char *s, const char *end, uint64_t *ns, bool *unit)
{
	static const struct {
		const char *name;
		uint64_t times, parts; /* a unit is times / parts seconds */
	} units[] = { { "ns", 1, SECOND }, { "us", 1, 1000000 },
		{ "ms", 1, 1000 }, { "s", 1, 1 }, { "m", 60, 1 },
		{ "min", 60, 1 }, { "h", 3600, 1 } };
	const char *rest;

	*unit = false;
	if (!seconds_parse(s, end, ns, &rest))
		return false;
	if (rest == end)
		return true;
	*unit = true;
	for (size_t i = 0; i < CP_ARRAY_LEN(units); i++)
		if (strlen(units[i].name) == (size_t)(end - rest) &&
		    memcmp(units[i].name, rest, (size_t)(end - rest)) == 0) {
			*ns /= units[i].parts;
			return !__builtin_mul_overflow(*ns, units[i].times, ns);
		}
	return false;
}

/* Applies strptime() to the bytes up to end; a fraction and a Z may follow. */
static bool
calendar_parse(const char *s, const char *end, const char *format,
    struct tm *tm, uint64_t *part, bool *utc)
{
	char text[40];
	size_t n = (size_t)(end - s);
	const char *rest, *stop = NULL;

	if (n == 0 || n >= sizeof(text))
		return false;
	memcpy(text, s, n);
	text[n] = '\0';
	*utc = text[n - 1] == 'Z';
	if (*utc)
		text[n - 1] = '\0';
	*part = 0;
	rest = strptime(text, format, tm);
	if (rest == NULL || *rest == '\0')
		return rest != NULL;
	/* Digits are parsed exactly: strtod() would round. */
	if (*rest != '.' || rest == text)
		return false;
	text[rest - text - 1] = '0';
	return seconds_parse(rest - 1, rest + strlen(rest), part, &stop) &&
	       *stop == '\0';
}

/* Parses 14:03:10[.frac][Z]: UTC with Z, else local time. */
static bool
day_parse(const char *s, const char *end, struct cp_moment *m)
{
	struct tm tm = { 0 };
	uint64_t part;

	m->kind = CP_AT_DAY;
	if (!calendar_parse(s, end, "%H:%M:%S", &tm, &part, &m->utc) &&
	    !calendar_parse(s, end, "%H:%M", &tm, &part, &m->utc))
		return false;
	m->ns = (uint64_t)(tm.tm_hour * 3600 + tm.tm_min * 60 + tm.tm_sec) *
		    SECOND +
		part;
	return true;
}

/* Parses 2026-01-31T12:00:00[.frac][Z] likewise. */
static bool
wall_parse(const char *s, const char *end, struct cp_moment *m)
{
	struct tm tm = { 0 };
	uint64_t part;
	time_t t;

	m->kind = CP_AT_WALL;
	if (!calendar_parse(s, end, "%Y-%m-%dT%H:%M:%S", &tm, &part, &m->utc))
		return false;
	tm.tm_isdst = -1;
	t = m->utc ? timegm(&tm) : mktime(&tm);
	m->ns = (uint64_t)t * SECOND + part;
	return t >= 0;
}

static bool
moment_parse(const char *s, const char *end, struct cp_moment *m)
{
	char *stop;
	bool unit;

	*m = (struct cp_moment){ .kind = CP_AT_NONE };
	if (s == end)
		return true;
	if (end[-1] == '%') {
		m->kind = CP_AT_SHARE;
		m->share = strtod(s, &stop) / 100;
		return stop == end - 1 && m->share >= 0 && m->share <= 1;
	}
	m->kind = CP_AT_START;
	if (*s == '+')
		return duration_parse(s + 1, end, &m->ns, &unit);
	if (duration_parse(s, end, &m->ns, &unit)) {
		m->kind = unit ? CP_AT_START : CP_AT_CLOCK;
		return true;
	}
	return wall_parse(s, end, m) || day_parse(s, end, m);
}

/*
 * perf's spellings of a part of the capture: "10%/2", the second tenth, and
 * "10%-20%".
 */
static bool
part_parse(const char *s, struct cp_moment *from, struct cp_moment *to)
{
	const char *percent = strchr(s, '%');
	unsigned long n;
	char *end;

	if (percent == NULL || (percent[1] != '-' && percent[1] != '/'))
		return false;
	if (percent[1] == '-')
		return moment_parse(s, percent + 1, from) &&
		       moment_parse(percent + 2, s + strlen(s), to) &&
		       to->kind == CP_AT_SHARE;
	if (percent[2] < '0' || percent[2] > '9' ||
	    !moment_parse(s, percent + 1, from))
		return false;
	n = strtoul(percent + 2, &end, 10);
	*to = *from;
	to->share *= (double)n;
	from->share *= (double)n - 1;
	return *end == '\0' && n != 0 && to->share <= 1.000001;
}

bool
cp_window_parse(const char *s, struct cp_moment *from, struct cp_moment *to)
{
	const char *end = s + strlen(s), *dots = strstr(s, "..");
	const char *comma = strchr(s, ',');
	uint64_t ns;
	bool unit;

	if (comma == NULL && dots == NULL && part_parse(s, from, to))
		return true;
	if (comma == NULL && dots == NULL) {
		*from = (struct cp_moment){ .kind = CP_AT_NONE };
		*to = (struct cp_moment){ .kind = CP_AT_START };
		if (!duration_parse(s, end, &ns, &unit) || !unit)
			return false;
		to->ns = ns;
		return true;
	}
	if (comma != NULL)
		return moment_parse(s, comma, from) &&
		       moment_parse(comma + 1, end, to);
	return moment_parse(s, dots, from) && moment_parse(dots + 2, end, to);
}

/*
 * Parses --clock-offset.  *wall false: seconds to add to the capture's clock to
 * get those since 1970.  *wall true: the wall clock when the capture began.
 */
static bool
clock_offset_parse(const char *s, bool *wall, uint64_t *ns)
{
	const char *end = s + strlen(s), *rest;
	struct cp_moment m;

	*wall = false;
	if (seconds_parse(s, end, ns, &rest) && rest == end)
		return true;
	*wall = wall_parse(s, end, &m);
	if (*wall)
		*ns = m.ns;
	return *wall;
}

/* ----------------------------------------------------------- time of day */

/* Returns how far it is from a wall clock to that time of day. */
static int64_t
way_to(const struct cp_moment *m, uint64_t wall)
{
	time_t secs = (time_t)(wall / SECOND);
	struct tm tm = { 0 };
	int64_t since, off;

	if ((m->utc ? gmtime_r(&secs, &tm) : localtime_r(&secs, &tm)) == NULL)
		return 0;
	since = ((int64_t)tm.tm_hour * 3600 + tm.tm_min * 60 + tm.tm_sec) *
		    (int64_t)SECOND +
		(int64_t)(wall % SECOND);
	off = (int64_t)m->ns - since;
	if (off < -DAY / 2)
		off += DAY;
	else if (off > DAY / 2)
		off -= DAY;
	return off;
}

/*
 * Returns that time of day on the day of the capture's start, or of the day
 * before or after if that is nearer.  Summer time may begin or end in between.
 */
static uint64_t
on_the_day(const struct cp_moment *m, uint64_t wall)
{
	uint64_t at = wall + (uint64_t)way_to(m, wall);
	uint64_t other = at + (uint64_t)way_to(m, at);

	return way_to(m, other) == 0 ? other : at;
}

/* --------------------------------------------------------------- telling */

/* Writes a moment of the wall clock in UTC, others as they were given. */
static void
put_moment(struct cp_buf *b, const char *s, const char *end, uint64_t start,
    bool *wall)
{
	struct cp_moment m;
	char text[40] = "";
	struct tm tm;
	time_t t;

	if (!moment_parse(s, end, &m) ||
	    (m.kind != CP_AT_WALL && m.kind != CP_AT_DAY)) {
		cp_buf_add(b, s, (size_t)(end - s));
		return;
	}
	*wall = true;
	if (m.kind == CP_AT_DAY && !m.utc)
		m.ns = on_the_day(&m, start);
	t = (time_t)(m.ns / SECOND);
	if (gmtime_r(&t, &tm) != NULL)
		strftime(text, sizeof(text),
		    m.kind == CP_AT_DAY ? "%H:%M:%S" : "%Y-%m-%dT%H:%M:%S",
		    &tm);
	cp_buf_str(b, text);
	if (m.ns % SECOND != 0)
		cp_buf_printf(b, ".%09u", (unsigned)(m.ns % SECOND));
	cp_buf_char(b, 'Z');
}

bool
cp_window_told(const char *s, uint64_t wall_start, struct cp_buf *b)
{
	uint64_t start = wall_start != CP_NO_TIME
			     ? wall_start
			     : (uint64_t)time(NULL) * SECOND;
	const char *comma = strchr(s, ','), *dots = strstr(s, "..");
	const char *middle = comma != NULL ? comma : dots;
	const char *after;
	bool wall = false;

	if (middle == NULL) {
		cp_buf_str(b, s);
		return false;
	}
	after = middle + (comma != NULL ? 1 : 2);
	put_moment(b, s, middle, start, &wall);
	cp_buf_add(b, middle, (size_t)(after - middle));
	put_moment(b, after, after + strlen(after), start, &wall);
	return wall;
}

void
cp_clock_told(const char *value, struct cp_buf *b)
{
	bool wall;

	put_moment(b, value, value + strlen(value), 0, &wall);
}

/* -------------------------------------------------------------- settling */

static bool
unknown(struct cp_diags *diags, const char *why)
{
	cp_diag(diags, CP_D_USAGE, "--time%s", why);
	return false;
}

static bool
settle_wall(struct cp_moment *m, const struct cp_info *info, uint64_t first,
    struct cp_diags *diags)
{
	uint64_t wall;

	if (!cp_info_wall_clock(info, first, &wall))
		return unknown(diags,
		    ": the capture does not tell the wall clock; "
		    "--clock-offset WHEN does, or give +SECONDS");
	if (m->kind == CP_AT_DAY)
		m->ns = on_the_day(m, wall);
	m->ns = m->ns + first > wall ? m->ns + first - wall : 0;
	return true;
}

static bool
settle_share(
    struct cp_moment *m, uint64_t last, uint64_t first, struct cp_diags *diags)
{
	double span, part;

	if (last == CP_NO_TIME || last <= first)
		return unknown(diags,
		    " in %: the capture does not say when it ends; "
		    "give +SECONDS");
	/* The double of a span near 2^64 is 2^64, which no uint64_t holds. */
	span = (double)(last - first);
	part = m->share * span;
	m->ns = part < span ? first + (uint64_t)part : last;
	return true;
}

bool
cp_moment_settle(struct cp_moment *m, const struct cp_info *info,
    uint64_t first, struct cp_diags *diags)
{
	bool known = true;

	if (m->kind == CP_AT_NONE)
		return true;
	switch (m->kind) {
	case CP_AT_START: m->ns += first; break;
	case CP_AT_SHARE:
		known = settle_share(m, info->last_time, first, diags);
		break;
	case CP_AT_WALL:
	case CP_AT_DAY: known = settle_wall(m, info, first, diags); break;
	default: break;
	}
	m->kind = CP_AT_CLOCK;
	return known;
}

int
cp_clock_set(struct cp_clock *c, const char *value, uint64_t start,
    struct cp_diags *diags)
{
	uint64_t ns;
	bool wall;

	if (value == NULL)
		return CP_OK;
	if (!clock_offset_parse(value, &wall, &ns))
		cp_diag(diags, CP_D_USAGE,
		    "bad value `%.40s' of --clock-offset: seconds, or the "
		    "capture's start as 2026-01-31T12:00:00",
		    value);
	else if (wall && start == CP_NO_TIME)
		cp_diag(diags, CP_D_USAGE,
		    "--clock-offset %.40s: the capture does not say when it "
		    "begins; seconds can be added to its clock",
		    value);
	else
		*c = (struct cp_clock){ .has_data = true,
			.clockid = c->clockid,
			.tod_ns = ns,
			.clockid_ns = wall ? start : 0 };
	return cp_diags_worst(diags) >= CP_DIAG_ERROR ? CP_FAIL : CP_OK;
}
