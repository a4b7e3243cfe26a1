/* SPDX-License-Identifier: MIT */
/*
 * symbolize/symbolizers/capture.h: names that the capture itself holds.
 */
#ifndef CP_SYMBOLIZE_SYMBOLIZERS_CAPTURE_H
#define CP_SYMBOLIZE_SYMBOLIZERS_CAPTURE_H

#include "symbolize/object/object.h"

/* The symbols that the dso came with. */
bool cp_object_load_captured(struct cp_symbols *, struct cp_object *);

#endif
