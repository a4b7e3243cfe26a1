libcoldperf_a_SOURCES += \
	%D%/anon.c %D%/apply.c %D%/build-ids.c %D%/callchain.c %D%/callchain.h \
	%D%/cgroup.c \
	%D%/counter.c \
	%D%/deferred-chain.c %D%/dso.c %D%/dso.h %D%/event.c %D%/event.h \
	%D%/evsel.c %D%/evsel.h %D%/guest.c %D%/info.c %D%/info.h \
	%D%/jit-session.c %D%/jit.c %D%/jit.h %D%/lbr-stitch.c %D%/lost-callers.c \
	%D%/map.c \
	%D%/map.h %D%/mmap.c %D%/counts.c %D%/counts.h %D%/recording.c %D%/recording.h %D%/resolve.c \
	%D%/script-names.c %D%/script-names.h \
	%D%/session-state.h %D%/session.c %D%/session.h %D%/stack.c \
	%D%/stack.h %D%/text-copy.c %D%/thread.c %D%/thread.h %D%/tracepoint.c \
	%D%/tracepoint.h %D%/user-stack.c
