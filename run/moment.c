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
 * perf's spellings of a part of the capture: "10%/2", the second tenth,
 * "10%-20%", and "10%", the first.
 */
static bool
part_parse(const char *s, const char *stop, struct cp_window *w)
{
	const char *percent = memchr(s, '%', (size_t)(stop - s));
	unsigned long n;
	char *end;

	if (percent == NULL || !moment_parse(s, percent + 1, &w->from))
		return false;
	w->to = w->from;
	if (percent + 1 == stop || percent[1] == '/') {
		n = percent + 1 == stop ? 1 : strtoul(percent + 2, &end, 10);
		w->to.share *= (double)n;
		w->from.share *= (double)n - 1;
		return percent + 1 == stop ||
		       (percent[2] >= '0' && percent[2] <= '9' && end == stop &&
			   n != 0 && w->to.share <= 1.000001);
	}
	return percent[1] == '-' && moment_parse(percent + 2, stop, &w->to) &&
	       w->to.kind == CP_AT_SHARE;
}

/* Parses "FROM,TO", "FROM..TO" or a duration. */
static bool
window_parse(const char *s, const char *end, struct cp_window *w)
{
	const char *comma = memchr(s, ',', (size_t)(end - s));
	const char *dots = strstr(s, "..");
	uint64_t ns;
	bool unit;

	if (comma != NULL)
		return moment_parse(s, comma, &w->from) &&
		       moment_parse(comma + 1, end, &w->to);
	if (dots != NULL && dots < end)
		return moment_parse(s, dots, &w->from) &&
		       moment_parse(dots + 2, end, &w->to);
	w->from = (struct cp_moment){ .kind = CP_AT_NONE };
	if (!duration_parse(s, end, &ns, &unit) || !unit)
		return false;
	w->to = (struct cp_moment){ .kind = CP_AT_START, .ns = ns };
	return true;
}

bool
cp_windows_parse(const char *s, cp_windows *out)
{
	while (true) {
		const char *end, *percent;
		bool parts;

		s += strspn(s, " ");
		end = s + strcspn(s, " ");
		percent = s + strcspn(s, "%, ");
		parts = *percent == '%' &&
			(percent + 1 == end || percent[1] == '-' ||
			    percent[1] == '/');
		if (!parts && !window_parse(s, end, cp_vec_push(out)))
			return false;
		for (const char *next; parts; s = next + 1) {
			next = s + strcspn(s, ", ");
			if (!part_parse(s, next, cp_vec_push(out)))
				return false;
			parts = next != end;
		}
		s = end + strspn(end, " ");
		if (*s == '\0')
			return true;
	}
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
cp_windows_told(const char *s, uint64_t wall_start, struct cp_buf *b)
{
	uint64_t start = wall_start != CP_NO_TIME
			     ? wall_start
			     : (uint64_t)time(NULL) * SECOND;
	bool wall = false;

	while (true) {
		size_t n = strcspn(s, ", "), between = s[n] == ',';
		const char *dots = strstr(s, "..");

		if (dots != NULL && (size_t)(dots - s) < n) {
			n = (size_t)(dots - s);
			between = 2;
		}
		put_moment(b, s, s + n, start, &wall);
		if (between == 0)
			return wall;
		cp_buf_add(b, s + n, between);
		s += n + between;
	}
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
	part = m->share * span + 0.5; /* rounded as perf does */
	m->ns = part < span ? first + (uint64_t)part : last;
	return true;
}

/* Converts a moment to CP_AT_CLOCK, unless it is CP_AT_NONE. */
static bool
settle(struct cp_moment *m, const struct cp_info *info, uint64_t first,
    struct cp_diags *diags)
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

bool
cp_windows_settle(const cp_windows *v, const struct cp_info *info,
    uint64_t first, struct cp_diags *diags, cp_intervals *out)
{
	bool known = true;

	for (size_t i = 0; i < v->len && known; i++) {
		struct cp_window w = v->data[i];
		bool share = w.to.kind == CP_AT_SHARE;
		struct cp_interval t = { 0, UINT64_MAX, UINT64_MAX };

		known = settle(&w.from, info, first, diags) &&
			settle(&w.to, info, first, diags);
		if (known && w.from.kind != CP_AT_NONE)
			t.from = w.from.ns;
		if (known && w.to.kind != CP_AT_NONE)
			t.last = t.to = w.to.ns;
		/* As perf does: the next part begins there. */
		if (share && t.to > t.from && t.to != info->last_time)
			t.last--;
		if (t.from > t.to) {
			cp_diag(diags, CP_D_USAGE,
			    "--time: the window ends before it begins");
			known = false;
		}
		*cp_vec_push(out) = t;
	}
	cp_intervals_unite(out);
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
