/* SPDX-License-Identifier: MIT */
/* analyses/accounts/words.h: an account, and its sentence. */
#ifndef CP_ANALYSES_ACCOUNTS_WORDS_H
#define CP_ANALYSES_ACCOUNTS_WORDS_H

#include "analyses/accounts/table.h"
#include "analyses/common/label.h"

/*
 * A share and its 95 % interval, in percent; lo and hi equal the share if it is
 * exact.
 */
struct cp_percent {
	double share, lo, hi;
};
struct cp_percent cp_percent_of(struct cp_mass part, struct cp_whole);
/* Does the same for counts of things. */
struct cp_percent cp_percent_of_counts(uint64_t part, uint64_t all);
/* The same without doubt. */
struct cp_percent cp_percent_exact(double part, double all);

/*
 * What is 0 or NULL is not known.  Texts live as long as the run; those of what
 * and call until the account is added.
 */
struct cp_account {
	enum cp_account_name name;
	const char *about;             /* NULL: as in accounts.def */
	const char *who, *where;       /* a program; a function of it */
	const char *by;                /* whom it waited for, who had the CPU */
	const char *call, *what;       /* a system call; other words */
	const char *of;                /* what share is of */
	struct cp_percent share, next; /* next: another one */
	uint32_t threads;              /* of who */
	uint64_t ns;                   /* that it explains */
	uint64_t told;                 /* of it, what another account tells */
	uint64_t longest, typical, p99; /* of n times */
	uint64_t when, until;           /* it began, or was longest; ended */
	uint64_t n, m, k;               /* counts */

	/* Of those that were added. */
	char *text;
	size_t length;
	uint32_t number; /* in the order of being added */
};

/* CP_ACCOUNT(LOCK, .who = ...): an account for one call. */
#define CP_ACCOUNT(...)                                                        \
	(&(const struct cp_account){ .name = CP_A_##__VA_ARGS__ })

struct cp_accounts {
	struct cp_run *run;
	const char *took; /* the verb of shares: "took", "has" */
	uint64_t elapsed; /* of the program that perf ran, or of the capture */
	struct cp_account **all;
	uint32_t n, cap;
	struct cp_table *findings;
};

/* Adds a part to the sentence, if there is one (not NULL). */
void cp_account_also(const struct cp_accounts *, struct cp_account *,
    const struct cp_account *part);
/* Returns the words of it. */
const char *cp_account_phrase(
    const struct cp_accounts *, const struct cp_account *);

#endif
