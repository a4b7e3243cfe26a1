/* SPDX-License-Identifier: MIT */
/* Words next to bytes that look like letters but are none of a text. */
#include "base/redact/names.h"
#include "base/redact/scan.h"
#include "base/mem.h"
#include "tests/tap.h"

/*
 * Words of this program itself are allowed: "@" stands for a letter.  Words of
 * 8 bytes are also found in longer ones.
 */
static char *
spelled(const char *data, size_t n)
{
	char *to = cp_xmalloc(n + 1);

	for (size_t i = 0; i < n; i++)
		to[i] = data[i] == '@' ? 'z' : data[i];
	to[n] = '\0';
	return to;
}

/* Is the word, which the policy removes, found in the n bytes? */
static bool
found(const char *word, const char *data, size_t n)
{
	char *removed = spelled(word, strlen(word)), *text = spelled(data, n);
	struct cp_policy policy = { .name = "test" };
	struct cp_redact r;
	struct cp_scan scan;
	bool clean;

	*cp_vec_push(&policy.remove) = removed;
	cp_redact_init(&r, &policy);
	cp_redact_begin(&r);
	cp_scan_init(&scan, &r);
	clean = cp_scan_clean(&scan, (const uint8_t *)text, n);
	cp_scan_free(&scan);
	cp_redact_free(&r);
	cp_policy_free(&policy);
	free(removed);
	free(text);
	return !clean;
}

#define FOUND(word, text) found(word, text, sizeof(text) - 1)

/* Field 6 is a text, its key "2", and field 2 a message. */
static void
messages(void)
{
	ok(FOUND("@uentin", "2\007@uentin2\003abc"),
	    "the key of the next field follows");
	ok(FOUND("@uentin", "2\013a @UENTIN.b2\003abc"), "in a longer text");
	ok(FOUND("@qu", "2\003@qu2\003abc\010\000"), "a short word");
	ok(FOUND("@qu",
	       "2\062@qu is the first of fifty bytes of this text, which."),
	    "the size before it looks like a digit");
	ok(FOUND("@uentin", "\022\016\010\0012\007@uentin2\001a2\003abc"),
	    "a text of a message in a message");
	ok(!FOUND("@uentin", "2\010@uentin22\003abc"),
	    "a part of a longer word is none");
	ok(!FOUND("@uentin", "2\010a@uentin2\003abc"), "nor its end");
	ok(!FOUND("@qu", "2\004@queb\003abc"), "nor a short one");
}

static void
sizes(void)
{
	ok(FOUND("@uentin", "\007\0\0\0@uentin2\0\0\0abc"),
	    "the size of the next text follows");
	ok(FOUND("@uentin", "\011\0\0\0a.@uentin2\0\0\0abc"),
	    "and a longer text");
	ok(!FOUND("@uentin", "\010\0\0\0@uentin2\0\0\0abc"),
	    "a longer word is another one");
}

static void
mangled(void)
{
	ok(FOUND("@uentin", "x _ZN7@uentin3runEv y"), "a mangled name");
	ok(FOUND("@uentin", "_ZN3app9a_@uentin3runEv"), "its last word");
	ok(FOUND("@uentin", "_ZN3app9@uentin_a3runEv"), "its first word");
	ok(!FOUND("@uentin", "_ZN8@uentina3runEv"), "a longer word");
	ok(!FOUND("@uentin", "vec8@uentina3run"), "no mangled name");
}

static void
cases(void)
{
	ok(FOUND("@qj\303\266rg", "a @QJ\303\226RG b"), "case of Latin-1");
	ok(!FOUND("@qj\303\266rg", "a @QJ\303\227RG b"), "another letter");
	ok(FOUND("@\320\274\320\260\321\200\320\270\321\217",
	       "@\320\234\320\220\320\240\320\230\320\257"),
	    "case of Cyrillic");
}

int
main(void)
{
	messages();
	sizes();
	mangled();
	cases();
	return done_testing();
}
