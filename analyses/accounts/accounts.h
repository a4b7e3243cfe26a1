/* SPDX-License-Identifier: MIT */
/*
 * analyses/accounts/accounts.h: what analyses found, as values, for the
 * overview.
 *
 * An account says why something was slow, what took time, or how far the rest
 * can be trusted.  Who finds it fills its fields.  This room judges whether it
 * is worth a sentence (thresholds.def), words it (accounts.def), puts all in
 * order, and shows them.  It may use coldperf/plugin.h and analyses/common.
 * Begin in accounts.def.
 */
#ifndef CP_ANALYSES_ACCOUNTS_ACCOUNTS_H
#define CP_ANALYSES_ACCOUNTS_ACCOUNTS_H

#include "analyses/accounts/words.h"

/* Begins the table of findings. */
struct cp_accounts cp_accounts_new(struct cp_run *, struct cp_report *);
/* Returns it with its sentence; NULL: it is not worth one. */
struct cp_account *cp_accounts_add(
    struct cp_accounts *, const struct cp_account *);
/* Is so much time of a program, in n waits, worth a sentence? */
bool cp_accounts_large(
    const struct cp_accounts *, uint64_t ns, uint64_t n, uint64_t longest);
bool cp_accounts_have(const struct cp_accounts *, enum cp_account_name);
/* Does any line or finding have that command? */
bool cp_accounts_tell(const struct cp_accounts *, const char *command);
/* Shows the lines of other commands. */
void cp_accounts_facts(struct cp_accounts *, struct cp_report *);
/* Shows all others: as findings, and in parts for machines. */
void cp_accounts_show(struct cp_accounts *, struct cp_report *);

#endif
