/* SPDX-License-Identifier: MIT */
/* readers/formats/view.h: a payload, and what its print format may ask. */
#ifndef CP_READERS_FORMATS_VIEW_H
#define CP_READERS_FORMATS_VIEW_H

#include "base/buf.h"
#include "model/tracepoint.h"

struct cp_payload_view {
	const uint8_t *raw;
	uint32_t size;
	bool swap;
	uint8_t long_size;
	struct cp_buf *made; /* for texts of helpers */
	/* The function that contains an address, and where it begins; or NULL
	 */
	const char *(*symbol)(void *ctx, uint64_t addr, uint64_t *start);
	void *ctx;
	/* Formats of trace_printk() by their address; or NULL. */
	const struct cp_tracepoints *tp;
};

#endif
