/* SPDX-License-Identifier: MIT */
/*
 * symbolize/opinion/libdw.h: the calls of elfutils, found at run time.  Only
 * for opinion.c and stacks.c.
 */
#ifndef CP_SYMBOLIZE_OPINION_LIBDW_H
#define CP_SYMBOLIZE_OPINION_LIBDW_H

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

/* Those of libelf are found through libdw, which needs it. */
#define CP_LIBDW_CALLS(X)                                                      \
	X(elf_version)                                                         \
	X(elf_memory)                                                          \
	X(elf_begin)                                                           \
	X(elf_end)                                                             \
	X(dwfl_begin)                                                          \
	X(dwfl_end)                                                            \
	X(dwfl_report_begin)                                                   \
	X(dwfl_report_module)                                                  \
	X(dwfl_report_end)                                                     \
	X(dwfl_module_info)                                                    \
	X(dwfl_module_addrinfo)                                                \
	X(dwfl_report_begin_add)                                               \
	X(dwfl_addrmodule)                                                     \
	X(dwfl_module_addrname)                                                \
	X(dwfl_attach_state)                                                   \
	X(dwfl_getthread_frames)                                               \
	X(dwfl_thread_state_registers)                                         \
	X(dwfl_thread_state_register_pc)                                       \
	X(dwfl_frame_pc)                                                       \
	X(dwarf_begin_elf)                                                     \
	X(dwarf_end)                                                           \
	X(dwarf_setalt)                                                        \
	X(dwarf_nextcu)                                                        \
	X(dwarf_offdie)                                                        \
	X(dwarf_haspc)                                                         \
	X(dwarf_addrdie)                                                       \
	X(dwarf_child)                                                         \
	X(dwarf_siblingof)                                                     \
	X(dwarf_getscopes_die)                                                 \
	X(dwarf_tag)                                                           \
	X(dwarf_diename)                                                       \
	X(dwarf_attr_integrate)                                                \
	X(dwarf_formstring)                                                    \
	X(dwarf_formudata)                                                     \
	X(dwarf_getsrc_die)                                                    \
	X(dwarf_lineno)

struct cp_libdw {
#define X(call) __typeof__(&call) call;
	CP_LIBDW_CALLS(X)
#undef X
};

/* NULL: elfutils' libdw is not installed. */
const struct cp_libdw *cp_libdw(void);

/* A Dwfl with these asks for no files: cp_libdw_report() has given them. */
extern const Dwfl_Callbacks cp_libdw_callbacks;
/* Reports a module with its file, where libdw is installed; NULL: refused. */
Dwfl_Module *cp_libdw_report(
    Dwfl *, Elf *, const char *name, uint64_t start, uint64_t end);

#endif
