/* SPDX-License-Identifier: MIT */
/*
 * tests/fuzz/fuzz.h: what a fuzz target defines.
 *
 * The same function serves libFuzzer (--enable-fuzz) and tests/fuzz/driver.c.
 */
#ifndef CP_TESTS_FUZZ_H
#define CP_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
