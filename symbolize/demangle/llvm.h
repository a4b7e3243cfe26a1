/* SPDX-License-Identifier: MIT */
/*
 * symbolize/demangle/llvm.h: LLVM's demangler, which knows the manglings that
 * libiberty does not: concepts, requires clauses, explicit objects.
 */
#ifndef CP_SYMBOLIZE_DEMANGLE_LLVM_H
#define CP_SYMBOLIZE_DEMANGLE_LLVM_H

#include "base/base.h"

/*
 * Returns the malloc'ed text, with return type and parameters; NULL: not a
 * name of C++, or neither libc++abi nor libLLVM is installed.
 */
char *cp_llvm_demangle(const char *raw);

#endif
