/* SPDX-License-Identifier: MIT */
/*
 * symbolize/demangle/languages.h: languages that libiberty does not know.
 * Results are malloc'ed; NULL: not a name of the language.
 */
#ifndef CP_SYMBOLIZE_DEMANGLE_LANGUAGES_H
#define CP_SYMBOLIZE_DEMANGLE_LANGUAGES_H

#include "base/base.h"

/*
 * ocaml.c: camlStdlib__List__map_123 -> Stdlib.List.map_123; brief: without the
 * number.
 */
char *cp_demangle_ocaml(const char *raw, bool brief);

/* haskell.c: base_GHCziBase_zpzp_info -> base:GHC.Base.++_info */
char *cp_demangle_haskell(const char *raw);

/*
 * java.c: as the JVM's tool interface spells a method,
 * Ljava/lang/String;equals([BI)Z -> java.lang.String.equals(byte[], int);
 * brief: without parameters.
 */
char *cp_demangle_java(const char *raw, bool brief);

/* go.c: github.com/me/pkg.(*T[...]).Run -> pkg.(*T).Run */
char *cp_tidy_go(const char *raw);

/*
 * runtimes.c: removes tiers, folders, types and parameters from names that
 * runtimes write to perf maps and dumps.
 */
char *cp_tidy_runtime(const char *raw);

/* llvm.c: LLVM's demangler, which knows the manglings that libiberty does not:
 * concepts, requires clauses, explicit objects. */

/*
 * Returns the malloc'ed text, with return type and parameters; NULL: not a
 * name of C++, or neither libc++abi nor libLLVM is installed.
 */
char *cp_llvm_demangle(const char *raw);

#endif
