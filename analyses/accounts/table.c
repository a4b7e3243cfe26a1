/* SPDX-License-Identifier: MIT */
#include "analyses/accounts/table.h"

#include <stddef.h>

double
cp_threshold(enum cp_threshold t)
{
	static const double values[] = {
#define THRESHOLD(name, value, reason) value,
#include "analyses/accounts/thresholds.def"
#undef THRESHOLD
	};

	return values[t];
}

const struct cp_account_row *
cp_account_row(enum cp_account_name name)
{
	static const struct cp_account_row rows[] = {
#define ACCOUNT(name, class, least, about, command, words)                     \
	{ CP_ACCOUNT_##class, CP_T_##least, about, command, words },
#include "analyses/accounts/accounts.def"
#undef ACCOUNT
	};

	return &rows[name];
}
