/* SPDX-License-Identifier: MIT */
#include "render/export/common/json-text.h"

#include "render/common/json-report.h"

void
cp_put_key(struct cp_out *out, const char *key)
{
	cp_out_char(out, '"');
	cp_out_str(out, key);
	cp_out_str(out, "\":");
}

void
cp_put_pair(struct cp_out *out, const char *key, const char *text)
{
	cp_put_key(out, key);
	cp_json_text(out, text);
}

void
cp_put_number(struct cp_out *out, const char *key, uint64_t v)
{
	cp_put_key(out, key);
	cp_out_u64(out, v);
}
