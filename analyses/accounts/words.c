/* SPDX-License-Identifier: MIT */
/* Sentences: the templates of accounts.def, filled with the fields. */
#include "analyses/accounts/words.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define LENGTH 2000 /* bytes of a sentence */
#define NAME 200    /* of a name in it */

enum as {
	TEXT, /* a name, cut */
	WORDS,
	COUNT,
	PLURAL_S,
	PLURAL_ES,
	TIME,
	MOMENT,  /* "+1.408 s" */
	SINCE,   /* "+1.41 s" */
	SECONDS, /* "1.41 s" */
	SHARE,
	INTERVAL,
	PART,
	/* What more than one field says. */
	TIMES,
	CALLS,
	TOOK,
	ARE,
	WERE,
	THEIR
};

static const struct field {
	const char *name;
	enum as as;
	size_t at;
} fields[] = {
#define FIELD(name, as, member)                                                \
	{                                                                      \
		name, as, offsetof(struct cp_account, member)                  \
	}
	FIELD("who", TEXT, who),
	FIELD("where", TEXT, where),
	FIELD("by", TEXT, by),
	FIELD("of", TEXT, of),
	FIELD("call", WORDS, call),
	FIELD("what", WORDS, what),
	FIELD("n", COUNT, n),
	FIELD("m", COUNT, m),
	FIELD("k", COUNT, k),
	FIELD("s", PLURAL_S, n),
	FIELD("ms", PLURAL_S, m),
	FIELD("ks", PLURAL_S, k),
	FIELD("es", PLURAL_ES, n),
	FIELD("time", TIME, ns),
	FIELD("longest", TIME, longest),
	FIELD("typical", TIME, typical),
	FIELD("p99", TIME, p99),
	FIELD("when", MOMENT, when),
	FIELD("since", SINCE, when),
	FIELD("until", SINCE, until),
	FIELD("besides", SECONDS, typical),
	FIELD("share", SHARE, share),
	FIELD("sure", INTERVAL, share),
	FIELD("part", PART, share),
	FIELD("nshare", SHARE, next),
	FIELD("nsure", INTERVAL, next),
	FIELD("npart", PART, next),
	FIELD("times", TIMES, n),
	FIELD("calls", CALLS, call),
	FIELD("took", TOOK, n),
	FIELD("are", ARE, n),
	FIELD("threads", COUNT, threads),
	FIELD("were", WERE, threads),
	FIELD("their", THEIR, threads),
#undef FIELD
};

struct words {
	const struct cp_accounts *all;
	const struct cp_account *x;
	char *text;
	size_t n;
	bool known; /* all fields since the bracket */
};

CP_PRINTF(2, 3)
static void
put(struct words *w, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(w->text + w->n, LENGTH - w->n, fmt, ap);
	va_end(ap);
	w->n += n > 0 ? (size_t)n : 0;
	if (w->n >= LENGTH)
		w->n = LENGTH - 1;
}

/* A name, cut at the end of a character; a function's is its short form. */
static void
put_name(struct words *w, const char *name)
{
	size_t n = strlen(name);

	if (n <= NAME) {
		put(w, "%s", name);
		return;
	}
	n = NAME;
	while (n > 0 && ((unsigned char)name[n] & 0xc0) == 0x80)
		n--;
	put(w, "%.*s…", (int)n, name);
}

/* Words that more than one value decides. */
static void
put_word(struct words *w, enum as as, const char *text)
{
	const struct cp_account *x = w->x;
	struct cp_word n, time;

	switch (as) {
	case TIMES:
		if (x->n == 1)
			put(w, ", once");
		else
			put(w, ", %s times, at most %s",
			    cp_word_count(&n, x->n),
			    cp_word_time(&time, x->longest));
		break;
	case CALLS:
		put(w, "%s%s",
		    text != NULL ? "the system call " : "system calls",
		    text != NULL ? text : "");
		break;
	case TOOK: put(w, "%s", w->all->took); break;
	case ARE: put(w, "%s", x->n == 1 ? "is" : "are"); break;
	case WERE: put(w, "%s", x->threads > 1 ? "were" : "was"); break;
	default: put(w, "%s", x->threads > 1 ? "their" : "its"); break;
	}
}

static void
put_field(struct words *w, const struct field *f)
{
	const void *at = (const char *)w->x + f->at;
	const char *text =
	    f->as <= WORDS || f->as == CALLS ? *(const char *const *)at : NULL;
	uint64_t n = w->x->threads, start;
	const struct cp_percent *p = at;
	struct cp_word word;

	if (f->as > WORDS && f->as <= SECONDS &&
	    f->at != offsetof(struct cp_account, threads))
		n = *(const uint64_t *)at;
	switch (f->as) {
	case TEXT:
	case WORDS:
		w->known &= text != NULL && *text != '\0';
		if (text != NULL && f->at == offsetof(struct cp_account, where))
			put_name(w, cp_run_name_short(w->all->run, text));
		else if (text != NULL && f->as == TEXT)
			put_name(w, text);
		else if (text != NULL)
			put(w, "%s", text);
		break;
	case COUNT:
		w->known &= n > (f->at == offsetof(struct cp_account, threads));
		put(w, "%s", cp_word_count(&word, n));
		break;
	case PLURAL_S: put(w, "%s", n != 1 ? "s" : ""); break;
	case PLURAL_ES: put(w, "%s", n != 1 ? "es" : ""); break;
	case TIME:
		w->known &= n != 0;
		put(w, "%s", cp_word_time(&word, n));
		break;
	case MOMENT:
	case SINCE:
		start = cp_run_start(w->all->run);
		n -= start < n ? start : n;
		if (f->as == SINCE)
			put(w, "+%.2f s", (double)n / 1e9);
		else
			put(w, "+%s", cp_word_time(&word, n));
		break;
	case SECONDS:
		w->known &= n != 0;
		put(w, "%.2f s", (double)n / 1e9);
		break;
	case SHARE: put(w, "%.2f %%", p->share); break;
	case INTERVAL:
		put(w, "%.*f–%.*f %%", p->hi < 10 ? 2 : 1, p->lo,
		    p->hi < 10 ? 2 : 1, p->hi);
		break;
	case PART: put(w, "%s", cp_word_percent(&word, p->share, 100)); break;
	default: put_word(w, f->as, text); break;
	}
}

/* Returns how long the field's name is; with its brace. */
static size_t
fill(struct words *w, const char *name)
{
	size_t n = strcspn(name, "}");

	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		if (strncmp(fields[i].name, name, n) == 0 &&
		    fields[i].name[n] == '\0')
			put_field(w, &fields[i]);
	return n + (name[n] == '}');
}

struct cp_percent
cp_percent_of(struct cp_mass part, struct cp_whole all)
{
	struct cp_percent p;

	p.share = 100 * cp_share((double)part.weight, (double)all.mass.weight);
	cp_interval(part, all, &p.lo, &p.hi);
	if (p.lo > p.hi)
		return (struct cp_percent){ p.share, p.share, p.share };
	p.lo *= 100;
	p.hi *= 100;
	return p;
}

struct cp_percent
cp_percent_of_counts(uint64_t part, uint64_t all)
{
	return cp_percent_of(
	    (struct cp_mass){ part, (double)part }, cp_counted(all, 1));
}

struct cp_percent
cp_percent_exact(double part, double all)
{
	double share = 100 * cp_share(part, all);

	return (struct cp_percent){ share, share, share };
}

void
cp_account_also(const struct cp_accounts *all, struct cp_account *to,
    const struct cp_account *x)
{
	struct words w = { all, x, NULL, 0, true };
	size_t bracket = 0;

	if (to == NULL)
		return;
	if (to->text == NULL)
		to->text = cp_run_alloc(all->run, LENGTH);
	w.text = to->text;
	w.n = to->length;
	for (const char *at = cp_account_row(x->name)->words; *at != '\0';) {
		size_t n = strcspn(at, "[]{");

		put(&w, "%.*s", (int)n, at);
		at += n;
		if (*at == '\0')
			break;
		if (*at == '{') {
			at++;
			at += fill(&w, at);
			continue;
		}
		if (*at++ == '[') {
			bracket = w.n;
			w.known = true;
		} else if (!w.known) {
			w.n = bracket;
			w.text[w.n] = '\0';
		}
	}
	to->length = w.n;
}

const char *
cp_account_phrase(const struct cp_accounts *a, const struct cp_account *x)
{
	struct cp_account to = { 0 };

	cp_account_also(a, &to, x);
	return to.text;
}
