/* SPDX-License-Identifier: MIT */
/*
 * mkperf: numbers, strings and whole field layouts into bytes.
 *
 * A layout is a text such as "pid:4 tid:4=pid name:p" that describes a record
 * or a feature; the values come from the statement's words, by key or in
 * order.  Kinds: 1 2 4 8 numbers of that width; p text with NUL, padded to 8;
 * z text with NUL; cN text in N bytes; S length-prefixed feature string; d
 * IEEE double; h items; HN items padded to N; iN hexadecimal padded to N;
 * lW list of numbers of width W; tKIND,KIND... all remaining words as tuples;
 * PN zeros up to a multiple of N.  Defaults: a number, an earlier field or
 * key, #list/K (elements of a list; "#rest": remaining words), %items (bytes).
 */
#include <ctype.h>

#include "mkperf.h"

void
mk_put(const struct mk *mk, struct cp_buf *b, unsigned width, uint64_t v)
{
	char bytes[8];

	for (unsigned i = 0; i < width; i++)
		bytes[mk->big ? width - 1 - i : i] = (char)(v >> 8 * i);
	cp_buf_add(b, bytes, width);
}

void
mk_zeros(struct cp_buf *b, uint64_t n)
{
	static const char zeros[4096];

	for (; n > sizeof(zeros); n -= sizeof(zeros))
		cp_buf_add(b, zeros, sizeof(zeros));
	cp_buf_add(b, zeros, n);
}

/* Pads what was added since `from` to a multiple of `to`. */
void
mk_align(struct cp_buf *b, size_t from, size_t to)
{
	while ((b->len - from) % to != 0)
		cp_buf_char(b, 0);
}

/* The string of header features: u32 padded length, text, NULs. */
void
mk_string64(struct mk *mk, struct cp_buf *b, const char *s, size_t len)
{
	struct cp_buf t;

	cp_buf_init(&t, MK_MAX_FILE);
	mk_string(mk, s, len, &t);
	cp_buf_char(&t, 0);
	mk_align(&t, 0, 64);
	mk_put(mk, b, 4, t.len);
	cp_buf_add(b, t.data, t.len);
	cp_buf_free(&t);
}

static void
put_text(struct mk *mk, struct cp_buf *b, const char *s, size_t len, char how,
    size_t room)
{
	size_t from = b->len;

	mk_string(mk, s, len, b);
	if (how == 'c') {
		if (b->len - from > room)
			mk_die(mk, "text is longer than %zu", room);
		mk_zeros(b, room - (b->len - from));
		return;
	}
	cp_buf_char(b, 0);
	if (how == 'p')
		mk_align(b, from, 8);
}

static void
put_hex(struct mk *mk, struct cp_buf *b, const char *s, size_t n)
{
	if (n % 2 != 0)
		mk_die(mk, "odd number of hexadecimal digits");
	for (size_t i = 0; i < n; i += 2) {
		char pair[3] = { s[i], s[i + 1], '\0' };

		if (!isxdigit((unsigned char)pair[0]) ||
		    !isxdigit((unsigned char)pair[1]))
			mk_die(mk, "not hexadecimal: %.*s", (int)n, s);
		cp_buf_char(b, (char)strtoul(pair, NULL, 16));
	}
}

static void
put_varint(struct cp_buf *b, uint64_t v)
{
	for (; v > 0x7f; v >>= 7)
		cp_buf_char(b, (char)(v | 0x80));
	cp_buf_char(b, (char)v);
}

/* m:(...) and LW:(...): nested items with their length before them. */
static void
put_nested(struct mk *mk, struct cp_buf *b, char how, unsigned width,
    const char *s, size_t n, unsigned depth)
{
	struct cp_buf inner;
	char *text;

	if (n < 2 || s[0] != '(' || s[n - 1] != ')' || depth > MK_MAX_DEPTH)
		mk_die(mk, "nested items need parentheses");
	text = cp_xmalloc(n);
	memcpy(text, s + 1, n - 2);
	text[n - 2] = '\0';
	cp_buf_init(&inner, MK_MAX_FILE);
	mk_items(mk, &inner, text, depth + 1);
	if (how == 'm')
		put_varint(b, inner.len);
	else
		mk_put(mk, b, width, inner.len);
	cp_buf_add(b, cp_buf_text(&inner), inner.len);
	cp_buf_free(&inner);
	free(text);
}

static void
put_generated(struct cp_buf *b, uint64_t n)
{
	for (uint64_t i = 0; i < n; i++)
		cp_buf_char(b, (char)(i * 7 + (i >> 8)));
}

/* One item KIND:VALUE; kind has its width, if any, in `arg`. */
static void
put_item(struct mk *mk, struct cp_buf *b, const char *s, size_t colon, size_t n,
    unsigned depth)
{
	unsigned arg = (unsigned)strtoul(s + 1, NULL, 10);
	const char *v = s + colon + 1;
	size_t len = n - colon - 1;

	switch (s[0]) {
	case 'u':
		if (arg != 1 && arg != 2 && arg != 4 && arg != 8)
			mk_die(mk, "u1, u2, u4 or u8");
		mk_put(mk, b, arg, mk_expr(mk, v, len));
		break;
	case 'h': put_hex(mk, b, v, len); break;
	case 'p':
	case 'z':
	case 'c': put_text(mk, b, v, len, s[0], arg); break;
	case 's': mk_string(mk, v, len, b); break;
	case 'S': mk_string64(mk, b, v, len); break;
	case 'g': put_generated(b, mk_expr(mk, v, len)); break;
	case 'n': mk_zeros(b, mk_expr(mk, v, len)); break;
	case 'a': mk_align(b, 0, mk_expr(mk, v, len)); break;
	case 'v': put_varint(b, mk_expr(mk, v, len)); break;
	case 'm':
	case 'L': put_nested(mk, b, s[0], arg, v, len, depth); break;
	default: mk_die(mk, "unknown item %.*s", (int)n, s);
	}
}

void
mk_items(struct mk *mk, struct cp_buf *b, const char *s, unsigned depth)
{
	while (*s != '\0') {
		size_t n = mk_element(s);
		size_t colon = strcspn(s, ":,\"(");

		if (colon < n && s[colon] == ':')
			put_item(mk, b, s, colon, n, depth);
		else
			put_hex(mk, b, s, n);
		s += n;
		s += *s == ',';
	}
}

void
mk_list(struct mk *mk, struct cp_buf *b, const char *s, unsigned width)
{
	while (*s != '\0') {
		size_t n = mk_element(s);

		mk_put(mk, b, width, mk_expr(mk, s, n));
		s += n;
		s += *s == ',';
	}
}

/* -------------------------------------------------------------- layouts */

struct field {
	const char *name, *kind, *fallback; /* kind and fallback may be empty */
	size_t name_len, kind_len, fallback_len;
};

struct layout {
	struct field field[MK_MAX_FIELDS];
	uint64_t value[MK_MAX_FIELDS];
	unsigned at;
	size_t start;
};

static const char *
next_field(const char *s, struct field *f)
{
	s += strspn(s, " ");
	f->name = s;
	f->name_len = strcspn(s, ":");
	f->kind = f->name + f->name_len + 1;
	f->kind_len = strcspn(f->kind, " =");
	s = f->kind + f->kind_len;
	f->fallback = *s == '=' ? s + 1 : s;
	f->fallback_len = *s == '=' ? strcspn(s + 1, " ") : 0;
	return f->fallback + f->fallback_len;
}

static const char *
key_of(struct mk *mk, const char *s, size_t n)
{
	char key[32];

	if (n >= sizeof(key))
		mk_die(mk, "field name too long");
	memcpy(key, s, n);
	key[n] = '\0';
	return mk_key(mk, key);
}

/* Bytes that the items given as key `s` make. */
static uint64_t
items_length(struct mk *mk, const char *s, size_t n)
{
	const char *v = key_of(mk, s, n);
	struct cp_buf b;
	uint64_t len;

	cp_buf_init(&b, MK_MAX_FILE);
	if (v != NULL)
		mk_items(mk, &b, v, 0);
	len = b.len;
	cp_buf_free(&b);
	return len;
}

static uint64_t
count_of(struct mk *mk, const char *s, size_t n)
{
	size_t name = strcspn(s, "/ ");
	uint64_t count;

	if (name > n)
		name = n;
	if (name == 4 && strncmp(s, "rest", 4) == 0) {
		count = mk_rest(mk);
	} else {
		const char *v = key_of(mk, s, name);

		count = v != NULL ? mk_elements(v) : 0;
	}
	return name < n ? count / strtoull(s + name + 1, NULL, 10) : count;
}

static uint64_t
fallback(struct mk *mk, const struct layout *l, const struct field *f)
{
	const char *s = f->fallback;
	size_t n = f->fallback_len;
	const char *v;

	if (n == 0)
		return 0;
	if (*s == '#')
		return count_of(mk, s + 1, n - 1);
	if (*s == '%')
		return items_length(mk, s + 1, n - 1);
	if (isdigit((unsigned char)*s) || *s == '-')
		return mk_expr(mk, s, n);
	for (unsigned i = 0; i < l->at; i++)
		if (l->field[i].name_len == n &&
		    strncmp(l->field[i].name, s, n) == 0)
			return l->value[i];
	v = key_of(mk, s, n);
	return v != NULL ? mk_expr(mk, v, strlen(v)) : 0;
}

static void
put_tuples(struct mk *mk, struct cp_buf *b, const struct field *f)
{
	const char *w;
	size_t at = 1;

	while ((w = mk_next(mk)) != NULL) {
		const char *k = f->kind + at;
		size_t len = strlen(w);

		if (isdigit((unsigned char)*k))
			mk_put(
			    mk, b, (unsigned)(*k - '0'), mk_expr(mk, w, len));
		else if (*k == 'S')
			mk_string64(mk, b, w, len);
		else
			put_text(mk, b, w, len, *k, strtoul(k + 1, NULL, 10));
		at += strcspn(k, ", =");
		at = at < f->kind_len ? at + 1 : 1;
	}
	if (at != 1)
		mk_die(mk, "an entry is not complete");
}

static void
put_blob(struct mk *mk, struct cp_buf *b, const struct field *f, const char *v,
    size_t arg)
{
	size_t from = b->len;

	if (f->kind[0] == 'd') {
		double d = v != NULL ? mk_double(mk, v) : 0;
		uint64_t bits;

		memcpy(&bits, &d, sizeof(bits));
		mk_put(mk, b, 8, bits);
		return;
	}
	if (v != NULL)
		mk_items(mk, b, v, 0);
	if (f->kind[0] == 'H')
		mk_align(b, from, arg);
	else if (f->kind[0] == 'i' && b->len - from < arg)
		mk_zeros(b, arg - (b->len - from));
}

/* The trailer of a record repeats its task unless told otherwise. */
static void
note_task(struct mk *mk, const struct field *f, uint64_t v)
{
	if (f->name_len != 3)
		return;
	if (strncmp(f->name, "pid", 3) == 0)
		mk->pid = mk->tid = v;
	else if (strncmp(f->name, "tid", 3) == 0)
		mk->tid = v;
}

static void
put_field(struct mk *mk, struct cp_buf *b, struct layout *l)
{
	const struct field *f = &l->field[l->at];
	const char *v = key_of(mk, f->name, f->name_len);
	size_t arg = strtoul(f->kind + 1, NULL, 10);

	/* What has a default that is derived is never taken by position. */
	if (v == NULL && f->kind[0] != 't' && f->kind[0] != 'P' &&
	    (f->fallback_len == 0 || strchr("#%", f->fallback[0]) == NULL))
		v = mk_next(mk);
	switch (f->kind[0]) {
	case 't': put_tuples(mk, b, f); break;
	case 'P': mk_align(b, l->start, arg); break;
	case 'p':
	case 'z':
	case 'c':
		v = v != NULL ? v : "";
		put_text(mk, b, v, strlen(v), f->kind[0], arg);
		break;
	case 'S':
		v = v != NULL ? v : "";
		mk_string64(mk, b, v, strlen(v));
		break;
	case 'l':
		if (v != NULL)
			mk_list(mk, b, v, (unsigned)arg);
		break;
	case 'd':
	case 'h':
	case 'H':
	case 'i': put_blob(mk, b, f, v, arg); break;
	default:
		l->value[l->at] =
		    v != NULL ? mk_expr(mk, v, strlen(v)) : fallback(mk, l, f);
		mk_put(mk, b, (unsigned)(f->kind[0] - '0'), l->value[l->at]);
		note_task(mk, f, l->value[l->at]);
	}
}

void
mk_layout(struct mk *mk, struct cp_buf *b, const char *layout)
{
	struct layout l = { .start = b->len };

	while (*layout != '\0') {
		if (l.at == MK_MAX_FIELDS)
			mk_die(mk, "too many fields");
		layout = next_field(layout, &l.field[l.at]);
		put_field(mk, b, &l);
		l.at++;
	}
}
