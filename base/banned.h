/* SPDX-License-Identifier: MIT */
/* base/banned.h: functions that have no safe use here do not compile. */
#ifndef CP_BASE_BANNED_H
#define CP_BASE_BANNED_H

#define CP_BANNED(f) cp_sorry_##f##_is_banned

#undef strcpy
#define strcpy(d, s) CP_BANNED(strcpy)
#undef strcat
#define strcat(d, s) CP_BANNED(strcat)
#undef strncpy
#define strncpy(d, s, n) CP_BANNED(strncpy)
#undef strncat
#define strncat(d, s, n) CP_BANNED(strncat)
#undef sprintf
#define sprintf(...) CP_BANNED(sprintf)
#undef vsprintf
#define vsprintf(d, f, a) CP_BANNED(vsprintf)
#undef strtok
#define strtok(s, d) CP_BANNED(strtok)
#undef gets
#define gets(s) CP_BANNED(gets)
#undef alloca
#define alloca(n) CP_BANNED(alloca)
#undef atoi
#define atoi(s) CP_BANNED(atoi)

#endif
