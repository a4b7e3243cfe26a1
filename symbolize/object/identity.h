/* SPDX-License-Identifier: MIT */
/*
 * symbolize/object/identity.h: may the symbols of this file name the addresses
 * of this object?
 *
 * One judgement for all files, from all that is known: build IDs, the mapping
 * of the code against the file's segments, the name of a kernel module, the CRC
 * of a debug link.  A file is proven to be the one that ran
 * (CP_TRUST_VERIFIED), plausible (CP_TRUST_ABSENT) or contradicted
 * (CP_TRUST_MISMATCH), for a reason.  What is contradicted names nothing unless
 * the user allows it.
 */
#ifndef CP_SYMBOLIZE_OBJECT_IDENTITY_H
#define CP_SYMBOLIZE_OBJECT_IDENTITY_H

#include "symbolize/object/object.h"

/*
 * Sets trust and reason of the file.  Places its code where it was mapped, see
 * cp_elf_place().  Notes what contradicts.
 */
void cp_identity_judge(struct cp_object *, struct cp_file *);

/*
 * May a file of the object's build, whose code was mapped otherwise, give names
 * to the mapped file?  Their code must be the same.
 */
bool cp_identity_same_code(const struct cp_elf *run, const struct cp_elf *);

#endif
