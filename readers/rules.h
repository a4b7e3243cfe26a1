/* SPDX-License-Identifier: MIT */
/*
 * readers/rules.h: proof and doubt.  Only a rule that proves damage lets a
 * repair act; rules.def says which do, and why.
 */
#ifndef CP_READERS_RULES_H
#define CP_READERS_RULES_H

#include "base/diag.h"

enum cp_rule {
	CP_R_SOUND, /* no rule found anything */
#define CP_RULE(id, class, diag, what, why) CP_R_##id,
#include "readers/rules.def"
#undef CP_RULE
};

/* What the rule finds, for a message. */
const char *cp_rule_text(enum cp_rule);
/* Is what it finds a proof of damage? */
bool cp_rule_proves(enum cp_rule);
/*
 * Says what the rule found at that offset: by its diagnostic if it proves
 * damage, which is returned, else as a note.
 */
bool cp_found(struct cp_diags *, enum cp_rule, uint64_t offset, const char *fmt,
    ...) CP_PRINTF(4, 5);

#endif
