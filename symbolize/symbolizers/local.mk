libcoldperf_a_SOURCES += \
	%D%/buildid-cache.c %D%/capture.c %D%/debug-file.c %D%/debuginfod.c \
	%D%/jit-files.c %D%/jit-files.h %D%/jitdump.c %D%/perfmap-text.c \
	%D%/perfmap-text.h %D%/perfmap.c %D%/recorded-path.c \
	%D%/symbol-path.c %D%/vdso.c %D%/vsyscall.c
