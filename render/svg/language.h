/* SPDX-License-Identifier: MIT */
/*
 * render/svg/language.h: what a frame's function was written in, by how its
 * name is spelled.
 */
#ifndef CP_RENDER_SVG_LANGUAGE_H
#define CP_RENDER_SVG_LANGUAGE_H

#include "coldperf/plugin.h"

enum cp_language {
	CP_LANGUAGE_C, /* and what has names like it */
	CP_LANGUAGE_CXX,
	CP_LANGUAGE_RUST,
	CP_LANGUAGE_GO,
	CP_LANGUAGE_JAVA,
	CP_LANGUAGE_PYTHON,
	CP_LANGUAGE_JAVASCRIPT,
	CP_LANGUAGES,
	CP_LANGUAGE_NONE = CP_LANGUAGES /* a kernel's, or not known */
};

enum cp_language cp_language_of(const char *name, enum cp_kind);
const char *cp_language_label(enum cp_language);

#endif
