libcoldperf_a_SOURCES += \
	%D%/missing-files.c %D%/missing-files.h
