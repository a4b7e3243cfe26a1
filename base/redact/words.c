/* SPDX-License-Identifier: MIT */
/* words: names of users and of machines, and what a policy removes. */
#include "base/redact/words.h"

#include <ctype.h>
#include <strings.h>

#include "base/redact/paths.h"

enum {
	/* A shorter name of a user would be found in many words. */
	MIN_WORD = 3,
	MIN_HOST = 2,
	/* Fewer digits could be any number. */
	MIN_DIGITS = 6,
	MAX_WORDS = 4096
};

/*
 * A bit for each byte that the text has; several bytes share one.  Other bytes
 * than those of ASCII depend on the case of their letter.
 */
static uint64_t
bytes_of(const char *text)
{
	uint64_t bits = 0;

	for (; *text != '\0'; text++)
		if ((*text & 0x80) == 0)
			bits |= UINT64_C(1) << (tolower((uint8_t)*text) & 63);
	return bits;
}

/* Long words stand first: a short one may be a part of them. */
static struct cp_redact_word *
add_word(struct cp_redact *r, cp_string_id text)
{
	const char *word = cp_strings_get(&r->texts, text);
	size_t i = r->words.len, n = strlen(word);

	cp_vec_push(&r->words);
	for (; i > 0; i--) {
		const struct cp_redact_word *before = &r->words.data[i - 1];

		if (strlen(cp_strings_get(&r->texts, before->text)) >= n)
			break;
		r->words.data[i] = *before;
	}
	r->words.data[i] =
	    (struct cp_redact_word){ .text = text, .bytes = bytes_of(word) };
	return &r->words.data[i];
}

static bool
is_known(const struct cp_redact *r, const char *word)
{
	uint64_t bytes = bytes_of(word);
	size_t n = strlen(word);

	for (size_t i = 0; i < r->words.len; i++) {
		const struct cp_redact_word *w = &r->words.data[i];
		const char *text = cp_strings_get(&r->texts, w->text);

		if (w->bytes == bytes && strlen(text) == n &&
		    cp_same_letters(text, word, n))
			return true;
	}
	return false;
}

void
cp_redact_word(struct cp_redact *r, const char *word, const char *instead,
    enum cp_redact_sought sought)
{
	cp_string_id id = cp_strings_add(&r->texts, word), to;
	struct cp_redact_word *w;

	if (id == 0 || is_known(r, word))
		return;
	r->too_many |= r->words.len == MAX_WORDS;
	if (r->too_many)
		return;
	to = cp_strings_add(&r->texts, instead);
	w = add_word(r, id);
	w->instead = to;
	w->sought = sought == CP_REDACT_SOUGHT;
}

/* Names that any machine has tell nothing of their users. */
static bool
is_anybody(const char *user, size_t n)
{
	static const char *const anybody[] = { "user", "users", "root", "build",
		"builder", "runner", "ubuntu", "debian", "linuxbrew", "home",
		"lib", "usr", "bin", "src", "tmp", "var", "opt", "local",
		"shared", "public", "default", "all users", "guest", "cdrom",
		"floppy", "usb", "dev", "etc", "proc", "sys", "www-data" };

	for (size_t i = 0; i < CP_ARRAY_LEN(anybody); i++)
		if (strlen(anybody[i]) == n &&
		    strncasecmp(anybody[i], user, n) == 0)
			return true;
	return n > 4 && strncasecmp(user, "user", 4) == 0 &&
	       strspn(user + 4, "0123456789") == n - 4;
}

/* Is the name replaced in paths alone? */
static bool
is_short(const char *user, size_t n)
{
	return n < MIN_WORD ||
	       (n < MIN_DIGITS && strspn(user, "0123456789") >= n);
}

/* -------------------------------------------------------- users and hosts */

static void
learn_user(struct cp_redact *r, const char *user, size_t n)
{
	char instead[24];
	cp_string_id id;
	size_t before = r->words.len;

	if (is_short(user, n) || is_anybody(user, n))
		return;
	id = cp_strings_addn(&r->texts, user, n);
	snprintf(instead, sizeof(instead), "user%" PRIu32, r->users + 1);
	cp_redact_word(
	    r, cp_strings_get(&r->texts, id), instead, CP_REDACT_SOUGHT);
	if (r->words.len == before)
		return;
	r->users++;
	*cp_vec_push(&r->named) = id;
	*cp_vec_push(&r->named) = cp_strings_addn(&r->texts, user - 1, n + 1);
}

void
cp_redact_users(struct cp_redact *r, const char *text, bool path)
{
	struct cp_path_users users = { .text = text, .path = path };
	const char *user;
	size_t n;

	while ((n = cp_path_user(&users, &user)) != 0) {
		const char *domain = memchr(user, '@', n);

		learn_user(r, user, n);
		if (domain != NULL)
			learn_user(r, user, (size_t)(domain - user));
	}
}

void
cp_redact_host(struct cp_redact *r, const char *name)
{
	size_t all = strlen(name), n = strcspn(name, ".");
	bool number = name[strspn(name, "0123456789.")] == '\0';
	const char *label;

	if (all >= MIN_HOST && !is_anybody(name, all))
		cp_redact_word(r, name, "host", CP_REDACT_SOUGHT);
	if (n == all || n < MIN_HOST || number || is_anybody(name, n))
		return;
	label = cp_strings_get(&r->texts, cp_strings_addn(&r->texts, name, n));
	cp_redact_word(r, label, "host", CP_REDACT_SOUGHT);
}

/* ---------------------------------------------------------------- replacing */

/* Replaces one word in the text, which is in the buffer. */
static void
replace_word(struct cp_buf *b, const char *word, const char *instead)
{
	size_t n = strlen(word);
	const char *text = cp_buf_text(b), *rest = text;
	const char *at = cp_find_word(text, rest, word, n);
	struct cp_buf out;

	if (at == NULL)
		return;
	cp_buf_init(&out, CP_REDACT_TEXT);
	for (; at != NULL; at = cp_find_word(text, rest, word, n)) {
		cp_buf_add(&out, rest, (size_t)(at - rest));
		cp_buf_str(&out, instead);
		rest = at + n;
	}
	cp_buf_str(&out, rest);
	cp_buf_free(b);
	*b = out;
}

/* A word with a byte that the text lacks, as most have, is not searched for. */
static void
replace_words(const struct cp_redact *r, struct cp_buf *b)
{
	uint64_t bytes = bytes_of(cp_buf_text(b));

	for (size_t i = 0; i < r->words.len; i++) {
		const struct cp_redact_word *w = &r->words.data[i];

		if ((w->bytes & ~bytes) != 0)
			continue;
		replace_word(b, cp_strings_get(&r->texts, w->text),
		    cp_strings_get(&r->texts, w->instead));
		bytes = bytes_of(cp_buf_text(b));
	}
}

/* Short names of users are replaced in paths alone. */
static void
replace_short(struct cp_buf *b, bool path)
{
	const char *user, *text = cp_buf_text(b);
	struct cp_path_users users = { .text = text, .path = path };
	struct cp_buf out;
	size_t n;

	cp_buf_init(&out, CP_REDACT_TEXT);
	while ((n = cp_path_user(&users, &user)) != 0) {
		bool hide = is_short(user, n);

		cp_buf_add(&out, text, (size_t)(user - text));
		cp_buf_add(&out, hide ? "user" : user, hide ? 4 : n);
		text = user + n;
	}
	cp_buf_str(&out, text);
	cp_buf_free(b);
	*b = out;
}

cp_string_id
cp_redact_replaced(struct cp_redact *r, const char *text, bool users, bool path)
{
	struct cp_buf b;
	cp_string_id id;

	if (users)
		cp_redact_users(r, text, path);
	cp_buf_init(&b, CP_REDACT_TEXT);
	cp_buf_str(&b, text);
	replace_words(r, &b);
	if (users)
		replace_short(&b, path);
	id = cp_strings_add(&r->texts, cp_buf_text(&b));
	cp_buf_free(&b);
	return id;
}

const char *
cp_redact_text(struct cp_redact *r, const char *text)
{
	return cp_strings_get(&r->texts,
	    cp_redact_replaced(r, text,
		r->policy->how[CP_REDACT_PATH] != CP_REDACT_KEEP, false));
}
