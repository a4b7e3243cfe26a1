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

void
cp_text_cut_offset(struct cp_text *t)
{
	size_t i = t->n;

	while (i > 0 && cp_hex_digit(t->s[i - 1]) >= 0)
		i--;
	if (i >= 3 && i != t->n && memcmp(t->s + i - 3, "+0x", 3) == 0)
		t->n = i - 3;
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
	if (!is_digits(s) || !is_digits(fraction) || fraction.n > 9 || s.n > 11)
		return false;
	if (number(s) > UINT64_MAX / UINT64_C(1000000000) - 1)
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
	if (!is_digits(a) || a.n > 10 ||
	    ((!is_digits(b) || b.n > 10) && !cp_text_is(b, "-1")))
		return false;
	h->pid = slash != NULL ? (uint32_t)number(a) : CP_NO_ID;
	h->tid = b.s[0] == '-' ? CP_NO_ID : (uint32_t)number(b);
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

/* Letters of -F misc stand after the CPU, or else after the thread. */
static bool
is_misc(const struct cp_text *token, size_t i)
{
	struct cp_script_head h;

	return i > 1 && token[i - 1].n <= 4 &&
	       strspn(token[i - 1].s, "KUHGgMCSEFep") >= token[i - 1].n &&
	       (read_cpu(token[i - 2], &h.cpu) ||
		   read_thread(token[i - 2], &h));
}

/* Reads the thread, the CPU and the command before token `end'. */
static bool
read_before(struct cp_text line, struct cp_text *token, size_t end,
    struct cp_script_head *h)
{
	size_t i = end;

	i -= is_misc(token, i);
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
	h->rest = (struct cp_text){ end, (size_t)(line.s + line.n - end) };
}

/* "PERF_RECORD_MMAP2 1/2: ..." after the time, or before anything like it */
static bool
read_record(struct cp_text line, struct cp_text *token, size_t n,
    struct cp_script_head *h)
{
	size_t i = 0, end;

	while (i < n && !cp_text_begins(token[i], "PERF_RECORD_") &&
	       !is_event(token[i]))
		i++;
	if (i == n || !cp_text_begins(token[i], "PERF_RECORD_"))
		return false;
	end = i > 0 && read_time(token[i - 1], &h->time) ? i - 1 : i;
	h->weak = !read_before(line, token, end, h);
	h->rest = between(line, token[i].s, NULL);
	h->record = true;
	return true;
}

/*
 * Without a time and an event: "prog 13", "13", "[001]", "prog".  A period is
 * written ten wide; numbers of threads are less, addresses more.
 */
static bool
read_plain(struct cp_text line, struct cp_text *token, size_t n,
    struct cp_script_head *h)
{
	size_t end = n;
	const char *from = n > 1 ? token[n - 2].s + token[n - 2].n + 1 : line.s;
	ptrdiff_t width = n > 0 ? token[n - 1].s + token[n - 1].n - from : 0;

	/* "a;b 3" is a folded stack: perf writes a blank at the end. */
	if (n == 0 || n > 8 ||
	    (line.s[line.n - 1] != ' ' && memchr(line.s, ';', line.n) != NULL))
		return false;
	if (is_digits(token[n - 1]) && width >= 10 && width < 16 &&
	    line.s[0] != '\t') {
		h->period = number(token[n - 1]);
		h->has_period = true;
		end = n - 1;
	}
	h->weak = !read_before(line, token, end, h) || h->comm.n == 0;
	return h->comm.n < 64 &&
	       (h->comm.n == 0 || line.s[0] != ' ' || !h->weak);
}

/* Reads around a time; false: there is none. */
static bool
read_timed(struct cp_text line, struct cp_text *token, size_t n,
    struct cp_script_head *h)
{
	for (size_t i = 0; i < n; i++)
		if (read_time(token[i], &h->time) &&
		    read_before(line, token, i, h)) {
			read_after(line, token, n, i + 1, h);
			return true;
		}
	/* -F comm,time: the command stands alone before it. */
	for (size_t i = 1; i < n; i++)
		if (read_time(token[i], &h->time) && token[i].n >= 9) {
			h->comm = between(
			    line, token[0].s, token[i - 1].s + token[i - 1].n);
			read_after(line, token, n, i + 1, h);
			return true;
		}
	h->time = CP_NO_TIME;
	return false;
}

/* Is a number as wide as a period, which no thread's is? */
static bool
is_wide(struct cp_text line, const struct cp_text *token, size_t i)
{
	const char *from = i > 0 ? token[i - 1].s + token[i - 1].n + 1 : line.s;

	return is_digits(token[i]) && token[i].s + token[i].n - from >= 10;
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
	if (read_record(line, token, n, h) || read_timed(line, token, n, h))
		return true;
	for (e = 0; e < n && !is_event(token[e]); e++)
		;
	if (e < n) {
		size_t before = e;

		/*
		 * A number before the event is its period, or else the tid,
		 * which is less wide.
		 */
		if (e > 1 && is_digits(token[e - 1]) &&
		    (is_wide(line, token, e - 1) ||
			read_cpu(token[e - 2], &h->cpu) ||
			read_thread(token[e - 2], h)))
			before = e - 1;
		else if (e == 1 && is_wide(line, token, 0))
			before = 0;
		h->weak = !read_before(line, token, before, h) || before == 0;
		read_after(line, token, n, before, h);
		return true;
	}
	return read_plain(line, token, n, h);
}

bool
cp_script_is(struct cp_text line)
{
	struct cp_script_head h;

	return cp_script_head(line, &h) && h.comm.n < 64 && !h.weak &&
	       (h.tid != CP_NO_ID || h.time != CP_NO_TIME) &&
	       (h.time != CP_NO_TIME || h.event.n != 0);
}

/* A frame is sixteen wide; the last such number before its name counts. */
struct cp_text
cp_script_own_frame(struct cp_text rest)
{
	const struct cp_text none = CP_LITERAL("");
	struct cp_text token[MAX_TOKENS], from = none;
	size_t n = tokens_of(rest, token);
	const char *last = rest.s;

	for (size_t i = 0; i < n; i++) {
		const char *end = token[i].s + token[i].n;
		size_t digits = 0;

		if (cp_text_is(token[i], "=>")) {
			rest.n = (size_t)(last - rest.s);
			break;
		}
		while (digits < token[i].n &&
		       cp_hex_digit(token[i].s[digits]) >= 0)
			digits++;
		if (digits == token[i].n && end - last >= 17 && i + 1 < n)
			from = token[i];
		last = end;
	}
	rest = cp_text_trimmed(rest);
	if (from.n != 0)
		rest = (struct cp_text){ from.s,
			(size_t)(rest.s + rest.n - from.s) };
	else if (!cp_text_ends(rest, ")"))
		return none;
	/* "7ffe1234 |OP LOAD|LVL L1 hit" is of the sample, not a name. */
	if (from.n != 0 && from.n < rest.n && rest.s[from.n + 1] == '|')
		return none;
	return rest;
}

bool
cp_script_is_source(struct cp_text t, bool *inlined)
{
	static const char word[] = " (inlined)";
	size_t end, i;

	if (t.n < 4 || (t.s[0] != ' ' && t.s[0] != '\t'))
		return false;
	*inlined = cp_text_ends(t, word);
	t.n -= *inlined ? strlen(word) : 0;
	t = cp_text_trimmed(t);
	if (t.n < 3)
		return false;
	end = t.n - (t.s[t.n - 1] == ']');
	for (i = end; i > 0; i--) {
		int digit = cp_hex_digit(t.s[i - 1]);

		if (digit < 0 || (digit > 9 && end == t.n))
			break;
	}
	return i > 1 && i < end && t.s[i - 1] == (end == t.n ? ':' : '[');
}

bool
cp_script_is_branches(struct cp_text t)
{
	static const char *const flag[] = { "MPN-", "X-", "A-" };

	for (size_t i = 0; i + 6 < t.n; i++) {
		size_t k = 0;

		while (k < 3 && t.s[i + 2 * k] == '/' &&
		       strchr(flag[k], t.s[i + 2 * k + 1]) != NULL)
			k++;
		if (k == 3 && t.s[i + 6] == '/')
			return true;
	}
	return false;
}
