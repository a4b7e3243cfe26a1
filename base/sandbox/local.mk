libcoldperf_a_SOURCES += \
	%D%/landlock.c %D%/walls.h %D%/sandbox.c %D%/sandbox.h \
	%D%/seccomp.c
