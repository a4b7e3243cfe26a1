/* SPDX-License-Identifier: MIT */
/*
 * symbolize/golang/module.h: the runtime's moduledata.
 */
#ifndef CP_SYMBOLIZE_GOLANG_MODULE_H
#define CP_SYMBOLIZE_GOLANG_MODULE_H

#include "symbolize/golang/table.h"

/* Sets .text and .calls. */
void cp_gotab_place(struct cp_gotab *);
/* Returns a copy of data with its relocations applied, or NULL. */
uint8_t *cp_gotab_relocated(
    const struct cp_elf *, uint64_t addr, const uint8_t *, size_t);

#endif
