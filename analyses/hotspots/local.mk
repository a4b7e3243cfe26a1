libcoldperf_a_SOURCES += \
	%D%/callers.c %D%/callers.h
