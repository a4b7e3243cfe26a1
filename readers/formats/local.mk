libcoldperf_a_SOURCES += \
	%D%/builtin.c %D%/check.c %D%/formats.h %D%/given.c
