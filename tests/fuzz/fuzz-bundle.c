/* SPDX-License-Identifier: MIT */
/*
 * fuzz-bundle: a tar file of any compression as a source of names, and the
 * texts that are kept beside such files: manifest and index.
 */
#include "config.h" /* memfd_create */

#include "base/manifest.h"
#include "symbolize/file-index/index.h"
#include "symbolize/file-index/content.h"
#include "tests/fuzz/input.h"

static void
read_bundle(int fd, size_t size)
{
	struct cp_symindex x;
	struct cp_diags diags;
	struct cp_content c;

	cp_diags_init(&diags);
	cp_symindex_init(&x, &diags);
	cp_bundle_read(&x, (struct cp_fd_span){ fd, 0, size }, "bundle", true);
	x.ready = true;
	for (size_t i = 0; i < x.files.len; i++) {
		const struct cp_indexed *f = &x.files.data[i];

		/* What is in the index is at hand. */
		if (f->bundle == 0 || f->bundle > x.bundles.len)
			abort();
		if (cp_symindex_content(&x, f, &c))
			cp_content_free(&c);
	}
	cp_symindex_free(&x);
}

static void
read_manifest(const uint8_t *data, size_t size)
{
	struct cp_manifest m;

	if (cp_manifest_parse(&m, CP_MANIFEST_MAGIC, (const char *)data, size))
		for (size_t i = 0; i < m.lines.len; i++)
			for (unsigned k = 0; k < m.lines.data[i].n; k++)
				if (strlen(m.lines.data[i].field[k]) > size)
					abort();
	cp_manifest_free(&m);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = fuzz_file(data, size);

	if (size != 0)
		read_bundle(fd, size);
	close(fd);
	read_manifest(data, size);
	return 0;
}
