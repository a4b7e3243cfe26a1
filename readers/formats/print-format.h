/* SPDX-License-Identifier: MIT */
/* readers/formats/print-format.h: a compiled print format. */
#ifndef CP_READERS_FORMATS_PRINT_FORMAT_H
#define CP_READERS_FORMATS_PRINT_FORMAT_H

#include "readers/formats/expr.h"

/* What follows %p. */
enum cp_pointer {
	CP_POINTER_PLAIN,
	CP_POINTER_SYMBOL,   /* %pS: with its offset */
	CP_POINTER_FUNCTION, /* %ps */
	CP_POINTER_MAC,      /* `variant': the sign between bytes; or 0 */
	CP_POINTER_IPV4,     /* `variant': i: three digits each */
	CP_POINTER_IPV6,     /* `variant': i: no colons, c: short */
	CP_POINTER_SOCKADDR, /* `variant': p: with the port */
	CP_POINTER_UUID,     /* `variant': b B l L */
	CP_POINTER_HEX,      /* `variant': the sign between bytes; or 0 */
	CP_POINTER_BITMAP,
};

/* A text, and one conversion after it. */
struct cp_print_item {
	const char *text;
	uint32_t text_len;
	char conversion; /* 0: none; i is d */
	uint8_t size;    /* bytes of the number */
	bool left, zero, plus, space, alternate;
	bool star_width, star_precision; /* arguments before its own */
	int width, precision;            /* precision -1: none */
	uint8_t pointer;                 /* enum cp_pointer */
	char variant;
	uint32_t code[4]; /* of width, precision, value; where each begins */
};

struct cp_print {
	const struct cp_print_item *items;
	uint32_t n;
	const struct cp_instr *code;
};

/* print-value.c: adds the value in the item's form. */
void cp_print_value(const struct cp_print_item *, const struct cp_value *,
    struct cp_payload_view *, struct cp_buf *);

#endif
