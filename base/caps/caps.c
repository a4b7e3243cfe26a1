/* SPDX-License-Identifier: MIT */
#include "base/caps/caps.h"

#include "base/limits.h"

static struct {
	const char *name;
	uint64_t value, least;
} caps[] = {
#define CP_CAP(id, name, value, least, what) { (name), (value), (least) },
#include "base/caps/caps.def"
#undef CP_CAP
};

uint64_t
cp_cap(enum cp_cap i)
{
	return caps[i].value;
}

const char *
cp_cap_set(const char *name, size_t n, uint64_t value)
{
	for (size_t i = 0; i < CP_ARRAY_LEN(caps); i++) {
		if (strlen(caps[i].name) != n ||
		    memcmp(caps[i].name, name, n) != 0)
			continue;
		if (value < caps[i].least)
			return "it cannot be so low";
		caps[i].value = value;
		return NULL;
	}
	return "no limit has this name";
}
