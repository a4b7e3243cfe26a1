/* SPDX-License-Identifier: MIT */
#include "base/caps/caps.h"

#include "base/limits.h"

static struct {
	const char *name;
	uint64_t value;
} caps[] = {
#define CP_CAP(id, name, value, what) { (name), (value) },
#include "base/caps/caps.def"
#undef CP_CAP
};

uint64_t
cp_cap(enum cp_cap i)
{
	return caps[i].value;
}

bool
cp_cap_set(const char *name, size_t n, uint64_t value)
{
	for (size_t i = 0; i < CP_ARRAY_LEN(caps); i++) {
		if (strlen(caps[i].name) != n ||
		    memcmp(caps[i].name, name, n) != 0)
			continue;
		caps[i].value = value;
		return true;
	}
	return false;
}
