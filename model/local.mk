# The vocabulary of perf.
libcoldperf_a_SOURCES += %D%/dso.c %D%/dso.h
libcoldperf_a_SOURCES += %D%/info.c %D%/info.h
libcoldperf_a_SOURCES += %D%/tracepoint.c %D%/tracepoint.h
libcoldperf_a_SOURCES += \
	%D%/ahead.c %D%/ahead.h \
	%D%/apply.c \
	%D%/batch.c %D%/batch.h \
	%D%/chain.c %D%/chain.h \
	%D%/deferred.c %D%/leafcaller.c %D%/stitch.c \
	%D%/unwound.c \
	%D%/event.c %D%/event.h \
	%D%/held.c %D%/held.h \
	%D%/evsel.c %D%/evsel.h \
	%D%/guest.c \
	%D%/jit.c %D%/jit.h %D%/jitcode.c \
	%D%/map.c %D%/map.h \
	%D%/mmap.c \
	%D%/order.c %D%/order.h \
	%D%/read.c \
	%D%/recording.c %D%/recording.h \
	%D%/resolve.c \
	%D%/session.h \
	%D%/sort.c \
	%D%/stack.c %D%/stack.h \
	%D%/thread.c
