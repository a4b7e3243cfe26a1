/* SPDX-License-Identifier: MIT */
/* readers/no-capture.h: what is known of an input that is no capture. */
#ifndef CP_READERS_NO_CAPTURE_H
#define CP_READERS_NO_CAPTURE_H

#include "readers/input.h"

/*
 * Says why the input is no capture: `what', or what it is instead and which
 * file to give.
 */
void cp_no_capture(
    const struct cp_input *, struct cp_diags *, const char *what);

#endif
