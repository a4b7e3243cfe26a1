libcoldperf_a_SOURCES += \
	%D%/buildid-cache.c %D%/capture.c %D%/debug-file.c \
	%D%/debuginfod.c %D%/debuginfod.h %D%/jitdump.c \
	%D%/kernel.c %D%/kernel.h %D%/list.def %D%/perfmap-text.c \
	%D%/perfmap-text.h %D%/perfmap.c %D%/recorded-path.c \
	%D%/perf-script.c %D%/perf-script.h %D%/simpleperf.c %D%/snapshot.c %D%/symbol-path.c %D%/symbolizers.h %D%/vdso.c %D%/vsyscall.c
