/* SPDX-License-Identifier: MIT */
#include "base/match/nearest.h"

#include "base/match/pattern.h"

enum { LONGEST = 64, NO_PART = 1000 };

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

/* Also compares the last part of a path or C++ name, which people remember. */
static unsigned
nearness(const char *typed, const char *name)
{
	char bare[256];
	const char *tail;
	unsigned d;

	if (contains(name, typed))
		return 0;
	d = NO_PART + distance(typed, name);
	cp_symbol_bare(name, bare, sizeof(bare));
	tail = strrchr(bare, '/');
	if (tail == NULL)
		tail = strrchr(bare, ':');
	return CP_MIN(
	    d, NO_PART + distance(typed, tail != NULL ? tail + 1 : bare));
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
	unsigned distance;
};

static int
compare_names(const void *a, const void *b)
{
	const char *const *x = a, *const *y = b;

	return strcmp(*x, *y);
}

static int
compare_ranked(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	if (x->distance != y->distance)
		return x->distance < y->distance ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* Sorts by name and removes duplicates. */
static void
make_unique(cp_candidates *all)
{
	size_t n = 0;

	if (all->len == 0)
		return;
	qsort(all->data, all->len, sizeof(*all->data), compare_names);
	for (size_t i = 1; i < all->len; i++)
		if (strcmp(all->data[i], all->data[n]) != 0)
			all->data[++n] = all->data[i];
	all->len = n + 1;
}

void
cp_nearest_list(
    struct cp_buf *b, const char *typed, cp_candidates *all, size_t room)
{
	struct ranked *ranked;
	size_t i, end = b->len + room;

	make_unique(all);
	if (all->len == 0)
		return;
	ranked = cp_xcalloc(all->len, sizeof(*ranked));
	for (i = 0; i < all->len; i++)
		ranked[i] = (struct ranked){ all->data[i],
			nearness(typed, all->data[i]) };
	qsort(ranked, all->len, sizeof(*ranked), compare_ranked);
	for (i = 0; i < all->len; i++) {
		if (i != 0 && b->len + strlen(ranked[i].name) > end)
			break;
		cp_buf_printf(b, "%s%.80s", i != 0 ? ", " : "", ranked[i].name);
	}
	if (i < all->len)
		cp_buf_printf(b, " and %zu more", all->len - i);
	free(ranked);
}
