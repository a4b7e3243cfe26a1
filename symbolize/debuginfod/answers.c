/* SPDX-License-Identifier: MIT */
/*
 * The lines of the log that count: "url 0 https://..." per server, "header
 * HTTP/1.1 404 ..." per status and more per header, "committed to url 0" when
 * content comes.  No header of a server has a line break, so none looks like
 * another line.
 */
#include "symbolize/debuginfod/answers.h"

#include <ctype.h>
#include <strings.h>
#include <unistd.h>

#include "base/temp-file.h"

#define SIZE "header X-DEBUGINFOD-SIZE: "

int
cp_answers_log(void)
{
	return cp_temp_file();
}

/* What follows the prefix; NULL: the line begins otherwise. */
static const char *
after(const char *line, const char *prefix)
{
	size_t n = strlen(prefix);

	return strncmp(line, prefix, n) == 0 ? line + n : NULL;
}

/* An error of a server is logged as "url 0 TEXT". */
static bool
is_http_url(const char *s)
{
	while (isdigit((unsigned char)*s))
		s++;
	return strncasecmp(s, " http://", 8) == 0 ||
	       strncasecmp(s, " https://", 9) == 0;
}

static void
count_status(struct cp_answers *a, const char *version)
{
	const char *space = strchr(version, ' ');
	long status = space != NULL ? strtol(space, NULL, 10) : 0;

	a->heard++;
	if (status == 404 || status == 410)
		a->unknown++;
	else if (status >= 400)
		a->errors++;
}

static void
read_line(struct cp_answers *a, const char *line)
{
	const char *rest;

	if ((rest = after(line, "url ")) != NULL)
		a->servers += is_http_url(rest);
	else if ((rest = after(line, "header HTTP/")) != NULL)
		count_status(a, rest);
	else if (strncasecmp(line, SIZE, strlen(SIZE)) == 0)
		a->size = strtoull(line + strlen(SIZE), NULL, 10);
	else if (after(line, "committed to url ") != NULL)
		a->begun = true;
}

/* Copies a whole line, so that those of several workers do not mix. */
static void
copy_line(int to, const char *line, size_t n)
{
	if (to >= 0)
		(void)!write(to, line, n);
}

struct cp_answers
cp_answers_read(int log, int copy)
{
	struct cp_answers a = { 0 };
	FILE *f = log >= 0 ? fdopen(dup(log), "r") : NULL;
	char *line = NULL;
	size_t room = 0;
	ssize_t n;

	if (f == NULL)
		return a;
	rewind(f);
	while ((n = getline(&line, &room, f)) > 0) {
		copy_line(copy, line, (size_t)n);
		read_line(&a, line);
	}
	free(line);
	fclose(f);
	/* The offset is shared with the copy of the descriptor. */
	if (ftruncate(log, 0) != 0 || lseek(log, 0, SEEK_SET) != 0)
		a = (struct cp_answers){ 0 };
	return a;
}
