libcoldperf_a_SOURCES += \
	%D%/list.c %D%/list.h %D%/list.def \
	%D%/account.c %D%/account.h \
	%D%/buckets.c %D%/buckets.h \
	%D%/callers.c %D%/callers.h \
	%D%/changepoints.c %D%/changepoints.h \
	%D%/downwards.c %D%/downwards.h \
	%D%/entities.c %D%/entities.h \
	%D%/frametext.c %D%/frametext.h \
	%D%/groups.c %D%/groups.h \
	%D%/load.c %D%/load.h \
	%D%/options.c %D%/options.h \
	%D%/paths.c %D%/paths.h \
	%D%/schedevents.c %D%/schedevents.h \
	%D%/schedstates.c %D%/schedstates.h \
	%D%/sums.c %D%/sums.h \
	%D%/taskstate.c %D%/taskstate.h \
	%D%/unnamed.c %D%/unnamed.h \
	%D%/words.c %D%/words.h \
	%D%/counters.c %D%/counters.h \
	%D%/ratios.c %D%/ratios.h \
	%D%/branches.c %D%/mem.c %D%/memsource.c %D%/memsource.h \
	%D%/cpi.c %D%/cpi.h %D%/cpi-events.c %D%/cpi-blocks.c \
	%D%/cpi-tables.c %D%/cpi-paths.c %D%/cpi-notes.c \
	%D%/diff.c %D%/diffeach.c %D%/diffeach.h \
	%D%/diffprofile.c %D%/diffprofile.h \
	%D%/diffstat.c %D%/diffstat.h %D%/difftree.c %D%/difftree.h \
	%D%/flame.c \
	%D%/annotate.c %D%/annotate.h %D%/annotate-listing.c \
	%D%/annotate-lines.c %D%/annotate-sources.c \
	%D%/timeline.c %D%/timeline.h %D%/timeline-lanes.c \
	%D%/timeline-changes.c \
	%D%/hotspots.c \
	%D%/info.c %D%/lack.c %D%/lack.h \
	%D%/quality.c \
	%D%/report.c \
	%D%/unwind.c %D%/unwindframes.c %D%/unwindframes.h \
	%D%/unwindends.c %D%/unwindends.h

# What several of those that read tracepoints share.
libcoldperf_a_SOURCES += \
	%D%/index.c %D%/index.h \
	%D%/probes.c %D%/probes.h \
	%D%/quantiles.c %D%/quantiles.h \
	%D%/recipe.c %D%/recipe.h \
	%D%/stacktree.c %D%/stacktree.h \
	%D%/syscall-names.c %D%/syscall-names.h %D%/syscall-names.def

# Waits.
libcoldperf_a_SOURCES += \
	%D%/inflight.c %D%/inflight.h \
	%D%/waitclass.c %D%/waitclass.h \
	%D%/waits.c %D%/waits.h \
	%D%/waittables.c %D%/waittables.h \
	%D%/waittrees.c %D%/waittrees.h \
	%D%/waitwatch.c %D%/waitwatch.h \
	%D%/blockio.c \
	%D%/faults.c \
	%D%/lockevents.c %D%/lockevents.h \
	%D%/locks.c \
	%D%/offcpu.c \
	%D%/offcpubrief.c %D%/offcpubrief.h \
	%D%/syscalls.c

EXTRA_DIST += %D%/syscall-names.py

# The scheduler.
libcoldperf_a_SOURCES += \
	%D%/delays.c %D%/delays.h \
	%D%/runqueue.c %D%/runqueue.h \
	%D%/sched.c %D%/sched.h \
	%D%/sched-cpus.c \
	%D%/sched-latency.c \
	%D%/sched-threads.c \
	%D%/sched-timehist.c \
	%D%/sched-worst.c \
	%D%/schedbrief.c %D%/schedbrief.h \
	%D%/schedload.c %D%/schedload.h \
	%D%/schedrows.c %D%/schedrows.h \
	%D%/slab.h \
	%D%/worst.c %D%/worst.h
