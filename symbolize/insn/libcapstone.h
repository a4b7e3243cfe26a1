/* SPDX-License-Identifier: MIT */
/*
 * symbolize/insn/libcapstone.h: Capstone's calls, found at run time.  Only for
 * symbolize/insn/disasm.c.
 */
#ifndef CP_SYMBOLIZE_INSN_LIBCAPSTONE_H
#define CP_SYMBOLIZE_INSN_LIBCAPSTONE_H

#include <capstone/capstone.h>

#define CP_CAPSTONE_CALLS(X)                                                   \
	X(cs_support)                                                          \
	X(cs_open)                                                             \
	X(cs_close)                                                            \
	X(cs_option)                                                           \
	X(cs_malloc)                                                           \
	X(cs_free)                                                             \
	X(cs_disasm_iter)                                                      \
	X(cs_insn_group)

struct cp_libcapstone {
#define X(call) __typeof__(&call) call;
	CP_CAPSTONE_CALLS(X)
#undef X
};

/* The library's version must be the header's: it defines struct layouts. */
#define CP_CAPSTONE_TEXT(n) #n
#define CP_CAPSTONE_SONAME_OF(n) "libcapstone.so." CP_CAPSTONE_TEXT(n)
#define CP_CAPSTONE_SONAME CP_CAPSTONE_SONAME_OF(CS_API_MAJOR)

/* NULL: Capstone is not installed. */
const struct cp_libcapstone *cp_libcapstone(void);

#endif
