/* SPDX-License-Identifier: MIT */
#include "analyses/common/syscall-names.h"

#include <string.h>

/* The bit of x32 programs' calls; most of them have the numbers of x86-64. */
#define X32 0x40000000u

/* In the order of syscall-names.def. */
enum { X86_64, GENERIC, I386, ARM, PPC64, S390X, ARCHES };

static const struct {
	const char *name;
	int16_t number[ARCHES];
} calls[] = {
#define CP_SYSCALL(name, ...) { #name, { __VA_ARGS__ } },
#include "analyses/common/syscall-names.def"
#undef CP_SYSCALL
};

static const char *const errors[] = {
	[1] = "EPERM",
	[2] = "ENOENT",
	[3] = "ESRCH",
	[4] = "EINTR",
	[5] = "EIO",
	[6] = "ENXIO",
	[7] = "E2BIG",
	[8] = "ENOEXEC",
	[9] = "EBADF",
	[10] = "ECHILD",
	[11] = "EAGAIN",
	[12] = "ENOMEM",
	[13] = "EACCES",
	[14] = "EFAULT",
	[15] = "ENOTBLK",
	[16] = "EBUSY",
	[17] = "EEXIST",
	[18] = "EXDEV",
	[19] = "ENODEV",
	[20] = "ENOTDIR",
	[21] = "EISDIR",
	[22] = "EINVAL",
	[23] = "ENFILE",
	[24] = "EMFILE",
	[25] = "ENOTTY",
	[26] = "ETXTBSY",
	[27] = "EFBIG",
	[28] = "ENOSPC",
	[29] = "ESPIPE",
	[30] = "EROFS",
	[31] = "EMLINK",
	[32] = "EPIPE",
	[33] = "EDOM",
	[34] = "ERANGE",
	[35] = "EDEADLK",
	[36] = "ENAMETOOLONG",
	[37] = "ENOLCK",
	[38] = "ENOSYS",
	[39] = "ENOTEMPTY",
	[40] = "ELOOP",
	[42] = "ENOMSG",
	[43] = "EIDRM",
	[44] = "ECHRNG",
	[45] = "EL2NSYNC",
	[46] = "EL3HLT",
	[47] = "EL3RST",
	[48] = "ELNRNG",
	[49] = "EUNATCH",
	[50] = "ENOCSI",
	[51] = "EL2HLT",
	[52] = "EBADE",
	[53] = "EBADR",
	[54] = "EXFULL",
	[55] = "ENOANO",
	[56] = "EBADRQC",
	[57] = "EBADSLT",
	[59] = "EBFONT",
	[60] = "ENOSTR",
	[61] = "ENODATA",
	[62] = "ETIME",
	[63] = "ENOSR",
	[64] = "ENONET",
	[65] = "ENOPKG",
	[66] = "EREMOTE",
	[67] = "ENOLINK",
	[68] = "EADV",
	[69] = "ESRMNT",
	[70] = "ECOMM",
	[71] = "EPROTO",
	[72] = "EMULTIHOP",
	[73] = "EDOTDOT",
	[74] = "EBADMSG",
	[75] = "EOVERFLOW",
	[76] = "ENOTUNIQ",
	[77] = "EBADFD",
	[78] = "EREMCHG",
	[79] = "ELIBACC",
	[80] = "ELIBBAD",
	[81] = "ELIBSCN",
	[82] = "ELIBMAX",
	[83] = "ELIBEXEC",
	[84] = "EILSEQ",
	[85] = "ERESTART",
	[86] = "ESTRPIPE",
	[87] = "EUSERS",
	[88] = "ENOTSOCK",
	[89] = "EDESTADDRREQ",
	[90] = "EMSGSIZE",
	[91] = "EPROTOTYPE",
	[92] = "ENOPROTOOPT",
	[93] = "EPROTONOSUPPORT",
	[94] = "ESOCKTNOSUPPORT",
	[95] = "EOPNOTSUPP",
	[96] = "EPFNOSUPPORT",
	[97] = "EAFNOSUPPORT",
	[98] = "EADDRINUSE",
	[99] = "EADDRNOTAVAIL",
	[100] = "ENETDOWN",
	[101] = "ENETUNREACH",
	[102] = "ENETRESET",
	[103] = "ECONNABORTED",
	[104] = "ECONNRESET",
	[105] = "ENOBUFS",
	[106] = "EISCONN",
	[107] = "ENOTCONN",
	[108] = "ESHUTDOWN",
	[109] = "ETOOMANYREFS",
	[110] = "ETIMEDOUT",
	[111] = "ECONNREFUSED",
	[112] = "EHOSTDOWN",
	[113] = "EHOSTUNREACH",
	[114] = "EALREADY",
	[115] = "EINPROGRESS",
	[116] = "ESTALE",
	[117] = "EUCLEAN",
	[118] = "ENOTNAM",
	[119] = "ENAVAIL",
	[120] = "EISNAM",
	[121] = "EREMOTEIO",
	[122] = "EDQUOT",
	[123] = "ENOMEDIUM",
	[124] = "EMEDIUMTYPE",
	[125] = "ECANCELED",
	[126] = "ENOKEY",
	[127] = "EKEYEXPIRED",
	[128] = "EKEYREVOKED",
	[129] = "EKEYREJECTED",
	[130] = "EOWNERDEAD",
	[131] = "ENOTRECOVERABLE",
	[132] = "ERFKILL",
	[133] = "EHWPOISON",
	[512] = "ERESTARTSYS",
	[513] = "ERESTARTNOINTR",
	[514] = "ERESTARTNOHAND",
	[515] = "ENOIOCTLCMD",
	[516] = "ERESTART_RESTARTBLOCK",
	[517] = "EPROBE_DEFER",
	[518] = "EOPENSTALE",
	[521] = "EBADHANDLE",
	[524] = "ENOTSUPP",
	[526] = "ESERVERFAULT",
	[527] = "EBADTYPE",
	[528] = "EJUKEBOX",
	[529] = "EIOCBQUEUED",
};

static const struct {
	const char *machine; /* prefix of the text of uname -m */
	int arch;
} machines[] = {
	{ "x86_64", X86_64 },
	{ "aarch64", GENERIC },
	{ "arm64", GENERIC },
	{ "riscv64", GENERIC },
	{ "loongarch64", GENERIC },
	{ "i386", I386 },
	{ "i486", I386 },
	{ "i586", I386 },
	{ "i686", I386 },
	{ "arm", ARM },
	{ "ppc64", PPC64 },
	{ "s390x", S390X },
};

static int
arch_of(const struct cp_run *run)
{
	const char *arch = cp_run_fact(run, "arch");

	for (size_t i = 0;
	     arch != NULL && i < sizeof(machines) / sizeof(machines[0]); i++)
		if (strncmp(arch, machines[i].machine,
			strlen(machines[i].machine)) == 0)
			return machines[i].arch;
	return ARCHES;
}

/*
 * Returns the table for 32-bit programs.  ppc64's has the same numbers; for
 * s390 it is unknown.
 */
static int
narrow_arch_of(int arch, const struct cp_run *run)
{
	if (arch == X86_64)
		return I386;
	if (arch != GENERIC)
		return arch;
	return strcmp(cp_run_fact(run, "arch"), "aarch64") == 0 ? ARM : ARCHES;
}

const char *
cp_syscall_name(const struct cp_run *run, uint64_t number, bool narrow)
{
	int arch = arch_of(run);

	if (narrow)
		arch = narrow_arch_of(arch, run);
	else if (arch == X86_64 && (number & X32) != 0)
		number &= ~(uint64_t)X32;
	if (arch == ARCHES || number > INT16_MAX)
		return NULL;
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		if (calls[i].number[arch] == (int)number)
			return calls[i].name;
	return NULL;
}

const char *
cp_errno_name(uint64_t error)
{
	return error < sizeof(errors) / sizeof(errors[0]) ? errors[error]
							  : NULL;
}
