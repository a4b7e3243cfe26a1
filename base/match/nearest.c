/* SPDX-License-Identifier: MIT */
#include "base/match/nearest.h"

#include "base/match/pattern.h"

enum { LONGEST = 64, FAR = 1000 };

static char
lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

unsigned
cp_word_distance(const char *a, const char *b)
{
	size_t n = strnlen(a, LONGEST), m = strnlen(b, LONGEST);
	unsigned rows[3][LONGEST + 1];
	unsigned *above = rows[0], *row = rows[1], *before = rows[2];

	for (size_t j = 0; j <= m; j++)
		row[j] = (unsigned)j;
	for (size_t i = 1; i <= n; i++) {
		unsigned *next = before;

		before = above;
		above = row;
		row = next;
		row[0] = (unsigned)i;
		for (size_t j = 1; j <= m; j++) {
			bool same = lower(a[i - 1]) == lower(b[j - 1]);
			unsigned d = above[j - 1] + !same;

			d = CP_MIN(d, above[j] + 1);
			d = CP_MIN(d, row[j - 1] + 1);
			if (i > 1 && j > 1 &&
			    lower(a[i - 1]) == lower(b[j - 2]) &&
			    lower(a[i - 2]) == lower(b[j - 1]))
				d = CP_MIN(d, before[j - 2] + 1);
			row[j] = d;
		}
	}
	return row[m];
}

static bool
contains(const char *s, const char *part)
{
	size_t n = strlen(part);

	for (; *s != '\0'; s++) {
		size_t i = 0;

		while (i < n && lower(s[i]) == lower(part[i]))
			i++;
		if (i == n)
			return n != 0;
	}
	return false;
}

/*
 * Returns the distance.  Users also type the beginning of a long name, without
 * its version; it counts if two of three letters are right.
 */
static unsigned
distance(const char *typed, const char *name)
{
	char start[LONGEST + 1];
	size_t n = CP_MIN(strnlen(typed, LONGEST), strnlen(name, LONGEST));
	unsigned whole = cp_word_distance(typed, name), part;

	memcpy(start, name, n);
	start[n] = '\0';
	part = cp_word_distance(typed, start);
	return part <= n / 3 ? CP_MIN(whole, part + 1) : whole;
}

/* Returns the last part of a path or C++ name, which people remember. */
static const char *
tail_of(const char *name)
{
	const char *slash = strrchr(name, '/'), *tail = name, *next;

	if (slash != NULL && slash[1] != '\0')
		tail = slash + 1;
	while ((next = strstr(tail, "::")) != NULL && next[2] != '\0')
		tail = next + 2;
	return tail;
}

/* Returns 1 and the distance; FAR if more than a third is another. */
static unsigned
near_word(const char *typed, const char *name)
{
	size_t n = CP_MIN(strnlen(typed, LONGEST), strnlen(name, LONGEST));
	unsigned d = distance(typed, name);

	return d <= 1 + n / 3 ? 1 + d : FAR;
}

/*
 * Returns 0 for a name that contains what was typed; FAR for one that nobody
 * mistypes so.
 */
static unsigned
nearness(const char *typed, const char *name)
{
	struct cp_buf bare;
	unsigned d;

	if (contains(name, typed))
		return 0;
	cp_buf_init(&bare, SIZE_MAX / 2);
	cp_symbol_bare(&bare, name);
	d = CP_MIN(near_word(typed, name),
	    near_word(tail_of(typed), tail_of(cp_buf_text(&bare))));
	cp_buf_free(&bare);
	return d;
}

/* Writes what was typed without the signs of a pattern. */
static void
put_letters(struct cp_buf *b, const char *typed)
{
	size_t n = strlen(typed);

	if (n > 2 && typed[0] == '/' && typed[n - 1] == '/') {
		typed++;
		n -= 2;
	}
	for (; n-- != 0; typed++)
		if (strchr("*?^$", *typed) == NULL)
			cp_buf_char(b, *typed);
}

const char *
cp_nearest(const char *typed, const cp_candidates *all)
{
	const char *best = NULL;
	size_t n = strlen(typed);
	unsigned least = n < 3 ? 2 : (unsigned)(n < 6 ? 3 : n / 2);

	for (size_t i = 0; i < all->len; i++) {
		unsigned d = cp_word_distance(typed, all->data[i]);

		/* A word's beginning counts as one typing error. */
		if (n > 2 && strncmp(typed, all->data[i], n) == 0)
			d = CP_MIN(d, 1);
		if (d < least) {
			least = d;
			best = all->data[i];
		}
	}
	return best;
}

struct ranked {
	const char *name;
	size_t order; /* as given */
	unsigned distance;
};

static int
compare_names(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;
	int c = strcmp(x->name, y->name);

	return c != 0 ? c : (x->order > y->order) - (x->order < y->order);
}

static int
compare_ranked(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	if (x->distance != y->distance)
		return x->distance < y->distance ? -1 : 1;
	return (x->order > y->order) - (x->order < y->order);
}

/* Of equal names the first stays.  Returns how many are left. */
static size_t
make_unique(struct ranked *all, size_t len)
{
	size_t n = 0;

	qsort(all, len, sizeof(*all), compare_names);
	for (size_t i = 1; i < len; i++)
		if (strcmp(all[i].name, all[n].name) != 0)
			all[++n] = all[i];
	return n + 1;
}

void
cp_nearest_list(
    struct cp_buf *b, const char *typed, cp_candidates *all, size_t room)
{
	struct ranked *ranked;
	size_t i, n, end = b->len + room;
	struct cp_buf letters;

	if (all->len == 0)
		return;
	cp_buf_init(&letters, SIZE_MAX / 2);
	put_letters(&letters, typed);
	ranked = cp_xcalloc(all->len, sizeof(*ranked));
	for (i = 0; i < all->len; i++)
		ranked[i] = (struct ranked){ all->data[i], i, 0 };
	n = make_unique(ranked, all->len);
	for (i = 0; i < n; i++)
		ranked[i].distance =
		    nearness(cp_buf_text(&letters), ranked[i].name);
	cp_buf_free(&letters);
	qsort(ranked, n, sizeof(*ranked), compare_ranked);
	for (i = 0; i < n; i++) {
		if (i != 0 && b->len + strlen(ranked[i].name) > end)
			break;
		cp_buf_printf(b, "%s%.80s", i != 0 ? ", " : "", ranked[i].name);
	}
	if (i < n)
		cp_buf_printf(b, " and %zu more", n - i);
	free(ranked);
}
