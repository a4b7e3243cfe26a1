/* SPDX-License-Identifier: MIT */
#include "base/strings.h"

#include "base/hash.h"

static void
strings_rehash(struct cp_strings *t)
{
	size_t slots = t->slots != NULL ? ((size_t)t->mask + 1) * 2 : 256;

	free(t->slots);
	t->slots = cp_xcalloc(slots, sizeof(*t->slots));
	t->mask = (uint32_t)(slots - 1);
	for (uint32_t id = 1; id < t->text.len; id++) {
		uint32_t i = (uint32_t)t->hash.data[id] & t->mask;

		while (t->slots[i] != 0)
			i = (i + 1) & t->mask;
		t->slots[i] = id;
	}
}

static void
strings_append(struct cp_strings *t, const char *s, size_t n, uint64_t h)
{
	*cp_vec_push(&t->text) = cp_arena_strndup(&t->arena, s, n);
	*cp_vec_push(&t->hash) = h;
}

static bool
same(const struct cp_strings *t, uint32_t id, const char *s, size_t n,
    uint64_t h)
{
	const char *o = t->text.data[id];

	return t->hash.data[id] == h && strncmp(o, s, n) == 0 && o[n] == '\0';
}

cp_string_id
cp_strings_addn(struct cp_strings *t, const char *s, size_t n)
{
	uint64_t h;
	uint32_t i;

	n = strnlen(s, n);
	if (n == 0)
		return 0;
	h = cp_hash_bytes(s, n);
	if (t->text.len == 0)
		strings_append(t, "", 0, 0);
	if (t->slots == NULL || t->text.len > t->mask / 2)
		strings_rehash(t);
	for (i = (uint32_t)h & t->mask; t->slots[i] != 0; i = (i + 1) & t->mask)
		if (same(t, t->slots[i], s, n, h))
			return t->slots[i];
	strings_append(t, s, n, h);
	t->slots[i] = (uint32_t)t->text.len - 1;
	return t->slots[i];
}

cp_string_id
cp_strings_add(struct cp_strings *t, const char *s)
{
	return cp_strings_addn(t, s, strlen(s));
}

const char *
cp_strings_get(const struct cp_strings *t, cp_string_id id)
{
	return id < t->text.len ? t->text.data[id] : "";
}

void
cp_strings_free(struct cp_strings *t)
{
	cp_arena_free(&t->arena);
	cp_vec_free(&t->text);
	cp_vec_free(&t->hash);
	free(t->slots);
	*t = (struct cp_strings){ 0 };
}

const char *
cp_basename(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

void
cp_hex_of(char *out, const uint8_t *p, size_t n)
{
	static const char digit[] = "0123456789abcdef";

	for (size_t i = 0; i < n; i++) {
		*out++ = digit[p[i] >> 4];
		*out++ = digit[p[i] & 15];
	}
	*out = '\0';
}

size_t
cp_hex_read(const char *digits, size_t n, uint8_t *out, size_t max)
{
	if (n % 2 != 0 || n / 2 > max)
		return 0;
	for (size_t i = 0; i < n / 2; i++) {
		int high = cp_hex_digit(digits[2 * i]);
		int low = cp_hex_digit(digits[2 * i + 1]);

		if (high < 0 || low < 0)
			return 0;
		out[i] = (uint8_t)(high << 4 | low);
	}
	return n / 2;
}

char *
cp_trim(char *s)
{
	char *end;

	s += strspn(s, " \t\r");
	end = s + strlen(s);
	while (end > s && strchr(" \t\r", end[-1]) != NULL)
		*--end = '\0';
	return s;
}
