libcoldperf_a_SOURCES += \
	%D%/ends.c %D%/ends.h %D%/frames.c %D%/frames.h
