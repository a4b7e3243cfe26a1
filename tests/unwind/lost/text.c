/* SPDX-License-Identifier: MIT */
/* text: words of a text are copied, compared, sorted and counted by libc. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define APART __attribute__((noinline))
enum { WORDS = 4000, LONG = 40 };

static char *words[WORDS];
static char page[1 << 16];
volatile size_t sink;

APART static unsigned
hash_of(const char *s)
{
	unsigned h = 5381;

	while (*s != '\0')
		h = h * 33 + (unsigned char)*s++;
	return h;
}

APART static int
by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

APART static char *
make_word(unsigned i)
{
	char buf[LONG];

	snprintf(buf, sizeof(buf), "%x-%u", i * 2654435761u, i % 97);
	return strdup(buf);
}

APART static void
fill_page(unsigned from)
{
	size_t at = 0;

	for (unsigned i = 0; i < WORDS; i++) {
		size_t n = strlen(words[(i + from) % WORDS]);

		if (at + n + 1 >= sizeof(page))
			break;
		memcpy(page + at, words[(i + from) % WORDS], n);
		at += n;
		page[at++] = i % 9 == 8 ? '\n' : ' ';
	}
	page[at] = '\0';
}

APART static size_t
count_lines(void)
{
	size_t n = 0;

	for (const char *p = page; (p = strchr(p, '\n')) != NULL; p++)
		n++;
	return n;
}

APART static size_t
find_word(const char *word)
{
	const char *at = strstr(page, word);

	return at != NULL ? (size_t)(at - page) : 0;
}

APART static void
count_words(void)
{
	static unsigned counts[1024];

	for (unsigned i = 0; i < WORDS; i++)
		counts[hash_of(words[i % WORDS]) % 1024]++;
	sink += counts[7];
}

APART static void
wipe(void)
{
	memset(page, 0, sizeof(page));
}

int
main(void)
{
	for (unsigned i = 0; i < WORDS; i++)
		words[i] = make_word(i);
	for (unsigned i = 0; i < 7000; i++) {
		fill_page(i);
		sink += count_lines() + find_word(words[i % WORDS]);
		count_words();
		if (i % 8 == 0)
			qsort(words, WORDS, sizeof(*words), by_text);
		for (unsigned k = 0; k < 12; k++)
			wipe();
	}
	for (unsigned i = 0; i < WORDS; i++)
		free(words[i % WORDS]);
	return 0;
}
