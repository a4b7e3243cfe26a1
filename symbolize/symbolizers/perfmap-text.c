/* SPDX-License-Identifier: MIT */
#include "symbolize/symbolizers/perfmap-text.h"

#include "base/elf.h"
#include "base/limits.h"
#include "base/strings.h"
#include "symbolize/symtab/symtab.h"

/* Reads a number and one separator.  Returns NULL if there is no number. */
static const char *
parse_hex(const char *s, const char *end, uint64_t *v)
{
	const char *from;
	int d;

	while (s < end && (*s == ' ' || *s == '\t'))
		s++;
	if (end - s > 2 && s[0] == '0' && (s[1] | 0x20) == 'x')
		s += 2;
	from = s;
	for (*v = 0; s < end && (d = cp_hex_digit(*s)) >= 0; s++) {
		if (*v >> 60 != 0)
			return NULL;
		*v = *v << 4 | (unsigned)d;
	}
	if (s == from || s == end || (*s != ' ' && *s != '\t'))
		return NULL;
	return s + 1;
}

struct line {
	uint64_t start, size;
	const char *name;
};

static bool
parse_line(const char *s, const char *end, struct line *l)
{
	s = parse_hex(s, end, &l->start);
	if (s != NULL)
		s = parse_hex(s, end, &l->size);
	if (s == NULL || s >= end || *s == '\0' ||
	    l->start > UINT64_MAX - l->size || l->start + l->size == UINT64_MAX)
		return false;
	l->name = s;
	return true;
}

/*
 * Returns the line's end without "\r\n"; NULL: the line, so its name, is cut.
 */
static char *
line_end(char *s, char *end, char **next)
{
	char *nl = memchr(s, '\n', (size_t)(end - s));

	if (nl == NULL)
		return NULL;
	*next = nl + 1;
	return nl > s && nl[-1] == '\r' ? nl - 1 : nl;
}

void
cp_maptext_read(
    struct cp_maptext *m, const struct cp_content *text, struct cp_symtab *t)
{
	union {
		const uint8_t *in;
		char *out;
	} p = { .in = text->data };
	char *s = p.out, *end = s + text->size, *next = end;
	struct line l;

	*m = (struct cp_maptext){ 0 };
	for (; s < end && !text->mapped; s = next) {
		char *eol = line_end(s, end, &next);

		if (t->all.len >= CP_MAX_SYMBOLS) {
			m->full = true;
			break;
		}
		if (eol == NULL || !parse_line(s, eol, &l)) {
			m->bad++;
			if (eol == NULL)
				break;
			continue;
		}
		*eol = '\0';
		*cp_symtab_push(t) = (struct cp_entry){
			.start = l.start,
			/* Size 0: the symbol covers its first address only. */
			.end = l.start + CP_MAX(l.size, 1),
			.name = l.name,
			.bind = STB_GLOBAL,
			.type = STT_FUNC,
		};
		m->lines++;
	}
	m->again = cp_symtab_index_latest(t);
}

/* Steps to the next line with a symbol; false: there is none. */
static bool
next_symbol(const char **at, const char *last, struct line *l)
{
	while (*at < last) {
		const char *s = *at;
		const char *nl = memchr(s, '\n', (size_t)(last - s));

		if (nl == NULL)
			return false;
		*at = nl + 1;
		if (parse_line(s, nl > s && nl[-1] == '\r' ? nl - 1 : nl, l))
			return true;
	}
	return false;
}

struct cp_mapspan
cp_maptext_span(const struct cp_content *text, uint64_t start, uint64_t end)
{
	const char *s = (const char *)text->data, *last = s + text->size;
	struct cp_mapspan span = { .low = UINT64_MAX };
	struct line l;

	while (next_symbol(&s, last, &l)) {
		span.all++;
		span.inside += l.start >= start && l.start < end;
		span.low = CP_MIN(span.low, l.start);
		span.high = CP_MAX(span.high, l.start + CP_MAX(l.size, 1));
	}
	if (span.all == 0)
		span.low = span.high;
	return span;
}

size_t
cp_maptext_below(const uint64_t *addr, size_t n, uint64_t end)
{
	size_t lo = 0;

	while (lo < n) {
		size_t mid = lo + (n - lo) / 2;

		if (addr[mid] < end)
			lo = mid + 1;
		else
			n = mid;
	}
	return lo;
}

/* Lines may overlap, so that where they begin and end is counted. */
size_t
cp_maptext_covers(const struct cp_content *text, const uint64_t *addr, size_t n)
{
	const char *s = (const char *)text->data, *last = s + text->size;
	int64_t *change = cp_xcalloc(n + 1, sizeof(*change)), lines = 0;
	size_t covered = 0;
	struct line l;

	while (n != 0 && next_symbol(&s, last, &l)) {
		uint64_t end = l.start + CP_MAX(l.size, 1);

		change[cp_maptext_below(addr, n, l.start)]++;
		change[cp_maptext_below(addr, n, end)]--;
	}
	for (size_t i = 0; i < n; i++) {
		lines += change[i];
		covered += lines > 0;
	}
	free(change);
	return covered;
}
