/* SPDX-License-Identifier: MIT */
/*
 * analyses/accounts/table.h: the rows of accounts.def and of thresholds.def.
 */
#ifndef CP_ANALYSES_ACCOUNTS_TABLE_H
#define CP_ANALYSES_ACCOUNTS_TABLE_H

enum cp_threshold {
#define THRESHOLD(name, value, reason) CP_T_##name,
#include "analyses/accounts/thresholds.def"
#undef THRESHOLD
};
double cp_threshold(enum cp_threshold);

/* In the order of the overview. */
enum cp_account_class {
	CP_ACCOUNT_WORTHLESS, /* why the rest is worthless */
	CP_ACCOUNT_CAUSE,     /* why it was slow, by the time it explains */
	CP_ACCOUNT_WEAK,      /* why shares of samples say little */
	CP_ACCOUNT_FOUND,     /* what the time went to */
	CP_ACCOUNT_TRUST,     /* what the rest does not count */
	CP_ACCOUNT_FACT,      /* a line of another command, beside findings */
	CP_ACCOUNT_PHRASE     /* a part of another's sentence */
};

/* Rows of accounts.def. */
enum cp_account_name {
#define ACCOUNT(name, ...) CP_A_##name,
#include "analyses/accounts/accounts.def"
#undef ACCOUNT
	CP_ACCOUNT_NAMES
};

struct cp_account_row {
	enum cp_account_class class;
	enum cp_threshold least;
	const char *about, *command, *words;
};
const struct cp_account_row *cp_account_row(enum cp_account_name);

#endif
