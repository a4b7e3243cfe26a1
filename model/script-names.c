/* SPDX-License-Identifier: MIT */
/*
 * Reads what `perf script` printed with any -F that has ip, sym and dso:
 *
 *	prog 123/124 [001] 63435.201877: 9009009 cycles:u:
 *		aaaad1f8097c func1+0x3c (/opt/prog)
 *
 * The last word in parentheses is the object, the first number the address.
 * Inlined functions, marked so, have the address of the function around them,
 * which comes after them.  Without a call chain the line of the sample goes on
 * with the address.
 */
#define _GNU_SOURCE /* memmem */
#include "model/script-names.h"

#include <ctype.h>
#include <string.h>

#include "base/limits.h"
#include "model/stack.h"

struct text {
	const char *s;
	size_t n;
};

static bool
ends_in(struct text t, const char *end)
{
	size_t n = strlen(end);

	return t.n >= n && memcmp(t.s + t.n - n, end, n) == 0;
}

static struct text
trimmed(struct text t)
{
	while (t.n > 0 && isspace((unsigned char)t.s[0]))
		t = (struct text){ t.s + 1, t.n - 1 };
	while (t.n > 0 && isspace((unsigned char)t.s[t.n - 1]))
		t.n--;
	return t;
}

/* Takes the hexadecimal number at the start; it ends before a blank. */
static bool
take_address(struct text *t, uint64_t *v)
{
	size_t i = 0;

	for (*v = 0; i < t->n && i < 17; i++) {
		int d = cp_hex_digit(t->s[i]);

		if (d < 0)
			break;
		*v = *v << 4 | (unsigned)d;
	}
	if (i == 0 || i > 16 || i >= t->n || t->s[i] != ' ')
		return false;
	*t = trimmed((struct text){ t->s + i, t->n - i });
	return true;
}

/* Takes "(object)" off the end. */
static bool
take_object(struct text *t, struct text *object)
{
	size_t i;

	if (!ends_in(*t, ")"))
		return false;
	object->n = t->n - 1;
	if (ends_in((struct text){ t->s, object->n }, " (deleted)"))
		object->n -= strlen(" (deleted)");
	for (i = object->n; i >= 2; i--)
		if (t->s[i - 1] == '(' && t->s[i - 2] == ' ')
			break;
	if (i < 2)
		return false;
	object->s = t->s + i;
	object->n -= i;
	*t = trimmed((struct text){ t->s, i - 2 });
	return object->n != 0;
}

/* Takes "+0x3c" off the end. */
static bool
take_offset(struct text *t, uint64_t *offset)
{
	size_t i = t->n;
	int d;

	while (i > 0 && cp_hex_digit(t->s[i - 1]) >= 0)
		i--;
	if (i < 4 || i == t->n || t->n - i > 16 ||
	    memcmp(t->s + i - 3, "+0x", 3) != 0)
		return false;
	*offset = 0;
	for (size_t k = i; k < t->n && (d = cp_hex_digit(t->s[k])) >= 0; k++)
		*offset = *offset << 4 | (unsigned)d;
	t->n = i - 3;
	return true;
}

/* "[unknown]", and what simpleperf makes up: "libc.so[+1f0]". */
static bool
is_name(struct text t)
{
	return t.n != 0 && t.n <= CP_MAX_MANGLED && !ends_in(t, "[unknown]") &&
	       !(ends_in(t, "]") && memmem(t.s, t.n, "[+", 2) != NULL);
}

static void
add_line(struct cp_script_names *x, uint64_t ip, struct cp_script_line line)
{
	uint32_t *first = cp_map64_put(&x->by_address, ip);

	for (uint32_t i = *first; i != 0; i = x->lines.data[i - 1].next) {
		struct cp_script_line *l = &x->lines.data[i - 1];

		if (l->object != line.object)
			continue;
		if (l->name != line.name || l->offset != line.offset)
			l->name = 0;
		return;
	}
	line.next = *first;
	*cp_vec_push(&x->lines) = line;
	*first = (uint32_t)x->lines.len;
}

static bool
frame_line(struct cp_script_names *x, struct text t)
{
	struct cp_script_line line = { 0 };
	struct text object;
	uint64_t ip;

	if (!take_address(&t, &ip) || !take_object(&t, &object))
		return false;
	line.no_offset = !take_offset(&t, &line.offset);
	if (x == NULL || !is_name(t) || ends_in(object, "inlined"))
		return true;
	if (object.n > 2 && object.s[0] != '[')
		(void)take_offset(&object, &(uint64_t){ 0 });
	line.name = cp_strings_addn(x->strings, t.s, t.n);
	line.object = cp_strings_addn(x->strings, object.s, object.n);
	if (line.offset <= ip && x->lines.len < CP_MAX_SYMBOLS)
		add_line(x, ip, line);
	return true;
}

/* The time in "63435.201877:", in microseconds; false: none. */
static bool
take_time(struct text word, uint64_t *time)
{
	uint64_t v[2] = { 0 };
	size_t digits[2] = { 0 }, part = 0;

	for (size_t i = 0; i + 1 < word.n; i++) {
		if (word.s[i] == '.' && part == 0) {
			part = 1;
			continue;
		}
		if (!isdigit((unsigned char)word.s[i]) || digits[part] == 12)
			return false;
		if (part == 0 || digits[1] < 6)
			v[part] = v[part] * 10 + (unsigned)(word.s[i] - '0');
		digits[part]++;
	}
	*time = v[0] * 1000000 + v[1];
	return digits[0] != 0 && (digits[1] == 6 || digits[1] == 9) &&
	       word.s[word.n - 1] == ':';
}

/*
 * A sample's first line: its time, and without a call chain its address, after
 * the last word that ends with a colon.
 */
static bool
sample_line(struct cp_script_names *x, struct text t)
{
	struct text word = { 0 }, last = { 0 };
	uint64_t time = 0, v;

	for (size_t i = 0; i < t.n; i++) {
		bool colon = word.n != 0 && ends_in(word, ":");
		size_t from = i;

		while (i < t.n && t.s[i] != ' ' && t.s[i] != '\t')
			i++;
		if (i == from)
			continue;
		word = (struct text){ t.s + from, i - from };
		if (colon)
			last = (struct text){ word.s, t.n - from };
		if (time == 0 && take_time(word, &v))
			time = v;
	}
	if (time != 0 && x != NULL && x->times.len < CP_MAX_SYMBOLS)
		*cp_map64_put(&x->times, time) = 1;
	return (last.n != 0 && frame_line(x, last)) || time != 0;
}

/* Returns the number of lines that are of the form; x may be NULL. */
static size_t
read_lines(struct cp_script_names *x, const char *s, const char *end)
{
	size_t n = 0;

	while (s < end) {
		const char *nl = memchr(s, '\n', (size_t)(end - s));
		struct text t = { s, (size_t)((nl != NULL ? nl : end) - s) };
		bool inner = t.n != 0 && isspace((unsigned char)s[0]);

		s = nl != NULL ? nl + 1 : end;
		t = trimmed(t);
		if (t.n == 0 || t.s[0] == '#')
			continue;
		n += (inner && frame_line(x, t)) || sample_line(x, t);
	}
	return n;
}

bool
cp_script_names_bid(const uint8_t *head, size_t n)
{
	const char *s = (const char *)head, *end = s + n;
	size_t lines = 0;

	if (memchr(head, '\0', n) != NULL)
		return false;
	while (end > s && end[-1] != '\n')
		end--;
	for (const char *p = s; p < end; p++)
		lines += *p == '\n' && p > s && p[-1] != '\n';
	return read_lines(NULL, s, end) * 2 > lines;
}

bool
cp_script_names_read(struct cp_script_names *x, const char *text, size_t n)
{
	(void)read_lines(x, text, text + n);
	return x->lines.len != 0;
}

/* perf and we call a kernel, and code in no file, by other names. */
static bool
is_object(const struct cp_script_names *x, const struct cp_dso_info *d,
    cp_string_id object)
{
	const char *text = cp_strings_get(x->strings, object);
	const char *path = cp_strings_get(x->strings, d->pub.name);

	if (d->pub.kind == CP_DSO_KERNEL)
		return strstr(text, "kernel.") != NULL ||
		       strstr(text, "kernel]") != NULL ||
		       strstr(text, "vmlinu") != NULL;
	if (d->pub.kind == CP_DSO_ANON || d->pub.kind == CP_DSO_JIT)
		return text[0] != '[' || strcmp(text, path) == 0;
	text = cp_basename(text);
	path = cp_basename(path);
	if (strncmp(path, text, strlen(text)) != 0)
		return false;
	path += strlen(text);
	return path[0] == '\0' || strcmp(path, " (deleted)") == 0;
}

static bool
meet_at(struct cp_script_names *x, struct cp_dso_info *d, uint64_t ip,
    uint64_t addr)
{
	uint32_t i = cp_map64_get(&x->by_address, ip);

	for (; i != 0; i = x->lines.data[i - 1].next) {
		const struct cp_script_line *l = &x->lines.data[i - 1];
		/* A caller is looked up by its call, before the address. */
		uint64_t back = l->no_offset ? addr != 0 : l->offset;
		uint32_t *given;

		if (l->name == 0 || l->offset > addr ||
		    !is_object(x, d, l->object))
			continue;
		given = cp_map64_put(&x->given, (uint64_t)d->pub.id << 32 | i);
		if ((*given)++ == 0)
			*cp_vec_push(&d->said) = (struct cp_capture_symbol){
				.start = addr - back,
				.end = addr + 1,
				.name = l->name,
			};
		return true;
	}
	return false;
}

/* On arm64 perf adds the caller of a leaf, by the link register less one. */
void
cp_script_names_meet(struct cp_script_names *x, const struct cp_dsos *dsos,
    uint64_t ip, const struct cp_frame *f)
{
	struct cp_dso_info *d = cp_dsos_at(dsos, f->dso);

	if (d != NULL && !meet_at(x, d, ip, f->addr) && f->addr != 0)
		(void)meet_at(x, d, ip - 1, f->addr - 1);
}

void
cp_script_names_time(struct cp_script_names *x, uint64_t time)
{
	uint32_t *seen;

	if (cp_map64_get(&x->times, time / 1000) != 1)
		return;
	seen = cp_map64_put(&x->times, time / 1000);
	*seen = 2;
	x->met++;
}

enum cp_script_verdict
cp_script_names_verdict(const struct cp_script_names *x)
{
	if (x->times.len == 0)
		return CP_SCRIPT_UNKNOWN;
	return x->met >= x->times.len - x->met ? CP_SCRIPT_SAME
					       : CP_SCRIPT_OTHER;
}

void
cp_script_names_free(struct cp_script_names *x)
{
	cp_vec_free(&x->lines);
	cp_map64_free(&x->by_address);
	cp_map64_free(&x->given);
	cp_map64_free(&x->times);
}
