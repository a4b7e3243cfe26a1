/* SPDX-License-Identifier: MIT */
/*
 * cli/command/pack-unwound.h: a capture without copies of users' stacks, for
 * `pack
 * --unwound`.
 */
#ifndef CP_CLI_COMMAND_PACK_UNWOUND_H
#define CP_CLI_COMMAND_PACK_UNWOUND_H

#include "run/api.h"
#include "cli/command/packlist.h"

struct cp_pack_unwound {
	struct cp_run *run;
	struct cp_map64 chains; /* number of a record -> id of its chain */
	/*
	 * Write to the chains how unwinding ended; told: number -> enum
	 * cp_unwind_end.
	 */
	bool tells;
	struct cp_map64 told;
	struct cp_map64 seen; /* reason, object -> index + 1 in ends */
	CP_VEC(struct cp_pack_end) ends;
	CP_VEC(int) files; /* the files written */
};

/* Call it before the run reads: keeps the chains made of stacks. */
void cp_pack_unwound_watch(struct cp_pack_unwound *, struct cp_run *);
/*
 * Call it after reading: writes the new capture, and how stacks ended, into the
 * bundle.
 */
int cp_pack_unwound(struct cp_pack_unwound *, struct cp_packlist *) CP_MUST_USE;
void cp_pack_unwound_free(struct cp_pack_unwound *);

#endif
