/* SPDX-License-Identifier: MIT */
/* readers/rewrite/repair-symbols.h: the names that simpleperf wrote. */
#ifndef CP_READERS_REWRITE_REPAIR_SYMBOLS_H
#define CP_READERS_REWRITE_REPAIR_SYMBOLS_H

#include "model/recording.h"
#include "readers/rewrite/repaired.h"

/*
 * Writes the feature FILE with the symbols that were read, if the new file
 * would lack some of them.
 */
void cp_repair_symbols(struct cp_repair *, const struct cp_recording *);

#endif
