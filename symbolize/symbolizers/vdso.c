/* SPDX-License-Identifier: MIT */
/*
 * The vdso of this process, used if its build ID is the recorded one: any
 * capture of the running kernel has it.  Without an ID it is used if the kernel
 * is the one that runs here, and if it is as long.
 */
#include "symbolize/object/kernel-symbols.h"
#include "symbolize/object/verify.h"
#include "symbolize/symbolizers/symbolizers.h"

/* Finds the mapping of our own vdso. */
static bool
find_image(struct cp_content *out)
{
	FILE *f = fopen("/proc/self/maps", "re");
	char line[512];
	bool found = false;

	if (f == NULL)
		return false;
	while (!found && fgets(line, sizeof(line), f) != NULL) {
		char *end;
		uint64_t lo = strtoull(line, &end, 16), hi;

		if (*end != '-' || strstr(line, "[vdso]") == NULL)
			continue;
		hi = strtoull(end + 1, NULL, 16);
		found = hi > lo;
		out->size = (size_t)(hi - lo);
		out->data = (const uint8_t *)(uintptr_t)lo;
	}
	fclose(f);
	return found;
}

static void
vdso_find(struct cp_symbols *s, struct cp_object *o)
{
	bool id = o->dso->pub.build_id_size != 0;
	struct cp_content image = { 0 }, copy;
	uint8_t *data;

	if (o->dso->pub.kind != CP_DSO_VDSO || !s->opt.recorded_paths ||
	    !find_image(&image) ||
	    (!id && (image.size != o->dso->map_size ||
			cp_object_runs_here(s, cp_object_host_kernel(s)) ==
			    CP_TRUST_NONE)))
		return;
	data = cp_xmalloc(image.size);
	memcpy(data, image.data, image.size);
	copy = (struct cp_content){ .data = data, .size = image.size };
	o->verified_only = id;
	cp_object_offer_image(o, &cp_symbolizer_vdso, copy, "[vdso]");
	o->verified_only = false;
}

const struct cp_symbolizer cp_symbolizer_vdso = {
	.name = "vdso",
	.source = CP_SOURCE_LOCAL,
	.find = vdso_find,
};
