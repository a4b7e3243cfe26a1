/* SPDX-License-Identifier: MIT */
/*
 * base/match/simplify.h: shortens a demangled name.
 */
#ifndef CP_BASE_MATCH_SIMPLIFY_H
#define CP_BASE_MATCH_SIMPLIFY_H

#include "base/base.h"

/*
 * Takes template arguments and parameter lists out, in place:
 *	std::vector<int, std::allocator<int> >::push_back(int const&)
 *	-> std::vector::push_back
 * Kept: operators, (anonymous namespace), {lambda(int)#1}, and Rust's
 * <Type as Trait> and <impl Trait for Type>, whose inner arguments go.
 */
void cp_simplify_name(char *name, bool rust);

/*
 * Takes the return type, the parameters and what follows them out of a whole
 * declaration, in place, as libiberty does with DMGL_NO_OPTS:
 *	void f<int>(int)::'lambda'(char)::operator()(char) const
 *	-> f<int>(int)::'lambda'(char)::operator()
 */
void cp_drop_signature(char *declaration);

#endif
