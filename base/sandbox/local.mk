libcoldperf_a_SOURCES += \
	%D%/landlock.c %D%/landlock.h %D%/sandbox.c %D%/sandbox.h \
	%D%/seccomp.c %D%/seccomp.h
