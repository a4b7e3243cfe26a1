/* SPDX-License-Identifier: MIT */
/*
 * script-head: the line that begins a sample of perf script.
 *
 * A command may have blanks, so a line is read around its time, or else around
 * its event: numbers before it are those of the thread and the CPU, and all
 * before them is the command.
 */
#include "run/import/script-head.h"

#include "run/import/parsers.h"

enum { MAX_TOKENS = 64 };

static bool
is_digits(struct cp_text t)
{
	for (size_t i = 0; i < t.n; i++)
		if (t.s[i] < '0' || t.s[i] > '9')
			return false;
	return t.n != 0 && t.n <= 20;
}

static uint64_t
number(struct cp_text t)
{
	uint64_t n = 0;

	for (size_t i = 0; i < t.n && n < UINT64_MAX / 16; i++)
		n = n * 10 + (unsigned)(t.s[i] - '0');
	return n;
}

struct cp_text
cp_text_trimmed(struct cp_text t)
{
	while (t.n > 0 && (t.s[0] == ' ' || t.s[0] == '\t'))
		t = (struct cp_text){ t.s + 1, t.n - 1 };
	while (t.n > 0 && (t.s[t.n - 1] == ' ' || t.s[t.n - 1] == '\t'))
		t.n--;
	return t;
}

/* ------------------------------------------------------------- the sample */

/* "63435.201877:" */
static bool
read_time(struct cp_text t, uint64_t *ns)
{
	const char *dot = memchr(t.s, '.', t.n);
	struct cp_text s, fraction;

	if (dot == NULL || t.s[t.n - 1] != ':')
		return false;
	s = (struct cp_text){ t.s, (size_t)(dot - t.s) };
	fraction = (struct cp_text){ dot + 1, t.n - s.n - 2 };
	if (!is_digits(s) || !is_digits(fraction) || fraction.n > 9 || s.n > 10)
		return false;
	*ns = number(fraction);
	for (size_t i = fraction.n; i < 9; i++)
		*ns *= 10;
	*ns += number(s) * UINT64_C(1000000000);
	return true;
}

/* "123/124", "123" */
static bool
read_thread(struct cp_text t, struct cp_script_head *h)
{
	const char *slash = memchr(t.s, '/', t.n);
	struct cp_text a = t, b = t;

	if (slash != NULL) {
		a.n = (size_t)(slash - t.s);
		b = (struct cp_text){ slash + 1, t.n - a.n - 1 };
	}
	if (a.n != 0 && a.s[0] == '-' &&
	    is_digits((struct cp_text){ a.s + 1, a.n - 1 })) {
		h->pid = h->tid = CP_NO_ID;
		return true;
	}
	if (!is_digits(a) || !is_digits(b) || a.n > 10 || b.n > 10)
		return false;
	h->pid = slash != NULL ? (uint32_t)number(a) : CP_NO_ID;
	h->tid = (uint32_t)number(b);
	return true;
}

/* "[001]" */
static bool
read_cpu(struct cp_text t, uint32_t *cpu)
{
	struct cp_text digits = { t.s + 1, t.n - 2 };

	if (t.n < 3 || t.s[0] != '[' || t.s[t.n - 1] != ']' ||
	    !is_digits(digits) || digits.n > 6)
		return false;
	*cpu = (uint32_t)number(digits);
	return true;
}

static size_t
tokens_of(struct cp_text line, struct cp_text *token)
{
	size_t n = 0;

	for (size_t i = 0; i < line.n && n < MAX_TOKENS;) {
		size_t from;

		while (i < line.n && (line.s[i] == ' ' || line.s[i] == '\t'))
			i++;
		from = i;
		while (i < line.n && line.s[i] != ' ' && line.s[i] != '\t')
			i++;
		if (i != from)
			token[n++] =
			    (struct cp_text){ line.s + from, i - from };
	}
	return n;
}

/* "cycles:u:", "sched:sched_switch:" */
static bool
is_event(struct cp_text t)
{
	uint64_t ns;

	return t.n >= 2 && t.s[t.n - 1] == ':' && t.s[t.n - 2] != ':' &&
	       !read_time(t, &ns) &&
	       !is_digits((struct cp_text){ t.s, t.n - 1 });
}

static struct cp_text
between(struct cp_text line, const char *from, const char *to)
{
	return cp_text_trimmed((struct cp_text){
	    from, (size_t)((to != NULL ? to : line.s + line.n) - from) });
}

/* Reads the thread, the CPU and the command before token `end'. */
static bool
read_before(struct cp_text line, struct cp_text *token, size_t end,
    struct cp_script_head *h)
{
	size_t i = end;

	/* Letters of -F misc stand between the CPU and the time. */
	if (i > 0 && i + 1 > 2 && token[i - 1].n <= 4 &&
	    strspn(token[i - 1].s, "KUHGgMCSEFep") >= token[i - 1].n &&
	    read_cpu(token[i - 2], &h->cpu))
		i--;
	if (i > 0 && read_cpu(token[i - 1], &h->cpu))
		i--;
	if (i > 0 && read_thread(token[i - 1], h))
		i--;
	if (i > 0)
		h->comm =
		    between(line, token[0].s, token[i - 1].s + token[i - 1].n);
	return i != end || end == 0;
}

/* Reads period and event after token `i'. */
static void
read_after(struct cp_text line, struct cp_text *token, size_t n, size_t i,
    struct cp_script_head *h)
{
	const char *end = i > 0 ? token[i - 1].s + token[i - 1].n : line.s;

	if (i < n && is_digits(token[i]) &&
	    (i + 1 == n || is_event(token[i + 1]))) {
		h->period = number(token[i]);
		h->has_period = true;
		end = token[i].s + token[i].n;
		i++;
	}
	if (i < n && is_event(token[i])) {
		h->event = (struct cp_text){ token[i].s, token[i].n - 1 };
		end = token[i].s + token[i].n;
	}
	h->rest = between(line, end, NULL);
}

bool
cp_script_head(struct cp_text line, struct cp_script_head *h)
{
	struct cp_text token[MAX_TOKENS];
	size_t n = tokens_of(line, token), e;

	*h = (struct cp_script_head){ .comm = CP_LITERAL(""),
		.event = CP_LITERAL(""),
		.rest = CP_LITERAL(""),
		.pid = CP_NO_ID,
		.tid = CP_NO_ID,
		.cpu = CP_NO_ID,
		.time = CP_NO_TIME,
		.period = 1 };
	for (size_t i = 0; i < n; i++)
		if (read_time(token[i], &h->time) &&
		    read_before(line, token, i, h)) {
			read_after(line, token, n, i + 1, h);
			return true;
		}
	h->time = CP_NO_TIME;
	for (e = 0; e < n && !is_event(token[e]); e++)
		;
	if (e < n) {
		size_t before = e;

		/* A number before the event is its period, or else the tid. */
		if (e > 1 && is_digits(token[e - 1]) &&
		    (read_cpu(token[e - 2], &h->cpu) ||
			read_thread(token[e - 2], h)))
			before = e - 1;
		if (!read_before(line, token, before, h) && e != 0)
			return false;
		read_after(line, token, n, before, h);
		return true;
	}
	/* -F comm,tid,ip,sym */
	if (n < 2 || n > 8 || !read_before(line, token, n, h))
		return false;
	h->rest = CP_LITERAL("");
	return h->comm.n != 0;
}

bool
cp_script_is(struct cp_text line)
{
	struct cp_script_head h;

	return cp_script_head(line, &h) && h.comm.n < 64 &&
	       (h.tid != CP_NO_ID || h.time != CP_NO_TIME) &&
	       (h.time != CP_NO_TIME || h.event.n != 0);
}
