/* SPDX-License-Identifier: MIT */
#include "readers/rules.h"

enum rule_class { DOUBT, PROOF };

static const struct {
	enum rule_class class;
	enum cp_diag_id diag;
	const char *what;
} rules[] = {
	[CP_R_SOUND] = { DOUBT, CP_D_UNUSUAL, "nothing" },
#define CP_RULE(id, class, diag, what, why) [CP_R_##id] = { class, diag, what },
#include "readers/rules.def"
#undef CP_RULE
};

const char *
cp_rule_text(enum cp_rule r)
{
	return rules[r].what;
}

bool
cp_rule_proves(enum cp_rule r)
{
	return rules[r].class == PROOF;
}

bool
cp_found(
    struct cp_diags *d, enum cp_rule r, uint64_t offset, const char *fmt, ...)
{
	char tail[sizeof(d->place[0][0].tail)];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(tail, sizeof(tail), fmt, ap);
	va_end(ap);
	cp_diag_at(d, rules[r].diag, offset, "%s", tail);
	return cp_rule_proves(r);
}
