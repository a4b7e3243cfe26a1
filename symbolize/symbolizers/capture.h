/* SPDX-License-Identifier: MIT */
/*
 * symbolize/symbolizers/capture.h: symbols in the capture itself.
 */
#ifndef CP_SYMBOLIZE_SYMBOLIZERS_CAPTURE_H
#define CP_SYMBOLIZE_SYMBOLIZERS_CAPTURE_H

#include "symbolize/object/object.h"

/* Loads the symbols that the capture has for the dso. */
bool cp_object_load_captured(struct cp_symbols *, struct cp_object *);

#endif
