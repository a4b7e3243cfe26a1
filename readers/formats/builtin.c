/* SPDX-License-Identifier: MIT */
/*
 * builtin: layouts of the events that most analyses use.
 *
 * They are the texts of tracefs without print formats.  If kernels differ,
 * there is a layout for each variant; the size of the payload selects it.
 */
#include "readers/formats/formats.h"

#include "base/bytes.h"
#include "readers/header/tracing.h"

#define FIELD(decl, at, size, sign)                                            \
	"\tfield:" decl ";\toffset:" #at ";\tsize:" #size ";\tsigned:" #sign   \
	";\n"
#define COMMON                                                                 \
	FIELD("unsigned short common_type", 0, 2, 0)                           \
	FIELD("unsigned char common_flags", 2, 1, 0)                           \
	FIELD("unsigned char common_preempt_count", 3, 1, 0)                   \
	FIELD("int common_pid", 4, 4, 1)
#define FORMAT(id, system, name, fields)                                       \
	{ system, "name: " name "\nID: " #id "\nformat:\n" COMMON fields },
#define COMM(name, at) FIELD("char " name "[16]", at, 16, 0)
#define INT(name, at) FIELD("int " name, at, 4, 1)
#define LONG(name, at) FIELD("long " name, at, 8, 1)
#define TASK COMM("comm", 8) INT("pid", 24) INT("prio", 28)
#define WAKE TASK INT("target_cpu", 32)
#define OLD_WAKE TASK INT("success", 32) INT("target_cpu", 36)
#define PREV COMM("prev_comm", 8) INT("prev_pid", 24) INT("prev_prio", 28)
#define NEXT(at, pid, prio)                                                    \
	COMM("next_comm", at) INT("next_pid", pid) INT("next_prio", prio)
#define UNSIGNED(name, at) FIELD("unsigned int " name, at, 4, 0)
#define REQUEST                                                                \
	FIELD("dev_t dev", 8, 4, 0)                                            \
	FIELD("sector_t sector", 16, 8, 0) UNSIGNED("nr_sector", 24)
#define BYTES UNSIGNED("bytes", 28)
#define IOPRIO FIELD("unsigned short ioprio", 32, 2, 0)
#define RWBS(at) FIELD("char rwbs[8]", at, 8, 0)
#define LONG_RWBS FIELD("char rwbs[10]", 34, 10, 0)
#define COMMAND(at) FIELD("__data_loc char[] cmd", at, 4, 0)
#define FAULT                                                                  \
	FIELD("unsigned long address", 8, 8, 0)                                \
	FIELD("unsigned long ip", 16, 8, 0)                                    \
	FIELD("unsigned long error_code", 24, 8, 0)

static const struct {
	const char *system, *text;
} formats[] = {
	/* clang-format off */
	FORMAT(1, "sched", "sched_switch",
	    PREV LONG("prev_state", 32) NEXT(40, 56, 60))
	FORMAT(2, "sched", "sched_switch", /* 32 bits */
	    PREV INT("prev_state", 32) NEXT(36, 52, 56))
	FORMAT(3, "sched", "sched_waking", WAKE)
	FORMAT(4, "sched", "sched_waking", OLD_WAKE)
	FORMAT(5, "sched", "sched_wakeup", WAKE)
	FORMAT(6, "sched", "sched_wakeup", OLD_WAKE)
	FORMAT(7, "sched", "sched_wakeup_new", WAKE)
	FORMAT(8, "sched", "sched_wakeup_new", OLD_WAKE)
	FORMAT(9, "sched", "sched_migrate_task",
	    TASK INT("orig_cpu", 32) INT("dest_cpu", 36))
	FORMAT(10, "sched", "sched_stat_runtime",
	    COMM("comm", 8) INT("pid", 24) FIELD("u64 runtime", 32, 8, 0))
	FORMAT(11, "sched", "sched_stat_runtime", COMM("comm", 8)
	    INT("pid", 24) FIELD("u64 runtime", 32, 8, 0)
	    FIELD("u64 vruntime", 40, 8, 0))
	FORMAT(12, "raw_syscalls", "sys_enter", LONG("id", 8)
	    FIELD("unsigned long args[6]", 16, 48, 0))
	FORMAT(13, "raw_syscalls", "sys_exit", LONG("id", 8) LONG("ret", 16))
	FORMAT(14, "lock", "contention_begin",
	    FIELD("void * lock_addr", 8, 8, 0)
	    FIELD("unsigned int flags", 16, 4, 0))
	FORMAT(15, "lock", "contention_end",
	    FIELD("void * lock_addr", 8, 8, 0) INT("ret", 16))
	FORMAT(16, "block", "block_rq_issue", REQUEST BYTES
	    RWBS(32) COMM("comm", 40) COMMAND(56))
	FORMAT(17, "block", "block_rq_issue", REQUEST BYTES /* Linux 6.9 */
	    IOPRIO RWBS(34) COMM("comm", 42) COMMAND(60))
	FORMAT(18, "block", "block_rq_issue", REQUEST BYTES /* 10 letters */
	    IOPRIO LONG_RWBS COMM("comm", 44) COMMAND(60))
	FORMAT(19, "block", "block_rq_complete", REQUEST INT("error", 28)
	    RWBS(32) COMMAND(40))
	FORMAT(20, "block", "block_rq_complete", REQUEST INT("error", 28)
	    IOPRIO RWBS(34) COMMAND(44))
	FORMAT(21, "exceptions", "page_fault_user", FAULT)
	FORMAT(22, "exceptions", "page_fault_kernel", FAULT)
	/* clang-format on */
};

void
cp_formats_builtin(struct cp_tracepoints *tp, struct cp_diags *diags)
{
	for (size_t i = 0; i < CP_ARRAY_LEN(formats); i++)
		cp_tracing_format(tp, formats[i].system, formats[i].text,
		    strlen(formats[i].text), diags);
}
