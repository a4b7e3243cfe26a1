/* SPDX-License-Identifier: MIT */
/*
 * scan: words are found by the hash of their first bytes, so the time does not
 * depend on their number.
 */
#include "base/redact/scan.h"

#include <ctype.h>

#include "base/port.h"
#include "base/redact/borders.h"
#include "base/redact/words.h"
#include "base/redact/messages.h"
#include "base/redact/unpacked.h"

enum {
	MIN_BYTES = 6,
	/* Fewer lower-case letters may be any word. */
	MIN_LETTERS = 8,
	/* Words of this length are also found inside of longer words. */
	MIN_INSIDE = 8,
	/* Names of users and of hosts, where they are texts. */
	MIN_SOUGHT = 3,
	/* Shorter ones stand in any numbers: they are sought in texts alone. */
	MIN_NUMBERS = 4,
	SLOTS = 1 << 16
};

/*
 * Upper and lower case have one slot; outside of ASCII, all bytes are the same
 * here.
 */
static uint32_t
caseless(uint32_t v)
{
	uint32_t high = v & 0x80808080;

	return high | ((v | 0x20202020) & ~((high >> 7) * 0xff));
}

static uint32_t
slot(const uint8_t *p)
{
	uint32_t v, more = caseless((uint32_t)p[4] << 8 | p[5]);

	memcpy(&v, p, sizeof(v));
	return ((caseless(v) * 2654435761u) ^ (more & 0xffff)) % SLOTS;
}

static uint32_t
short_slot(const uint8_t *p)
{
	uint32_t v = (uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2];

	return (caseless(v) * 2654435761u) >> 16;
}

/* Is the word specific enough to be searched for? */
static bool
is_telling(const char *text, size_t n)
{
	size_t letters = 0;

	for (size_t i = 0; i < n; i++)
		letters += islower((unsigned char)text[i]) != 0;
	return n >= MIN_BYTES && (letters != n || n >= MIN_LETTERS);
}

static void
add_word(struct cp_scan *s, const char *text, bool sought)
{
	size_t n = strlen(text);
	uint32_t *head;

	if (sought ? n < MIN_SOUGHT : !is_telling(text, n))
		return;
	if (n < MIN_BYTES && s->shorts == NULL)
		s->shorts = cp_xcalloc(SLOTS, sizeof(uint32_t));
	head = n < MIN_BYTES ? &s->shorts[short_slot((const uint8_t *)text)]
			     : &s->heads[slot((const uint8_t *)text)];
	*cp_vec_push(&s->words) = (struct cp_scan_word){
		.text = text, .n = n, .next = *head, .sought = sought
	};
	*head = (uint32_t)s->words.len;
}

/* Is the byte one that may stand before or after a word in a text? */
static bool
is_text(const uint8_t *p, size_t n, size_t at)
{
	return at >= n || p[at] == '\0' || isspace(p[at]) || isprint(p[at]);
}

static bool
is_same(const struct cp_scan_word *w, const uint8_t *p)
{
	return w->sought ? cp_same_letters((const char *)p, w->text, w->n)
			 : memcmp(p, w->text, w->n) == 0;
}

static bool
stands(const struct cp_scan_word *w, const uint8_t *p, size_t n, size_t at)
{
	size_t before = at - 1; /* of the first byte: more than n */
	const char *text = (const char *)p;

	if (w->n > n - at || !is_same(w, p + at))
		return false;
	if (w->n >= MIN_INSIDE && !w->sought)
		return true;
	if (!cp_word_begins(text, n, at, w->n) ||
	    (!cp_word_ends(text, n, at, w->n) &&
		!cp_word_ends_sized(text, at, w->n)))
		return false;
	if (w->n >= MIN_BYTES)
		return true;
	return is_text(p, n, before) && is_text(p, n, at + w->n) &&
	       (w->n >= MIN_NUMBERS || memchr(p, '\0', n) == NULL);
}

/* The first of the words with this hash that stands there. */
static struct cp_scan_word *
first_of(struct cp_scan *s, uint32_t i, const uint8_t *p, size_t n, size_t at)
{
	for (; i != 0; i = s->words.data[i - 1].next) {
		struct cp_scan_word *w = &s->words.data[i - 1];

		if (!w->allowed && stands(w, p, n, at))
			return w;
	}
	return NULL;
}

/*
 * Returns the next word in the content from *at on; NULL: there is none.  No
 * word begins with a zero, which most bytes of numbers are.
 */
static struct cp_scan_word *
next_word(struct cp_scan *s, const uint8_t *p, size_t n, size_t *at)
{
	for (; *at + MIN_SOUGHT <= n; ++*at) {
		struct cp_scan_word *w = NULL;

		if (p[*at] == '\0')
			continue;
		if (*at + MIN_BYTES <= n)
			w = first_of(s, s->heads[slot(p + *at)], p, n, *at);
		if (w == NULL && s->shorts != NULL)
			w = first_of(
			    s, s->shorts[short_slot(p + *at)], p, n, *at);
		if (w != NULL)
			return w;
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
		if (w->sought)
			*cp_vec_push(&s->common) = w->text;
	}
}

static void
allow_text(struct cp_scan *s, const char *text)
{
	allow_in(s, (const uint8_t *)text, strlen(text));
}

static void
allow_function(struct cp_scan *s, const char *name)
{
	size_t at = 0, n = strlen(name);
	struct cp_scan_word *w;

	while ((w = next_word(s, (const uint8_t *)name, n, &at)) != NULL) {
		w->allowed = true;
		w->function = name;
	}
}

enum { BY_POLICY = 1, NAMED };

/*
 * Names of users and hosts are added first: functions that are written may have
 * them as parts of longer words, but nothing else that was removed.  A name
 * that the policy lists is not meant; it is the first of what was removed.
 */
static void
add_removed(struct cp_scan *s, const struct cp_redact *r)
{
	struct cp_map64 how = { 0 };

	for (size_t i = 0; i < r->policy->remove.len; i++)
		*cp_map64_put(&how, r->removed.data[i]) = BY_POLICY;
	for (size_t i = 0; i < r->named.len; i++) {
		uint32_t *to = cp_map64_put(&how, r->named.data[i]);

		if (*to == 0)
			add_word(s, cp_strings_get(&r->texts, r->named.data[i]),
			    false);
		*to = *to == 0 ? NAMED : *to;
	}
	for (size_t i = 0; i < r->functions.len; i++)
		if (r->functions.data[i].public)
			allow_function(s, cp_strings_get(&r->texts,
					      r->functions.data[i].name));
	for (size_t i = 0; i < r->removed.len; i++)
		if (cp_map64_get(&how, r->removed.data[i]) != NAMED)
			add_word(s,
			    cp_strings_get(&r->texts, r->removed.data[i]),
			    false);
	cp_map64_free(&how);
}

/*
 * What is kept, and what we write ourselves, may have what is removed.  A user
 * or a host does not stand in what is kept as a word, but where it was learned
 * too late.
 */
void
cp_scan_init(struct cp_scan *s, const struct cp_redact *r)
{
	*s = (struct cp_scan){ .redact = r,
		.heads = cp_xcalloc(SLOTS, sizeof(uint32_t)) };
	add_removed(s, r);
	for (size_t i = 0; i < r->kept.len; i++)
		allow_text(s, cp_strings_get(&r->texts, r->kept.data[i]));
	for (size_t i = 0; i < r->words.len; i++)
		if (r->words.data[i].sought)
			add_word(s,
			    cp_strings_get(&r->texts, r->words.data[i].text),
			    true);
	for (size_t i = 0; i < r->policy->allow.len; i++)
		allow_text(s, r->policy->allow.data[i]);
	cp_port_own_words(allow_in, s);
}

/* Keeps the word of the name that the n bytes at `at' are a part of. */
static void
keep_whole(struct cp_scan *s, const char *name, size_t at, size_t n)
{
	size_t end = at + n;

	while (isalnum((unsigned char)name[end]))
		end++;
	while (at > 0 && isalnum((unsigned char)name[at - 1]))
		at--;
	if (end - at < sizeof(s->whole))
		snprintf(s->whole, sizeof(s->whole), "%.*s", (int)(end - at),
		    name + at);
}

/*
 * Keeps the word that was found; a longer one, of which it is a part, if a
 * function's name has that: it is enough to allow that.
 */
static void
note_found(struct cp_scan *s, const struct cp_scan_word *w)
{
	const struct cp_redact *r = s->redact;

	s->found = w->text;
	snprintf(s->whole, sizeof(s->whole), "%s", w->text);
	for (size_t i = 0; i < r->functions.len; i++) {
		const char *name =
		    cp_strings_get(&r->texts, r->functions.data[i].name);
		size_t n = strlen(name), at = 0;

		while (at < n && !stands(w, (const uint8_t *)name, n, at))
			at++;
		if (at == n)
			continue;
		keep_whole(s, name, at, w->n);
		return;
	}
}

static bool
search(void *ctx, const uint8_t *p, size_t n)
{
	struct cp_scan *s = ctx;
	size_t at = 0;
	struct cp_scan_word *w = next_word(s, p, n, &at);

	if (w != NULL)
		note_found(s, w);
	return w == NULL;
}

/* A text of a message is searched without what stands next to it. */
static bool
search_all(struct cp_scan *s, const struct cp_content *c)
{
	return search(s, c->data, c->n) &&
	       cp_message_texts(c->data, c->n, search, s);
}

bool
cp_scan_clean(struct cp_scan *s, const uint8_t *data, size_t n)
{
	cp_contents all = { 0 };
	struct cp_content first = { (uint8_t *)(uintptr_t)data, n, 0, false };
	bool clean = search_all(s, &first), whole;

	whole = clean && cp_unpack_all(&all, &first);
	for (size_t i = 0; i < all.len; i++) {
		struct cp_content c = all.data[i];

		clean = clean && search_all(s, &c);
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
	cp_vec_free(&s->common);
	free(s->heads);
	free(s->shorts);
	s->heads = s->shorts = NULL;
}
