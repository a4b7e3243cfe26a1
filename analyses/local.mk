libcoldperf_a_SOURCES += \
	%D%/advise.c %D%/annotate.c %D%/blockio.c %D%/branches.c %D%/cpi.c %D%/critical.c %D%/diff.c \
	%D%/explain.c %D%/faults.c %D%/flame.c %D%/hotspots.c %D%/info.c %D%/list.c \
	%D%/list.def %D%/list.h %D%/locks.c %D%/mem.c %D%/offcpu.c %D%/pair.c \
	%D%/profile.c %D%/quality.c %D%/report.c %D%/sched.c %D%/stat.c %D%/syscalls.c \
	%D%/timeline.c %D%/unwind.c %D%/wall.c
include analyses/accounts/local.mk
include analyses/annotate/local.mk
include analyses/blockio/local.mk
include analyses/causes/local.mk
include analyses/code/local.mk
include analyses/common/local.mk
include analyses/cpi/local.mk
include analyses/critical/local.mk
include analyses/diff/local.mk
include analyses/explain/local.mk
include analyses/flame/local.mk
include analyses/hotspots/local.mk
include analyses/info/local.mk
include analyses/locks/local.mk
include analyses/lost/local.mk
include analyses/mem/local.mk
include analyses/pairs/local.mk
include analyses/precision/local.mk
include analyses/profile/local.mk
include analyses/report/local.mk
include analyses/sched/local.mk
include analyses/stat/local.mk
include analyses/syscalls/local.mk
include analyses/tasks/local.mk
include analyses/timeline/local.mk
include analyses/unwind/local.mk
include analyses/waits/local.mk
include analyses/wall/local.mk
EXTRA_DIST += %D%/common/syscall-names.py
