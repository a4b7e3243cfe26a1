/* SPDX-License-Identifier: MIT */
/* cli/command/pack-objects.h: the members of a bundle that name addresses. */
#ifndef CP_CLI_COMMAND_PACK_OBJECTS_H
#define CP_CLI_COMMAND_PACK_OBJECTS_H

#include "base/safe-file.h"
#include "cli/command/packlist.h"
#include "run/api.h"

struct cp_packing {
	struct cp_run *run;
	struct cp_symbols *symbols;
	struct cp_packlist list;
	CP_VEC(int) fds; /* descriptors of members, closed at the end */
	CP_VEC(struct cp_content) contents;
	/* pack only the parts of objects that naming and unwinding need */
	bool slim;
	bool lines; /* sources are packed, so keep the parts with lines, too */
};

/* Adds the files of every object that a sample touched. */
void cp_packing_objects(struct cp_packing *);
/* Adds the source files of the lines that samples fell in. */
void cp_packing_sources(struct cp_packing *);
/* Formats a text that lives as long as the list. */
const char *CP_PRINTF(2, 3)
    cp_packing_text(struct cp_packing *, const char *fmt, ...);
void cp_packing_free(struct cp_packing *);

#endif
