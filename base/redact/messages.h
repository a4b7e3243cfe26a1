/* SPDX-License-Identifier: MIT */
/*
 * base/redact/messages.h: the texts in messages of protocol buffers.
 *
 * A text has its size before it, and the key of the next field after it: both
 * can look like letters.
 */
#ifndef CP_BASE_REDACT_MESSAGES_H
#define CP_BASE_REDACT_MESSAGES_H

#include "base/base.h"

typedef bool cp_message_text(void *ctx, const uint8_t *, size_t n);

/*
 * Gives each text, if all the n bytes are a message.  Packed numbers, in which
 * a short word may stand by chance, are none.  False: the function returned
 * false, and none was given after that.
 */
bool cp_message_texts(
    const uint8_t *, size_t n, cp_message_text *give, void *ctx);

#endif
