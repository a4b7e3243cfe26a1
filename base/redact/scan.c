/* SPDX-License-Identifier: MIT */
/*
 * scan: words are found by the hash of their first bytes, so that their number
 * costs nothing.
 */
#include "base/redact/scan.h"

#include <ctype.h>

#include "base/redact/own-words.h"
#include "base/redact/unpacked.h"

enum {
	MIN_BYTES = 6,
	/* Lower-case letters alone are any word if they are fewer. */
	MIN_LETTERS = 8,
	/* Longer words are found inside of others, too. */
	MIN_INSIDE = 8,
	SLOTS = 1 << 16
};

static uint32_t
slot(const uint8_t *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return ((v * 2654435761u) ^ (uint32_t)(p[4] << 8) ^ p[5]) % SLOTS;
}

/* Could anybody have written the word? */
static bool
is_telling(const char *text, size_t n)
{
	size_t letters = 0;

	for (size_t i = 0; i < n; i++)
		letters += islower((unsigned char)text[i]) != 0;
	return n >= MIN_BYTES && (letters != n || n >= MIN_LETTERS);
}

static void
add_word(struct cp_scan *s, const char *text)
{
	size_t n = strlen(text);
	uint32_t *head;

	if (!is_telling(text, n))
		return;
	head = &s->heads[slot((const uint8_t *)text)];
	*cp_vec_push(&s->words) =
	    (struct cp_scan_word){ text, n, *head, false };
	*head = (uint32_t)s->words.len;
}

static bool
in_word(const uint8_t *p, size_t n, size_t at)
{
	return at < n && isalnum(p[at]);
}

static bool
stands(const struct cp_scan_word *w, const uint8_t *p, size_t n, size_t at)
{
	if (w->n > n - at || memcmp(p + at, w->text, w->n) != 0)
		return false;
	return w->n >= MIN_INSIDE || ((at == 0 || !in_word(p, n, at - 1)) &&
					 !in_word(p, n, at + w->n));
}

/* The next word in the content from *at on; NULL: there is none. */
static struct cp_scan_word *
next_word(struct cp_scan *s, const uint8_t *p, size_t n, size_t *at)
{
	for (; *at + MIN_BYTES <= n; ++*at) {
		uint32_t i = s->heads[slot(p + *at)];

		for (; i != 0; i = s->words.data[i - 1].next) {
			struct cp_scan_word *w = &s->words.data[i - 1];

			if (!w->allowed && stands(w, p, n, *at))
				return w;
		}
	}
	return NULL;
}

static void
allow_in(void *ctx, const uint8_t *p, size_t n)
{
	struct cp_scan *s = ctx;
	struct cp_scan_word *w;
	size_t at = 0;

	while ((w = next_word(s, p, n, &at)) != NULL) {
		w->allowed = true;
		s->allowed++;
	}
}

static void
allow_text(struct cp_scan *s, const char *text)
{
	allow_in(s, (const uint8_t *)text, strlen(text));
}

/* What is kept, and what we write ourselves, may have what is removed. */
void
cp_scan_init(struct cp_scan *s, const struct cp_redact *r)
{
	*s = (struct cp_scan){ .heads = cp_xcalloc(SLOTS, sizeof(uint32_t)) };
	for (size_t i = 0; i < r->removed.len; i++)
		add_word(s, cp_strings_get(&r->texts, r->removed.data[i]));
	for (size_t i = 0; i < r->kept.len; i++)
		allow_text(s, cp_strings_get(&r->texts, r->kept.data[i]));
	for (size_t i = 0; i < r->policy->allow.len; i++)
		allow_text(s, r->policy->allow.data[i]);
	cp_own_words(allow_in, s);
}

static bool
search(struct cp_scan *s, const struct cp_content *c)
{
	size_t at = 0;
	struct cp_scan_word *w = next_word(s, c->data, c->n, &at);

	if (w != NULL)
		s->found = w->text;
	return w == NULL;
}

bool
cp_scan_clean(struct cp_scan *s, const uint8_t *data, size_t n)
{
	cp_contents all = { 0 };
	struct cp_content first = { (uint8_t *)(uintptr_t)data, n, 0, false };
	bool clean = search(s, &first), whole;

	whole = clean && cp_unpack_all(&all, &first);
	for (size_t i = 0; i < all.len; i++) {
		struct cp_content c = all.data[i];

		clean = clean && search(s, &c);
		if (clean && whole)
			whole = cp_unpack_all(&all, &c);
		free(c.data);
	}
	cp_vec_free(&all);
	if (clean && !whole)
		s->too_much = "it unpacks to more than can be searched";
	return clean && whole;
}

void
cp_scan_free(struct cp_scan *s)
{
	cp_vec_free(&s->words);
	free(s->heads);
	s->heads = NULL;
}
