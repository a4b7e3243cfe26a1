/* SPDX-License-Identifier: MIT */
/*
 * folded-look: tells folded stacks from other text whose lines end in a number:
 * logs, lists of sizes, prose.
 *
 * The name of the file may say it.  Otherwise most lines have frames, or are
 * the beginning of lines that have.
 */
#include "run/import/folded.h"

#include "base/limits.h"
#include "run/import/input.h"
#include "run/import/parsers.h"

enum {
	MAX_PLACES = 6,
	MAX_ROOTS = 100000, /* lines whose first part is kept */
	IS_ROOT = 2
};

static const uint64_t power[] = { 1, 10, 100, 1000, 10000, 100000, 1000000 };

struct look {
	struct cp_folded *f;
	uint64_t lines, stacks, pairs, framed, other;
	uint64_t alone;        /* lines of one part that begin no other */
	struct cp_map64 roots; /* hash -> lines of it alone * 4 + IS_ROOT + 1 */
	double sum;
};

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* "e3", "e-07" */
static bool
read_exponent(struct cp_text t, size_t *at, struct cp_count *c)
{
	size_t i = *at + 1, from;
	bool minus = i < t.n && t.s[i] == '-';
	int e = 0;

	i += minus || (i < t.n && t.s[i] == '+');
	for (from = i; i < t.n && is_digit(t.s[i]) && e < 100; i++)
		e = e * 10 + (t.s[i] - '0');
	c->exp += minus ? -e : e;
	*at = i;
	return i != from;
}

/* Austin's full metrics after the time: ",1,-2048" */
static bool
is_full(struct cp_text t)
{
	size_t i = 3;

	if (t.n < 4 || t.s[0] != ',' || (t.s[1] != '0' && t.s[1] != '1') ||
	    t.s[2] != ',')
		return false;
	i += t.s[i] == '-';
	for (size_t from = i; i < t.n || i == from; i++)
		if (i >= t.n || !is_digit(t.s[i]))
			return false;
	return true;
}

static bool
read_count(struct cp_text t, struct cp_count *c, bool *full)
{
	bool dot = false;
	size_t i;

	*c = (struct cp_count){ 0, 0 };
	for (i = 0; i < t.n && (is_digit(t.s[i]) || t.s[i] == '.'); i++) {
		bool more = c->digits <= (UINT64_MAX >> 4) / 10;

		if (t.s[i] == '.' ? dot || i == 0 : !more && !dot)
			return false;
		dot |= t.s[i] == '.';
		if (t.s[i] == '.' || !more)
			continue;
		c->digits = c->digits * 10 + (unsigned)(t.s[i] - '0');
		c->exp -= dot;
	}
	if (i == 0 ||
	    (i < t.n && (t.s[i] | 32) == 'e' && !read_exponent(t, &i, c)))
		return false;
	for (; c->exp < 0 && c->digits % 10 == 0; c->exp++)
		c->digits /= 10;
	for (; c->exp > 0 && c->digits != 0; c->exp--) {
		if (c->digits > (UINT64_MAX >> 4) / 10)
			return false;
		c->digits *= 10;
	}
	c->exp = CP_MIN(c->exp, 0);
	*full = i < t.n;
	return i == t.n || is_full((struct cp_text){ t.s + i, t.n - i });
}

/* Takes a number that blanks part off the end. */
static bool
take_count(struct cp_text *t, struct cp_count *c, bool *full)
{
	size_t end = t->n, i;

	while (end > 0 && t->s[end - 1] == ' ')
		end--;
	for (i = end; i > 0 && t->s[i - 1] != ' ' && t->s[i - 1] != '\t';)
		i--;
	if (i == 0 ||
	    !read_count((struct cp_text){ t->s + i, end - i }, c, full))
		return false;
	while (i > 0 && (t->s[i - 1] == ' ' || t->s[i - 1] == '\t'))
		i--;
	t->n = i;
	return true;
}

/* As many as there are: one, or two. */
static unsigned
split(struct cp_text *line, struct cp_count count[2], bool *full)
{
	struct cp_text once;
	bool none;

	if (!take_count(line, &count[0], full) || line->n == 0)
		return 0;
	once = *line;
	return 1 + (take_count(&once, &count[1], &none) && once.n != 0 &&
		       !none && !*full);
}

unsigned
cp_folded_split(
    const struct cp_folded *f, struct cp_text *line, struct cp_count count[2])
{
	struct cp_count after;
	bool full;
	unsigned n = split(line, count, &full);

	if (n < 2 || !f->pairs)
		return CP_MIN(n, 1);
	after = count[0];
	take_count(line, &count[0], &full);
	count[1] = after;
	return 2;
}

bool
cp_folded_is(struct cp_text line)
{
	struct cp_count count[2];
	bool full;

	return split(&line, count, &full) != 0 && line.s[0] != '#';
}

bool
cp_folded_is_comment(struct cp_text line)
{
	return cp_text_begins(line, "# ") || cp_text_is(line, "#");
}

uint64_t
cp_count_value(struct cp_count c, unsigned places, bool *whole)
{
	uint64_t rest = 0;

	for (c.exp += (int)places; c.exp > 0 && c.digits <= UINT64_MAX / 160;
	     c.exp--)
		c.digits *= 10;
	for (; c.exp < 0; c.exp++) {
		*whole = *whole && c.digits % 10 == 0;
		rest = c.digits % 10;
		c.digits /= 10;
	}
	return c.digits + (rest >= 5);
}

/* "work (file.py:12)", "work - file.rb:12", "sleep [c function] - (unknown)" */
static bool
is_frame(struct cp_text t)
{
	bool round = cp_text_ends(t, ")"), found = false;
	size_t i = t.n - round, end = i;

	if (cp_text_ends(t, " - (unknown)"))
		return true;
	while (i > 0 && is_digit(t.s[i - 1]))
		i--;
	if (i == end || i == 0 || t.s[i - 1] != ':')
		return false;
	for (i = 0; i + 3 < t.n && !found; i++)
		found = memcmp(t.s + i, round ? " (" : " - ", 3 - round) == 0;
	return found;
}

static void
look_at_root(struct look *l, struct cp_text stack)
{
	const char *end = memchr(stack.s, ';', stack.n);
	struct cp_text root = { stack.s,
		end != NULL ? (size_t)(end - stack.s) : stack.n };
	uint32_t *v;

	l->stacks += end != NULL;
	l->framed += is_frame(root);
	if (l->lines > MAX_ROOTS) {
		l->alone += end == NULL;
		return;
	}
	v = cp_map64_put(&l->roots, cp_hash_bytes(root.s, root.n));
	*v |= 1;
	if (end == NULL) {
		l->f->alone += (*v & IS_ROOT) != 0;
		l->alone += (*v & IS_ROOT) == 0;
		*v += (*v & IS_ROOT) == 0 ? 4 : 0;
	} else if ((*v & IS_ROOT) == 0) {
		l->alone -= *v / 4;
		l->f->alone += *v / 4;
		*v |= IS_ROOT;
	}
}

/* "# mode: wall" of Austin */
static void
look_at_comment(struct look *l, struct cp_text line)
{
	static const char *const modes[] = { "wall", "cpu", "memory", "full" };
	static const char word[] = "# mode: ";

	if (!cp_text_begins(line, word))
		return;
	line = (struct cp_text){ line.s + strlen(word), line.n - strlen(word) };
	for (size_t i = 0; i < CP_ARRAY_LEN(modes); i++)
		if (cp_text_is(line, modes[i]))
			l->f->mode = i == 3 ? "wall" : modes[i];
}

static void
look_at(struct look *l, struct cp_text line)
{
	struct cp_count count[2];
	bool full = false;
	unsigned n;

	if (cp_folded_is_comment(line)) {
		look_at_comment(l, line);
		return;
	}
	n = line.n != 0 ? split(&line, count, &full) : 0;
	l->other += n == 0 && line.n != 0;
	l->lines += n != 0;
	l->pairs += n == 2;
	l->f->full |= full;
	for (unsigned i = 0; i < n; i++) {
		double v = (double)count[i].digits;

		for (int e = count[i].exp; e < 0 && v > 0; e++)
			v /= 10;
		l->sum += v;
		if (-count[i].exp > (int)l->f->places)
			l->f->places = (unsigned)-count[i].exp;
	}
	if (n != 0)
		look_at_root(l, line);
}

static bool
is_named(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash != NULL ? slash + 1 : path;

	return strstr(name, ".folded") != NULL ||
	       strstr(name, ".collapsed") != NULL;
}

static const char *
why_not(const struct look *l, bool named)
{
	if (l->lines == 0 || l->other > l->lines ||
	    (!named && l->other > l->lines / 4))
		return "no perf magic in the first bytes, and its text is "
		       "neither folded stacks nor that of perf script, whose "
		       "fields must have ip";
	if (!named && l->alone >= l->stacks)
		return "text whose lines end in a number, as logs and lists "
		       "do; folded stacks have \";\" between their frames: if "
		       "it is that, name it NAME.folded";
	return NULL;
}

const char *
cp_folded_look(struct cp_input *in, struct cp_folded *f)
{
	struct look l = { .f = f };
	struct cp_lines lines;
	struct cp_text line;

	*f = (struct cp_folded){ .mode = NULL };
	cp_lines_begin(&lines, in);
	while (cp_lines_next(&lines, &line))
		look_at(&l, line);
	cp_lines_end(&lines);
	cp_map64_free(&l.roots);
	f->pairs = l.pairs >= l.lines - l.lines / 10 && l.pairs != 0;
	f->frames = l.framed >= l.lines - l.lines / 10;
	if (f->mode == NULL && f->full)
		f->mode = "wall";
	f->places = CP_MIN(f->places, MAX_PLACES);
	while (f->places > 0 &&
	       l.sum * (double)power[f->places] > CP_MAX_FOLDED_SAMPLES)
		f->places--;
	return why_not(&l, is_named(in->path));
}
