/* SPDX-License-Identifier: MIT */
#include "readers/labels.h"

#include "base/manifest.h"

#define MOST_LABEL 200 /* bytes */

void
cp_labels_manifest(
    struct cp_archive *a, const void *head, size_t n, struct cp_buf *manifest)
{
	uint8_t some[1 << 14];
	ssize_t more;

	cp_buf_add(manifest, head, n);
	while (!manifest->full &&
	       (more = cp_archive_read(a, some, sizeof(some))) > 0)
		cp_buf_add(manifest, some, (size_t)more);
}

void
cp_labels_first(cp_archive_pull pull, void *ctx, struct cp_buf *manifest)
{
	struct cp_archive *a = cp_archive_open(pull, ctx, true);
	struct cp_member m;

	if (a == NULL)
		return;
	if (cp_archive_next(a, &m) == 1 && m.kind == CP_MEMBER_FILE &&
	    strcmp(m.name, CP_MANIFEST_NAME) == 0)
		cp_labels_manifest(a, "", 0, manifest);
	cp_archive_close(a);
}

void
cp_labels_take(const struct cp_buf *manifest, struct cp_info *info)
{
	struct cp_manifest list;

	if (manifest->len == 0)
		return;
	cp_manifest_parse(
	    &list, CP_MANIFEST_MAGIC, manifest->data, manifest->len);
	for (size_t i = 0; i < list.lines.len; i++) {
		const struct cp_manifest_line *l = &list.lines.data[i];

		if (l->n == 3 && strcmp(l->field[0], "label") == 0)
			cp_info_fact(info, CP_FEATURES, "label",
			    cp_info_text(info, l->field[1], MOST_LABEL), "%.*s",
			    MOST_LABEL, l->field[2]);
	}
	cp_manifest_free(&list);
}
