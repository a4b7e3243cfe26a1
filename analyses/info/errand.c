/* SPDX-License-Identifier: MIT */
#include "analyses/info/errand.h"

#include <stdio.h>
#include <string.h>

/* A kernel takes 128 KiB in one argument and shells take long lines. */
#define MOST ((size_t)64 << 10)
#define TAR "tar -chzf symbols.tar.gz"

static void
grow(struct cp_run *run, struct cp_errand *e, size_t more)
{
	size_t room = 2 * (e->n + more + 1);
	char *text = cp_run_alloc(run, room);

	if (e->n != 0)
		memcpy(text, e->text, e->n);
	text[e->n] = '\0';
	e->text = text;
	e->room = room;
}

void
cp_errand_add(struct cp_run *run, struct cp_errand *e, const char *take)
{
	size_t n = strlen(take) + 1;
	uint32_t before;

	if (e->known.run == NULL)
		cp_index_init(&e->known, run);
	before = e->known.n;
	if (cp_index_put(&e->known, cp_run_intern(run, take), 0) < before)
		return;
	if (n > MOST - e->n) {
		e->others++;
		return;
	}
	if (e->n + n >= e->room)
		grow(run, e, n);
	e->text[e->n] = ' ';
	memcpy(e->text + e->n + 1, take, n);
	e->n += n;
	e->files++;
}

const char *
cp_errand_command(struct cp_run *run, const struct cp_errand *e)
{
	size_t room = sizeof(TAR) + e->n;
	char *text;

	if (e->files == 0)
		return NULL;
	text = cp_run_alloc(run, room);
	(void)snprintf(text, room, TAR "%s", e->text);
	return text;
}
