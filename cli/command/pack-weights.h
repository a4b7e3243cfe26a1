/* SPDX-License-Identifier: MIT */
/*
 * cli/command/pack-weights.h: the files that a bundle lacks, and the samples
 * that they concern.
 */
#ifndef CP_CLI_COMMAND_PACK_WEIGHTS_H
#define CP_CLI_COMMAND_PACK_WEIGHTS_H

#include "cli/command/packlist.h"
#include "run/api.h"

/* Call it before the run reads: samples are counted by stack. */
int cp_pack_weights_watch(struct cp_run *) CP_MUST_USE;
/* Lists on stderr the files that are missing, the heaviest first. */
void cp_pack_weights_say(struct cp_run *, const struct cp_packlist *);

#endif
